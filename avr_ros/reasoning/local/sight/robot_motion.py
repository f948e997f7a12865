"""How the robot moved between frames, told by the people who stayed where they were."""

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from avr_ros.reasoning.local.sight.identity import Track
from avr_ros.reasoning.local.sight.seen import SeenPerson

STILL: Final = frozenset({"standing", "sitting", "lying"})
"""Postures of people who stay where they are."""

LONGEST_LINK: Final = 150
"""Frames between two sightings up to which somebody is taken to have stayed."""

HOP: Final = 10.0
"""Frames that one more link in a chain of links counts for."""

APART_M: Final = 1.0
"""Distance of two people from which on the line between them tells a turn."""

FASTEST_M_S: Final = 2.5
"""Speed above which two looks are not of people who stayed."""

FASTEST_TURN_S: Final = 1.2
"""The same for turns, radians a second."""

RATE_FRAMES: Final = (4, 60)
"""Fewest and most frames between two looks from which the robot's speed is told."""

_Places = npt.NDArray[np.float64]


@dataclass(frozen=True, order=True)
class Motion:
    """Where the robot stands at one frame, in its axes of another: metres ahead and left, radians.

    ``sure`` is false where it is carried on rather than told by anybody.
    """

    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    sure: bool = True

    def then(self, other: "Motion") -> "Motion":
        """This motion, then another one from there."""
        cosine, sine = math.cos(self.turn), math.sin(self.turn)
        return Motion(
            self.x + cosine * other.x - sine * other.y,
            self.y + sine * other.x + cosine * other.y,
            math.remainder(self.turn + other.turn, math.tau),
            self.sure and other.sure,
        )

    def back(self) -> "Motion":
        """The way back."""
        cosine, sine = math.cos(self.turn), math.sin(self.turn)
        return Motion(
            -cosine * self.x - sine * self.y, sine * self.x - cosine * self.y, -self.turn, self.sure
        )

    def share(self, part: float, sure: bool) -> "Motion":
        """A part of it, or more than all of it."""
        return Motion(part * self.x, part * self.y, part * self.turn, sure)


class RobotMotion:
    """The robot's motion through the frames that were looked at."""

    def __init__(self, tracks: Sequence[Track], seconds: dict[int, float]) -> None:
        """``seconds`` is the time of each frame that was looked at."""
        self._seconds = seconds
        self._still: dict[int, dict[int, SeenPerson]] = {}
        for number, track in enumerate(tracks):
            for frame in track.frames():
                person = track.best_at(frame)
                if person is not None and person.place is not None and STILL & {*person.doing()}:
                    self._still.setdefault(frame, {})[number] = person
        self._known: dict[int, dict[int, Motion]] = {}

    def motion(self, start: int, frame: int) -> Motion:
        """The robot at a frame, in its axes at ``start``.

        Between frames that are known it goes evenly, beyond them on as it went last.
        """
        known = self._linked(start)
        if frame in known:
            return known[frame]
        frames = sorted(known)
        before = max((item for item in frames if item < frame), default=None)
        after = min((item for item in frames if item > frame), default=None)
        if before is not None and after is not None:
            step = known[before].back().then(known[after])
            part = (frame - before) / (after - before)
            return known[before].then(step.share(part, after - before <= RATE_FRAMES[1]))
        near = before if before is not None else after
        assert near is not None
        others = [item for item in frames if RATE_FRAMES[0] <= abs(item - near) <= RATE_FRAMES[1]]
        if not others:
            return known[near].share(1.0, sure=False)
        other = min(others, key=lambda item: abs(item - near))
        rate = known[other].back().then(known[near])
        part = min(abs(frame - near), RATE_FRAMES[1]) / abs(near - other)
        return known[near].then(rate.share(part, sure=False))

    def _linked(self, start: int) -> dict[int, Motion]:
        """The motion to every frame that a chain of people who stayed leads to."""
        known = self._known.get(start)
        if known is not None:
            return known
        known = {}
        waiting: list[tuple[float, int, Motion]] = [(0.0, start, Motion())]
        while waiting:
            cost, frame, motion = heapq.heappop(waiting)
            if frame in known:
                continue
            known[frame] = motion
            for other in sorted(self._still):
                apart = abs(other - frame)
                if other in known or apart > LONGEST_LINK:
                    continue
                step = self._link(frame, other)
                if step is not None:
                    heapq.heappush(waiting, (cost + apart + HOP, other, motion.then(step)))
        self._known[start] = known
        return known

    def _link(self, first: int, second: int) -> Motion | None:
        """The motion from one frame to another by the people who are still in both."""
        here, there = self._still.get(first, {}), self._still.get(second, {})
        common = [number for number in here if number in there]
        if not common:
            return None
        before = np.array([here[number].place for number in common], dtype=np.float64)
        after = np.array([there[number].place for number in common], dtype=np.float64)
        turns = [
            here_heading - there_heading
            for number in common
            if (here_heading := here[number].heading) is not None
            and (there_heading := there[number].heading) is not None
        ]
        turn = _middle([*turns, *_turns_of_lines(before, after)])
        if turn is None:
            return None
        cosine, sine = math.cos(turn), math.sin(turn)
        rotated = after @ np.array([[cosine, sine], [-sine, cosine]])
        x, y = (float(value) for value in np.median(before - rotated, axis=0))
        seconds = abs(self._seconds[second] - self._seconds[first])
        if math.hypot(x, y) > 0.5 + FASTEST_M_S * seconds:
            return None
        if abs(turn) > 0.2 + FASTEST_TURN_S * seconds:
            return None
        return Motion(x, y, turn)


def _turns_of_lines(before: _Places, after: _Places) -> list[float]:
    """The robot's turn as the lines between people tell it."""
    turns = []
    for first in range(len(before)):
        for second in range(first + 1, len(before)):
            old, new = before[second] - before[first], after[second] - after[first]
            lengths = float(np.hypot(*old)), float(np.hypot(*new))
            if min(lengths) >= APART_M and abs(lengths[0] - lengths[1]) <= APART_M / 2:
                turns.append(math.atan2(old[1], old[0]) - math.atan2(new[1], new[0]))
    return turns


def _middle(turns: Sequence[float]) -> float | None:
    """The turn that is nearest to all others, none of none."""
    if not turns:
        return None
    wrapped = [math.remainder(turn, math.tau) for turn in turns]
    return min(
        wrapped,
        key=lambda turn: sum(abs(math.remainder(turn - item, math.tau)) for item in wrapped),
    )
