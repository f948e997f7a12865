"""Finding the person whom a question describes, and who is reached from there by relations."""

import math
from collections.abc import Iterator
from typing import Final

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.chain import Reached, follow_chain, not_excluded
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
from avr_ros.world.plan import PlanRelation

DOUBTFUL: Final = 0.1
"""Probability from which on a way counts for whether it is in doubt who is described."""

OVERLOOKED: Final = 0.25
"""Probability of the most probable person below which somebody was rather overlooked."""

BESIDE_FRAMES: Final = (5, -5)
"""Frames from the described one to those that show the same moment."""

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
        anchors = self._by_actions()
        if not anchors or anchors[0].probability < self._scout.settings.chain_confidence:
            return self._settled()
        if not relations:
            return anchors
        person = anchors[0].path[0]
        beside = self._beside(person, SIDES[relations[0]])
        return (Reached((person, beside), anchors[0].probability),)

    def _all_around(self) -> tuple[Reached, ...]:
        for azimuth in self._turn(0.0):
            self._look(azimuth)
        return self._settled()

    def _settled(self) -> tuple[Reached, ...]:
        """Who is reached, once further looks have told those apart who may be meant."""
        settings = self._scout.settings
        found = self._reached()
        if not found or found[0].probability < OVERLOOKED:
            # Somebody may have stood between two views, or was overlooked.
            for azimuth in self._turn(HALF_VIEW):
                self._look(azimuth)
                found = self._reached()
                if found and found[0].probability >= settings.chain_confidence:
                    break
        further = 0
        while (
            found
            and found[0].probability < settings.chain_confidence
            and further < settings.chain_looks
            and self._scout.looks_left > settings.chain_reserve
        ):
            further += 1
            self._look_further(found, further)
            found = self._reached()
        return self._single(found)

    def again(self) -> tuple[Reached, ...]:
        """Look all around once more, between the views of the first turn, and find anew.

        For when what the person found does cannot be right: somebody may have been overlooked.
        Nobody is found where the budget does not allow a turn, nor where nobody fits, or several.
        """
        if self._scout.looks_left <= FULL_TURN:
            return ()
        for azimuth in self._turn(HALF_VIEW):
            self._look(azimuth)
        try:
            return self._single(self._reached())
        except NoSinglePersonError:
            return ()

    def _single(self, found: tuple[Reached, ...]) -> tuple[Reached, ...]:
        """The ways, if the first one is to be taken. Raises NoSinglePersonError."""
        if not found or found[0].probability < self._scout.settings.least_chain_confidence:
            raise NoSinglePersonError(
                f"nobody in frame {self._frame_id} was seen to fit the description"
            )
        if len(not_excluded(found)) > 1:
            raise NoSinglePersonError(
                f"several people in frame {self._frame_id} fit the description about equally well"
            )
        return found

    def _reached(self) -> tuple[Reached, ...]:
        return self._followed(self._described.relations)

    def _followed(self, relations: tuple[PlanRelation, ...]) -> tuple[Reached, ...]:
        people = [
            placed(person, self._frame_id, self._described.anchor.actions)
            for person in self._scout.people
            if person.at(self._frame_id)
        ]
        return tuple(follow_chain(people, self._described.closest, relations))

    def _look_further(self, found: tuple[Reached, ...], number: int) -> None:
        """Look at those on whom the choice depends.

        Where the doubt is who is described, it is a frame close by: the same picture would show
        the same mistake once more.
        """
        anchors = dict.fromkeys(
            reached.path[0] for reached in found if reached.probability >= DOUBTFUL
        )
        halved = next((person for person in anchors if self._never_whole(person)), None)
        if halved is not None:
            self._look(halved.azimuth_at(self._frame_id))
            return
        azimuth = self._most_telling(found, number)
        frame = self._beside_frame(number) if len(anchors) != 1 else self._frame_id
        if frame == self._frame_id:
            self._look(azimuth)
        else:
            self._scout.look(frame, azimuth)

    def _never_whole(self, person: Person) -> bool:
        """Whether views' edges cut off a person in all sightings of the frame, with none straight.

        Somebody who is looked at straight and still is cut off fills the view, or was missed there.
        """
        azimuth = person.azimuth_at(self._frame_id)
        views = self._scout.azimuths(self._frame_id)
        straight = any(abs(wrap(azimuth - view)) < NEAR_MIDDLE for view in views)
        return not straight and all(item.cut_off for item in person.at(self._frame_id))

    def _beside_frame(self, number: int) -> int:
        """A frame that shows the same moment, a legal one, another for each number."""
        legal = set(self._toolbox.times.frame_ids.tolist())
        for shift in BESIDE_FRAMES[(number - 1) % 2 :] + BESIDE_FRAMES:
            if self._frame_id + shift in legal:
                return self._frame_id + shift
        return self._frame_id

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

    def _by_actions(self) -> tuple[Reached, ...]:
        """Who does what the description names, the most probable first.

        If nobody else does, the turn ends with somebody who is sure enough, also at a second look
        from straight ahead.
        """
        sure = self._scout.settings.chain_confidence
        looked: set[Person] = set()
        for azimuth in self._turn(0.0):
            self._look(azimuth)
            found = self._followed(())
            if not self._described.anchor.unique or not found or found[0].probability < sure:
                continue
            person = found[0].path[0]
            if person not in looked:
                looked.add(person)
                self._look_again(person)
                found = self._followed(())
            if found and found[0].path[0] is person and found[0].probability >= sure:
                return found
        return self._followed(())

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
