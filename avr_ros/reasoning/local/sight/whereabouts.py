"""Where somebody is expected in a frame, and where to look for somebody who was lost."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW
from avr_ros.geometry.full_turn import FAN_STEP
from avr_ros.reasoning.local.sight.identity import Track
from avr_ros.reasoning.local.sight.scene import Scene
from avr_ros.reasoning.local.sight.wanted import Around, LookAt, Part

LOOKS_AT_A_FRAME: Final = 2
"""Views spent on finding somebody again in one frame of many."""

ASIDE: Final = 0.85 * DEFAULT_FIELD_OF_VIEW
"""Turn in radians to the next view when somebody is not where they were expected."""

CLOSE: Final = 8
"""Frames to where somebody was seen last within which they are not searched for in between."""

LOST_FRAMES: Final = 3
"""Frames without somebody after which they are looked for all around, once."""

LONGEST_TREND: Final = 45
"""Frames between two sightings up to which they show a motion that goes on."""

MOST_TURN: Final = math.radians(60.0)
"""Angle by which such a motion is carried on at most."""


class Whereabouts:
    """Directions of people in the frames of a scene."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def pursue(self, who: Track) -> LookAt | Around | None:
        """Where to find somebody again who was lost after the last frame that shows them.

        Aside of where they were expected, then half the way back; farther on aside too, and all
        around once, after some frames without them. None where they are not lost, or searched for.
        """
        seen = max(who.frames())
        lost = sorted({view.frame for view in self._scene.views if view.frame > seen})
        if not lost:
            return None
        if len(self._scene.at(lost[0])) < LOOKS_AT_A_FRAME:
            return LookAt(lost[0], self.aside(who, lost[0]), Part.WHAT)
        if lost[0] - seen >= CLOSE:
            middle = (seen + lost[0]) // 2
            return LookAt(middle, self.expected(who, middle), Part.WHAT)
        latest = lost[-1]
        if len(self._scene.at(latest)) < LOOKS_AT_A_FRAME:
            return LookAt(latest, self.aside(who, latest), Part.WHAT)
        unseen = tuple(self._scene.unseen(latest))
        searched = any(not self._scene.unseen(frame) for frame in lost)
        if len(lost) >= LOST_FRAMES and unseen and not searched:
            return Around(latest, unseen, Part.WHAT)
        return None

    def aside(self, who: Track, frame: int) -> float:
        """The direction next to those looked at where the person is likeliest."""
        expected = self.expected(who, frame)
        looked = [view.azimuth for view in self._scene.at(frame)]
        for offset in (0.0, ASIDE, -ASIDE, 2 * ASIDE, -2 * ASIDE):
            azimuth = math.remainder(expected + offset, math.tau)
            if all(abs(math.remainder(azimuth - item, math.tau)) > FAN_STEP / 2 for item in looked):
                return azimuth
        return expected

    def expected(self, who: Track, frame: int) -> float:
        """Direction in which somebody is expected in a frame.

        Between two sightings it is interpolated. Beyond them the person turns with the others who
        were seen then and now, mostly because the robot turns; without others the motion between
        the nearest two sightings goes on.
        """
        frames = who.frames()
        before = max((item for item in frames if item <= frame), default=None)
        after = min((item for item in frames if item >= frame), default=None)
        if before is not None and after is not None:
            first, last = self._direction(who, before), self._direction(who, after)
            if before == after:
                return first
            share = (frame - before) / (after - before)
            return _wrapped(first + share * _wrapped(last - first))
        near = min(frames, key=lambda item: abs(item - frame))
        here = self._direction(who, near)
        turn = self._turn_of_others(who, near, frame)
        if turn is None:
            turn = self._trend(who, frames, near, frame)
        return _wrapped(here + turn)

    def _direction(self, who: Track, frame: int) -> float:
        person = who.best_at(frame)
        assert person is not None
        return person.azimuth

    def _turn_of_others(self, who: Track, then: int, now: int) -> float | None:
        """Median turn of the others from one frame to another, none where nobody is in both."""
        turns = [
            _wrapped(last.azimuth - first.azimuth)
            for track in self._scene.tracks
            if track is not who
            and (first := track.best_at(then)) is not None
            and (last := track.best_at(now)) is not None
        ]
        return float(np.median(turns)) if turns else None

    def _trend(self, who: Track, frames: Sequence[int], near: int, frame: int) -> float:
        """Turn if the motion between the nearest two sightings goes on."""
        others = [item for item in frames if 0 < abs(item - near) <= LONGEST_TREND]
        if not others:
            return 0.0
        other = min(others, key=lambda item: abs(item - near))
        rate = _wrapped(self._direction(who, near) - self._direction(who, other)) / (near - other)
        return min(max(rate * (frame - near), -MOST_TURN), MOST_TURN)


def _wrapped(angle: float) -> float:
    return math.remainder(angle, math.tau)
