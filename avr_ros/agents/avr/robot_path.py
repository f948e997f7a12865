"""Where the robot was in each frame, told from the people around it.

An agent has no odometry. But people who stand or sit are seen from several frames, and how their
places on the ground differ between two frames is how the robot has moved. Those who go somewhere
tell it too, as far as it is known where they have come to since. The frame in which the
search begins is the origin; each further frame's pose is the one that fits the people best whose
places are known, and what could be expected before.
"""

import math
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.agents.avr.speeds import goes, usual_speed

SPEED_SIGMA: Final = 0.3
"""Usual speed of the robot, metres a second."""

TURN_SIGMA: Final = 0.12
"""Usual turning of the robot, radians a second."""

TURN_FADING_S: Final = 0.5
"""Seconds in which a turn that goes on dies out."""

TURN_DOUBT: Final = 0.5
"""Share of a turn's rate by which its going on is uncertain."""

LONGEST_TURN_S: Final = 3.0
"""Seconds between two poses up to which they show a turn that goes on."""

LONGEST_TREND_S: Final = 3.0
"""Seconds between two sightings up to which they show where somebody goes."""

WALKER_SHARE: Final = 0.5
"""Share of the way that somebody goes by which their place is uncertain."""

LANDMARK_SIGMA: Final = 0.05
"""Metres a second by which people who stay where they are move all the same."""

SIDEWAYS_SIGMA: Final = 0.05
"""Metres by which a person's place is off across the line of sight."""

HEADING_FREEDOM: Final = 0.4
"""Radians by which people may turn the heading beyond what was expected of it."""

LONELY_SIGMA: Final = 0.03
"""Deviation in radians of a heading that one person tells, by whom may have moved after all."""

OUTLIER: Final = 2.5
"""Standard deviations from which on a person counts less: they have moved."""

ROUNDS: Final = 5
"""Times that a pose is fitted anew to how far people are off."""

MOST_SIGMA: Final = 1.8
"""Standard deviation in radians of a direction of which nothing is known."""

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Pose:
    """The robot's place (metres) and heading (radians) in the origin's frame, with deviations."""

    x: float
    y: float
    heading: float
    place_sigma: float = 0.0
    heading_sigma: float = 0.0

    def outward(self, x: float, y: float) -> tuple[float, float]:
        """A place seen from the robot as a place in the origin's frame."""
        cosine, sine = math.cos(self.heading), math.sin(self.heading)
        return self.x + cosine * x - sine * y, self.y + sine * x + cosine * y

    def inward(self, x: float, y: float) -> tuple[float, float]:
        """A place in the origin's frame as seen from the robot."""
        cosine, sine = math.cos(self.heading), math.sin(self.heading)
        away_x, away_y = x - self.x, y - self.y
        return cosine * away_x + sine * away_y, -sine * away_x + cosine * away_y


@dataclass(frozen=True)
class _Mark:
    """A person: place in the origin's frame, place seen now, deviations now."""

    x: float
    y: float
    seen_x: float
    seen_y: float
    along: float
    across: float


