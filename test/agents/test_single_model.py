"""The single-model agent: memory, confidence, forced choice; and the two that do not interact."""

import json
from typing import Any

from scripts import reply
from simulated_street import Episode, make_street

from avr_ros.agents.agent import Agent
from avr_ros.agents.passive import PassiveAgent
from avr_ros.agents.single_model.agent import SingleModelAgent
from avr_ros.agents.single_model.settings import SingleModelSettings
from avr_ros.reasoning.backends.scripted import Script, ScriptedBackend
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import FrameSpan, Question
from avr_ros.schema.vocabulary import AnswerMode

STREET = make_street(3)
QUESTION = Question(
    question_id="q",
    family=None,
    answer_mode=AnswerMode.FRAME,
    text="When does the only person who is walking stop walking?",
    legal_frames=(FrameSpan(first=20, last=139),),
    max_observations=10,
)


def look(frame: int, confidence: float = 0.1, answer: int | None = None, **more: Any) -> str:
    given = None if answer is None else {"frame_id": answer}
    return reply(action="look", frame_id=frame, confidence=confidence, answer=given, **more)


def run(
    scripts: dict[str, Script], settings: SingleModelSettings | None = None
) -> tuple[Prediction, Episode, ScriptedBackend]:
    model = ScriptedBackend(scripts)
    agent = SingleModelAgent(settings or SingleModelSettings(), model)
    return *ask(agent), model


def ask(agent: Agent) -> tuple[Prediction, Episode]:
    episode = Episode(STREET, QUESTION)
    return agent.answer(QUESTION, episode.tools), episode


def test_all_text_and_six_views_are_remembered() -> None:
    steps = [look(frame, reasoning=f"thought {frame}") for frame in range(30, 110, 10)]
    _, episode, model = run(
        {
            "single_step": [*steps, reply(action="stop", answer={"frame_id": 70})],
            "answer_from_history": [],
        }
    )
    assert len(episode.records) == 9
    last = model.requests[-1].inputs.model_dump(mode="json")
    assert [view["name"] for view in last["views"]] == [f"view {n}" for n in range(4, 10)]
    assert len(last["history"]) == 8
    assert last["history"][0] == (
        "Step 1: action=frame 30, azimuth 0.0 deg answer=not sure conf=0.1 result=done "
        "reasoning=thought 30"
    )
    assert [item["name"] for item in last["actions"]] == ["look"]
    assert episode.steps[-1].details["stopped_by"] == "stop"


def test_confidence_counts_from_the_third_step_and_with_an_answer() -> None:
    prediction, episode, _ = run(
        {
            "single_step": [
                look(30, 0.95, 40),
                look(40, 0.95, 50),
                look(50, 0.95),
                look(60, 0.79, 60),
                look(70, 0.8, 66),
            ]
        }
    )
    assert prediction.answer == FrameAnswer(frame_id=66)
    # The step that stops is not executed.
    assert [record.frame_id for record in episode.records.values()] == [20, 30, 40, 50, 60]
    assert episode.steps[-1].details["stopped_by"] == "threshold"


def test_the_whole_budget_can_be_used_and_the_last_answer_counts() -> None:
    steps = [look(30 + place, 0.2, 55 if place == 4 else None) for place in range(9)]
    steps.append(reply(action="stop", confidence=0.2))
    prediction, episode, model = run({"single_step": steps})
    assert len(episode.records) == 10 and episode.remaining == 0
    assert prediction.answer == FrameAnswer(frame_id=55)
    assert model.requests[-1].inputs.model_dump()["actions"] == ()
    assert episode.steps[-1].details["stopped_by"] == "budget"


def test_without_an_answer_one_is_forced() -> None:
    forced = reply(frame_id=99, evidence_view="view 2", evidence_box=[0, 0, 1000, 1000])
    prediction, episode, model = run(
        {
            "single_step": [look(30, 0.9), reply(action="stop", confidence=1)],
            "answer_from_history": [forced],
        }
    )
    assert prediction.answer == FrameAnswer(frame_id=99)
    assert prediction.evidence is not None
    assert prediction.evidence.observation_id == list(episode.records)[1]
    assert episode.steps[-1].details["stopped_by"] == "stop_forced_choice"
    assert model.requests[-1].stage == "answer_from_history"
    assert len(model.requests[-1].inputs.model_dump()["history"]) == 1


def test_what_cannot_be_done_uses_a_step_and_is_told() -> None:
    _, episode, model = run(
        {
            "single_step": [look(5), reply(action="stop", answer={"frame_id": 30})],
        }
    )
    assert len(episode.records) == 1
    (line,) = model.requests[-1].inputs.model_dump()["history"]
    assert "result=not executed: frame 5 may not be observed" in line


def test_passive_sees_one_view_and_blind_none() -> None:
    for blind, names in ((False, ["view 1"]), (True, [])):
        model = ScriptedBackend({"answer": [reply(frame_id=40)]})
        prediction, episode = ask(PassiveAgent(model, blind=blind))
        assert prediction.answer == FrameAnswer(frame_id=40)
        assert len(episode.records) == len(names)
        (request,) = model.requests
        assert [image.name for image in request.images] == names
        assert "demands" not in json.dumps(request.inputs.model_dump(exclude_defaults=True))
