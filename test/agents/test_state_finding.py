"""What is read off somebody in a frame that does not show them itself."""

import math

import pytest
from street_case import case_of
from test_avr_agent import ask
from test_next_action_finding import TRACK, still_street

from avr_ros.agents.avr.state_finding import distance, look_beside
from avr_ros.schema.answer import NumberAnswer
from avr_ros.schema.vocabulary import AnswerMode, Occlusion


@pytest.mark.parametrize("metres_a_frame", [0.0, 0.15])
def test_a_distance_is_carried_on_from_a_frame_close_by(metres_a_frame: float) -> None:
    """Hidden within four frames of frame 30, the person is measured five frames off."""
    street = still_street()
    walker = street.people[0]
    street.robot[:] = 0.0
    for frame in range(street.frames):
        walker.places[frame] = (3.0 + metres_a_frame * frame, 0.5)
        if metres_a_frame:
            walker.actions[frame] = frozenset({"running"})
    for frame in range(26, 35):
        walker.occlusion[frame] = Occlusion.FULLY_OCCLUDED
    question = ask("How far?", 0, AnswerMode.NUMBER, unit="m", max_observations=32)
    finding = distance(case_of(street, TRACK, question), 30)
    assert isinstance(finding.answer, NumberAnswer)
    true = math.hypot(3.0 + metres_a_frame * 30, 0.5)
    assert finding.answer.value == pytest.approx(true, abs=0.3)


def test_a_look_beside_is_at_another_frame_each_time() -> None:
    case = case_of(still_street(), TRACK, ask("What?", 0, AnswerMode.CHOICE, choices=("a", "b")))
    for number in (2, 1):
        look_beside(case, 20, number)
    assert {item.frame_id for item in case.person.sightings} == {0, 25, 17}