class RobotPath:
    """The robot's poses, fitted frame by frame as looks come in."""

    def __init__(self, origin: int, seconds: Callable[[int, int], float]) -> None:
        """Start at frame ``origin``; ``seconds`` tells the time from one frame to another."""
        self._seconds = seconds
        self._poses: dict[int, Pose] = {origin: Pose(0.0, 0.0, 0.0)}
        self._frames = [origin]
        self._rates: dict[int, float] = {}
        self._origin = origin

    def learn(self, frame: int, met: Iterable[tuple[list[Sighting], Sighting]]) -> None:
        """Fit the pose of a frame.

        ``met`` are the people seen in it: their sightings in other frames, and the one in this
        frame.
        """
        if frame == self._origin:
            return
        self._rates.clear()
        if self._poses.pop(frame, None) is not None:
            self._frames.remove(frame)
        prior = self.pose(frame)
        marks = [mark for item in met if (mark := self._mark(*item)) is not None]
        if marks:
            self._poses[frame] = _fit(prior, marks)
            insort(self._frames, frame)

    @property
    def origin(self) -> int:
        """The frame in which the search began."""
        return self._origin

    def knows(self, frame: int) -> bool:
        """Whether people have told the pose of a frame."""
        return frame in self._poses

    def pose(self, frame: int) -> Pose:
        """The robot's pose in a frame: fitted, between two fitted ones, or the nearest one's."""
        found = self._poses.get(frame)
        if found is not None:
            return found
        place = bisect_left(self._frames, frame)
        if place in (0, len(self._frames)):
            return self._beyond(self._frames[max(0, place - 1)], frame)
        before, after = self._frames[place - 1], self._frames[place]
        first, last = self._poses[before], self._poses[after]
        whole = self._seconds(before, after)
        share = self._seconds(before, frame) / whole if whole > 0.0 else 0.0
        near, time = (first, share * whole) if share < 0.5 else (last, (1.0 - share) * whole)
        carried = _carried(near, 0.6 * abs(time))
        return Pose(
            first.x + share * (last.x - first.x),
            first.y + share * (last.y - first.y),
            wrap(first.heading + share * wrap(last.heading - first.heading)),
            carried.place_sigma,
            carried.heading_sigma,
        )

    def _beyond(self, nearest: int, frame: int) -> Pose:
        """The pose beyond all fitted ones: a turn goes on for a moment, and may go on longer."""
        pose, time = self._poses[nearest], self._seconds(nearest, frame)
        rate = self._turn_rate(nearest)
        fading = math.copysign(TURN_FADING_S * (1.0 - math.exp(-abs(time) / TURN_FADING_S)), time)
        carried = _carried(pose, abs(time))
        return Pose(
            pose.x,
            pose.y,
            wrap(pose.heading + rate * fading),
            carried.place_sigma,
            min(MOST_SIGMA, math.hypot(carried.heading_sigma, TURN_DOUBT * rate * time)),
        )

    def _turn_rate(self, frame: int) -> float:
        """How fast the robot turns at a fitted frame, from the next fitted one; 0 if far off."""
        rate = self._rates.get(frame)
        if rate is None:
            rate = self._rates[frame] = self._measured_rate(frame)
        return rate

    def _measured_rate(self, frame: int) -> float:
        others = [
            item
            for item in self._poses
            if item != frame and abs(self._seconds(item, frame)) <= LONGEST_TURN_S
        ]
        if not others:
            return 0.0
        near = min(others, key=lambda item: abs(item - frame))
        turned = wrap(self._poses[frame].heading - self._poses[near].heading)
        return turned / self._seconds(near, frame)

    def place(self, sighting: Sighting) -> tuple[float, float] | None:
        """Where somebody stood, in the origin's frame; none where perception cannot tell."""
        ground = sighting.detection.ground
        if ground is None:
            return None
        return self.pose(sighting.frame_id).outward(ground.x, ground.y)

    def _mark(self, others: list[Sighting], now: Sighting) -> _Mark | None:
        ground = now.detection.ground
        known = [
            item
            for item in others
            if item.frame_id in self._poses and item.detection.ground is not None
        ]
        if ground is None or not known:
            return None
        near = min(known, key=lambda item: abs(item.frame_id - now.frame_id))
        assert near.detection.ground is not None
        x, y = self._carried_on(near, known, now.frame_id)
        elapsed = abs(self._seconds(near.frame_id, now.frame_id))
        moved = LANDMARK_SIGMA * elapsed + self._poses[near.frame_id].place_sigma
        if goes(near) or goes(now):
            speed = max(usual_speed(near), usual_speed(now))
            moved += WALKER_SHARE * speed * elapsed
        return _Mark(
            x,
            y,
            ground.x,
            ground.y,
            math.hypot(ground.sigma, near.detection.ground.sigma, moved),
            math.hypot(SIDEWAYS_SIGMA, moved),
        )

    def _carried_on(self, near: Sighting, known: list[Sighting], frame: int) -> tuple[float, float]:
        """Where somebody is in a frame if they go on as in the two sightings nearest to it."""
        place = self.place(near)
        assert place is not None
        if not goes(near):
            return place
        beyond = [
            item
            for item in known
            if (item.frame_id - near.frame_id) * (frame - near.frame_id) < 0
            and abs(self._seconds(item.frame_id, near.frame_id)) <= LONGEST_TREND_S
        ]
        if not beyond:
            return place
        other = min(beyond, key=lambda item: abs(item.frame_id - near.frame_id))
        before = self.place(other)
        assert before is not None
        share = self._seconds(near.frame_id, frame) / self._seconds(other.frame_id, near.frame_id)
        return place[0] + share * (place[0] - before[0]), place[1] + share * (place[1] - before[1])


