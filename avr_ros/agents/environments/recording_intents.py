"""The acquisition intents of recordings; one atomic action is one observation.

FACE turns to an azimuth, SWEEP fans out, SEEK jumps in time, FOLLOW keeps a person in view through
frames, ZOOM narrows the field of view and WIDEN undoes it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from avr_ros.agents.environments.actions import ActionName, AtomicAction
from avr_ros.agents.environments.environment import Shot, Target
from avr_ros.agents.environments.intent import (
    Direction,
    Intent,
    IntentError,
    IntentKind,
    IntentName,
    IntentSet,
)
from avr_ros.geometry.full_turn import FAN_STEP, FULL_TURN

MOST_FOLLOWED: Final[int] = 8
"""Most observations of one FOLLOW."""


@dataclass(frozen=True, eq=False)
class RecordingLimits:
    """What may be asked for: frames, rising, and fields of view in radians, widest first."""

    frames: npt.NDArray[np.int64]
    fields_of_view: tuple[float, ...] = (0.0,)


@dataclass(frozen=True)
class _OnRecordings:
    """What the recordings' intents share."""

    limits: RecordingLimits

    needs = frozenset({ActionName.LOOK})
    tracks = False

    def offered(self, current: Shot | None) -> bool:
        """Wherever there is a current view."""
        return current is not None

    def aim(self, action: AtomicAction, target: Target) -> AtomicAction:
        """Turned to where the target will be if it goes on as at the last step."""
        if target.bearing is None:
            return action
        return replace(action, azimuth=_wrapped(target.bearing + target.turn))

    def frame(self, frame_id: int | None, intent: IntentName) -> int:
        """A frame that may be observed. Raises IntentError for another one."""
        if frame_id is None:
            raise IntentError(f"{intent.value} needs frame_id")
        if frame_id not in self.limits.frames:
            raise IntentError(f"frame {frame_id} may not be observed")
        return frame_id


@dataclass(frozen=True)
class Face(_OnRecordings):
    """One view of the current frame at another azimuth."""

    name = IntentName.FACE
    description = "look at the same frame toward bearing_deg (0 ahead, left positive)"

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """Its action."""
        if intent.bearing_deg is None:
            raise IntentError("FACE needs bearing_deg")
        here = _here(current)
        return [replace(here, azimuth=_radians(intent.bearing_deg))]


@dataclass(frozen=True)
class Sweep(_OnRecordings):
    """A fan of views of the current frame, from the current direction on."""

    name = IntentName.SWEEP
    description = (
        f"look at the same frame in count further directions to direction, "
        f"{math.degrees(FAN_STEP):.0f} deg apart; {FULL_TURN - 1} of them complete the circle"
    )

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """Its actions."""
        here = _here(current)
        count = intent.count or FULL_TURN - 1
        if count > FULL_TURN:
            raise IntentError(f"SWEEP has at most {FULL_TURN} views, not {count}")
        sign = 1.0 if intent.direction is Direction.LEFT else -1.0
        assert here.azimuth is not None
        start = here.azimuth if intent.bearing_deg is None else _radians(intent.bearing_deg)
        first = 1 if intent.bearing_deg is None else 0
        return [
            replace(here, azimuth=_wrapped(start + sign * step * FAN_STEP), field_of_view=0.0)
            for step in range(first, first + count)
        ]


@dataclass(frozen=True)
class Seek(_OnRecordings):
    """One view of another frame, toward the same azimuth or a given one."""

    name = IntentName.SEEK
    description = "jump to frame_id, toward bearing_deg if given, else the same way"

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """Its action."""
        here = _here(current)
        azimuth = here.azimuth if intent.bearing_deg is None else _radians(intent.bearing_deg)
        frame = self.frame(intent.frame_id, self.name)
        return [replace(here, frame_id=frame, azimuth=azimuth, field_of_view=0.0)]


