"""Finding one person again in another frame."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import erf

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.coverage import HALF_VIEW
from avr_ros.agents.avr.motion import Expectation, Motion
from avr_ros.agents.avr.people import Person
from avr_ros.agents.avr.scout import Scout
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW

STEP_ASIDE: Final = 0.8 * DEFAULT_FIELD_OF_VIEW
"""Turn in radians to the next view when somebody is not where they were expected."""

REACH: Final = 0.4 * DEFAULT_FIELD_OF_VIEW
"""Angle in radians off a view's middle up to which somebody is surely seen in it."""

WORTH_LOOKING: Final = 0.2
"""Probability of finding somebody in one more view of a frame below which that is given up."""

COVERED: Final = 0.75
"""Probability of the directions looked at below which that is not."""

ASTRAY: Final = 0.15
"""How often somebody has gone another way than expected."""

ASTRAY_SIGMA: Final = math.radians(40.0)
"""Standard deviation in radians of the direction of people who have."""

USUAL_SURPRISES: Final = 4.0
"""How many finds as far off as expected the doubt about one person's directions begins with."""

SURPRISE_RANGE: Final = (0.25, 1.5)
"""Least and largest factor of that doubt."""

MOST_SURPRISE: Final = 3.0
"""Standard deviations as which a larger surprise counts."""

LEAST_DOUBT: Final = math.radians(2.0)
"""Standard deviation in radians below which a find is no surprise."""

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
        motion = self._motion()
        sigmas = np.array([motion.expect(frame).sigma for frame in frame_ids.tolist()])
        sigmas *= self._doubt()
        sigmas = np.maximum(sigmas, 1e-3) * math.sqrt(2)
        # Every further view shows a view's width more, on one side.
        shown = [erf((REACH + STEP_ASIDE * count / 2) / sigmas) for count in range(MOST_ASIDE + 1)]
        looks = 1.0 + sum(1.0 - VISIBLE_SHARE * share for share in shown[:-1])
        return np.asarray(looks / np.maximum(VISIBLE_SHARE * shown[-1], 0.05))

    def _doubt(self) -> float:
        """Factor of the expected deviations, by how far off this person was found so far."""
        surprises = self._person.surprises
        mean = (USUAL_SURPRISES + math.fsum(item**2 for item in surprises)) / (
            USUAL_SURPRISES + len(surprises)
        )
        return min(max(math.sqrt(mean), SURPRISE_RANGE[0]), SURPRISE_RANGE[1])

    def find(self, frame_id: int, looks: int | None = None) -> Sighting | None:
        """The person in a frame, none if they were not seen in the views that are worth asking for.

        A person who was seen in that frame already is looked at again, from straight ahead. At most
        ``looks`` views are asked for, by default as many as the settings say, and fewer once a view
        has shown the place where the person must be: then somebody or something hides them.
        """
        most = self._settings.looks_per_frame if looks is None else looks
        first = self.expectation(frame_id)
        looked: list[float] = []
        while len(looked) < most and self._scout.looks_left > 0:
            expected = self.expectation(frame_id)
            azimuth = self._next_azimuth(expected.azimuth, looked)
            if azimuth is None:
                break
            if looks is None and looked and _hidden(expected, looked, azimuth):
                break
            looked.append(azimuth)
            for person, sighting in self._scout.look(frame_id, azimuth):
                if person is self._person:
                    self._note_found(first, sighting)
                    return sighting
        return None

    def _note_found(self, expected: Expectation, sighting: Sighting) -> None:
        if expected.sigma > LEAST_DOUBT:
            off = abs(wrap(sighting.azimuth - expected.azimuth)) / expected.sigma
            self._person.surprises.append(min(off * self._doubt(), MOST_SURPRISE))

    def expectation(self, frame_id: int) -> Expectation:
        """Where the person should be in a frame."""
        found = self._motion().expect(frame_id)
        doubt = self._doubt()
        return Expectation(found.azimuth, found.sigma * doubt, found.own_sigma * doubt)

    def _motion(self) -> Motion:
        return Motion(self._person.sightings, self._scout.seconds, self._scout.path)

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


def _hidden(expected: Expectation, looked: Sequence[float], azimuth: float) -> bool:
    """Whether a person whom some views of a frame have not shown is hidden rather than elsewhere.

    That is so if the views cover most of where they can be, and one more hardly covers the rest.
    """
    covered = math.fsum(_shown(expected, other) for other in looked)
    left = VISIBLE_SHARE * max(0.0, 1.0 - covered)
    chance = VISIBLE_SHARE * _shown(expected, azimuth) / max(left + 1.0 - VISIBLE_SHARE, 1e-9)
    return covered > COVERED and chance < WORTH_LOOKING


def _shown(expected: Expectation, azimuth: float) -> float:
    """How probably a person is in the directions of a view, as far as it is known where they go."""
    off = wrap(azimuth - expected.azimuth)

    def within(sigma: float) -> float:
        scale = max(sigma, 1e-3) * math.sqrt(2)
        return 0.5 * (math.erf((off + HALF_VIEW) / scale) - math.erf((off - HALF_VIEW) / scale))

    astray = max(ASTRAY_SIGMA, 2.0 * expected.sigma)
    return (1.0 - ASTRAY) * within(expected.sigma) + ASTRAY * within(astray)


GRID: Final = math.radians(1.0)
"""Steps in radians in which directions are tried."""

_OFFSETS: Final = tuple(
    sign * GRID * step for step in range(math.ceil(math.pi / GRID) + 1) for sign in (1.0, -1.0)
)
