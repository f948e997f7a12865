"""JRDB's ``timestamps/<sequence>/frames_img.json``: the stamps of a sequence's stitched images.

The file lists, for every frame, the cameras with the URL and the time of their images. Only the
last part of the URL is of use: it is the image's file name, whose digits are the frame's id. Times
are seconds since the epoch as JSON floats, whose resolution today is a quarter of a microsecond, so
that whole microseconds come back exactly.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from avr_ros.recordings.errors import MalformedTimestamps

STITCHED_CAMERA = "stitched_image0"
FILE_NAME = "frames_img.json"
MAX_FILE_BYTES = 256 << 20
_IMAGE_NAME = re.compile(r"(?:.*/)?(\d{1,18})\.\w+")


class _Camera(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: str
    url: str = ""
    # Up to the year 2286, so that microseconds stay exact in a float.
    timestamp: Annotated[float, Field(ge=0, lt=1e10, allow_inf_nan=False)]


class _Frame(BaseModel):
    model_config = ConfigDict(extra="ignore")

    cameras: list[_Camera]


class _FramesImg(BaseModel):
    model_config = ConfigDict(extra="ignore")

    data: list[_Frame]


class Timestamps:
    """Frame ids, rising, and their stamps in whole microseconds since the epoch."""

    def __init__(self, path: str, stamps_us: dict[int, int]) -> None:
        self.path = path
        self.frame_ids: npt.NDArray[np.int64] = np.array(sorted(stamps_us), np.int64)
        self.stamps_us: npt.NDArray[np.int64] = np.array(
            [stamps_us[frame_id] for frame_id in sorted(stamps_us)], np.int64
        )
        self._by_frame = stamps_us

    def stamp_us(self, frame_id: int) -> int | None:
        """Return a frame's stamp, none where the file has none."""
        return self._by_frame.get(frame_id)


def read_timestamps(path: Path) -> Timestamps:
    """Read a frames_img.json.

    Entries without a stitched image are passed over: another camera's time is not its time.

    :raises MalformedTimestamps: not this format, two stamps for one frame, or no stitched image at
        all; the message names the file and the entry.
    """
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise MalformedTimestamps(f"{path} is larger than {MAX_FILE_BYTES >> 20} MB.")
        content = _FramesImg.model_validate_json(path.read_bytes())
    except OSError as error:
        raise MalformedTimestamps(f"Cannot read {path}: {error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole file"
        raise MalformedTimestamps(f"{path}: {first['msg']} at {place}.") from error
    stamps: dict[int, int] = {}
    for at, frame in enumerate(content.data):
        for camera in frame.cameras:
            if camera.name != STITCHED_CAMERA:
                continue
            name = _IMAGE_NAME.fullmatch(camera.url)
            if name is None:
                raise MalformedTimestamps(
                    f"{path}: the URL {camera.url!r} at data.{at} does not end in a frame's number."
                )
            stamp = round(camera.timestamp * 1e6)
            if stamps.setdefault(int(name.group(1)), stamp) != stamp:
                raise MalformedTimestamps(
                    f"{path}: frame {int(name.group(1))} has a second stamp at data.{at}."
                )
    if not stamps:
        raise MalformedTimestamps(f"{path}: no entry has a camera {STITCHED_CAMERA}.")
    return Timestamps(str(path), stamps)
