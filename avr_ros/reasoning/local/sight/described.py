"""Who is meant: the person whom a question describes, in a scene."""

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from avr_ros.geometry.relations import Sector, Side, nearest_beside, nearest_in_sector
from avr_ros.reasoning.local.sight.identity import Track
from avr_ros.reasoning.local.sight.scene import Scene
from avr_ros.reasoning.local.sight.seen import SURE, SeenPerson
from avr_ros.reasoning.meaning import PersonMeaning, RelationKind, TimeRelation, Viewpoint

SECTORS: Final[dict[RelationKind, Sector]] = {
    RelationKind.IN_FRONT_OF: Sector.FRONT,
    RelationKind.BEHIND: Sector.BEHIND,
    RelationKind.LEFT_OF: Sector.LEFT,
    RelationKind.RIGHT_OF: Sector.RIGHT,
}

SIDES: Final[dict[RelationKind, Side]] = {
    RelationKind.LEFT_OF: Side.LEFT,
    RelationKind.RIGHT_OF: Side.RIGHT,
}


class NobodyFitsError(Exception):
    """Nobody who was seen fits; the text says what was looked for."""


@dataclass(eq=False)
class Described:
    """The people on the way to the person meant, who is the last; ``sure`` is whether nobody who
    was not seen yet could take a place."""

    people: list[Track] = field(default_factory=list)
    sure: bool = True

    def sightings(self, frame: int) -> list[SeenPerson]:
        """The clearest sighting of each in the frame."""
        found = [track.best_at(frame) for track in self.people]
        return [person for person in found if person is not None]


def described_frame(meaning: PersonMeaning, first: int) -> int:
    """The frame at which the person is described; the first one where the question names none.

    Raises NobodyFitsError for a time that is no frame.
    """
    time = meaning.time
    if time is None and meaning.relation is not None:
        return described_frame(meaning.relation.other, first)
    if time is None or (time.frame_id is None and time.event is None):
        return first
    if time.frame_id is None or time.relation is not TimeRelation.AT or time.shift_seconds:
        raise NobodyFitsError("the person is described at a time that is not a frame")
    return time.frame_id


def find_described(meaning: PersonMeaning, scene: Scene, frame: int, whole: bool) -> Described:
    """Follow the description through a frame's people.

    ``whole`` is whether all directions of the frame were looked at. Raises NobodyFitsError.
    """
    if meaning.relation is None:
        return _by_actions(meaning, scene, frame, whole)
    found = find_described(meaning.relation.other, scene, frame, whole)
    other = found.people[-1]
    viewpoint = meaning.relation.viewpoint
    reached = _related(meaning.relation.kind, viewpoint, other, scene, frame)
    if reached is None:
        raise NobodyFitsError(f"nobody is {meaning.relation.kind.value} at frame {frame}")
    if meaning.actions and not all(does(reached, name, frame) for name in meaning.actions):
        raise NobodyFitsError(f"the person there is not {' and '.join(meaning.actions)}")
    return Described([*found.people, reached], sure=whole)


def does(track: Track, action: str, frame: int) -> bool | None:
    """Whether somebody does an action in a frame; none where no sighting tells."""
    told = [
        (person.actions.get(action, 0.0), max(person.visibility, 0.05))
        for person in track.at(frame)
        if person.actions
    ]
    if not told:
        return None
    return sum(value * weight for value, weight in told) >= SURE * sum(w for _, w in told)


def _by_actions(meaning: PersonMeaning, scene: Scene, frame: int, whole: bool) -> Described:
    fitting = [
        track
        for track in scene.tracks
        if track.at(frame) and all(does(track, name, frame) for name in meaning.actions)
    ]
    if not fitting or not meaning.actions:
        raise NobodyFitsError(f"nobody is seen {' and '.join(meaning.actions)} at frame {frame}")
    if meaning.closest:
        near = [(_distance(track, frame), place) for place, track in enumerate(fitting)]
        chosen = fitting[min(near)[1]]
        return Described([chosen], sure=whole)
    chosen = max(fitting, key=lambda track: _confidence(track, meaning.actions, frame))
    return Described([chosen], sure=whole or (meaning.unique and len(fitting) == 1))


def _related(
    kind: RelationKind, viewpoint: Viewpoint, other: Track, scene: Scene, frame: int
) -> Track | None:
    """The nearest person in a relation to another one."""
    here = other.best_at(frame)
    rest = [track for track in scene.tracks if track is not other and track.at(frame)]
    seen = [person for track in rest if (person := track.best_at(frame)) is not None]
    if here is None or not seen:
        return None
    if kind in SIDES and viewpoint is Viewpoint.ROBOT:
        beside = nearest_beside(here.azimuth, [person.azimuth for person in seen], SIDES[kind])
        return None if beside is None else rest[beside.index]
    if here.place is None:
        return None
    places = np.array(
        [(math.nan, math.nan) if person.place is None else person.place for person in seen]
    )
    if kind in SECTORS:
        if here.heading is None:
            return None
        found = nearest_in_sector(here.place, here.heading, places, SECTORS[kind])
        return None if found is None else rest[found.index]
    distances = np.hypot(places[:, 0] - here.place[0], places[:, 1] - here.place[1])
    if not np.any(np.isfinite(distances)):
        return None
    return rest[int(np.nanargmin(distances))]


def _distance(track: Track, frame: int) -> float:
    person = track.best_at(frame)
    return math.inf if person is None or person.place is None else math.hypot(*person.place)


def _confidence(track: Track, actions: tuple[str, ...], frame: int) -> float:
    return max(
        math.prod(person.actions.get(name, 0.0) for name in actions) for person in track.at(frame)
    )
