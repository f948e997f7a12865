"""Finding one person again in another frame."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.motion import Expectation, expect
from avr_ros.agents.avr.people import Person
from avr_ros.agents.avr.scout import Scout
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.agents.tools import SequenceTimes
from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW

STEP_ASIDE: Final = 0.8 * DEFAULT_FIELD_OF_VIEW
"""Turn in radians to the next view when somebody is not where they were expected."""

REACH: Final = 0.4 * DEFAULT_FIELD_OF_VIEW
"""Angle in radians off a view's middle up to which somebody is surely seen in it."""

FAR_SIGMA: Final = 0.4
"""Uncertainty of direction in radians above which somebody is followed step by step instead."""

STEP_SIGMA: Final = 0.3
"""Uncertainty of direction in radians at which such a step ends."""

HIDDEN_FRAMES: Final = 3
"""Frames around one in which a person was not found that are not tried as steps."""

DOUBT_GROWTH: Final = 1.2
"""Factor by which a motion is trusted less after each frame in which the person was not found."""


class Follower:
    """Follows one person through the frames."""

    def __init__(
        self, scout: Scout, person: Person, times: SequenceTimes, settings: AvrSettings
    ) -> None:
        self._scout = scout
        self._person = person
        self._settings = settings
        self._stamps: dict[int, float] = dict(
            zip(times.frame_ids.tolist(), (times.stamps_us / 1e6).tolist(), strict=True)
        )
        self._doubt = 1.0
        self._missed: set[int] = set()

    @property
    def sightings(self) -> list[Sighting]:
        """Every sighting of the person so far."""
        return list(self._person.sightings)

    def costs(self, frame_ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Looks that finding the person in each of some frames is expected to cost."""
        sigmas = np.array([self.expectation(frame).sigma for frame in frame_ids.tolist()])
        missed = np.array([math.erfc(REACH / max(sigma, 1e-6) / math.sqrt(2)) for sigma in sigmas])
        # A miss costs looks aside, and then the frame may be lost altogether; steps cost more.
        steps = np.maximum(sigmas / STEP_SIGMA, 1.0)
        return np.asarray(steps * (1.0 + 2.0 * missed) / (1.0 - 0.6 * missed))

    def next_on_the_way(self, frame_id: int) -> int:
        """The frame to look at next in order to find the person in a frame: itself, or a step.

        A step is the farthest frame on the way from the nearest sighting in which the person can
        still be expected well. Where the person was not found, the step passes over it: somebody
        walked in between.
        """
        if self.expectation(frame_id).sigma <= FAR_SIGMA:
            return frame_id
        start = self._person.nearest_in_time(frame_id).frame_id
        low, high = sorted((start, frame_id))
        on_the_way = [
            frame
            for frame in self._stamps
            if low < frame < high
            and all(abs(frame - missed) > HIDDEN_FRAMES for missed in self._missed)
        ]
        steps = [frame for frame in on_the_way if self.expectation(frame).sigma <= STEP_SIGMA]
        if steps:
            return max(steps, key=lambda frame: abs(frame - start))
        return min(on_the_way, key=lambda frame: abs(frame - start), default=frame_id)

    def find(self, frame_id: int) -> Sighting | None:
        """The person in a frame, none if they were not seen in the views that are worth asking for.

        A person who was seen in that frame already is looked at again, from straight ahead.
        """
        expected = self.expectation(frame_id)
        azimuth = expected.azimuth
        looks = 1 if expected.sigma < REACH / 2.0 else self._settings.looks_per_frame
        looked: list[float] = []
        for _ in range(looks):
            if self._scout.looks_left <= 0:
                return None
            looked.append(self._next_azimuth(azimuth, looked))
            bound = self._scout.look(frame_id, looked[-1])
            for person, sighting in bound:
                if person is self._person:
                    self._doubt = 1.0
                    return sighting
            turned = self._turned(bound, frame_id)
            if turned is not None:
                azimuth = wrap(expected.azimuth + turned)
        self._doubt *= DOUBT_GROWTH
        self._missed.add(frame_id)
        return None

    def expectation(self, frame_id: int) -> Expectation:
        """Where the person should be in a frame."""
        found = expect(self._person.sightings, frame_id, self._seconds)
        return Expectation(found.azimuth, found.sigma * self._doubt)

    def _seconds(self, first: int, second: int) -> float:
        return float(self._stamps[second] - self._stamps[first])

    def _next_azimuth(self, expected: float, looked: Sequence[float]) -> float:
        """The view nearest to where the person is expected that shows something new."""
        offsets = [0.0]
        for ring in range(1, math.ceil(math.pi / STEP_ASIDE) + 1):
            offsets += [ring * STEP_ASIDE, -ring * STEP_ASIDE]
        for offset in offsets:
            azimuth = wrap(expected + offset)
            apart = [abs(wrap(azimuth - other)) for other in looked]
            if min(apart, default=math.pi) >= 0.7 * STEP_ASIDE:
                return azimuth
        return expected

    def _turned(self, bound: Sequence[tuple[Person, Sighting]], frame_id: int) -> float | None:
        """By how much the others in a view have moved around the robot since the person was seen.

        Mostly it is the robot that has turned, and then the person has moved by as much.
        """
        reference = self._person.nearest_in_time(frame_id).frame_id
        turns = []
        for person, sighting in bound:
            then = [item for item in person.sightings if item.frame_id == reference]
            if then:
                turns.append(wrap(sighting.azimuth - then[0].azimuth))
        return float(np.median(turns)) if turns else None
