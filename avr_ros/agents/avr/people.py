"""Who is who: binds sightings of people across views and frames.

People are told apart by appearance, and by where they can be: in one frame by box and place on the
ground, in another one by direction, which drifts with people's motion and the robot's own. The
assignment of a view's sightings to known people is the optimal one; what fits nobody is a new
person.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import count

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.binding import by_looks, by_place
from avr_ros.agents.avr.motion import Expectation, reckoned_distance
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.geometry import boxes
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.schema.detection import APPEARANCE_SIZE

SAME_PLACE_M = 0.6
"""Distance in metres, beyond three standard deviations, at which one frame shows two people."""

PASSING_M_PER_FRAME = 0.3
"""Metres between two frames by which somebody moves at most: a cyclist at 4.4 m/s and 14.6 Hz."""

ONE_LOOK = 0.1
"""By how much one sighting counts less for an appearance than all of them."""

SAME_BOX_IOU = 0.5
"""Overlap from which two boxes of one frame are one person's, whatever they look like."""

BOX_ERROR_PX = 12.0
"""Columns by which the middles of one person's boxes in two views may differ."""

EDGE_GAP_PX = 4.0
"""Columns that may lie between the two parts of a person whom two views cut."""

NEW_PERSON = 1.6
"""Logarithm of how many people around have not been met, as a rule: a sighting that speaks less
for everybody known is of one of them."""

SAME_PLACE = 3.0
"""What two sightings at one place of a frame speak for one person."""

SAME_EDGE = 1.0
"""The same where one of them is cut off by its view's edge."""

CUT_DOUBT = 2.0
"""By how much less a sighting that is cut off speaks for somebody known from other frames."""

SAME_BOX = 8.0
"""The same of boxes that cover each other."""

SAME_MOMENT_FRAMES = 6
"""Frames between which people go on with what they do, as a rule."""

_IMPOSSIBLE = 1e6


