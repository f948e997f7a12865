"""All that was seen in an episode so far, bound to people."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from avr_ros.geometry.full_turn import FAN_STEP, FULL_TURN
from avr_ros.reasoning.local.sight.identity import Track, tracks_of
from avr_ros.reasoning.local.sight.seen import SeenPerson, SeenView

_ROUNDING: Final = 1e-3


@dataclass(frozen=True, eq=False)
class Scene:
    """Views, people, and what was looked at."""

    views: Sequence[SeenView] = field(repr=False)

    @cached_property
    def tracks(self) -> list[Track]:
        """The people."""
        return tracks_of(self.views)

    @cached_property
    def seconds(self) -> dict[int, float]:
        """Time of each frame that was looked at."""
        return {view.frame: view.seconds for view in self.views}

    def at(self, frame: int) -> list[SeenView]:
        """The views of a frame."""
        return [view for view in self.views if view.frame == frame and _wide(view)]

    def unseen(self, frame: int) -> list[float]:
        """Directions in radians of the views that are missing to have looked all around a frame.

        They join on to what was looked at: the first one begins where the leftmost stretch that
        was seen ends.
        """
        views = self.at(frame)
        if not views:
            return [math.remainder(step * FAN_STEP, math.tau) for step in range(FULL_TURN)]
        if any(view.half_width >= math.pi for view in views):
            return []
        start = views[0].azimuth
        half = FAN_STEP / 2
        spans = sorted((view.azimuth - start) % math.tau for view in views)
        missing: list[float] = []
        reached = half
        for middle in [*spans[1:], math.tau]:
            # Middles are at least half a step from what is reached where nothing is missing.
            while middle - half > reached + _ROUNDING:
                reached += FAN_STEP
                missing.append(math.remainder(start + reached - half, math.tau))
            reached = max(reached, middle + half)
        return missing

    def view_of(self, person: SeenPerson) -> SeenView | None:
        """The pictured view that shows a sighting, none for a note."""
        return next((view for view in self.views if view.name and view.name == person.view), None)


def _wide(view: SeenView) -> bool:
    """Whether a view was not narrowed, so that it counts as having looked there."""
    return view.half_width >= FAN_STEP / 2 - _ROUNDING
