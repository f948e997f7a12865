"""When a followed person's state changes, such as whether they do an action."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from avr_ros.agents.avr.change_search import ChangeSearch, Errors, Habits
from avr_ros.agents.avr.follow import Follower
from avr_ros.agents.avr.scout import Scout
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.avr.sighting import Sighting

Tell = Callable[[Sighting], bool | None]
"""Says which state a sighting shows, none where that cannot be told."""


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
    """Looks for changes of one state of one person in both directions of time."""

    def __init__(
        self,
        scout: Scout,
        follower: Follower,
        frames: npt.NDArray[np.int64],
        tell: Tell,
        tolerance: int,
        settings: AvrSettings,
        habits: Habits,
        errors: Errors,
        soon: float | None = None,
    ) -> None:
        """Search ``frames`` (rising) for changes of what ``tell`` says of a sighting.

        Answers may be off by ``tolerance`` frames; ``soon`` is by when half of all changes come,
        in frames, none where they are spread evenly; ``habits`` how people go from thing to thing,
        ``errors`` how often a look is wrong.
        """
        self._scout = scout
        self._follower = follower
        self._frames = frames
        self._tell = tell
        self._tolerance = tolerance
        self._soon = soon
        self._habits = habits
        self._errors = errors
        self._settings = settings
        self._seen: dict[int, bool] = {}
        self._doing: dict[int, frozenset[str]] = {}

    def know(self, sighting: Sighting) -> bool | None:
        """Take a sighting; say which state it shows, none where that cannot be told."""
        state = self._tell(sighting)
        if state is not None:
            self._seen[sighting.frame_id] = state
            self._doing[sighting.frame_id] = self._scout.visible(sighting)
        return state

    @property
    def seen(self) -> dict[int, bool]:
        """The states that looks have shown, by frame, rising."""
        return {frame: self._seen[frame] for frame in sorted(self._seen)}

    def first_change(
        self,
        start: int,
        state: bool,
        forward: bool,
        reserve: int = 0,
        earliest: int = 0,
        until: int | None = None,
    ) -> Change | None:
        """The first frame after (or before) ``start`` whose state is not ``state``.

        None if nothing changes there as far as the looks can tell; ``reserve`` of them are left.
        The change is known to come ``earliest`` frames from ``start`` or later, and is sought no
        further than the frame ``until``.
        """
        if forward:
            path = self._frames[self._frames > start]
        else:
            path = self._frames[self._frames < start][::-1]
        if until is not None:
            path = path[path < until] if forward else path[path > until]
        if len(path) == 0:
            return None
        search = ChangeSearch(
            len(path),
            self._tolerance_positions(path),
            self._errors,
            self._habits,
            self._soon,
            int(np.searchsorted(np.abs(path - start), earliest)),
            self._doing.get(start),
        )
        for position, frame in enumerate(path.tolist()):
            if frame in self._seen:
                search.tell(position, self._seen[frame] != state, self._doing[frame])
        while search.estimate.confidence < self._settings.confidence:
            if self._scout.looks_left <= reserve:
                break
            chosen = search.next_position(lambda at: self._follower.costs(path[at]))
            if chosen is None:
                break
            frame = int(path[chosen])
            sighting = self._follower.find(frame)
            told = None if sighting is None else self.know(sighting)
            where = np.flatnonzero(path == frame)
            if told is None:
                search.tell_unseen(int(where[0]) if len(where) else chosen)
            elif len(where):
                search.tell(int(where[0]), told != state, self._doing[frame])
        estimate = search.best if self._settings.answer_unsure else search.estimate
        sure = self._settings.answer_unsure or (
            estimate.confidence >= self._settings.least_confidence
        )
        if estimate.first is None or not sure:
            return None
        before = start if estimate.first == 0 else int(path[estimate.first - 1])
        return Change(int(path[estimate.first]), before, estimate.confidence)

    def _tolerance_positions(self, path: npt.NDArray[np.int64]) -> int:
        """How many neighbouring frames of the path the answer may be off."""
        step = float(np.median(np.abs(np.diff(path)))) if len(path) > 1 else 1.0
        return max(0, math.floor(self._tolerance / max(step, 1.0)))