@dataclass(frozen=True)
class Follow(_OnRecordings):
    """Views of one person in evenly spaced frames, ended where the person is lost."""

    name = IntentName.FOLLOW
    description = (
        "keep the person in box of the current picture in view through count evenly spaced "
        f"frames (at most {MOST_FOLLOWED}) that end with frame_id"
    )
    tracks = True

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """Its actions, all toward the current azimuth until the person is seen elsewhere."""
        if intent.box is None:
            raise IntentError("FOLLOW needs the box of a person in the current picture")
        here = _here(current)
        assert here.frame_id is not None
        last = self.frame(intent.frame_id, self.name)
        count = intent.count or 1
        if count > MOST_FOLLOWED:
            raise IntentError(f"FOLLOW has at most {MOST_FOLLOWED} views, not {count}")
        if last == here.frame_id:
            raise IntentError("FOLLOW needs another frame than the current one")
        frames = self._between(here.frame_id, last, count)
        return [replace(here, frame_id=frame, field_of_view=0.0) for frame in frames]

    def _between(self, first: int, last: int, count: int) -> list[int]:
        """Frames evenly spaced by their place among the legal ones, without repetition."""
        legal = self.limits.frames
        start, end = (int(np.searchsorted(legal, frame)) for frame in (first, last))
        places = np.rint(np.linspace(start, end, count + 1)).astype(int)[1:]
        frames = [int(legal[place]) for place in places.tolist() if legal[place] != first]
        return list(dict.fromkeys(frames))


@dataclass(frozen=True)
class Zoom(_OnRecordings):
    """The same view with the next narrower field of view."""

    name = IntentName.ZOOM
    description = "narrow the field of view of the same frame, toward bearing_deg if given"

    def offered(self, current: Shot | None) -> bool:
        """Where a narrower field of view is allowed."""
        return current is not None and _neighbour(self.limits, current, 1) is not None

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """Its action."""
        here = _here(current)
        assert current is not None
        width = _neighbour(self.limits, current, 1)
        if width is None:
            raise IntentError("there is no narrower field of view")
        azimuth = here.azimuth if intent.bearing_deg is None else _radians(intent.bearing_deg)
        return [replace(here, azimuth=azimuth, field_of_view=width)]


@dataclass(frozen=True)
class Widen(_OnRecordings):
    """The same view with the next wider field of view: undoes ZOOM."""

    name = IntentName.WIDEN
    description = "undo ZOOM"

    def offered(self, current: Shot | None) -> bool:
        """Where the view was narrowed."""
        return current is not None and _neighbour(self.limits, current, -1) is not None

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """Its action."""
        here = _here(current)
        assert current is not None
        width = _neighbour(self.limits, current, -1)
        if width is None:
            raise IntentError("the view is not narrowed")
        return [replace(here, field_of_view=width)]


@dataclass(frozen=True)
class Atomic(_OnRecordings):
    """One view of any frame and direction: what a decision is without intents."""

    name = IntentName.ATOMIC
    description = "one view: frame_id, bearing_deg (each the current one if not given)"

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """Its action."""
        here = _here(current)
        azimuth = here.azimuth if intent.bearing_deg is None else _radians(intent.bearing_deg)
        frame = here.frame_id
        if intent.frame_id is not None:
            frame = self.frame(intent.frame_id, self.name)
        return [replace(here, frame_id=frame, azimuth=azimuth, field_of_view=0.0)]


_KINDS: Final = (Face, Sweep, Seek, Follow, Zoom, Widen)


def recording_intents(limits: RecordingLimits, atomic: bool = False) -> IntentSet:
    """The intents of a recording's episode; ``atomic`` offers single views alone."""
    makers: tuple[type[_OnRecordings], ...] = (Atomic,) if atomic else _KINDS
    kinds: list[IntentKind] = [maker(limits) for maker in makers]  # type: ignore[misc]
    return IntentSet.of(kinds, frozenset({ActionName.LOOK}))


def _here(current: Shot | None) -> AtomicAction:
    """The current view as an action. Raises IntentError without one."""
    if current is None or current.frame_id is None or current.azimuth is None:
        raise IntentError("there is no current view")
    return AtomicAction(
        ActionName.LOOK,
        frame_id=current.frame_id,
        azimuth=current.azimuth,
        field_of_view=current.field_of_view,
    )


def _neighbour(limits: RecordingLimits, current: Shot, step: int) -> float | None:
    """The field of view a step narrower (1) or wider (-1) than the current one, none beyond."""
    widths = limits.fields_of_view
    place = widths.index(current.field_of_view) if current.field_of_view in widths else 0
    return widths[place + step] if 0 <= place + step < len(widths) else None


def _radians(degrees: float) -> float:
    return _wrapped(math.radians(degrees))


def _wrapped(angle: float) -> float:
    return math.remainder(angle, 2 * math.pi)
