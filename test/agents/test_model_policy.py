"""The model-driven policy: tool calls by a model, legality by the graph."""

from typing import Any

from simulated_street import Episode
from test_baselines import CASES, right

from avr_ros.agents.avr.agent import AvrAgent
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.perception.oracle_settings import OracleSettings
from avr_ros.reasoning.backends.local import ANSWERS, LocalBackend
from avr_ros.reasoning.local.answers.act import answer as act
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.act import ANSWER, OBSERVE, READ, ActReply
from avr_ros.reasoning.stages.answer_reply import FrameReply
from avr_ros.schema.step import StepKind

SETTINGS = AvrSettings(policy="model")


def test_a_model_that_searches_is_right_and_confirmed_by_the_solver() -> None:
    good = answered = 0
    for item in CASES[:8]:
        episode = Episode(item[0], item[1], OracleSettings(seed=1))
        prediction = AvrAgent(SETTINGS, LocalBackend()).answer(item[1], episode.tools)
        answered += not prediction.abstained
        good += right(prediction, item, episode)
        if not prediction.abstained:
            assert StepKind.SOLVE in [step.kind for step in episode.steps]
    assert good == answered >= 6


def test_an_answer_about_somebody_else_is_refused_and_what_is_legal_is_listed() -> None:
    street, question, _, _ = CASES[0]
    episode = Episode(street, question)
    offered: list[list[str]] = []

    def stubborn(request: StageRequest[Any]) -> ActReply:
        action = request.schema["properties"]["action"]
        offered.append(action.get("enum", [action.get("const")]))
        if len(offered) == 1:
            return act(request)
        if len(offered) == 2:
            return ActReply(action=READ, person=request.inputs.people[0])
        wrong = FrameReply(frame_id=50, evidence_view=None)
        return ActReply(thought="I am sure.", action=ANSWER, answer=wrong)

    model = LocalBackend({**ANSWERS, "act": stubborn})
    prediction = AvrAgent(SETTINGS, model).answer(question, episode.tools)
    assert prediction.abstained and "supports no answer" in prediction.reason
    assert offered[0] == [OBSERVE]
    assert offered[1] == [OBSERVE, READ, ANSWER]
    assert len(offered) == 5
    assert StepKind.READ_FACTS in [step.kind for step in episode.steps]


def test_an_answer_before_anybody_was_seen_in_the_described_frame_is_refused() -> None:
    street, question, _, _ = CASES[0]
    episode = Episode(street, question)
    asked: list[int] = []

    def hasty(request: StageRequest[Any]) -> ActReply:
        asked.append(len(request.inputs.views))
        if len(asked) == 1:
            return ActReply(action=OBSERVE, frame_id=70, azimuth_deg=0.0)
        early = FrameReply(frame_id=50, evidence_view=None)
        return ActReply(action=ANSWER, answer=early)

    model = LocalBackend({**ANSWERS, "act": hasty})
    prediction = AvrAgent(SETTINGS, model).answer(question, episode.tools)
    assert prediction.abstained and "supports no answer" in prediction.reason
    assert len(asked) == 4
