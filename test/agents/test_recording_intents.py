"""Intents on recordings: an action is an observation, in the budget, legal frames and sight."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated_street import Episode, Street, make_street

from avr_ros.agents.environments.environment import Shot
from avr_ros.agents.environments.intent import (
    Direction,
    Intent,
    IntentError,
    IntentName,
    IntentOutcome,
    execute_intent,
)
from avr_ros.agents.environments.recording import LIKENESS, RecordingEnvironment, first_look
from avr_ros.agents.environments.recording_intents import recording_intents
from avr_ros.agents.toolbox import Toolbox
from avr_ros.reasoning.picture_boxes import to_picture
from avr_ros.schema.detection import APPEARANCE_SIZE, Detection
from avr_ros.schema.question import FrameSpan, Question, StartView
from avr_ros.schema.vocabulary import AnswerMode

FIRST, LAST = 20, 139
STREET: Street = make_street(3)


class Place:
    """An episode, its environment and the first view."""

    def __init__(self, budget: int = 32, widths: tuple[float, ...] = (45.95744680851064,)) -> None:
        self.question = Question(
            question_id="q",
            family=None,
            answer_mode=AnswerMode.FRAME,
            text="When?",
            legal_frames=(FrameSpan(first=FIRST, last=LAST),),
            max_observations=budget,
            fields_of_view_deg=widths,
        )
        self.episode = Episode(STREET, self.question)
        self.environment = RecordingEnvironment(
            self.question, Toolbox(self.question, self.episode.tools)
        )
        self.intents = recording_intents(self.environment.limits)
        action = first_look(self.question, self.environment)
        assert action is not None
        shot = self.environment.execute(action).shot
        assert shot is not None
        self.current: Shot = shot

    def do(self, intent: Intent) -> IntentOutcome:
        outcome = execute_intent(intent, self.intents, self.environment, self.current)
        if outcome.shots:
            self.current = outcome.shots[-1]
        return outcome

    def looked(self) -> list[tuple[int, int]]:
        return [
            (record.frame_id, round(math.degrees(record.azimuth)))
            for record in self.episode.records.values()
        ]

    def clearest(self) -> Detection:
        """The clearest person of the current view."""
        detect = self.current.image.detect
        assert detect is not None
        return max(detect(), key=lambda person: person.visibility)

    def box(self) -> tuple[float, float, float, float]:
        """Their box in the picture."""
        view = self.environment.view(self.current.name)
        assert view is not None
        return to_picture(self.clearest().box, view.observation.crop)


def test_the_first_view_is_the_first_legal_frame_ahead_and_charged() -> None:
    place = Place()
    assert place.looked() == [(FIRST, 0)] and place.environment.remaining == 31
    named = place.question.model_copy(
        update={"start_view": StartView(frame_id=50, azimuth_deg=90.0)}
    )
    action = first_look(named, place.environment)
    assert action is not None and action.frame_id == 50
    assert action.azimuth == pytest.approx(math.pi / 2)


def test_sweep_completes_the_circle() -> None:
    place = Place()
    place.do(Intent(name=IntentName.SWEEP, count=7))
    assert place.looked() == [
        (FIRST, azimuth) for azimuth in (0, 45, 90, 135, 180, -135, -90, -45)
    ] or place.looked()[4] == (FIRST, -180)
    place.do(Intent(name=IntentName.SWEEP, count=2, direction=Direction.RIGHT, bearing_deg=10))
    assert place.looked()[8:] == [(FIRST, 10), (FIRST, -35)]


def test_seek_and_face() -> None:
    place = Place()
    place.do(Intent(name=IntentName.SEEK, frame_id=100, bearing_deg=30))
    place.do(Intent(name=IntentName.FACE, bearing_deg=200))
    assert place.looked()[1:] == [(100, 30), (100, -160)]
    with pytest.raises(IntentError, match="frame 5 may not be observed"):
        place.do(Intent(name=IntentName.SEEK, frame_id=5))
    assert place.environment.remaining == 29


def test_follow_keeps_the_person_in_view() -> None:
    place = Place()
    while not (place.current.image.detect or list)():
        place.do(Intent(name=IntentName.SWEEP, count=1))
    outcome = place.do(
        Intent(name=IntentName.FOLLOW, box=place.box(), frame_id=FIRST + 40, count=4)
    )
    frames = [shot.frame_id for shot in outcome.shots]
    assert frames == [FIRST + 10, FIRST + 20, FIRST + 30, FIRST + 40][: len(frames)] and frames
    nobody = Intent(name=IntentName.FOLLOW, box=(0, 0, 1, 1), frame_id=FIRST + 80)
    before = place.environment.remaining
    assert place.do(nobody).lost and place.environment.remaining == before


def test_zoom_and_widen_are_offered_where_they_can_be_served() -> None:
    place = Place()
    offered = {kind.name for kind in place.intents.offered(place.current)}
    assert not offered & {IntentName.ZOOM, IntentName.WIDEN}
    place = Place(widths=(45.95744680851064, 20.0))
    offered = {kind.name for kind in place.intents.offered(place.current)}
    assert IntentName.ZOOM in offered and IntentName.WIDEN not in offered
    narrow = place.do(Intent(name=IntentName.ZOOM)).shots[0]
    assert narrow.field_of_view == pytest.approx(math.radians(20.0))
    offered = {kind.name for kind in place.intents.offered(place.current)}
    assert IntentName.WIDEN in offered and IntentName.ZOOM not in offered
    assert place.do(Intent(name=IntentName.WIDEN)).shots[0].field_of_view == 0.0


intents = st.builds(
    Intent,
    name=st.sampled_from(IntentName),
    bearing_deg=st.none() | st.floats(-360, 360),
    count=st.none() | st.integers(1, 24),
    direction=st.sampled_from(Direction),
    frame_id=st.none() | st.integers(FIRST - 5, LAST + 5),
    box=st.none() | st.tuples(*[st.floats(0, 1000)] * 4),
)


@given(st.lists(intents, min_size=1, max_size=5), st.integers(1, 32), st.booleans())
@settings(max_examples=60, deadline=None)
def test_properties_of_every_intent(wanted: list[Intent], budget: int, zooms: bool) -> None:
    place = Place(budget, (45.95744680851064, 20.0) if zooms else (45.95744680851064,))
    for intent in wanted:
        marked = np.zeros(APPEARANCE_SIZE)
        if intent.name is IntentName.FOLLOW and (place.current.image.detect or list)():
            intent = intent.model_copy(update={"box": place.box()})
            marked = place.clearest().appearance
        before, looks = place.environment.remaining, len(place.episode.records)
        offered = {kind.name for kind in place.intents.offered(place.current)}
        try:
            outcome = place.do(intent)
        except IntentError:
            assert len(place.episode.records) == looks
            continue
        assert intent.name in offered
        new = list(place.episode.records.values())[looks:]
        assert len(new) == len(outcome.executed) == len(outcome.shots) <= before
        assert place.environment.remaining == before - len(new)
        assert all(np.isin(record.frame_id, place.environment.limits.frames) for record in new)
        assert [shot.observation_id for shot in outcome.shots] == [
            record.observation_id for record in new
        ]
        assert not outcome.refused
        if intent.name is not IntentName.FOLLOW:
            assert not outcome.lost and len(new) == min(outcome.compiled, before)
            continue
        assert outcome.lost or len(new) == min(outcome.compiled, before)
        # A view without anybody like the one followed is the last one.
        shows = [
            any(float(seen.appearance @ marked) >= 0.9 * LIKENESS for seen in shot.image.detect())
            for shot in outcome.shots
            if shot.image.detect is not None
        ]
        assert all(shows[:-1])
        assert outcome.lost or all(shows)
