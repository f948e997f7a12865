"""Tools as steps, within a question's limits."""

import contextlib
from typing import Any

import pytest
from simulated_street import Episode, make_street

from avr_ros.agents import toolbox as toolbox_module
from avr_ros.agents.stage_image import stage_image
from avr_ros.agents.toolbox import BudgetSpentError, Toolbox
from avr_ros.agents.tools import ObservationRefusedError, Panorama, ToolFailedError, View
from avr_ros.evaluation.step_cost import cost_of_steps
from avr_ros.reasoning.backends.local import LocalBackend
from avr_ros.reasoning.backends.scripted import ScriptedBackend
from avr_ros.reasoning.local.answer import look
from avr_ros.reasoning.stage import StageRequest
from avr_ros.schema.detection import Detection
from avr_ros.schema.fact import Fact, FactKind, FactPattern, Provenance
from avr_ros.schema.model import Record
from avr_ros.schema.prediction import FailureKind
from avr_ros.schema.question import Question
from avr_ros.schema.step import StepKind
from avr_ros.schema.vocabulary import AnswerMode


class Inputs(Record):
    """What is told."""

    question: str = "Who sits?"


class Look(Record):
    """Where to look."""

    frame_id: int


def toolbox(observations: int = 32, calls: int = 96) -> tuple[Toolbox, Episode]:
    question = Question(
        question_id="q",
        family=None,
        answer_mode=AnswerMode.FRAME,
        text="?",
        max_observations=observations,
        max_tool_calls=calls,
    )
    episode = Episode(make_street(1, frames=20, people=5), question)
    return Toolbox(question, episode.tools), episode


def test_every_use_is_a_numbered_step() -> None:
    box, episode = toolbox()
    view = box.observe(3, 0.5)
    box.detect(view)
    fact = Fact(
        kind=FactKind.ENTITY,
        subject="a",
        predicate="person",
        provenance=Provenance(
            observation_id=view.observation.observation_id, frame_id=3, azimuth=0.5
        ),
    )
    wrong = fact.model_copy(update={"provenance": Provenance(observation_id="x", frame_id=3)})
    assert box.write([fact, wrong]).accepted == 1
    assert box.read(FactPattern()) == [fact]
    with box.think(StepKind.ANSWER, "done") as note:
        note.details["why"] = "because"
    steps = episode.steps
    assert [step.number for step in steps] == [1, 2, 3, 4, 5]
    assert [step.kind for step in steps] == [
        StepKind.OBSERVE,
        StepKind.PERCEIVE,
        StepKind.WRITE_FACTS,
        StepKind.READ_FACTS,
        StepKind.ANSWER,
    ]
    assert steps[0].observation_id == steps[1].observation_id == view.observation.observation_id
    assert steps[0].frame_id == 3
    assert steps[0].azimuth_deg == pytest.approx(28.6479, abs=1e-4)
    assert steps[2].details["refused"] == ["observation 'x' was not granted in this episode"]
    assert steps[4].details == {"why": "because"}


def test_a_refused_view_is_a_step_too() -> None:
    box, episode = toolbox()
    with pytest.raises(ObservationRefusedError):
        box.observe(500, 0.0)
    assert episode.steps[0].details == {"status": "FRAME_NOT_LEGAL"}


def test_limits_are_kept_and_one_call_stays_for_the_answer() -> None:
    box, episode = toolbox(observations=2)
    assert box.looks_left == 2
    box.observe(0, 0.0)
    box.observe(0, 1.0)
    assert box.looks_left == 0
    with pytest.raises(BudgetSpentError, match="no observations"):
        box.observe(0, 2.0)
    assert len(episode.records) == 2
    few, episode = toolbox(calls=3)
    few.read(FactPattern())
    few.read(FactPattern())
    with pytest.raises(BudgetSpentError, match="no tool calls"):
        few.read(FactPattern())
    assert len(episode.steps) == 2


def test_calls_to_models_are_steps_with_their_cost() -> None:
    box, episode = toolbox()
    model = ScriptedBackend({"look": ['{"frame_id": 3}', "hm"]})
    request = StageRequest("look", Inputs(), Look, scope="q")
    assert box.ask(model, request).frame_id == 3
    with pytest.raises(ToolFailedError) as failed:
        box.ask(model, request)
    assert failed.value.kind is FailureKind.MODEL_INVALID_REPLY
    first, second = episode.steps
    assert first.kind is second.kind is StepKind.MODEL_CALL
    assert first.details["reply"] == {"frame_id": 3}
    assert (first.details["outcome"], second.details["outcome"]) == ("ok", "invalid_reply")
    assert cost_of_steps(episode.steps).calls == 2


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.mark.parametrize("blind", [False, True])
def test_what_a_models_eyes_take_counts_once(monkeypatch: pytest.MonkeyPatch, blind: bool) -> None:
    clock = Clock()
    monkeypatch.setattr(toolbox_module, "time", clock)
    box, episode = toolbox()
    view = box.observe(3, 0.5)

    def detect(view: View | Panorama) -> list[Detection]:
        clock.now += 4.0
        if blind:
            raise ToolFailedError(FailureKind.PERCEPTION_FAILED, "no labels")
        return []

    monkeypatch.setattr(episode, "detect", detect)

    def answer(request: StageRequest[Any]) -> Look:
        clock.now += 1.0
        look(request.images[0])
        clock.now += 2.0
        return Look(frame_id=3)

    request = StageRequest("look", Inputs(), Look, (stage_image(view, box, "view"),), "q")
    with contextlib.suppress(ToolFailedError):
        box.ask(LocalBackend({"look": answer}), request)
    assert [step.kind for step in episode.steps[1:]] == [StepKind.PERCEIVE, StepKind.MODEL_CALL]
    cost = cost_of_steps(episode.steps)
    assert (cost.perception_seconds, cost.model_seconds) == (4.0, 1.0 if blind else 3.0)
