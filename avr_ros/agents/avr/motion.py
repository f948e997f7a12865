"""Where a person will be seen: places on the ground, carried through time.

People are followed in the frame in which the search began, so that the robot's own motion, as far
as it is known (:mod:`avr_ros.agents.avr.robot_path`), is no motion of theirs. Between two sightings
a person is taken to go straight; beyond them the motion dies out, as people stop and turn.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.robot_path import MOST_SIGMA, Pose, RobotPath
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

STILL_SPEED: Final = 0.2
"""Speed in metres a second allowed to somebody who does not go anywhere: they may set off."""

KNOWN_SHARE: Final = 0.3
"""Share of a motion's uncertainty that is left once two sightings show which way it goes."""

UNKNOWN_SHARE: Final = 0.5
"""The same beyond the last sighting: people turn, stop and set off."""

LONGEST_TREND_S: Final = 3.0
"""Seconds between two sightings up to which they show a motion that goes on."""

FADING_S: Final = 1.5
"""Seconds in which a motion that goes on dies out."""

DEFAULT_DISTANCE_M: Final = 4.0
"""Distance in metres taken for somebody whose place on the ground is not known."""

NEAREST_M: Final = 0.8
"""Distance in metres below which nobody is taken to be."""


@dataclass(frozen=True)
class Expectation:
    """Direction in radians in which a person is expected, and its standard deviation.

    ``own_sigma`` is the part of it that comes from the person alone, not from the robot.
    """

    azimuth: float
    sigma: float
    own_sigma: float = 0.0


@dataclass(frozen=True)
class _Place:
    frame: int
    x: float
    y: float
    speed: float


def expect(
    sightings: Sequence[Sighting],
    frame_id: int,
    seconds: Callable[[int, int], float],
    path: RobotPath,
) -> Expectation:
    """Where somebody with these sightings (at least one) is expected in a frame.

    ``seconds`` tells the time from one frame to another, ``path`` where the robot was.
    """
    here = [item for item in sightings if item.frame_id == frame_id]
    if here:
        return Expectation(here[-1].azimuth, 0.0)
    before = [item for item in sightings if item.frame_id < frame_id]
    after = [item for item in sightings if item.frame_id > frame_id]
    pose = path.pose(frame_id)
    if before and after:
        first = _placed(max(before, key=lambda item: item.frame_id), path)
        last = _placed(min(after, key=lambda item: item.frame_id), path)
        whole = seconds(first.frame, last.frame)
        share = seconds(first.frame, frame_id) / whole if whole > 0.0 else 0.0
        x = first.x + share * (last.x - first.x)
        y = first.y + share * (last.y - first.y)
        nearest = min(share, 1.0 - share) * whole
        return _seen(x, y, KNOWN_SHARE * max(first.speed, last.speed) * nearest, pose)
    side = sorted(before or after, key=lambda item: abs(item.frame_id - frame_id))
    return _beyond([_placed(item, path) for item in side], frame_id, seconds, pose)


def goes(sighting: Sighting) -> bool:
    """Whether a person goes anywhere, by what they do."""
    return _speed(sighting) > STILL_SPEED


def _beyond(
    side: Sequence[_Place], frame_id: int, seconds: Callable[[int, int], float], pose: Pose
) -> Expectation:
    last = side[0]
    ahead = seconds(last.frame, frame_id)
    doubt = UNKNOWN_SHARE * last.speed * abs(ahead)
    previous = next((item for item in side[1:] if item.frame != last.frame), None)
    elapsed = 0.0 if previous is None else seconds(previous.frame, last.frame)
    if previous is None or not 0.0 < abs(elapsed) <= LONGEST_TREND_S:
        return _seen(last.x, last.y, doubt, pose)
    lasting = math.copysign(FADING_S * (1.0 - math.exp(-abs(ahead) / FADING_S)), ahead)
    x = last.x + (last.x - previous.x) / elapsed * lasting
    y = last.y + (last.y - previous.y) / elapsed * lasting
    return _seen(x, y, doubt, pose)


def _placed(sighting: Sighting, path: RobotPath) -> _Place:
    place = path.place(sighting)
    if place is None:
        x = DEFAULT_DISTANCE_M * math.cos(sighting.azimuth)
        y = DEFAULT_DISTANCE_M * math.sin(sighting.azimuth)
        place = path.pose(sighting.frame_id).outward(x, y)
    return _Place(sighting.frame_id, *place, _speed(sighting))


def _seen(x: float, y: float, doubt: float, pose: Pose) -> Expectation:
    """The direction of a place that is ``doubt`` metres uncertain, from the robot's pose."""
    here_x, here_y = pose.inward(x, y)
    distance = max(math.hypot(here_x, here_y), NEAREST_M)
    own = min(MOST_SIGMA, doubt / distance)
    sigma = math.hypot(own, pose.place_sigma / distance, pose.heading_sigma)
    return Expectation(wrap(math.atan2(here_y, here_x)), min(MOST_SIGMA, sigma), own)


def _speed(sighting: Sighting) -> float:
    actions = [name for name, value in sighting.detection.actions.items() if value >= 0.5]
    return max((SPEED.get(action, STILL_SPEED) for action in actions), default=STILL_SPEED)
