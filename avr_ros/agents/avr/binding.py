"""How much speaks for a sighting being a known person: by looks and by place.

Each is a ratio of likelihoods, as a logarithm: how likely what is seen is of that person, beside
how likely it is of anybody. Ratios add up, so that somebody who looks a little different is known
in the place where they must be, and somebody who looks the same is known a little off it.
"""

import math
from typing import Final

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.motion import Expectation
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.geometry.panorama import TWO_PI

MORE_ALIKE: Final = 11.0
"""By how much the logarithm of that ratio grows with the likeness of appearances above one that
tells nothing. Fitted to pairs of detections of development sequences of the sample, 40 to 80 frames
apart."""

LESS_ALIKE: Final = 15.0
"""By how much it falls with the likeness below that: somebody who looks quite another way is not
taken for a person who would be in that place. Pairs of detections alone would say 6."""

LEAST_ALIKE: Final = -6.0
"""Least logarithm for looks: people turn around, and what they wear looks another way."""

MOST_ALIKE: Final = 5.0
"""Largest one: there are people in equal clothes."""

ASTRAY: Final = 0.15
"""How often somebody has gone another way than expected."""

ASTRAY_SIGMA: Final = math.radians(40.0)
"""Least standard deviation in radians of the direction of people who have."""

ANYWHERE: Final = 0.05
"""How often they are in any direction: the robot has turned unexpectedly."""

LEAST_SIGMA: Final = math.radians(1.5)
"""Least standard deviation in radians of a direction in another frame."""

LEAST_SPREAD: Final = 0.05
"""Least standard deviation of a distance, as a share of it."""

MOST_SPREAD: Final = 0.7
"""The largest one, which is also that of everybody's distances."""

FAR_OFF: Final = 0.1
"""How often somebody's distance is anyone's: feet were hidden, or they went another way."""


def by_looks(likeness: float, neutral: float) -> float:
    """What a likeness of appearances speaks for a person; ``neutral`` is one that says nothing.

    The result is the logarithm of a ratio of likelihoods.
    """
    more = likeness - neutral
    slope = MORE_ALIKE if more > 0.0 else LESS_ALIKE
    return min(max(slope * more, LEAST_ALIKE), MOST_ALIKE)


def by_place(sighting: Sighting, expected: Expectation) -> float:
    """What the direction and the distance of a sighting speak for the person expected."""
    sigma = max(expected.sigma, LEAST_SIGMA)
    off = wrap(sighting.azimuth - expected.azimuth)
    density = (1.0 - ASTRAY - ANYWHERE) * _bell(off, sigma) + ANYWHERE / TWO_PI
    density += ASTRAY * _bell(off, max(ASTRAY_SIGMA, 2.0 * sigma))
    ratio = math.log(max(TWO_PI * density, 1e-12))
    ground = sighting.detection.ground
    if ground is None or expected.distance is None:
        return ratio
    distance = max(math.hypot(ground.x, ground.y), 0.1)
    spread = math.hypot(LEAST_SPREAD, ground.sigma / distance, expected.distance_spread)
    spread = min(spread, MOST_SPREAD)
    away = math.log(distance / max(expected.distance, 0.1))
    anyone = _bell(0.0, MOST_SPREAD)
    return ratio + math.log((1.0 - FAR_OFF) * _bell(away, spread) / anyone + FAR_OFF)


def _bell(value: float, sigma: float) -> float:
    return math.exp(-0.5 * (value / sigma) ** 2) / (sigma * math.sqrt(TWO_PI))
