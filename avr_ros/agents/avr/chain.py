"""Who is reached from the described person by relations, as far as looks can tell.

Places and headings are known to some deviation only, so the chain is followed many times with
places drawn at random. A question uses a relation only where the choice is clear
(``avr_ros.geometry.relations``); draws in which it would not be clear are no draws of the question
and are left out, where there are others. What remains is how probable each person is; several
probable ones are told apart by further looks at whom they depend on.
"""

import math
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

OVERLOOKED_ODDS: Final = 0.05
"""Odds with which the described person is somebody who was not seen, as against somebody seen of
whom as much speaks for as against doing what the description names."""

UNCLEAR: Final = 0.1
"""Least factor by which it counts against somebody that relations seldom lead on from them."""

PREFERRED: Final = 1.15
"""How many times as probable as the next somebody must be: else several fit, and none is taken."""

LEAST_LIKENESS: Final = 1e-4
"""How surely somebody does what a description names at least, in order to be meant by it."""

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


def not_excluded(ways: Sequence[Reached]) -> list[Reached]:
    """The most probable way, and those that are about as probable; ``ways`` fall in that."""
    return [way for way in ways if PREFERRED * way.probability > ways[0].probability]


def follow_chain(
    people: Sequence[Placed], closest: bool, relations: Sequence[PlanRelation]
) -> list[Reached]:
    """The ways that are possible, the most probable first.

    ``people`` are all who were seen in the frame. Each may be the described one, as surely as they
    alone do what the description names; with ``closest`` of those who do it the one nearest to the
    robot. What is missing of 1 falls to somebody who was not seen.
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
    weights = _weights(path[0], counted)
    ways: dict[tuple[int, ...], float] = {}
    for row, weight in zip(np.stack(path, axis=1).tolist(), weights.tolist(), strict=True):
        if weight > 0.0:
            ways[tuple(row)] = ways.get(tuple(row), 0.0) + weight
    # Whole ways of one person add up: it is who is reached that counts.
    ends: dict[int, float] = {}
    best: dict[int, tuple[int, ...]] = {}
    for way, share in sorted(ways.items(), key=lambda item: (-item[1], item[0])):
        ends[way[-1]] = ends.get(way[-1], 0.0) + share
        best.setdefault(way[-1], way)
    return [
        Reached(tuple(people[index].person for index in best[end]), share)
        for end, share in sorted(ends.items(), key=lambda item: (-item[1], item[0]))
    ]


def _weights(anchor: IntArray, counted: BoolArray) -> FloatArray:
    """How much each draw counts, in sum the share of draws that lead anywhere.

    Someone from whom relations seldom lead on clearly is less probably the described one, but no
    less than by `UNCLEAR`: that may as well be for somebody overlooked.
    """
    weights = np.zeros(len(anchor))
    whole = 0.0
    for person in np.unique(anchor).tolist():
        own = anchor == person
        drawn, led = int(np.count_nonzero(own)), int(np.count_nonzero(own & counted))
        share = drawn * (UNCLEAR + (1.0 - UNCLEAR) * led / drawn)
        if person < 0:
            # Whoever was not seen would be as clear a case as any.
            share = float(drawn)
        elif led:
            weights[own & counted] = share / led
        whole += share
    return weights / max(whole, 1e-9)


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
        self._likely = values("likeness")
        self._does = rng.uniform(size=shape)
        # Spread evenly, so that chance prefers nobody among those who fit equally well.
        self._choice = (rng.permutation(DRAWS) + rng.uniform(size=DRAWS)) / DRAWS
        self._rows = np.arange(DRAWS)

    def anchors(self, closest: bool) -> tuple[IntArray, BoolArray]:
        """The described person of each draw, -1 for somebody not seen, and whether it is clear."""
        if closest:
            return self._closest_of_those()
        # The only one who does it: odds of one who does and everybody else who does not.
        odds = self._likely / np.maximum(1.0 - self._likely, 1e-6)
        odds = np.where(self._likely >= LEAST_LIKENESS, odds, 0.0)
        share = np.cumsum(odds) / (odds.sum() + OVERLOOKED_ODDS)
        drawn = np.searchsorted(share, self._choice)
        picked = np.where(drawn < len(odds), drawn, -1)
        return picked, np.ones(DRAWS, dtype=np.bool_)

    def _closest_of_those(self) -> tuple[IntArray, BoolArray]:
        """The nearest to the robot of those who, in each draw, do what the description names."""
        fits = self._does < np.where(self._likely >= LEAST_LIKENESS, self._likely, 0.0)
        distance = np.where(fits & ~np.isnan(self._distance), self._distance, np.inf)
        order = np.argsort(distance, axis=1, kind="stable")
        first = order[:, 0]
        if distance.shape[1] == 1:
            clear = np.ones(DRAWS, dtype=np.bool_)
        else:
            with np.errstate(invalid="ignore"):
                margin = distance[self._rows, order[:, 1]] - distance[self._rows, first]
            clear = ~(margin < DISTANCE_MARGIN)
        return np.where(fits[self._rows, first], first, -1), clear

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
