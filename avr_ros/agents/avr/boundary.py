"""When a followed person's state changes, such as whether they do an action."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from avr_ros.agents.avr.action_evidence import doubt
from avr_ros.agents.avr.action_looks import ActionLook, State, opposite
from avr_ros.agents.avr.change_search import ChangeSearch, Errors, Habits
from avr_ros.agents.avr.follow import Follower
from avr_ros.agents.avr.scout import VISIBLE_ACTIONS, Scout
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.avr.sighting import Sighting, mean_actions


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
        state: State,
        tolerance: int,
        settings: AvrSettings,
        habits: Habits,
        errors: Errors,
        soon: float | None = None,
    ) -> None:
        """Search ``frames`` (rising) for changes of a state of the person who is followed.

        Answers may be off by ``tolerance`` frames; ``soon`` is by when half of all changes come,
        in frames, none where they are spread evenly; ``habits`` how people go from thing to thing,
        ``errors`` how often a look is expected to be wrong.
        """
        self._scout = scout
        self._follower = follower
        self._frames = frames
        self._state = state
        self._tolerance = tolerance
        self._soon = soon
        self._habits = habits
        self._errors = errors
        self._settings = settings

    def look(self, frame: int, changed: State) -> ActionLook | None:
        """What all sightings of the person in a frame tell of a state, none without any."""
        seen = [item for item in self._follower.sightings if item.frame_id == frame]
        actions = mean_actions(seen)
        if not actions:
            return None
        threshold = self._settings.action_threshold
        thing = frozenset(name for name in VISIBLE_ACTIONS if actions.get(name, 0.0) >= threshold)
        mistaken = min(self._settings.state_error, doubt(actions))
        return ActionLook(actions, VISIBLE_ACTIONS, changed, thing, mistaken)

    def first_change(
        self,
        start: int,
        state: bool,
        forward: bool,
        reserve: int = 0,
        earliest: int = 0,
    ) -> Change | None:
        """The first frame after (or before) ``start`` whose state is not ``state``.

        None if nothing changes there as far as the looks can tell; ``reserve`` of them are left.
        The change is known to come ``earliest`` frames from ``start`` or later.
        """
        if forward:
            path = self._frames[self._frames > start]
        else:
            path = self._frames[self._frames < start][::-1]
        if len(path) == 0:
            return None
        changed = opposite(self._state) if state else self._state
        known_before = self.look(start, changed)
        search = ChangeSearch(
            len(path),
            self._tolerance_positions(path),
            self._errors,
            self._habits,
            self._soon,
            int(np.searchsorted(np.abs(path - start), earliest)),
            None if known_before is None else known_before.thing,
        )
        positions = {frame: position for position, frame in enumerate(path.tolist())}
        self._tell(search, positions, changed, self._follower.sightings)
        while search.estimate.confidence < self._settings.confidence:
            if self._scout.looks_left <= reserve:
                break
            chosen = search.next_position(lambda at: self._follower.costs(path[at]))
            if chosen is None:
                break
            known = len(self._follower.sightings)
            frame = int(path[chosen])
            self._follower.find(frame)
            self._tell(search, positions, changed, self._follower.sightings[known:])
            if self.look(frame, changed) is None:
                search.tell_unseen(chosen)
        # What a question asks for does happen: only where is in doubt.
        estimate = search.best
        sure = self._settings.answer_unsure or (
            estimate.confidence >= self._settings.least_confidence
        )
        if estimate.first is None or not sure:
            return None
        before = start if estimate.first == 0 else int(path[estimate.first - 1])
        return Change(int(path[estimate.first]), before, estimate.confidence)

    def _tell(
        self,
        search: ChangeSearch,
        positions: Mapping[int, int],
        changed: State,
        sightings: Iterable[Sighting],
    ) -> None:
        """Tell a search what the frames of some sightings show."""
        for frame in sorted({item.frame_id for item in sightings} & positions.keys()):
            look = self.look(frame, changed)
            if look is not None:
                search.tell(positions[frame], look)

    def _tolerance_positions(self, path: npt.NDArray[np.int64]) -> int:
        """How many neighbouring frames of the path the answer may be off."""
        step = float(np.median(np.abs(np.diff(path)))) if len(path) > 1 else 1.0
        return max(0, math.floor(self._tolerance / max(step, 1.0)))
