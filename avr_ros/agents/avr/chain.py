"""Who is reached from the described person by relations, as far as looks can tell.

Places and headings are known to some deviation only, so the chain is followed many times with
places drawn at random. A question uses a relation only where the choice is clear
(``avr_ros.geometry.relations``); draws in which it would not be clear are no draws of the question
and are left out, where there are others. What remains is how probable each person is; several
probable ones are told apart by further looks at whom they depend on.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from avr_ros.agents.avr.people import Person
from avr_ros.agents.avr.placed import Placed
from avr_ros.geometry.panorama import TWO_PI
from avr_ros.geometry.relations import (
    ANGLE_MARGIN,
    DISTANCE_MARGIN,
    SIDE_MARGIN,
    SIDE_MAXIMUM,
    SIDE_MINIMUM,
    Sector,
    sector_depth,
)
from avr_ros.schema.seeds import generator
from avr_ros.world.plan import PlanRelation

DRAWS: Final = 400
"""Times that a chain is followed."""

FEWEST_CLEAR: Final = 8
"""Clear draws from which on only these count."""

AZIMUTH_SIGMA: Final = math.radians(0.4)
"""Standard deviation in radians of where somebody appears."""

GROUP_REACH_M: Final = 2.5
"""Distance in metres beyond which two people form no group."""

LIKELY: Final = 0.5
"""How surely somebody does what a description names in order to be meant by it."""

_SIDES: Final[dict[PlanRelation, float]] = {
    PlanRelation.ROBOT_LEFT: 1.0,
    PlanRelation.ROBOT_RIGHT: -1.0,
}
_SECTORS: Final[dict[PlanRelation, Sector]] = {
    PlanRelation.FRONT: Sector.FRONT,
    PlanRelation.BEHIND: Sector.BEHIND,
    PlanRelation.OWN_LEFT: Sector.LEFT,
    PlanRelation.OWN_RIGHT: Sector.RIGHT,
}

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Reached:
    """A way from the described person to the one meant, and how probable it is."""

    path: tuple[Person, ...]
    probability: float


def follow_chain(
    people: Sequence[Placed], closest: bool, relations: Sequence[PlanRelation]
) -> list[Reached]:
    """The ways that are possible, the most probable first.

    ``people`` are all who were seen in the frame; whoever is likely to do what the description
    names may be the described one, of several with ``closest`` the one nearest to the robot.
    """
    if not people:
        return []
    draw = _Draw(people)
    at, clear = draw.anchors(closest)
    found = at >= 0
    path = [at]
    for relation in relations:
        following, fits, clearly = draw.follow(path[-1], relation)
        again = np.any(np.stack(path) == following[None, :], axis=0)
        found &= fits & ~again
        clear &= clearly
        path.append(following)
    counted = found & clear if np.count_nonzero(found & clear) >= FEWEST_CLEAR else found
    ways = Counter(tuple(row) for row in np.stack(path, axis=1)[counted].tolist())
    total = sum(ways.values())
    # Whole ways of one person add up: it is who is reached that counts.
    ends: Counter[int] = Counter()
    for way, count in ways.items():
        ends[way[-1]] += count
    best: dict[int, tuple[int, ...]] = {}
    for way, _ in ways.most_common():
        best.setdefault(way[-1], way)
    return [
        Reached(tuple(people[index].person for index in best[end]), count / total)
        for end, count in sorted(ends.items(), key=lambda item: (-item[1], item[0]))
    ]


class _Draw:
    """Places of everybody, drawn many times: arrays (draw, person)."""

    def __init__(self, people: Sequence[Placed]) -> None:
        self._people = people
        count = len(people)
        rng = generator(0, "chain", count)
        shape = (DRAWS, count)

        def values(name: str) -> FloatArray:
            return np.array([float(getattr(item, name)) for item in people])

        self._azimuth = values("azimuth") + AZIMUTH_SIGMA * rng.normal(size=shape)
        distance = values("distance") + values("distance_sigma") * rng.normal(size=shape)
        self._distance = np.maximum(distance, 0.1)
        bearing = values("bearing")
        self._x, self._y = self._distance * np.cos(bearing), self._distance * np.sin(bearing)
        self._heading = values("heading") + values("heading_sigma") * rng.normal(size=shape)
        self._choice = rng.uniform(size=DRAWS)
        self._rows = np.arange(DRAWS)

    def anchors(self, closest: bool) -> tuple[IntArray, BoolArray]:
        """The described person of each draw, -1 for nobody, and whether it is clear."""
        likely = np.array([item.likeness for item in self._people])
        fits = np.flatnonzero(likely >= LIKELY)
        everywhere = np.ones(DRAWS, dtype=np.bool_)
        if not len(fits):
            return np.full(DRAWS, -1), everywhere
        if not closest:
            share = np.cumsum(likely[fits]) / likely[fits].sum()
            return fits[np.minimum(np.searchsorted(share, self._choice), len(fits) - 1)], everywhere
        distance = self._distance[:, fits]
        distance = np.where(np.isnan(distance), np.inf, distance)
        if len(fits) == 1:
            return np.full(DRAWS, fits[0]), everywhere
        order = np.argsort(distance, axis=1, kind="stable")
        first, second = order[:, 0], order[:, 1]
        with np.errstate(invalid="ignore"):
            margin = distance[self._rows, second] - distance[self._rows, first]
        return fits[first], margin >= DISTANCE_MARGIN

    def follow(self, at: IntArray, relation: PlanRelation) -> tuple[IntArray, BoolArray, BoolArray]:
        """Who is reached in each draw, whether anybody is, and whether it is clear."""
        if relation in _SIDES:
            return self._beside(at, _SIDES[relation])
        if relation in _SECTORS:
            return self._in_sector(at, _SECTORS[relation])
        return self._nearest(at, relation is PlanRelation.GROUP)

    def _beside(self, at: IntArray, side: float) -> tuple[IntArray, BoolArray, BoolArray]:
        own = self._azimuth[self._rows, at]
        difference = side * _wrap(self._azimuth - own[:, None])
        inside = (difference > SIDE_MINIMUM) & (difference <= SIDE_MAXIMUM)
        inside[self._rows, at] = False
        picked, found = _least(np.where(inside, difference, np.inf))
        value = difference[self._rows, picked]
        rivals = np.abs(difference - value[:, None])
        rivals = np.minimum(rivals, TWO_PI - rivals)
        rivals[self._rows, at] = np.inf
        rivals[self._rows, picked] = np.inf
        border = np.abs(difference - SIDE_MINIMUM)
        border[self._rows, at] = np.inf
        nearest_border = np.minimum(border.min(axis=1), SIDE_MAXIMUM - value)
        clear = (rivals.min(axis=1) >= ANGLE_MARGIN - 2 * AZIMUTH_SIGMA) & (
            nearest_border >= SIDE_MARGIN - 2 * AZIMUTH_SIGMA
        )
        return picked, found, found & clear

    def _in_sector(self, at: IntArray, sector: Sector) -> tuple[IntArray, BoolArray, BoolArray]:
        distance, bearing = self._from(at)
        depth = sector_depth(_wrap(bearing - self._heading[self._rows, at][:, None]), sector)
        known = np.isfinite(distance) & np.isfinite(depth)
        inside = known & (depth >= 0.0)
        picked, found = _least(np.where(inside, distance, np.inf))
        rivals = np.where(known & (depth >= -ANGLE_MARGIN), distance, np.inf)
        rivals[self._rows, picked] = np.inf
        with np.errstate(invalid="ignore"):
            margin = rivals.min(axis=1) - distance[self._rows, picked]
            border = depth[self._rows, picked]
            clear = found & (margin >= DISTANCE_MARGIN) & (border >= ANGLE_MARGIN)
        return picked, found, clear

    def _nearest(self, at: IntArray, mutual: bool) -> tuple[IntArray, BoolArray, BoolArray]:
        """The nearest person; ``mutual``: each the other's nearest, as two who form a group."""
        distance, _ = self._from(at)
        picked, found = _least(np.where(np.isfinite(distance), distance, np.inf))
        if not mutual:
            return picked, found, found
        back, _ = self._from(picked)
        other, _ = _least(np.where(np.isfinite(back), back, np.inf))
        found &= (other == at) & (distance[self._rows, picked] <= GROUP_REACH_M)
        return picked, found, found

    def _from(self, at: IntArray) -> tuple[FloatArray, FloatArray]:
        """Distance and bearing from a person of each draw to everybody; the own ones are inf."""
        x = self._x - self._x[self._rows, at][:, None]
        y = self._y - self._y[self._rows, at][:, None]
        distance = np.hypot(x, y)
        distance[self._rows, at] = np.inf
        return distance, np.arctan2(y, x)


def _least(values: FloatArray) -> tuple[IntArray, BoolArray]:
    picked = np.argmin(values, axis=1)
    return picked, np.isfinite(values[np.arange(len(values)), picked])


def _wrap(angle: FloatArray) -> FloatArray:
    return np.asarray((angle + math.pi) % TWO_PI - math.pi)
