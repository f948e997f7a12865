"""What several sightings of one frame say of where people are and where they face."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from avr_ros.agents.avr.action_evidence import likeness
from avr_ros.agents.avr.people import Person
from avr_ros.agents.avr.sighting import Sighting

HEADING_SIGMA: Final = math.radians(10.0)
"""Standard deviation of where a body faces by one look, radians."""

SAME_HEADING: Final = 0.5
"""How far two looks at a moment make the same mistake about that: 1 wholly, 0 not at all."""

LEAST_GROUND_SIGMA: Final = 0.1
"""Least standard deviation of a place on the ground in metres."""


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
        likeness(person.looks_about(frame_id), actions),
    )


def _ground(sightings: Sequence[Sighting]) -> tuple[float, float, float]:
    """Bearing, distance and deviation: means, the surer looks counting more."""
    known = [item.detection.ground for item in sightings if item.detection.ground is not None]
    if not known:
        return math.nan, math.nan, math.nan
    weights = [1.0 / max(ground.sigma, LEAST_GROUND_SIGMA) ** 2 for ground in known]
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
    alike = 1.0 + SAME_HEADING * (len(headings) - 1)
    return mean, HEADING_SIGMA * math.sqrt(alike / len(headings))
