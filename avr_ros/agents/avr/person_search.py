"""Finding the person whom a question describes, and who is reached from there by relations."""

import math
from collections.abc import Iterator
from typing import Final

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.chain import Reached, follow_chain
from avr_ros.agents.avr.coverage import HALF_VIEW, Coverage
from avr_ros.agents.avr.people import Person
from avr_ros.agents.avr.placed import placed
from avr_ros.agents.avr.planning import Described
from avr_ros.agents.avr.scout import Scout
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.agents.toolbox import Toolbox
from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW
from avr_ros.geometry.full_turn import FULL_TURN
from avr_ros.geometry.panorama import TWO_PI
from avr_ros.geometry.relations import (
    ANGLE_MARGIN,
    SIDE_MAXIMUM,
    Nearest,
    Side,
    nearest_beside,
)
from avr_ros.schema.fact import FactKind, FactPattern
from avr_ros.world.plan import PlanRelation

MAX_DOUBTFUL = 3
"""Candidates that are looked at again before the agent gives up on telling them apart."""


RIVAL_ANGLE = math.radians(2.0)
"""Angle within which two people compete for a relation so closely that neither is taken. A question
leaves five degrees; the rest is room for errors of boxes."""

SIDES: Final[dict[PlanRelation, Side]] = {
    PlanRelation.ROBOT_LEFT: Side.LEFT,
    PlanRelation.ROBOT_RIGHT: Side.RIGHT,
}
"""The relations seen from the robot."""

NEAR_MIDDLE: Final = 0.35 * DEFAULT_FIELD_OF_VIEW
"""Angle in radians off a view's middle up to which somebody is seen in it whole."""


class NoSinglePersonError(Exception):
    """Nobody fits the description, or several do; the text says which."""


class PersonSearch:
    """Finds the described person, and who is reached from there, in one frame.

    It looks no further than the question needs: if the question says that nobody else fits, until
    somebody does; for a neighbour seen from the robot, as far as nobody nearer can be; else all
    around, and then again at those between whom places and headings have not decided.
    """

    def __init__(self, scout: Scout, toolbox: Toolbox, described: Described) -> None:
        self._scout = scout
        self._toolbox = toolbox
        self._described = described
        self._frame_id = described.frame_id
        self._coverage = Coverage()

    def find(self) -> tuple[Reached, ...]:
        """Who may be meant with their ways, the most probable first.

        Raises NoSinglePersonError where nobody fits, and what the tools raise.
        """
        described = self._described
        relations = described.relations
        if described.closest or len(relations) > 1 or any(item not in SIDES for item in relations):
            return self._all_around()
        person = self._by_actions(described.anchor.actions, described.anchor.unique)
        if not relations:
            return (Reached((person,), 1.0),)
        return (Reached((person, self._beside(person, SIDES[relations[0]])), 1.0),)

    def _all_around(self) -> tuple[Reached, ...]:
        for azimuth in self._turn(0.0):
            self._look(azimuth)
        found = self._reached()
        if not found:
            # Somebody may have stood between two views, or was overlooked.
            for azimuth in self._turn(HALF_VIEW):
                self._look(azimuth)
                found = self._reached()
                if found:
                    break
        further = 0
        settings = self._scout.settings
        while (
            found
            and found[0].probability < settings.chain_confidence
            and further < settings.chain_looks
            and self._scout.looks_left > settings.chain_reserve
        ):
            further += 1
            self._look(self._most_telling(found, further))
            found = self._reached()
        if not found:
            raise NoSinglePersonError(
                f"nobody in frame {self._frame_id} was seen to fit the description"
            )
        return found

    def again(self) -> tuple[Reached, ...]:
        """Look all around once more, between the views of the first turn, and find anew.

        For when what the person found does cannot be right: somebody may have been overlooked.
        Nobody is found where the budget does not allow a turn.
        """
        if self._scout.looks_left <= FULL_TURN:
            return ()
        for azimuth in self._turn(HALF_VIEW):
            self._look(azimuth)
        return self._reached()

    def _reached(self) -> tuple[Reached, ...]:
        people = [
            placed(person, self._frame_id, self._described.anchor.actions)
            for person in self._scout.people
            if person.at(self._frame_id)
        ]
        return tuple(follow_chain(people, self._described.closest, self._described.relations))

    def _most_telling(self, found: tuple[Reached, ...], number: int) -> float:
        """The view that shows most of those on whom the choice depends.

        It is never quite the same view twice: the same picture tells nothing new.
        """
        asked = dict.fromkeys(person for reached in found[:3] for person in reached.path)
        azimuths = [person.azimuth_at(self._frame_id) for person in asked]
        aside = math.radians(1.5) * (number - (2 if number % 2 else 1))
        best = max(
            azimuths,
            key=lambda azimuth: sum(abs(wrap(other - azimuth)) < NEAR_MIDDLE for other in azimuths),
        )
        return wrap(best + aside)

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

    def _beside(self, other: Person, side: Side) -> Person:
        """The nearest person to a side of another one; the choice is looked at once more."""
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
