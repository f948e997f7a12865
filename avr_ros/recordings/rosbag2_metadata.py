"""``metadata.yaml`` of a ROS 2 bag: which files it is made of."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from avr_ros.recordings.errors import NotARecording, UnsupportedRecording

FILE_NAME = "metadata.yaml"
_MOST_BYTES = 16 << 20


class _TopicMetadata(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: str


class _Topic(BaseModel):
    model_config = ConfigDict(extra="ignore")

    topic_metadata: _TopicMetadata
    message_count: int


class _Information(BaseModel):
    model_config = ConfigDict(extra="ignore")

    relative_file_paths: list[str]
    compression_mode: str | None = ""
    topics_with_message_count: list[_Topic] = Field(default_factory=list)


class _Metadata(BaseModel):
    model_config = ConfigDict(extra="ignore")

    rosbag2_bagfile_information: _Information


class BagMetadata:
    """Names of a bag's files, in their order, and how many messages each topic has."""

    def __init__(self, files: list[str], message_counts: dict[str, int]) -> None:
        self.files = files
        self.message_counts = message_counts


def is_metadata(path: Path) -> bool:
    """Tell whether a file is there and speaks of a bag; other things have such a file, too."""
    try:
        with path.open("rb") as file:
            return b"rosbag2_bagfile_information" in file.read(_MOST_BYTES)
    except OSError:
        return False


def read_metadata(path: Path) -> BagMetadata:
    """Read a ``metadata.yaml``. Of each file's path the last part counts, as in rosbag2 itself.

    :raises NotARecording: not this format.
    :raises UnsupportedRecording: the bag's files or messages are compressed as a whole.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise NotARecording(f"{path} is larger than {_MOST_BYTES >> 20} MB.")
        content = yaml.safe_load(path.read_bytes())
        information = _Metadata.model_validate(content).rosbag2_bagfile_information
    except OSError as error:
        raise NotARecording(f"Cannot read {path}: {error}.") from error
    except yaml.YAMLError as error:
        raise NotARecording(f"{path} is no YAML: {' '.join(str(error).split())}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise NotARecording(f"{path}: {first['msg']} at {place}.") from error
    mode = (information.compression_mode or "").lower()
    if mode not in ("", "none"):
        raise UnsupportedRecording(
            f"{path} says that the bag is compressed by {mode}; `ros2 bag convert` to a bag "
            "without compression, or to an MCAP with compressed chunks, makes it readable."
        )
    return BagMetadata(
        [PurePosixPath(name).name for name in information.relative_file_paths],
        {
            topic.topic_metadata.name: topic.message_count
            for topic in information.topics_with_message_count
        },
    )
