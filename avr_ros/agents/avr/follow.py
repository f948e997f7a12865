"""Finding one person again in another frame."""

import math
from bisect import bisect_left
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import erf

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.directions import Directions
from avr_ros.agents.avr.motion import Expectation, Motion, reckoned_distance
from avr_ros.agents.avr.people import Person
from avr_ros.agents.avr.robot_path import MOST_SIGMA
from avr_ros.agents.avr.scout import Scout
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW

STEP_ASIDE: Final = 0.8 * DEFAULT_FIELD_OF_VIEW
"""Turn in radians to the next view when somebody is not where they were expected."""

REACH: Final = 0.4 * DEFAULT_FIELD_OF_VIEW
"""Angle in radians off a view's middle up to which somebody is surely seen in it."""

SETTING_OFF: Final = 0.7
"""Metres a second that people get away from where they are expected if they go another way."""

USUAL_SURPRISES: Final = 4.0
"""How many finds as far off as expected the doubt about one person's directions begins with."""

SURPRISE_RANGE: Final = (0.25, 1.5)
"""Least and largest factor of that doubt."""

MOST_SURPRISE: Final = 3.0
"""Standard deviations as which a larger surprise counts."""

LEAST_DOUBT: Final = math.radians(2.0)
"""Standard deviation in radians below which a find is no surprise."""

MOST_ASIDE: Final = 2
"""Views beside the first one that finding somebody is reckoned to cost at most."""

FOUND_SHARE: Final = 0.95
"""How often somebody is found in a frame in the end."""

CLAIM: Final = 0.5
"""How much at least must speak for somebody new being the person, as a logarithm of odds."""

CLAIM_ALL_AROUND: Final = -4.0
"""The same where the frame was seen all around: nobody else who was seen is left to be the person,
who is hidden otherwise."""

CLAIM_MARGIN: Final = 1.0
"""By how much more than for the next one."""

MOST_STEPS: Final = 12
"""Frames that are looked at on the way to another one at most."""

STEP_LOOKS: Final = 2
"""Views spent on finding somebody in a frame on the way."""

STEP_RESERVE: Final = 3
"""Views that are kept from that for the frame itself."""