def _carried(pose: Pose, seconds: float) -> Pose:
    return Pose(
        pose.x,
        pose.y,
        pose.heading,
        math.hypot(pose.place_sigma, SPEED_SIGMA * seconds),
        min(MOST_SIGMA, math.hypot(pose.heading_sigma, TURN_SIGMA * seconds)),
    )


def _fit(prior: Pose, marks: list[_Mark]) -> Pose:
    """The pose that fits best, by weighted least squares with outliers held down."""
    state = np.array([prior.x, prior.y, prior.heading])
    expected = state.copy()
    trust = np.diag(
        [
            1.0 / max(prior.place_sigma, 0.02) ** 2,
            1.0 / max(prior.place_sigma, 0.02) ** 2,
            1.0 / (HEADING_FREEDOM + prior.heading_sigma) ** 2,
        ]
    )
    information = trust
    for _ in range(ROUNDS):
        off = state - expected
        off[2] = wrap(float(off[2]))
        information = trust.copy()
        pull = -trust @ off
        for mark in marks:
            jacobian, weight, miss = _pull(state, mark)
            distance = math.sqrt(float(miss @ weight @ miss))
            weight = weight * min(1.0, OUTLIER / max(distance, 1e-9))
            information += jacobian.T @ weight @ jacobian
            pull -= jacobian.T @ weight @ miss
        state = state + np.linalg.solve(information, pull)
    spread = np.linalg.inv(information)
    # People who do not agree have not all stayed; one alone may have gone anywhere.
    offs = [_pull(state, mark) for mark in marks]
    apart = math.sqrt(
        sum(float(miss @ weight @ miss) for _, weight, miss in offs) / (2.0 * len(offs))
    )
    doubt = max(1.0, apart)
    return Pose(
        float(state[0]),
        float(state[1]),
        wrap(float(state[2])),
        doubt * math.sqrt(float(spread[0, 0] + spread[1, 1]) / 2.0),
        doubt * math.hypot(math.sqrt(float(spread[2, 2])), LONELY_SIGMA / len(marks)),
    )


def _pull(state: FloatArray, mark: _Mark) -> tuple[FloatArray, FloatArray, FloatArray]:
    """How a person is off: the derivative by the pose, the weight, and the difference."""
    cosine, sine = math.cos(state[2]), math.sin(state[2])
    turned = np.array(
        [cosine * mark.seen_x - sine * mark.seen_y, sine * mark.seen_x + cosine * mark.seen_y]
    )
    miss = state[:2] + turned - (mark.x, mark.y)
    jacobian = np.array([[1.0, 0.0, -turned[1]], [0.0, 1.0, turned[0]]])
    sight = turned / max(float(np.hypot(*turned)), 1e-6)
    axes = np.array([sight, [-sight[1], sight[0]]])
    weight = axes.T @ np.diag([1.0 / mark.along**2, 1.0 / mark.across**2]) @ axes
    return jacobian, weight, miss
