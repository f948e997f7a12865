"""Where a person will be seen: positions on the ground in the robot's frame, carried through time.

The robot's own motion is not known to an agent. It shows as motion of everybody else, so one model
serves both: the person goes on as between the last two sightings, and what is not known of the
motion makes the direction uncertain, the more the nearer the person is.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.sighting import Sighting

SPEED: Final[dict[str, float]] = {
    "walking": 1.4,
    "running": 3.0,
    "cycling": 4.0,
    "scootering": 2.8,
    "skating": 2.8,
    "going upstairs": 0.7,
    "going downstairs": 0.7,
    "pushing": 1.2,
    "pulling": 1.2,
}
"""Usual speed of people who do these, metres a second; of others ``STILL_SPEED``."""

STILL_SPEED: Final = 0.3
"""Speed in metres a second allowed to somebody who does not go anywhere, and to the robot."""

TURN_RATE: Final = 0.10
"""Usual turning of the robot, radians a second."""

KNOWN_SHARE: Final = 0.4
"""Share of a motion's uncertainty that is left once two sightings show which way it goes."""

LONGEST_TREND_S: Final = 3.0
"""Seconds between two sightings up to which they show a motion that goes on."""

DEFAULT_DISTANCE_M: Final = 4.0
"""Distance in metres taken for somebody whose place on the ground is not known."""

NEAREST_M: Final = 0.8
"""Distance in metres below which nobody is taken to be."""


@dataclass(frozen=True)
class Expectation:
    """Direction in radians in which a person is expected, and its standard deviation."""

    azimuth: float
    sigma: float


def expect(
    sightings: Sequence[Sighting], frame_id: int, seconds: Callable[[int, int], float]
) -> Expectation:
    """Where somebody with these sightings (at least one) is expected in a frame.

    ``seconds`` tells the time from one frame to another. Between two sightings the place is
    interpolated; beyond them the motion between the nearest two goes on.
    """
    before = [item for item in sightings if item.frame_id <= frame_id]
    after = [item for item in sightings if item.frame_id >= frame_id]
    if before and after:
        first = max(before, key=lambda item: item.frame_id)
        last = min(after, key=lambda item: item.frame_id)
        return _between(first, last, frame_id, seconds)
    side = sorted(before or after, key=lambda item: abs(item.frame_id - frame_id))
    return _beyond(side, frame_id, seconds)


def _between(
    first: Sighting, last: Sighting, frame_id: int, seconds: Callable[[int, int], float]
) -> Expectation:
    whole = seconds(first.frame_id, last.frame_id)
    if whole <= 0.0:
        return Expectation(first.azimuth, 0.0)
    share = seconds(first.frame_id, frame_id) / whole
    turn = wrap(last.azimuth - first.azimuth)
    nearest = min(share, 1.0 - share) * whole
    doubt = KNOWN_SHARE * max(_drift(first), _drift(last)) * nearest
    start, end = first.detection.ground, last.detection.ground
    if start is None or end is None:
        return Expectation(wrap(first.azimuth + share * turn), doubt)
    x = start.x + share * (end.x - start.x)
    y = start.y + share * (end.y - start.y)
    return Expectation(math.atan2(y, x), doubt)


def _beyond(
    side: Sequence[Sighting], frame_id: int, seconds: Callable[[int, int], float]
) -> Expectation:
    last = side[0]
    ahead = seconds(last.frame_id, frame_id)
    doubt = _drift(last) * abs(ahead)
    previous = next((item for item in side[1:] if item.frame_id != last.frame_id), None)
    if previous is None:
        return Expectation(last.azimuth, doubt)
    elapsed = seconds(previous.frame_id, last.frame_id)
    if not 0.0 < abs(elapsed) <= LONGEST_TREND_S:
        return Expectation(last.azimuth, doubt)
    start, end = previous.detection.ground, last.detection.ground
    if start is None or end is None:
        turn = wrap(last.azimuth - previous.azimuth) / elapsed * ahead
        return Expectation(wrap(last.azimuth + turn), KNOWN_SHARE * doubt)
    x = end.x + (end.x - start.x) / elapsed * ahead
    y = end.y + (end.y - start.y) / elapsed * ahead
    return Expectation(math.atan2(y, x), KNOWN_SHARE * doubt)


def _drift(sighting: Sighting) -> float:
    """Radians a second by which the direction of a person may change, one standard deviation."""
    ground = sighting.detection.ground
    distance = DEFAULT_DISTANCE_M if ground is None else math.hypot(ground.x, ground.y)
    actions = [name for name, value in sighting.detection.actions.items() if value >= 0.5]
    speed = max((SPEED.get(action, STILL_SPEED) for action in actions), default=STILL_SPEED)
    return (speed + STILL_SPEED) / max(distance, NEAREST_M) + TURN_RATE
