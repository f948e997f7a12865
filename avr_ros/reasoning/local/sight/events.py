"""When somebody starts or stops an action, as far as views tell, and where to look to tell more."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from avr_ros.reasoning.meaning import Edge

STRIDE: Final = 18
"""Frames from one look to the next while a change is looked for."""

FAR_STRIDE: Final = 30
"""The same where two changes far apart are looked for in one budget."""

FARTHEST_STRIDE: Final = 45
"""The same at most, for what lasts that long is seldom missed."""

MOST_AHEAD: Final = 5
"""Frames that are watched through at once: those past a change were looked at in vain."""

HIDDEN: Final = 2
"""Frames around one in which somebody was not found that are not tried instead of it."""


@dataclass(frozen=True)
class Change:
    """A change between two looked-at frames: not yet in ``before``, already in ``after``."""

    before: int
    after: int

    @property
    def gap(self) -> int:
        """Frames between the two."""
        return self.after - self.before

    @property
    def frame(self) -> int:
        """The likeliest frame: the first one of what begins, or without what ends."""
        return (self.before + self.after + 1) // 2


@dataclass(frozen=True)
class Scan:
    """What the looks at somebody tell: their state by frame, and where they were not found."""

    states: dict[int, bool]
    missing: frozenset[int] = frozenset()

    def change(self, edge: Edge, start: int) -> Change | None:
        """The first start or stop after a frame, none where none was seen."""
        wanted = edge is Edge.START
        frames = sorted(frame for frame in self.states if frame >= start)
        for before, after in zip(frames, frames[1:], strict=False):
            if self.states[before] is not wanted and self.states[after] is wanted:
                return Change(before, after)
        return None

    def began(self, frame: int) -> Change | None:
        """The start of the stretch that goes on at a frame, none where it was not seen."""
        earlier = [seen for seen in self.states if seen <= frame]
        before = max((seen for seen in earlier if not self.states[seen]), default=None)
        if before is None:
            return None
        after = min((seen for seen in earlier if seen > before), default=None)
        return None if after is None else Change(before, after)

    def middle(self, change: Change) -> int | None:
        """The frame to look at in order to narrow a change down, none where none is left."""
        free = [
            frame
            for frame in range(change.before + 1, change.after)
            if all(abs(frame - missed) > HIDDEN for missed in self.missing)
        ]
        centre = (change.before + change.after) / 2
        return min(free, key=lambda frame: abs(frame - centre), default=None)


def frames_ahead(
    latest: int, last: int, legal: Callable[[int], bool], stride: int = STRIDE
) -> tuple[int, ...]:
    """The next few frames at the stride after the latest one looked at, up to ``last``."""
    end = min(last, latest + MOST_AHEAD * stride)
    frames = [frame for frame in range(latest + stride, end + 1, stride) if legal(frame)]
    if not frames and latest < last and legal(last):
        frames = [last]
    return tuple(frames)
