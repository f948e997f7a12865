"""Settings of the perception by onnxruntime."""

from enum import Enum
from pathlib import Path

from pydantic import Field, field_validator

from avr_ros.schema.model import Record


class Provider(str, Enum):
    """Where a detector runs."""

    CPU = "cpu"
    CUDA = "cuda"
    TENSORRT = "tensorrt"


class OnnxSettings(Record):
    """Which detector finds people, and how it is run.

    The same file, settings, machine and number of threads give the same bytes.
    """

    detector: str = Field(
        default="", description="YAML description of a detector; empty: the one that ships"
    )
    provider: Provider = Field(default=Provider.CPU, description="cpu, cuda or tensorrt")
    threads: int = Field(default=1, ge=1, le=256, description="threads of one detection")
    batch: int = Field(default=4, ge=1, le=64, description="most pieces of a panorama at once")
    confidence: float = Field(
        default=0.0, ge=0, le=1, description="lowest score of a person; 0: the description's"
    )

    @field_validator("detector")
    @classmethod
    def _absolute(cls, value: str) -> str:
        """Another process, with another working directory, has to find the same file."""
        return str(Path(value).absolute()) if value else ""
