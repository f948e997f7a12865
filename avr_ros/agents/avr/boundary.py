"""Answers when a followed person starts or stops an action, or the span of it."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from avr_ros.agents.avr.change_search import ChangeSearch
from avr_ros.agents.avr.follow import Follower
from avr_ros.agents.avr.scout import Scout
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.avr.sighting import Sighting


@dataclass(frozen=True)
class Change:
    """A found change of state.

    ``frame`` is the first changed frame on the way of the search, ``before`` the one next to it on
    the side from which the search came.
    """

    frame: int
    before: int
    confidence: float


class BoundarySearch:
    """Looks for changes of one action of one person in both directions of time."""

    def __init__(
        self,
        scout: Scout,
        follower: Follower,
        frames: npt.NDArray[np.int64],
        action: str,
        tolerance: int,
        dwell: float,
        settings: AvrSettings,
    ) -> None:
        """Search ``frames`` (rising) for ``action``.

        Answers may be off by ``tolerance`` frames; states may be over after ``dwell`` frames.
        """
        self._scout = scout
        self._follower = follower
        self._frames = frames
        self._action = action
        self._tolerance = tolerance
        self._dwell = dwell
        self._settings = settings
        self._seen: dict[int, bool] = {}

    def know(self, sighting: Sighting) -> bool | None:
        """Take a sighting; say whether the action is done in it, none where it cannot be told."""
        state = self._scout.does(sighting, self._action)
        if state is not None:
            self._seen[sighting.frame_id] = state
        return state

    def first_change(self, start: int, state: bool, forward: bool) -> Change | None:
        """The first frame after (or before) ``start`` whose state is not ``state``.

        None if nothing changes there as far as the looks that are left can tell.
        """
        if forward:
            path = self._frames[self._frames > start]
        else:
            path = self._frames[self._frames < start][::-1]
        if len(path) == 0:
            return None
        search = ChangeSearch(
            len(path),
            self._tolerance_positions(path),
            self._settings.state_error,
            self._dwell,
        )
        for position, frame in enumerate(path.tolist()):
            if frame in self._seen:
                search.tell(position, self._seen[frame] != state)
        while search.estimate.confidence < self._settings.confidence:
            if self._scout.looks_left <= 0:
                break
            chosen = search.next_position(lambda at: self._follower.cost(int(path[at])))
            if chosen is None:
                break
            sighting = self._follower.find(int(path[chosen]))
            told = None if sighting is None else self.know(sighting)
            if told is None:
                search.tell_unseen(chosen)
            else:
                search.tell(chosen, told != state)
        estimate = search.estimate
        if estimate.first is None:
            return None
        before = start if estimate.first == 0 else int(path[estimate.first - 1])
        return Change(int(path[estimate.first]), before, estimate.confidence)

    def _tolerance_positions(self, path: npt.NDArray[np.int64]) -> int:
        """How many neighbouring frames of the path the answer may be off."""
        step = float(np.median(np.abs(np.diff(path)))) if len(path) > 1 else 1.0
        return max(0, math.floor(self._tolerance / max(step, 1.0)))
