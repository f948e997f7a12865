"""The baselines answer what their inputs suffice for."""

import numpy as np
import pytest
from simulated_street import Episode, Street, make_street
from test_avr_agent import ask, boundary, mark

from avr_ros.agents.agent import Agent
from avr_ros.agents.registry import make_agent
from avr_ros.agents.tools import ObservationRefusedError, View
from avr_ros.geometry import boxes
from avr_ros.perception.oracle_settings import OracleSettings
from avr_ros.reasoning.backends.local import LocalBackend
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.observation import ObserveStatus
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.step import StepKind

Case = tuple[Street, Question, str, int]


def case(seed: int) -> Case | None:
    """A question about an event, with panoramas of the described frame and around the event."""
    street = make_street(seed, hidden=0.0)
    track, frame = mark(street, seed)
    walker = next(item for item in street.people if item.track == track)
    start = "walking" not in walker.actions[frame]
    truth = boundary(street, track, frame, "walking", start)
    if truth is None or truth + 12 >= street.frames:
        return None
    again = boundary(street, track, truth, "walking", not start)
    if again is not None and again <= truth + 8:
        return None
    given = sorted({frame, truth - 3, truth + 2, truth + 8})
    verb = "start" if start else "stop"
    question = ask(
        f"At frame {frame} one person is reading. When does this person {verb} walking?",
        frame,
        given_frames=tuple(given),
    )
    return street, question, track, truth


CASES = [found for seed in range(16) if (found := case(seed)) is not None]


def run(name: str, item: Case) -> tuple[Prediction, Episode]:
    street, question, _, _ = item
    episode = Episode(street, question, OracleSettings(seed=1))
    agent: Agent = make_agent(name, LocalBackend())
    return agent.answer(question, episode.tools), episode


def right(prediction: Prediction, item: Case, episode: Episode) -> bool:
    street, _, track, truth = item
    evidence = prediction.evidence
    if not isinstance(prediction.answer, FrameAnswer) or evidence is None or evidence.box is None:
        return False
    label = street.label(evidence.frame_id, track)
    return (
        abs(prediction.answer.frame_id - truth) <= 5
        and abs(evidence.frame_id - truth) <= 5
        and episode.records[evidence.observation_id].frame_id == evidence.frame_id
        and float(boxes.iou(evidence.box, label.box, 3760)) >= 0.5
    )


@pytest.mark.parametrize("name", ["monolithic", "chain_of_thought", "search_recognize", "react"])
def test_nine_of_ten_are_right_given_what_decides(name: str) -> None:
    """search_recognize answers from one panorama and a crop, which never decide a moment: it is
    asked for its evidence alone."""
    assert len(CASES) >= 8
    good = 0
    for item in CASES:
        prediction, episode = run(name, item)
        if name == "search_recognize":
            good += prediction.abstained and len(episode.records) == len(item[1].given_frames) + 1
        else:
            good += right(prediction, item, episode)
    assert good >= 0.9 * len(CASES)


def test_passive_baselines_observe_nothing_and_steps_tell_what_was_given() -> None:
    _, episode = run("monolithic", CASES[0])
    assert episode.remaining == 32
    kinds = [step.kind for step in episode.steps]
    assert kinds.count(StepKind.GIVEN_FRAME) == len(CASES[0][1].given_frames)
    assert kinds.count(StepKind.MODEL_CALL) == 1
    _, reasoned = run("chain_of_thought", CASES[0])
    assert [step.kind for step in reasoned.steps].count(StepKind.MODEL_CALL) == 2


def test_react_answers_with_evidence_on_its_latest_view() -> None:
    for item in CASES[:4]:
        prediction, episode = run("react", item)
        if prediction.evidence is not None:
            assert prediction.evidence.observation_id == list(episode.records)[-1]


class Unreadable(Episode):
    """No picture of it can be read."""

    def observe(self, frame_id: int, azimuth: float, field_of_view: float = 0.0) -> View:
        raise ObservationRefusedError(ObserveStatus.UNREADABLE_FRAME, f"frame {frame_id}")


@pytest.mark.parametrize(
    ("name", "reason"),
    [("react", "no view was granted"), ("search_recognize", "UNREADABLE_FRAME")],
)
def test_refused_views_end_in_abstention_that_says_so(name: str, reason: str) -> None:
    street, question, _, _ = CASES[0]
    question = question.model_copy(update={"max_observations": 3})
    episode = Unreadable(street, question)
    prediction = make_agent(name, LocalBackend()).answer(question, episode.tools)
    assert prediction.abstained and reason in prediction.reason
    if name == "react":
        looks = [step.kind for step in episode.steps].count(StepKind.OBSERVE)
        assert looks == question.max_observations


def test_without_panoramas_nothing_is_proposed() -> None:
    street, question, _, _ = CASES[0]
    bare = question.model_copy(update={"given_frames": ()})
    episode = Episode(street, bare)
    prediction = make_agent("search_recognize", LocalBackend()).answer(bare, episode.tools)
    assert prediction.abstained and not episode.records


def test_boxes_lead_from_a_panorama_to_the_cylinder() -> None:
    """A person across the seam is proposed and looked at from straight ahead."""
    from avr_ros.agents.baselines.pictures import Pictures
    from avr_ros.agents.toolbox import Toolbox

    street, question, _, _ = CASES[0]
    episode = Episode(street, question)
    toolbox = Toolbox(question, episode.tools)
    pictures = Pictures(toolbox)
    pictures.add_given(question)
    box = pictures.box(pictures.names[0], (500.0, 250.0, 100.0, 500.0))
    assert box is not None
    assert np.allclose(box, (1880.0, 120.0, 376.0, 240.0))
