"""From what the search wants to look at to one of the actions that are offered."""

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from avr_ros.geometry.full_turn import FAN_STEP
from avr_ros.reasoning.local.sight.identity import Track
from avr_ros.reasoning.local.sight.seen import SeenPerson, SeenView
from avr_ros.reasoning.local.sight.wanted import Around, LookAt, Through
from avr_ros.reasoning.picture_boxes import to_picture
from avr_ros.reasoning.stages.answer_reply import PictureBox

STEADY: Final = math.radians(20.0)
"""Turn to somebody's next direction up to which they are followed, not looked for."""


@dataclass(frozen=True)
class ChosenLook:
    """An intent's name with its parameters; bearings in degrees."""

    action: str
    bearing_deg: float
    frame_id: int | None = None
    count: int | None = None
    box: PictureBox | None = None


def choose_look(
    wanted: Around | LookAt | Through,
    current: SeenView,
    who: Track | None,
    offered: Collection[str],
) -> ChosenLook | None:
    """The offered action that brings most of what is wanted; none where nothing fits."""
    if isinstance(wanted, Around) and wanted.frame == current.frame and "SWEEP" in offered:
        count = _in_a_row(wanted.azimuths)
        return ChosenLook("SWEEP", _degrees(wanted.azimuths[0]), count=count)
    if isinstance(wanted, Through) and "FOLLOW" in offered and len(wanted.frames) > 1:
        person = None if who is None else _in_view(who, current)
        if person is not None and _goes_on(wanted, current, person):
            return ChosenLook(
                "FOLLOW",
                _degrees(person.azimuth),
                frame_id=wanted.frames[-1],
                count=len(wanted.frames),
                box=picture_box(person, current),
            )
    frame = wanted.frames[0] if isinstance(wanted, Through) else wanted.frame
    azimuth = wanted.azimuths[0] if isinstance(wanted, Around) else wanted.azimuth
    if frame == current.frame and "FACE" in offered:
        return ChosenLook("FACE", _degrees(azimuth))
    for name in ("SEEK", "ATOMIC", "look"):
        if name in offered:
            return ChosenLook(name, _degrees(azimuth), frame_id=frame)
    return None


def picture_box(person: SeenPerson, view: SeenView) -> PictureBox | None:
    """A sighting's box in thousandths of its view's picture; none for a note."""
    if person.box is None or view.window is None:
        return None
    box = to_picture(person.box, view.window)
    return box.x, box.y, box.w, box.h


def _in_view(who: Track, view: SeenView) -> SeenPerson | None:
    """The person's sighting in a pictured view."""
    return next((item for item in who.sightings if item.view and item.view == view.name), None)


def _goes_on(wanted: Through, view: SeenView, person: SeenPerson) -> bool:
    """Whether the frames follow the view at their own distance, and the person will be near."""
    step = wanted.frames[1] - wanted.frames[0]
    near = abs(math.remainder(wanted.azimuth - person.azimuth, math.tau)) <= STEADY
    return near and abs(wanted.frames[0] - view.frame - step) <= step / 2


def _in_a_row(azimuths: tuple[float, ...]) -> int:
    """How many of the directions follow each other to the left at the fan's step."""
    count = 1
    for first, second in zip(azimuths, azimuths[1:], strict=False):
        step = math.remainder(second - first - FAN_STEP, math.tau)
        if abs(step) > 1e-3:
            break
        count += 1
    return count


def _degrees(azimuth: float) -> float:
    return math.degrees(math.remainder(azimuth, math.tau))
