"""Image time stamps (``timestamps/<sequence>/frames_img.json``).

The file holds seconds since the epoch as JSON floats, which keep whole microseconds and no more.
"""

from __future__ import annotations

from pathlib import Path

from avr_ros.annotations.errors import LabelFileError
from avr_ros.annotations.fields import (
    FieldError,
    as_array,
    as_number,
    as_object,
    frame_of,
    require,
)
from avr_ros.annotations.json_cursor import JsonCursor

STITCHED_CAMERA = "stitched_image0"
"""Name of the panorama among a frame's cameras."""


def load_stamps(path: Path) -> dict[int, int]:
    """The panoramas' stamps in microseconds since the epoch by frame id, in the file's order.

    A frame's id is the number in its panorama's file name. Frames without a panorama are left
    out. Raises LabelFileError, also for a frame that occurs twice.
    """
    cursor = JsonCursor(path)
    stamps: dict[int, int] | None = None
    for key in cursor.members():
        if key == "data":
            stamps = _read(cursor, path)
        else:
            cursor.value()
    cursor.finish()
    if stamps is None:
        raise LabelFileError(path, "top level", "no 'data'")
    return stamps


def _read(cursor: JsonCursor, path: Path) -> dict[int, int]:
    stamps: dict[int, int] = {}
    for index in cursor.elements():
        try:
            entry = as_object(cursor.value(), "")
            for position, item in enumerate(as_array(require(entry, "cameras"), "cameras")):
                camera = as_object(item, f"cameras[{position}]")
                if camera.get("name") != STITCHED_CAMERA:
                    continue
                url = require(camera, "url")
                if not isinstance(url, str):
                    raise FieldError("cameras/url", "no text")
                frame = frame_of(url.rsplit("/", 1)[-1])
                if frame in stamps:
                    raise FieldError("cameras/url", f"frame {frame} a second time")
                stamps[frame] = round(as_number(require(camera, "timestamp"), "timestamp") * 1e6)
        except FieldError as error:
            raise LabelFileError(path, f"data[{index}]/{error.key}", str(error)) from None
    return stamps
