"""What a sample data set is made from."""

from __future__ import annotations

from typing import Final

from pydantic import Field, field_validator

from avr_ros.sample.styles import MIXED_STYLE, style_names
from avr_ros.schema.model import Record

SAMPLE_VERSION: Final = 5
"""Raised whenever the same specification would give other bytes."""

DEFAULT_SEED: Final = 7
"""Seed of the sample that ``make replay`` makes."""


class SampleSpecification(Record):
    """Everything that decides the bytes of a sample data set.

    The same specification gives the same bytes on one machine with the same library versions.
    ``people`` is the number present at a time; more than that come and go.
    """

    version: int = SAMPLE_VERSION
    seed: int = Field(default=DEFAULT_SEED, ge=0)
    sequences: int = Field(default=4, ge=1, le=200)
    frames: int = Field(default=150, ge=2, le=20_000)
    people: int = Field(default=25, ge=1, le=60)
    style: str = MIXED_STYLE
    bags: bool = False

    @field_validator("style")
    @classmethod
    def _known_style(cls, value: str) -> str:
        if value not in style_names():
            raise ValueError(f"unknown style {value!r}: choose one of {', '.join(style_names())}")
        return value
