"""Where a picture of a recording was taken, in the words that models and notes have for it.

They are written here alone, and read here alone by backends that have nothing but the words.
"""

import math
import re
from typing import Final

PLACE: Final = r"frame (\d+) at (-?\d+\.\d+) s, azimuth (-?\d+\.\d+) deg"
"""Pattern of :func:`place_text`: frame, seconds and degrees."""

_PLACE: Final = re.compile(PLACE)


def place_text(frame_id: int, seconds: float, azimuth: float) -> str:
    """Frame, seconds since some common moment, and direction (radians) of a view."""
    return f"frame {frame_id} at {seconds:.2f} s, azimuth {math.degrees(azimuth):.1f} deg"


def view_caption(
    frame_id: int,
    stamp_ns: int,
    azimuth: float | None,
    first_stamp_us: float,
    field_of_view: float = 0.0,
) -> str:
    """The caption of a view towards ``azimuth``, or of a whole panorama where that is none.

    ``first_stamp_us`` is the time of the first legal frame, from which seconds count;
    ``field_of_view`` the width that was asked for, 0 where it was the default. Angles in radians.
    """
    text = place_text(frame_id, (stamp_ns / 1000 - first_stamp_us) / 1e6, azimuth or 0.0)
    if azimuth is None:
        return f"{text} in the middle, all around: left is to the robot's left"
    return f"{text}, {math.degrees(field_of_view):.1f} deg wide" if field_of_view else text


def caption_seconds(caption: str) -> float | None:
    """The seconds that a caption tells, none where it is no caption of a recording's view."""
    found = _PLACE.match(caption)
    return None if found is None else float(found[2])
