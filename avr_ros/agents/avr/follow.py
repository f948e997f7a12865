"""Finding one person again in another frame."""

import math
from collections.abc import Sequence

import numpy as np

from avr_ros.agents.avr.people import Person
from avr_ros.agents.avr.scout import Scout
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW
from avr_ros.geometry.panorama import wrap_angle

STEP_ASIDE = 0.8 * DEFAULT_FIELD_OF_VIEW
"""Turn in radians to the next view when somebody is not where they were expected."""

SURE_FRAMES = 6
"""Frames from a sighting within which the person cannot have left the view: who is not seen there
is hidden, and looking aside would not help."""

COST_FRAMES = 60.0
"""Frames of distance from every sighting at which finding the person costs twice the looks."""


class Follower:
    """Follows one person through the frames."""

    def __init__(self, scout: Scout, person: Person, settings: AvrSettings) -> None:
        self._scout = scout
        self._person = person
        self._settings = settings

    @property
    def sightings(self) -> list[Sighting]:
        """Every sighting of the person so far."""
        return list(self._person.sightings)

    def cost(self, frame_id: int) -> float:
        """Looks that finding the person in a frame is expected to cost."""
        return 1.0 + self._distance(frame_id) / COST_FRAMES

    def find(self, frame_id: int) -> Sighting | None:
        """The person in a frame, none if they were not seen in the views that are worth asking for.

        A person who was seen in that frame already is looked at again, from straight ahead.
        """
        expected = self.expected_azimuth(frame_id)
        sure = self._distance(frame_id) <= SURE_FRAMES
        looked: list[float] = []
        for _ in range(1 if sure else self._settings.looks_per_frame):
            if self._scout.looks_left <= 0:
                return None
            azimuth = self._next_azimuth(expected, looked)
            looked.append(azimuth)
            bound = self._scout.look(frame_id, azimuth)
            for person, sighting in bound:
                if person is self._person:
                    return sighting
            turned = self._turned(bound, frame_id)
            if turned is not None:
                expected = float(
                    wrap_angle(self._person.nearest_in_time(frame_id).azimuth + turned)
                )
        return None

    def expected_azimuth(self, frame_id: int) -> float:
        """Where the person should be: between two sightings, else where the nearest one was."""
        before = [item for item in self._person.sightings if item.frame_id <= frame_id]
        after = [item for item in self._person.sightings if item.frame_id >= frame_id]
        if not before or not after:
            return self._person.nearest_in_time(frame_id).azimuth
        first = max(before, key=lambda item: item.frame_id)
        last = min(after, key=lambda item: item.frame_id)
        if first.frame_id == last.frame_id:
            return first.azimuth
        share = (frame_id - first.frame_id) / (last.frame_id - first.frame_id)
        turn = float(wrap_angle(last.azimuth - first.azimuth))
        return float(wrap_angle(first.azimuth + share * turn))

    def _distance(self, frame_id: int) -> int:
        return min(abs(item.frame_id - frame_id) for item in self._person.sightings)

    def _next_azimuth(self, expected: float, looked: Sequence[float]) -> float:
        """The view nearest to where the person is expected that shows something new."""
        offsets = [0.0]
        for ring in range(1, math.ceil(math.pi / STEP_ASIDE) + 1):
            offsets += [ring * STEP_ASIDE, -ring * STEP_ASIDE]
        for offset in offsets:
            azimuth = float(wrap_angle(expected + offset))
            apart = [abs(float(wrap_angle(azimuth - other))) for other in looked]
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
                turns.append(float(wrap_angle(sighting.azimuth - then[0].azimuth)))
        return float(np.median(turns)) if turns else None
