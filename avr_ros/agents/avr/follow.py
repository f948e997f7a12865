"""Finding one person again in another frame."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import erf

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.coverage import HALF_VIEW
from avr_ros.agents.avr.motion import Expectation, expect
from avr_ros.agents.avr.people import Person
from avr_ros.agents.avr.scout import Scout
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW

STEP_ASIDE: Final = 0.8 * DEFAULT_FIELD_OF_VIEW
"""Turn in radians to the next view when somebody is not where they were expected."""

REACH: Final = 0.4 * DEFAULT_FIELD_OF_VIEW
"""Angle in radians off a view's middle up to which somebody is surely seen in it."""

FULL_REACH: Final = 0.5 * DEFAULT_FIELD_OF_VIEW
"""Angle in radians off a view's middle up to which somebody is seen in it at all."""

MOST_ASIDE: Final = 4
"""Views beside the first one that finding somebody is reckoned to cost at most."""

VISIBLE_SHARE: Final = 0.9
"""How often somebody can be seen at all in a frame; else they are hidden."""


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

    def costs(self, frame_ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Looks that finding the person in each of some frames is expected to cost."""
        sigmas = np.array([self.expectation(frame).sigma for frame in frame_ids.tolist()])
        sigmas = np.maximum(sigmas, 1e-3) * math.sqrt(2)
        # Every further view shows a view's width more, on one side.
        shown = [erf((REACH + STEP_ASIDE * count / 2) / sigmas) for count in range(MOST_ASIDE + 1)]
        looks = 1.0 + sum(1.0 - VISIBLE_SHARE * share for share in shown[:-1])
        return np.asarray(looks / np.maximum(VISIBLE_SHARE * shown[-1], 0.05))

    def find(self, frame_id: int, looks: int | None = None) -> Sighting | None:
        """The person in a frame, none if they were not seen in the views that are worth asking for.

        A person who was seen in that frame already is looked at again, from straight ahead. At most
        ``looks`` views are asked for, by default as many as the settings say, and fewer once a view
        has shown the place where the person must be: then somebody or something hides them.
        """
        most = self._settings.looks_per_frame if looks is None else looks
        looked: list[float] = []
        while len(looked) < most and self._scout.looks_left > 0:
            expected = self.expectation(frame_id)
            if looks is None and looked and self._hopeless(frame_id, expected, looked):
                break
            azimuth = self._next_azimuth(expected.azimuth, looked)
            if azimuth is None:
                break
            looked.append(azimuth)
            for person, sighting in self._scout.look(frame_id, azimuth):
                if person is self._person:
                    return sighting
        return None

    def expectation(self, frame_id: int) -> Expectation:
        """Where the person should be in a frame."""
        return expect(self._person.sightings, frame_id, self._scout.seconds, self._scout.path)

    def _hopeless(self, frame_id: int, expected: Expectation, looked: Sequence[float]) -> bool:
        """Whether a further view is hardly worth it.

        That is so if some view has shown where the person is expected, all but surely.
        """
        return any(
            abs(wrap(expected.azimuth - azimuth)) + 1.5 * expected.sigma < FULL_REACH
            for azimuth in looked
        )

    def _next_azimuth(self, expected: float, looked: Sequence[float]) -> float | None:
        """The view that shows the direction nearest to the expected one that no view has shown.

        None once views have shown all directions.
        """
        if not looked:
            return expected
        for offset in _OFFSETS:
            direction = wrap(expected + offset)
            apart = [wrap(direction - other) for other in looked]
            if min(abs(angle) for angle in apart) > HALF_VIEW:
                return wrap(direction + math.copysign(HALF_VIEW - GRID, offset))
        return None


GRID: Final = math.radians(1.0)
"""Steps in radians in which directions are tried."""

_OFFSETS: Final = tuple(
    sign * GRID * step for step in range(math.ceil(math.pi / GRID) + 1) for sign in (1.0, -1.0)
)