USUAL_SHARE: Final = 0.8
"""Share of the expected deviation by which people are off as a rule: a few are off by far more."""


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
        scale = np.maximum(USUAL_SHARE * sigmas, 1e-3) * math.sqrt(2)
        # Every further view shows a view's width more, on one side.
        shown = [erf((REACH + STEP_ASIDE * count / 2) / scale) for count in range(MOST_ASIDE + 1)]
        looks = 1.0 + sum(1.0 - FOUND_SHARE * share for share in shown[:-1])
        looks = looks + self._steps(frame_ids)
        return np.asarray(looks / np.maximum(FOUND_SHARE * shown[-1], 0.05))

    def _steps(self, frame_ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Frames on the way to each of some frames."""
        away = [
            abs(self._scout.seconds(self._person.nearest_in_time(frame).frame_id, frame))
            for frame in frame_ids.tolist()
        ]
        steps = np.ceil(np.array(away) / self._settings.step_seconds)
        return np.asarray(np.maximum(steps - 1.0, 0.0))

    def _doubt(self) -> float:
        """Factor of the expected deviations, by how far off this person was found so far."""
        surprises = self._person.surprises
        mean = (USUAL_SURPRISES + math.fsum(item**2 for item in surprises)) / (
            USUAL_SURPRISES + len(surprises)
        )
        return min(max(math.sqrt(mean), SURPRISE_RANGE[0]), SURPRISE_RANGE[1])

    def find(
        self, frame_id: int, looks: int | None = None, *, claim: bool = True
    ) -> Sighting | None:
        """The person in a frame, none if they were not seen in the views that are worth asking for.

        A person who was seen in that frame already is looked at again, from straight ahead. At most
        ``looks`` views are asked for, by default as many as the settings say, and fewer once a view
        has shown the place where the person must be: then somebody or something hides them. With
        ``claim`` the person is taken to be somewhere in the frame, else they may have left.
        """
        most = self._settings.looks_per_frame if looks is None else looks
        self._come_near(frame_id)
        first = self.expectation(frame_id)
        seen = bool(self._person.at(frame_id))
        looked = [] if seen else self._scout.azimuths(frame_id)
        found = self._look_for(
            frame_id, first, looked, len(looked) + most, until_hidden=looks is None
        )
        if found is None and not seen and claim:
            found = self._claimed(frame_id)
        if found is None:
            self._note_missed(frame_id, looked, first)
        return found

    def _look_for(
        self,
        frame_id: int,
        first: Expectation,
        looked: list[float],
        most: int,
        reserve: int = 0,
        until_hidden: bool = False,
    ) -> Sighting | None:
        """Look where the person may be, in the order of what is probable, until they are found.

        ``first`` is where they were expected before. ``looked`` are the directions of all views of
        the frame, which become ``most`` at most; ``reserve`` views are left. With ``until_hidden``
        it ends once a view has shown the place where the person must be.
        """
        while len(looked) < most and self._scout.looks_left > reserve:
            directions = Directions(
                self.expectation(frame_id),
                self._asides(frame_id),
                looked,
                self._setting_off(frame_id),
            )
            azimuth = directions.best_view()
            if azimuth is None or (until_hidden and looked and directions.hidden):
                break
            looked.append(azimuth)
            for person, sighting in self._scout.look(frame_id, azimuth):
                if person is self._person:
                    self._note_found(first, sighting)
                    return sighting
        return None

    def _claimed(self, frame_id: int) -> Sighting | None:
        """The sighting of somebody in a frame who is rather the person than anybody else.

        It is somebody who was never seen beside them. The person must be somewhere: what is too
        little to know one of many by is enough then, and all the more so where the frame was seen
        all around.
        """
        people = self._scout.people
        beside = {item.frame_id for item in self._person.sightings}
        new = [
            other
            for other in people
            if other is not self._person
            and other.at(frame_id)
            and beside.isdisjoint(item.frame_id for item in other.sightings)
        ]
        ratios = sorted(
            (
                (
                    max(people.ratio(item, self._person) for item in other.at(frame_id)),
                    other.name,
                )
                for other in new
            ),
            reverse=True,
        )
        least = CLAIM_ALL_AROUND if self._scout.seen_all_around(frame_id) else CLAIM
        if not ratios or ratios[0][0] < least:
            return None
        if len(ratios) > 1 and ratios[0][0] - ratios[1][0] < CLAIM_MARGIN:
            return None
        other = next(item for item in new if item.name == ratios[0][1])
        self._scout.merge(other, self._person)
        return self._person.at(frame_id)[-1]

    def _come_near(self, frame_id: int) -> None:
        """Look at frames on the way, each a step nearer, so that the person is not lost.

        Somebody who walks in a crowd for seconds can be anyone in the end.
        """
        for _ in range(MOST_STEPS):
            near = self._person.nearest_in_time(frame_id).frame_id
            step = self._next_step(near, frame_id)
            if step is None or self._scout.looks_left <= STEP_RESERVE:
                return
            if not self._glance(step):
                return

    def _next_step(self, near: int, frame_id: int) -> int | None:
        """The next frame on the way, none where the frame itself is near enough."""
        seconds = self._scout.seconds(near, frame_id)
        steps = math.ceil(abs(seconds) / self._settings.step_seconds)
        if steps < 2:
            return None
        return self._scout.frame_at(near, seconds / steps)

    def _glance(self, frame_id: int) -> bool:
        """Whether the person is found in a frame by few looks."""
        looked: list[float] = []
        first = self.expectation(frame_id)
        found = self._look_for(frame_id, first, looked, STEP_LOOKS, STEP_RESERVE)
        if found is None:
            self._note_missed(frame_id, looked, first)
        return found is not None

    def _asides(self, frame_id: int) -> list[float]:
        """Where, from where they were expected, views have missed the person since last seen."""
        seen = sorted({item.frame_id for item in self._person.sightings})
        return [
            aside
            for missed, aside in self._person.missed
            if bisect_left(seen, missed) == bisect_left(seen, frame_id)
        ]

    def _setting_off(self, frame_id: int) -> float:
        """Radians by which the person's direction changes if they set off or turn, however."""
        near = self._person.nearest_in_time(frame_id)
        elapsed = abs(self._scout.seconds(near.frame_id, frame_id))
        return min(MOST_SIGMA, SETTING_OFF * elapsed / reckoned_distance(near))

    def _note_missed(self, frame_id: int, looked: list[float], expected: Expectation) -> None:
        self._person.missed += [(frame_id, wrap(azimuth - expected.azimuth)) for azimuth in looked]

    def _note_found(self, expected: Expectation, sighting: Sighting) -> None:
        if expected.sigma > LEAST_DOUBT:
            off = abs(wrap(sighting.azimuth - expected.azimuth)) / expected.sigma
            self._person.surprises.append(min(off * self._doubt(), MOST_SURPRISE))

    def expectation(self, frame_id: int) -> Expectation:
        """Where the person should be in a frame."""
        found = self._motion().expect(frame_id)
        doubt = self._doubt()
        return replace(found, sigma=found.sigma * doubt, own_sigma=found.own_sigma * doubt)

    def _motion(self) -> Motion:
        return self._scout.motion(self._person)
