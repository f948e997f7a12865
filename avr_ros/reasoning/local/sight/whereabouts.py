"""Where somebody is expected in a frame, and where to look for somebody who was lost."""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW
from avr_ros.reasoning.local.sight.identity import Track
from avr_ros.reasoning.local.sight.robot_motion import Motion, RobotMotion
from avr_ros.reasoning.local.sight.scene import Scene
from avr_ros.reasoning.local.sight.seen import SeenPerson
from avr_ros.reasoning.local.sight.wanted import Around, LookAt, Part
from avr_ros.schema.seeds import generator

MOST_LOOKS_AT_A_FRAME: Final = 3
"""Views spent on finding somebody again in one frame of many."""

MOST_LOOKS_IN_VAIN: Final = 6
"""Views without somebody who is followed, after which they are looked for all around, once."""

LITTLE: Final = 0.15
"""Chance to see somebody in a view below which it is not worth a look."""

SETTLED: Final = 0.7
"""Chance of one look from which somebody whom it does not show is taken to be hidden."""

CLOSE: Final = 8
"""Frames to where somebody was seen last within which they are not searched for in between."""

SPEEDS: Final = {
    "walking": 1.2,
    "running": 2.8,
    "cycling": 3.5,
    "scootering": 2.5,
    "skating": 2.5,
    "going upstairs": 0.6,
    "going downstairs": 0.6,
}
"""Usual speeds in metres a second of people who move; others are taken to stay for now."""

SET_OFF_SECONDS: Final = 12.0
"""Mean time after which somebody who stays sets off."""

STOP_SECONDS: Final = 5.0
"""Mean time after which somebody who moves stops or turns."""

ROBOT_SPEED_SIGMA: Final = 0.5
"""Deviation of the robot's speed in metres a second where nobody tells it."""

ROBOT_TURN_SIGMA: Final = 0.18
"""The same of its turning, radians a second."""

FRAME_SECONDS: Final = 1 / 15
"""Time from frame to frame where only one frame was looked at."""

SAME_LOOK: Final = math.radians(12.0)
"""Angle between two views of a frame below which the second one shows little new."""

INSIDE: Final = 0.4 * DEFAULT_FIELD_OF_VIEW
"""Angle to a view's middle within which somebody is in it with most of their body."""

HIDDEN_SHARE: Final = 0.3
"""Chance that somebody is where it was looked, hidden or not recognised."""

UNKNOWN_DISTANCE_M: Final = 4.0
"""Distance of somebody whose place is not known."""

DRAWS: Final = 300
"""Ways on which somebody may have gone that are compared."""

_GRID: Final = np.radians(np.arange(-180.0, 180.0, 6.0))

_Array = npt.NDArray[np.float64]