class Person:
    """One person as the agent knows them; ``name`` is the entity id in the world model."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.sightings: list[Sighting] = []
        self.missed: list[tuple[int, float]] = []
        """Views without the person: frame, and angle from where they were expected."""
        self.surprises: list[float] = []
        """How far off the person was found each time, in standard deviations as expected."""
        self._total = np.zeros(APPEARANCE_SIZE)

    def add(self, sighting: Sighting) -> None:
        """Take a further sighting."""
        self.sightings.append(sighting)
        self._total = self._total + sighting.detection.appearance

    @property
    def appearance(self) -> npt.NDArray[np.float64]:
        """Mean appearance, a unit vector."""
        length = float(np.linalg.norm(self._total))
        return self._total / length if length > 0.0 else self._total

    def likeness(self, sighting: Sighting) -> float:
        """How much a sighting looks like the person: like all sightings, or nearly like one."""
        seen = sighting.detection.appearance
        one = max(float(item.detection.appearance @ seen) for item in self.sightings)
        return max(float(self.appearance @ seen), one - ONE_LOOK)

    def nearest_in_time(self, frame_id: int) -> Sighting:
        """The sighting nearest to a frame; the latest made of equally near ones."""
        return min(reversed(self.sightings), key=lambda sighting: abs(sighting.frame_id - frame_id))

    def at(self, frame_id: int) -> list[Sighting]:
        """The sightings in one frame, in the order of their making."""
        return [item for item in self.sightings if item.frame_id == frame_id]

    def looks_about(self, frame_id: int) -> list[dict[str, float]]:
        """The actions that perception told in a frame and close to it."""
        return [
            item.detection.actions
            for item in self.sightings
            if abs(item.frame_id - frame_id) <= SAME_MOMENT_FRAMES and item.detection.actions
        ]

    def cut_off_at(self, frame_id: int) -> bool:
        """Whether every view of a frame shows only a part of the person, and not all parts."""
        sightings = self.at(frame_id)
        return len(sightings) == 1 and sightings[0].cut_off

    def azimuth_at(self, frame_id: int) -> float:
        """Direction in a frame in which the person was seen.

        It is that of the clearest whole sighting, else of the parts that several views show.
        """
        sightings = self.at(frame_id)
        whole = [item for item in sightings if not item.cut_off]
        if whole:
            return max(whole, key=lambda item: item.detection.visibility).azimuth
        if len(sightings) == 1:
            return sightings[0].azimuth
        first = sightings[0].detection.box
        width = sightings[0].crop.panorama_width
        left, right = 0.0, first.w
        for item in sightings[1:]:
            box = item.detection.box
            start = (box.x - first.x + width / 2) % width - width / 2
            left, right = min(left, start), max(right, start + box.w)
        return float(JRDB_CYLINDER.column_to_azimuth(first.x + (left + right) / 2))


class People:
    """All people met in an episode, in the order of their first sighting."""

    def __init__(self, settings: AvrSettings, expect: Callable[[Person, int], Expectation]) -> None:
        """``expect`` tells where a known person should be in a frame."""
        self._settings = settings
        self._expect = expect
        self._people: list[Person] = []
        self._numbers = count(1)

    def __iter__(self) -> Iterator[Person]:
        return iter(self._people)

    def match(self, seen: Sequence[Sighting]) -> list[Person | None]:
        """The known person of each sighting of one view, none for somebody new."""
        if not seen:
            return []
        known = list(self._people)
        cost = np.full((len(seen), len(known) + len(seen)), _IMPOSSIBLE)
        # All sightings of a view have one frame: each person is expected there once.
        expect = cache(self._expect)
        for row, sighting in enumerate(seen):
            for column, person in enumerate(known):
                cost[row, column] = -self._ratio(sighting, person, expect)
            cost[row, len(known) + row] = -NEW_PERSON
        rows, columns = linear_sum_assignment(cost)
        chosen = dict(zip(rows.tolist(), columns.tolist(), strict=True))
        return [
            known[chosen[row]] if chosen[row] < len(known) else None for row in range(len(seen))
        ]

    def bind(self, seen: Sequence[Sighting], parts: bool = True) -> list[Person | None]:
        """The person of each sighting of one view; people who are new are added.

        Without ``parts`` nobody new is known by a sighting that its view's edge cuts off: it is
        nobody's then, as it may be of anybody known.
        """
        bound: list[Person | None] = []
        for sighting, found in zip(seen, self.match(seen), strict=True):
            person = found
            if person is None and (parts or not sighting.cut_off):
                person = Person(f"person {next(self._numbers)}")
                self._people.append(person)
            if person is not None:
                person.add(sighting)
            bound.append(person)
        return bound

    def merge(self, other: Person, person: Person) -> None:
        """Take all sightings of somebody else for a person's, who are the same then."""
        self._people.remove(other)
        for sighting in other.sightings:
            person.add(sighting)

    def ratio(self, sighting: Sighting, person: Person) -> float:
        """Logarithm of how likely a sighting is of a person, beside of anybody."""
        return self._ratio(sighting, person, self._expect)

    def _ratio(
        self, sighting: Sighting, person: Person, expect: Callable[[Person, int], Expectation]
    ) -> float:
        looks = by_looks(person.likeness(sighting), self._settings.neutral_likeness)
        near = person.nearest_in_time(sighting.frame_id)
        if near.frame_id == sighting.frame_id:
            if not _same_place(sighting, near):
                return -_IMPOSSIBLE
            # Nobody stands in another one's place: one of the two looks was taken for another.
            here = person.at(sighting.frame_id)
            if any(_covers(sighting, item) for item in here):
                return looks + SAME_BOX
            # A part at a view's edge may be of whoever stands beside.
            return looks + (SAME_EDGE if all(item.cut_off for item in here) else SAME_PLACE)
        if abs(wrap(near.azimuth - sighting.azimuth)) > self._slack(near, sighting):
            return -_IMPOSSIBLE
        ratio = looks + by_place(sighting, expect(person, sighting.frame_id))
        return ratio - CUT_DOUBT if sighting.cut_off else ratio

    def _slack(self, first: Sighting, second: Sighting) -> float:
        """Radians by which a person's direction may change between two frames.

        The robot turns, and who passes close by moves fast across its sight.
        """
        frames = abs(first.frame_id - second.frame_id)
        distance = min(reckoned_distance(first), reckoned_distance(second))
        passing = PASSING_M_PER_FRAME / distance
        rate = math.radians(self._settings.azimuth_rate_deg) + passing
        return math.radians(self._settings.azimuth_slack_deg) + rate * frames


def _same_place(first: Sighting, second: Sighting) -> bool:
    """Whether two sightings of one frame can be one person, perhaps cut by the views' borders."""
    a, b = first.detection, second.detection
    if a.ground is not None and b.ground is not None:
        apart = math.hypot(a.ground.x - b.ground.x, a.ground.y - b.ground.y)
        if apart > SAME_PLACE_M + 3.0 * math.hypot(a.ground.sigma, b.ground.sigma):
            return False
    width = first.crop.panorama_width
    overlap = float(boxes.iou(a.box, b.box, width))
    if first.cut_off or second.cut_off:
        centre_a, centre_b = boxes.centre(a.box, width), boxes.centre(b.box, width)
        offset = abs(float(centre_a[0] - centre_b[0]))
        reach = (a.box.w + b.box.w) / 2 + 2 * EDGE_GAP_PX
        return overlap > 0.0 or min(offset, width - offset) <= reach
    centre_a, centre_b = boxes.centre(a.box, width), boxes.centre(b.box, width)
    offset = abs(float(centre_a[0] - centre_b[0]))
    return overlap > 0.3 or min(offset, width - offset) <= BOX_ERROR_PX


def _covers(first: Sighting, second: Sighting) -> bool:
    """Whether two whole boxes of one frame are so much the same that they are one person's."""
    if first.cut_off or second.cut_off:
        return False
    width = first.crop.panorama_width
    return float(boxes.iou(first.detection.box, second.detection.box, width)) > SAME_BOX_IOU
