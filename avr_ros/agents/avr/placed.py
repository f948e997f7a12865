"""What several sightings of one frame say of where people are and where they face."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from avr_ros.agents.avr.people import Person
from avr_ros.agents.avr.sighting import Sighting

HEADING_SIGMA: Final = math.radians(4.0)
"""Standard deviation of one look at where a body faces, radians."""


@dataclass(frozen=True)
class Placed:
    """A person in one frame.

    ``azimuth`` is where they appear; ``bearing`` and ``distance`` where they stand, with the
    distance's deviation, not a number where perception cannot tell; ``heading`` likewise.
    ``likeness`` is how surely they do what a description names.
    """

    person: Person
    azimuth: float
    bearing: float
    distance: float
    distance_sigma: float
    heading: float
    heading_sigma: float
    likeness: float


def placed(person: Person, frame_id: int, actions: tuple[str, ...]) -> Placed:
    """What the sightings of a person in a frame say, taken together."""
    sightings = person.at(frame_id)
    bearing, distance, sigma = _ground(sightings)
    heading, heading_sigma = _heading(sightings)
    return Placed(
        person,
        person.azimuth_at(frame_id),
        bearing,
        distance,
        sigma,
        heading,
        heading_sigma,
        _likeness(sightings, actions),
    )


def _ground(sightings: Sequence[Sighting]) -> tuple[float, float, float]:
    """Bearing, distance and deviation: means, the surer looks counting more."""
    known = [item.detection.ground for item in sightings if item.detection.ground is not None]
    if not known:
        return math.nan, math.nan, math.nan
    weights = [1.0 / max(ground.sigma, 1e-3) ** 2 for ground in known]
    total = math.fsum(weights)
    distance = math.fsum(
        weight * math.hypot(ground.x, ground.y)
        for weight, ground in zip(weights, known, strict=True)
    )
    x = math.fsum(weight * item.x for weight, item in zip(weights, known, strict=True))
    y = math.fsum(weight * item.y for weight, item in zip(weights, known, strict=True))
    return math.atan2(y, x), distance / total, math.sqrt(1.0 / total)


def _heading(sightings: Sequence[Sighting]) -> tuple[float, float]:
    headings = [item.detection.heading for item in sightings if item.detection.heading is not None]
    if not headings:
        return math.nan, math.nan
    mean = math.atan2(
        math.fsum(math.sin(item) for item in headings),
        math.fsum(math.cos(item) for item in headings),
    )
    return mean, HEADING_SIGMA / math.sqrt(len(headings))


def _likeness(sightings: Sequence[Sighting], actions: tuple[str, ...]) -> float:
    """Mean over the looks of the least probable action; 0 where no look tells."""
    told = [item.detection.actions for item in sightings if item.detection.actions]
    if not told:
        return 0.0
    if not actions:
        return 1.0
    return math.fsum(min(look.get(name, 0.0) for name in actions) for look in told) / len(told)