class Whereabouts:
    """Directions of people in the frames of a scene.

    Somebody's ways are drawn: on as they went, stopping or setting off at some time, seen from a
    robot that moves as those tell who stay. Ways into views that do not show them count little.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._robot = RobotMotion(scene.tracks, scene.seconds)
        rng = generator(0, "whereabouts")
        self._normal = rng.standard_normal((8, DRAWS))
        self._uniform = rng.random((3, DRAWS))
        self._clouds: dict[tuple[int, int], tuple[_Array, _Array]] = {}

    def expected(self, who: Track, frame: int) -> float:
        """The direction in a frame in which a look is likeliest to show somebody."""
        here = who.best_at(frame)
        return here.azimuth if here is not None else self._best(who, frame)[0]

    def chance(self, who: Track, frame: int) -> float:
        """How likely that look is to show them."""
        return self._best(who, frame)[1]

    def given_up(self, who: Track, frame: int) -> bool:
        """Whether somebody was looked for often enough in a frame and not found."""
        looks = len(self._scene.at(frame))
        if not looks or who.at(frame):
            return False
        return looks >= MOST_LOOKS_AT_A_FRAME or self.chance(who, frame) < LITTLE

    def pursue(self, who: Track) -> LookAt | Around | None:
        """Where to find somebody again who was lost after the last frame that shows them.

        In the latest frame, the first without them or half the way back, wherever it is likeliest
        to show them; all around the latest, once, after some looks in vain. None where they are
        not lost, or searched for, or hidden: one view held nearly all that was likely.
        """
        seen = max(who.frames())
        lost = sorted({view.frame for view in self._scene.views if view.frame > seen})
        if not lost:
            return None
        latest = lost[-1]
        frames = {latest, lost[0]}
        if lost[0] - seen >= CLOSE:
            frames.add((seen + lost[0]) // 2)
        if self._bound(who, lost[0]) >= SETTLED:
            frames = {latest}
        best = max(sorted(frames), key=lambda frame: self._worth(who, frame, seen, latest))
        if sum(view.frame > seen for view in self._scene.views) < MOST_LOOKS_IN_VAIN:
            likely = self.chance(who, best) >= LITTLE
            return LookAt(best, self.expected(who, best), Part.WHAT) if likely else None
        if self._bound(who, latest) >= SETTLED:
            return None
        unseen = tuple(self._scene.unseen(latest))
        searched = any(not self._scene.unseen(frame) for frame in lost)
        return Around(latest, unseen, Part.WHAT) if unseen and not searched else None

    def _worth(self, who: Track, frame: int, seen: int, latest: int) -> float:
        """The chance of a look, less where it does not lead far."""
        return self.chance(who, frame) * (0.6 + 0.4 * (frame - seen) / (latest - seen))

    def _bound(self, who: Track, frame: int) -> float:
        """How likely the best look at a frame was before any was made there."""
        azimuths, weights = self._cloud(who, frame, looked=False)
        apart = np.abs(_wrapped(azimuths[None, :] - _GRID[:, None])) <= INSIDE
        return float((apart @ weights).max())

    def _best(self, who: Track, frame: int) -> tuple[float, float]:
        """The direction whose view holds most of the ways, and their share."""
        azimuths, weights = self._cloud(who, frame)
        apart = np.abs(_wrapped(azimuths[None, :] - _GRID[:, None])) <= INSIDE
        mass = apart @ weights
        for view in self._scene.at(frame):
            mass[np.abs(_wrapped(_GRID - view.azimuth)) < SAME_LOOK] = 0.0
        place = int(np.argmax(mass))
        middle = _GRID[place]
        inside = apart[place]
        total = float(mass[place])
        if total <= 0.0:
            return float(middle), 0.0
        if not self._scene.at(frame):
            turned = _wrapped(azimuths[inside] - middle)
            middle += float(np.average(turned, weights=weights[inside]))
        return math.remainder(float(middle), math.tau), total

    def _cloud(self, who: Track, frame: int, looked: bool = True) -> tuple[_Array, _Array]:
        """Directions in a frame and their weights, which add up to the chance that is left.

        Without ``looked`` the looks at this frame do not count.
        """
        key = (id(who), frame)
        if key not in self._clouds:
            frames = who.frames()
            before = max((item for item in frames if item <= frame), default=None)
            after = min((item for item in frames if item >= frame), default=None)
            if before is not None and after is not None:
                self._clouds[key] = self._between(who, frame, before, after)
            else:
                near = before if before is not None else after
                assert near is not None
                self._clouds[key] = self._beyond(who, frame, near)
        azimuths, weights = self._clouds[key]
        # Who is hidden in a view of this frame is not found by another one of it.
        return azimuths, self._unseen(azimuths, weights, frame, 0.0) if looked else weights

    def _between(self, who: Track, frame: int, before: int, after: int) -> tuple[_Array, _Array]:
        """Straight on from one sighting to the next, evenly, with deviations."""
        first, last = _sighting(who, before), _sighting(who, after)
        part = 0.0 if after == before else (frame - before) / (after - before)
        aside = 0.3 + 0.6 * min(self._apart(before, frame), self._apart(frame, after))
        if self._robot.motion(before, after).sure:
            start, end = _place(first), _place(last)
            end = _seen_from(end[None, :], self._robot.motion(before, after).back())[0]
            middle = start + part * (end - start)
            places = middle[:, None] + aside * self._normal[:2]
            azimuths = _azimuths(_seen_from(places.T, self._robot.motion(before, frame)))
        else:
            turn = math.remainder(last.azimuth - first.azimuth, math.tau)
            sigma = aside / max(float(np.hypot(*_place(first))), 1.5)
            azimuths = np.asarray(
                _wrapped(first.azimuth + part * turn + sigma * self._normal[0]), dtype=np.float64
            )
        return azimuths, np.full(DRAWS, 1.0 / DRAWS)

    def _beyond(self, who: Track, frame: int, near: int) -> tuple[_Array, _Array]:
        """On from the nearest sighting, forwards or back in time."""
        person = _sighting(who, near)
        weights = np.full(DRAWS, 1.0 / DRAWS)
        low, high = min(near, frame), max(near, frame)
        looked = sorted(
            {view.frame for view in self._scene.views if low < view.frame < high} - {near}
        )
        for other in looked:
            if not who.at(other):
                azimuths = self._ways(person, near, other)
                weights = self._unseen(azimuths, weights, other, HIDDEN_SHARE)
        return self._ways(person, near, frame), weights / weights.sum()

    def _ways(self, person: SeenPerson, near: int, frame: int) -> _Array:
        """Where each way leads at a frame, in directions there."""
        seconds = self._apart(near, frame)
        backwards = -1.0 if frame < near else 1.0
        speed = max((SPEEDS.get(name, 0.0) for name in person.doing()), default=0.0)
        if speed > 0.0 and person.heading is not None:
            lasting = -STOP_SECONDS * np.log(1.0 - self._uniform[0])
            moved = speed * (1.0 + 0.25 * self._normal[2]) * np.minimum(seconds, lasting)
            heading = person.heading + 0.25 * self._normal[3]
        elif speed > 0.0:
            moved = speed * np.minimum(seconds, -STOP_SECONDS * np.log(1.0 - self._uniform[0]))
            heading = math.tau * self._uniform[1]
        else:
            start = -SET_OFF_SECONDS * np.log(1.0 - self._uniform[0])
            moved = SPEEDS["walking"] * np.maximum(seconds - start, 0.0)
            heading = math.tau * self._uniform[1]
        way = backwards * moved * np.stack([np.cos(heading), np.sin(heading)])
        places = (_place(person)[:, None] + 0.15 * self._normal[:2] + way).T
        motion = self._robot.motion(near, frame)
        unknown = 0.0 if motion.sure else seconds
        seen = _seen_from(places, motion)
        seen[:, 0] -= ROBOT_SPEED_SIGMA * unknown * self._normal[4]
        turned = (0.02 + ROBOT_TURN_SIGMA * unknown) * self._normal[5]
        return np.asarray(_wrapped(_azimuths(seen) + turned), dtype=np.float64)

    def _unseen(self, azimuths: _Array, weights: _Array, frame: int, left: float) -> _Array:
        """Weights after the looks at a frame that do not show the person; ``left`` is the share
        that is left of those within a view."""
        for view in self._scene.at(frame):
            inside = np.abs(_wrapped(azimuths - view.azimuth)) <= min(view.half_width, math.pi)
            weights = np.where(inside, left * weights, weights)
        return weights

    def _apart(self, first: int, second: int) -> float:
        """Seconds from one frame to another, by the frames that were looked at."""
        known = self._scene.seconds
        if first in known and second in known:
            return abs(known[second] - known[first])
        frames = sorted(known)
        span = frames[-1] - frames[0]
        rate = (known[frames[-1]] - known[frames[0]]) / span if span else FRAME_SECONDS
        return abs(second - first) * rate


def _sighting(who: Track, frame: int) -> SeenPerson:
    person = who.best_at(frame)
    assert person is not None
    return person


def _place(person: SeenPerson) -> _Array:
    """Metres ahead and left; at some usual distance where it is not known."""
    if person.place is not None:
        return np.array(person.place, dtype=np.float64)
    direction = np.array([math.cos(person.azimuth), math.sin(person.azimuth)])
    return UNKNOWN_DISTANCE_M * direction


def _seen_from(places: _Array, robot: Motion) -> _Array:
    """Places (n, 2) in the robot's axes after a motion."""
    cosine, sine = math.cos(robot.turn), math.sin(robot.turn)
    moved = places - np.array([robot.x, robot.y])
    return np.asarray(moved @ np.array([[cosine, -sine], [sine, cosine]]))


def _azimuths(places: _Array) -> _Array:
    return np.asarray(np.arctan2(places[:, 1], places[:, 0]))


def _wrapped(angles: _Array) -> _Array:
    return np.asarray((angles + math.pi) % math.tau - math.pi)
