"""What the answer to one question is searched with, once the person is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from avr_ros.agents.avr.action_evidence import LEAST_DOUBT, doubt
from avr_ros.agents.avr.action_looks import State
from avr_ros.agents.avr.boundary import BoundarySearch
from avr_ros.agents.avr.change_search import Errors, Habits
from avr_ros.agents.avr.follow import Follower
from avr_ros.agents.avr.people import Person
from avr_ros.agents.avr.scout import Scout
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.schema.answer import Answer
from avr_ros.schema.errors import AvrError
from avr_ros.schema.question import Question

SOON_FRAMES = 120.0
"""Frames by which half of all events have come, where the question confines them to no window."""


REACH = 2
"""Frames by which a picture may lie beside what it shows."""


class CannotAnswerError(AvrError):
    """The agent abstains; the text says why."""


@dataclass(frozen=True)
class Case:
    """A question, its described frame, the person meant, and the means to look for them."""

    question: Question
    scout: Scout
    person: Person
    described: int
    frames: npt.NDArray[np.int64]
    settings: AvrSettings

    @property
    def follower(self) -> Follower:
        """Finds the person in other frames."""
        return Follower(self.scout, self.person, self.settings)

    @property
    def mistaken(self) -> float:
        """How often a look at the person is reckoned to tell an action wrongly.

        It is no more than the doubt of any look so far: who tells all for certain is believed.
        """
        looks = [item.detection.actions for item in self.person.sightings if item.detection.actions]
        unsure = max((doubt(look) for look in looks), default=1.0)
        return max(min(self.settings.state_error, unsure), LEAST_DOUBT)

    def sightings_at(self, frame: int) -> list[Sighting]:
        """The sightings of the person in a frame, which is looked at if there are none yet.

        Raises CannotAnswerError where the frame is not legal or does not show the person.
        """
        if frame not in self.frames:
            raise CannotAnswerError(f"frame {frame} may not be observed")
        if not self.person.at(frame) and self.follower.find(frame) is None:
            raise CannotAnswerError(f"the person was not found again in frame {frame}")
        return self.person.at(frame)

    def search(
        self, state: State, tolerance: int, habits: Habits, errors: Errors
    ) -> BoundarySearch:
        """A search for changes of a state of the person; it knows all sightings so far."""
        return BoundarySearch(
            self.scout,
            self.follower,
            self.frames,
            state,
            tolerance,
            self.settings,
            habits,
            errors,
            None if self.question.legal_frames else SOON_FRAMES,
        )


@dataclass(frozen=True)
class Finding:
    """What was found out: the answer, or what a choice is matched by, and where it is shown.

    ``frames`` are where the person may be shown, the best first; a sighting within ``reach`` frames
    of one of them will do, or any between ``first`` and ``last``.
    """

    frames: Sequence[int]
    answer: Answer | None = None
    actions: Mapping[str, float] = field(default_factory=dict)
    present: bool | None = None
    reach: int = REACH
    span: tuple[int, int] | None = None


def best_sighting(sightings: Sequence[Sighting], finding: Finding) -> Sighting | None:
    """The clearest sighting that is near enough to where a finding is shown, none without."""

    def near(sighting: Sighting) -> bool:
        if finding.span is not None and finding.span[0] <= sighting.frame_id <= finding.span[1]:
            return True
        return any(abs(sighting.frame_id - frame) <= finding.reach for frame in finding.frames)

    fitting = [item for item in sightings if near(item)]
    if not fitting:
        return None
    return min(
        fitting,
        key=lambda item: (
            not item.clear,
            min(abs(item.frame_id - frame) for frame in finding.frames),
            -item.detection.visibility,
        ),
    )
