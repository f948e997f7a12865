"""Finding the person whom a question describes."""

import math
from collections.abc import Iterator
from typing import Final

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.coverage import HALF_VIEW, Coverage
from avr_ros.agents.avr.people import Person
from avr_ros.agents.avr.scout import Scout
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.agents.toolbox import Toolbox
from avr_ros.geometry.panorama import TWO_PI
from avr_ros.geometry.relations import (
    ANGLE_MARGIN,
    SIDE_MAXIMUM,
    Nearest,
    Side,
    nearest_beside,
)
from avr_ros.reasoning.meaning import PersonMeaning, RelationKind, RelationMeaning, Viewpoint
from avr_ros.schema.fact import FactKind, FactPattern

MAX_DOUBTFUL = 3
"""Candidates that are looked at again before the agent gives up on telling them apart."""


RIVAL_ANGLE = math.radians(2.0)
"""Angle within which two people compete for a relation so closely that neither is taken. A question
leaves five degrees; the rest is room for errors of boxes."""

SIDES: Final[dict[RelationKind, Side]] = {
    RelationKind.LEFT_OF: Side.LEFT,
    RelationKind.RIGHT_OF: Side.RIGHT,
}
"""The relations that are followed, seen from the robot."""


class NoSinglePersonError(Exception):
    """Nobody fits the description, or several do; the text says which."""


class AnchorSearch:
    """Finds the described person in one frame, from the facts of the world model.

    It looks no further than the question needs: if the question says that nobody else fits, until
    somebody does, else all around; for a neighbour, as far as nobody nearer can be.
    """

    def __init__(self, scout: Scout, toolbox: Toolbox, frame_id: int) -> None:
        self._scout = scout
        self._toolbox = toolbox
        self._frame_id = frame_id
        self._coverage = Coverage()

    def find(self, meaning: PersonMeaning) -> Person:
        """Find the person. Raises NoSinglePersonError, and what the tools raise."""
        if meaning.relation is None:
            return self._by_actions(meaning.actions, meaning.unique)
        other = self.find(meaning.relation.other)
        person = self._beside(other, meaning.relation)
        if meaning.actions and person not in self._fitting(meaning.actions):
            raise NoSinglePersonError(
                f"the person in that relation was not seen {' and '.join(meaning.actions)}"
            )
        return person

    def _by_actions(self, actions: tuple[str, ...], unique: bool) -> Person:
        """Who does all of the actions.

        Whoever seems to is looked at once more from straight ahead, and the majority of looks
        counts. If nobody fits, a second turn is made between the views of the first.
        """
        for turned in (0.0, HALF_VIEW):
            looked: set[Person] = set()
            for azimuth in self._turn(turned):
                for person, sighting in self._look(azimuth):
                    if unique and set(actions) <= self._scout.doing(sighting):
                        if person not in looked:
                            looked.add(person)
                            self._look_again(person)
                        if person in self._fitting(actions):
                            return person
            candidates = self._fitting(actions)
            if 1 < len(candidates) <= MAX_DOUBTFUL:
                for person in candidates:
                    self._look_again(person)
                candidates = self._fitting(actions)
            if candidates:
                break
        if len(candidates) != 1:
            many = f"{len(candidates)} people were" if candidates else "nobody was"
            raise NoSinglePersonError(
                f"{many} seen {' and '.join(actions)} in frame {self._frame_id}"
            )
        return candidates[0]

    def _turn(self, turned: float) -> Iterator[float]:
        """Views all around, ahead first and then to the left, without those looked at already."""
        again = turned != 0.0
        coverage = Coverage() if again else self._coverage
        start = wrap(turned - HALF_VIEW)
        while self._scout.looks_left > 0:
            azimuth = coverage.next_view(start, 1, TWO_PI)
            if azimuth is None:
                return
            if again:
                coverage.add(azimuth)
            yield azimuth

    def _beside(self, other: Person, relation: RelationMeaning) -> Person:
        """The nearest person to a side of another one; the choice is looked at once more."""
        side = SIDES.get(relation.kind)
        if side is None or relation.viewpoint is not Viewpoint.ROBOT or not relation.nearest:
            raise NoSinglePersonError(
                f"this version does not follow the relation {relation.kind.value}"
            )
        if other.cut_off_at(self._frame_id):
            self._look_again(other)
        looked: set[Person] = set()
        while self._scout.looks_left > 0:
            found = self._nearest(other, side)
            far = SIDE_MAXIMUM if found is None else found[1].value + ANGLE_MARGIN
            start = other.azimuth_at(self._frame_id)
            azimuth = self._coverage.next_view(start, side.value, far)
            if azimuth is not None:
                self._look(azimuth)
            elif found is not None and found[0] not in looked:
                looked.add(found[0])
                self._look_again(found[0])
            else:
                break
        found = self._nearest(other, side)
        if found is None:
            raise NoSinglePersonError(f"nobody was seen to the {side.name.lower()} of {other.name}")
        if found[1].margin < RIVAL_ANGLE:
            raise NoSinglePersonError(
                f"two people are about equally near to the {side.name.lower()} of {other.name}"
            )
        return found[0]

    def _nearest(self, other: Person, side: Side) -> tuple[Person, Nearest] | None:
        people = [
            person
            for person in self._scout.people
            if person is not other and person.at(self._frame_id)
        ]
        azimuths = [person.azimuth_at(self._frame_id) for person in people]
        found = nearest_beside(other.azimuth_at(self._frame_id), azimuths, side)
        return None if found is None else (people[found.index], found)

    def _look(self, azimuth: float) -> list[tuple[Person, Sighting]]:
        self._coverage.add(azimuth)
        return self._scout.look(self._frame_id, azimuth)

    def _look_again(self, person: Person) -> None:
        if self._scout.looks_left > 0:
            self._look(person.azimuth_at(self._frame_id))

    def _fitting(self, actions: tuple[str, ...]) -> list[Person]:
        """Everyone who does every action in most of the looks at them in the frame."""
        fitting: set[str] | None = None
        for action in actions:
            doing = self._doing(action)
            fitting = doing if fitting is None else fitting & doing
        return [person for person in self._scout.people if fitting and person.name in fitting]

    def _doing(self, action: str) -> set[str]:
        facts = self._toolbox.read(
            FactPattern(
                kind=FactKind.ATTRIBUTE.value,
                predicate="action",
                value=action,
                first_frame=self._frame_id,
                last_frame=self._frame_id,
            )
        )
        looks: dict[str, set[str]] = {}
        for fact in facts:
            looks.setdefault(fact.subject, set()).add(fact.provenance.observation_id)
        return {
            person.name
            for person in self._scout.people
            if 2 * len(looks.get(person.name, ())) > self._scout.told(person, self._frame_id)
        }
