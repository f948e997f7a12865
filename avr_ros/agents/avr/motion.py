"""Where a person will be seen: places on the ground, carried through time.

People are followed in the frame in which the search began, so that the robot's own motion, as far
as it is known (:mod:`avr_ros.agents.avr.robot_path`), is no motion of theirs. Between two sightings
a person is taken to go straight; beyond them the motion dies out, as people stop and turn.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.robot_path import MOST_SIGMA, Pose, RobotPath
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.agents.avr.speeds import usual_speed

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
    ``distance`` is the expected one in metres, none where nothing is known of it, and
    ``distance_spread`` its standard deviation as a share of it.
    """

    azimuth: float
    sigma: float
    own_sigma: float = 0.0
    distance: float | None = None
    distance_spread: float = 0.0


def reckoned_distance(sighting: Sighting) -> float:
    """Metres to somebody for turning a way into an angle: a usual one where it is not known."""
    ground = sighting.detection.ground
    distance = DEFAULT_DISTANCE_M if ground is None else math.hypot(ground.x, ground.y)
    return max(distance, NEAREST_M)


@dataclass(frozen=True)
class _Place:
    frame: int
    x: float
    y: float
    speed: float


class Motion:
    """Where somebody with some sightings (at least one) is expected in other frames."""

    def __init__(
        self, sightings: Sequence[Sighting], seconds: Callable[[int, int], float], path: RobotPath
    ) -> None:
        """``seconds`` tells the time from one frame to another, ``path`` where the robot was."""
        self._seconds = seconds
        self._path = path
        # Of several sightings in one frame the latest one counts.
        self._latest = {item.frame_id: item for item in sightings}
        self._frames = sorted(self._latest)
        self._places: dict[int, _Place] = {}

    def expect(self, frame_id: int) -> Expectation:
        """The direction in a frame."""
        here = self._latest.get(frame_id)
        if here is not None:
            return Expectation(here.azimuth, 0.0)
        pose = self._path.pose(frame_id)
        index = bisect_left(self._frames, frame_id)
        if index == 0:
            return self._beyond(self._frames[:2], frame_id, pose)
        if index == len(self._frames):
            return self._beyond(self._frames[:-3:-1], frame_id, pose)
        first, last = self._place(self._frames[index - 1]), self._place(self._frames[index])
        whole = self._seconds(first.frame, last.frame)
        share = self._seconds(first.frame, frame_id) / whole if whole > 0.0 else 0.0
        x = first.x + share * (last.x - first.x)
        y = first.y + share * (last.y - first.y)
        nearest = min(share, 1.0 - share) * whole
        return _seen(x, y, KNOWN_SHARE * max(first.speed, last.speed) * nearest, pose)

    def _beyond(self, nearest: Sequence[int], frame_id: int, pose: Pose) -> Expectation:
        """Beyond the sightings in the ``nearest`` frames, the nearest of all first."""
        last = self._place(nearest[0])
        ahead = self._seconds(last.frame, frame_id)
        doubt = UNKNOWN_SHARE * last.speed * abs(ahead)
        elapsed = 0.0 if len(nearest) < 2 else self._seconds(nearest[1], last.frame)
        if not 0.0 < abs(elapsed) <= LONGEST_TREND_S:
            return _seen(last.x, last.y, doubt, pose)
        previous = self._place(nearest[1])
        lasting = math.copysign(FADING_S * (1.0 - math.exp(-abs(ahead) / FADING_S)), ahead)
        x = last.x + (last.x - previous.x) / elapsed * lasting
        y = last.y + (last.y - previous.y) / elapsed * lasting
        return _seen(x, y, doubt, pose)

    def _place(self, frame_id: int) -> _Place:
        place = self._places.get(frame_id)
        if place is None:
            place = self._places[frame_id] = _placed(self._latest[frame_id], self._path)
        return place


def _placed(sighting: Sighting, path: RobotPath) -> _Place:
    place = path.place(sighting)
    if place is None:
        x = DEFAULT_DISTANCE_M * math.cos(sighting.azimuth)
        y = DEFAULT_DISTANCE_M * math.sin(sighting.azimuth)
        place = path.pose(sighting.frame_id).outward(x, y)
    return _Place(sighting.frame_id, *place, usual_speed(sighting))


def _seen(x: float, y: float, doubt: float, pose: Pose) -> Expectation:
    """The direction of a place that is ``doubt`` metres uncertain, from the robot's pose."""
    here_x, here_y = pose.inward(x, y)
    distance = max(math.hypot(here_x, here_y), NEAREST_M)
    own = min(MOST_SIGMA, doubt / distance)
    sigma = math.hypot(own, pose.place_sigma / distance, pose.heading_sigma)
    return Expectation(
        wrap(math.atan2(here_y, here_x)),
        min(MOST_SIGMA, sigma),
        own,
        distance,
        math.hypot(doubt, pose.place_sigma) / distance,
    )
