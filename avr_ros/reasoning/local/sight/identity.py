"""Who is who across views: by looks, by place within a frame, and by what notes say."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from avr_ros.geometry import boxes
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.reasoning.local.sight.seen import SeenPerson, SeenView
from avr_ros.schema.detection import APPEARANCE_SIZE

ALIKE: Final = 0.6
"""Least likeness of one person's two appearances."""

SAME_PLACE_M: Final = 1.0
"""Distance in metres within which two sightings of one frame are of one place."""

SAME_DIRECTION: Final = math.radians(4.0)
"""Angle within which two sightings of one frame, of which one is a note, are of one person."""

SLACK: Final = math.radians(25.0)
"""Angle by which somebody's direction may change from one frame to the next looked at."""

SLACK_RATE: Final = math.radians(6.0)
"""By how much that grows with each frame in between."""

_IMPOSSIBLE: Final = 1e6


class Track:
    """One person: every sighting, in the order of the views' taking.

    ``appearance`` is the mean one, a unit vector, none where nothing tells it; ``meant`` whether a
    note says that this is the person meant.
    """

    def __init__(self) -> None:
        self.sightings: list[SeenPerson] = []
        self.appearance: npt.NDArray[np.float64] | None = None
        self.meant = False
        self._total = np.zeros(APPEARANCE_SIZE)
        self._by_frame: dict[int, list[SeenPerson]] = {}

    def add(self, person: SeenPerson) -> None:
        """Take a sighting."""
        self.sightings.append(person)
        self._by_frame.setdefault(person.frame, []).append(person)
        self.meant |= person.meant
        if person.appearance is not None:
            self._total = self._total + person.appearance
            length = math.sqrt(float(self._total @ self._total))
            self.appearance = self._total / length if length > 0.0 else None

    def at(self, frame: int) -> list[SeenPerson]:
        """The sightings in a frame."""
        return self._by_frame.get(frame, [])

    def best_at(self, frame: int) -> SeenPerson | None:
        """The clearest sighting in a frame, pictures before notes."""
        return max(self.at(frame), key=clearness, default=None)

    def frames(self) -> list[int]:
        """The frames with sightings, rising."""
        return sorted(self._by_frame)


def clearness(person: SeenPerson) -> tuple[bool, bool, float]:
    """Orders sightings: a picture, the whole person, most of them visible."""
    return person.box is not None, not person.cut_off, person.visibility


def tracks_of(views: Sequence[SeenView]) -> list[Track]:
    """The people of all views. Everybody whom a note marks as meant is one person."""
    tracks: list[Track] = []
    for view in views:
        _bind(view.people, tracks)
    meant = [track for track in tracks if track.meant]
    for other in meant[1:]:
        for person in other.sightings:
            meant[0].add(person)
        tracks.remove(other)
    return tracks


def _bind(people: Sequence[SeenPerson], tracks: list[Track]) -> None:
    if not people:
        return
    cost = np.full((len(people), len(tracks) + len(people)), _IMPOSSIBLE)
    for row, person in enumerate(people):
        for column, track in enumerate(tracks):
            cost[row, column] = _cost(person, track)
        cost[row, len(tracks) + row] = 1.0 - ALIKE
    rows, columns = linear_sum_assignment(cost)
    known = list(tracks)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        if column < len(known):
            known[column].add(people[row])
        else:
            track = Track()
            track.add(people[row])
            tracks.append(track)


def _cost(person: SeenPerson, track: Track) -> float:
    if person.meant and track.meant:
        return 0.0
    known = track.appearance
    here = track.at(person.frame)
    if person.appearance is None or known is None:
        # Of notes only the place in one frame tells who is who.
        turned = [abs(math.remainder(person.azimuth - item.azimuth, math.tau)) for item in here]
        return min(turned) if turned and min(turned) <= SAME_DIRECTION else _IMPOSSIBLE
    likeness = float(known @ person.appearance)
    if likeness < ALIKE:
        return _IMPOSSIBLE
    if here:
        return 1.0 - likeness if any(_one_place(person, item) for item in here) else _IMPOSSIBLE
    near = min(track.sightings, key=lambda item: abs(item.frame - person.frame))
    slack = SLACK + SLACK_RATE * abs(near.frame - person.frame)
    if abs(math.remainder(person.azimuth - near.azimuth, math.tau)) > slack:
        return _IMPOSSIBLE
    return 1.0 - likeness


def _one_place(first: SeenPerson, second: SeenPerson) -> bool:
    """Whether two sightings of one frame can be of one person, perhaps cut by a view's border."""
    if first.place is not None and second.place is not None:
        apart = math.hypot(first.place[0] - second.place[0], first.place[1] - second.place[1])
        if apart <= SAME_PLACE_M:
            return True
    if first.box is not None and second.box is not None:
        if float(boxes.iou(first.box, second.box, JRDB_CYLINDER.width)) > 0.3:
            return True
        if first.cut_off and second.cut_off:
            turned = abs(math.remainder(first.azimuth - second.azimuth, math.tau))
            return turned <= SAME_DIRECTION
        return False
    return abs(math.remainder(first.azimuth - second.azimuth, math.tau)) <= SAME_DIRECTION
