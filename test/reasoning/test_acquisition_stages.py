"""Stages of evidence seeking: legal replies, and a template for each that says what it is given."""

import json

import pytest
from pydantic import ValidationError

from avr_ros.reasoning.backends.openai.prompts import PromptBook
from avr_ros.reasoning.stage import StageImage, StageRequest
from avr_ros.reasoning.stages.acquisition_plan import (
    DecomposeInputs,
    PlanInputs,
    decompose_request,
    plan_request,
)
from avr_ros.reasoning.stages.answer import AnswerInputs, answer_request
from avr_ros.reasoning.stages.answer_from_history import HistoryInputs, history_request
from avr_ros.reasoning.stages.contract import (
    AnswerContract,
    OfferedAction,
    ShownView,
    contract_of,
)
from avr_ros.reasoning.stages.coverage import CoverageInputs, coverage_request
from avr_ros.reasoning.stages.curate import CurateInputs, curate_request
from avr_ros.reasoning.stages.demands import DemandsInputs, demands_request
from avr_ros.reasoning.stages.judge_match import MatchInputs, match_request
from avr_ros.reasoning.stages.judge_support import JudgeInputs, judge_request
from avr_ros.reasoning.stages.seek import SeekInputs, seek_request
from avr_ros.reasoning.stages.single_step import SingleStepInputs, single_step_request
from avr_ros.schema.answer import ChoiceAnswer, SpanAnswer
from avr_ros.schema.question import Question
from avr_ros.schema.vocabulary import AnswerMode

CHOICE = AnswerContract(mode=AnswerMode.CHOICE, form="a choice", choices=("walking", "sitting"))
SPAN = AnswerContract(mode=AnswerMode.SPAN, form="two frames")
VIEW = ShownView(name="view 1", caption="frame 7", note="a note", outcome="an outcome", demand=2)
PLAIN = ShownView(name="view 1", caption="frame 7")
OTHER = ShownView(name="view 2", caption="frame 8")
IMAGES = (StageImage("view 1", b"1"), StageImage("view 2", b"2"))
INTENTS = (OfferedAction(name="FACE", description="look aside"),)

REQUESTS: list[StageRequest] = [  # type: ignore[type-arg]
    demands_request(
        DemandsInputs(
            question="Q?",
            contract=CHOICE,
            environment="E",
            view=PLAIN,
            most=3,
            accepted=("good",),
            refused=("bad",),
        ),
        IMAGES[0],
    ),
    plan_request(
        PlanInputs(
            question="Q?",
            environment="E",
            demands=("first", "second"),
            view=PLAIN,
            intents=INTENTS,
            most=4,
            missing=("the second",),
        ),
        IMAGES[0],
    ),
    decompose_request(
        DecomposeInputs(question="Q?", environment="E", view=PLAIN, intents=INTENTS, most=4),
        IMAGES[0],
    ),
    seek_request(
        SeekInputs(
            question="Q?",
            contract=CHOICE,
            environment="E",
            goal="G",
            demand="D",
            current="view 2",
            views=(VIEW, OTHER),
            memory=("looked",),
            intents=INTENTS,
            remaining=3,
            decisions=2,
        ),
        IMAGES,
    ),
    curate_request(
        CurateInputs(
            question="Q?",
            contract=CHOICE,
            environment="E",
            goal="G",
            intent="SWEEP",
            outcome="done",
            views=(VIEW,),
            frames=(OTHER,),
        ),
        IMAGES,
    ),
    answer_request(
        AnswerInputs(question="Q?", contract=CHOICE, demands=("first",), views=(VIEW,)), IMAGES
    ),
    history_request(
        HistoryInputs(question="Q?", contract=SPAN, history=("Step 1",), views=(OTHER,)), IMAGES
    ),
    coverage_request(
        CoverageInputs(question="Q?", contract=CHOICE, demands=("first", "second"), views=(VIEW,)),
        IMAGES,
    ),
    single_step_request(
        SingleStepInputs(
            question="Q?",
            contract=CHOICE,
            environment="E",
            history=("Step 1",),
            views=(PLAIN, OTHER),
            current="view 2",
            actions=INTENTS,
            step=2,
            most_steps=30,
            min_steps=3,
            threshold=0.8,
        ),
        IMAGES,
    ),
    judge_request(
        JudgeInputs(question="Q?", contract=CHOICE, reference_answer="a", views=(PLAIN, OTHER)),
        IMAGES,
    ),
    match_request(
        MatchInputs(question="Q?", reference_answer="a", accepted=("b", "c"), given_answer="d")
    ),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.stage)
def test_templates_say_what_the_stage_is_given(request_: StageRequest) -> None:  # type: ignore[type-arg]
    prompts = PromptBook()
    assert prompts.system(request_)
    said = prompts.user(request_)
    missing = [
        text
        for text in _texts(request_.inputs.model_dump(mode="json"))
        if text not in said and text not in ("choice", "span")
    ]
    assert not missing
    json.dumps(request_.schema)


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value] if value else []
    items = value.values() if isinstance(value, dict) else value
    return (
        [text for item in items for text in _texts(item)] if isinstance(value, (dict, list)) else []
    )


def test_only_attached_views_are_evidence() -> None:
    request = answer_request(AnswerInputs(question="Q?", contract=CHOICE, views=(VIEW,)), IMAGES)
    assert [image.name for image in request.images] == ["view 1"]
    reply = request.reply_type.model_validate({"choice": 1, "evidence_view": "view 1"})
    assert reply.answer == ChoiceAnswer(choice=1)
    assert request.reply_type.model_validate({"choice": None}).answer is None
    for wrong in ({"choice": 2}, {"choice": 1, "evidence_view": "view 2"}):
        with pytest.raises(ValidationError):
            request.reply_type.model_validate(wrong)


def test_spans_are_whole_and_ordered() -> None:
    request = history_request(
        HistoryInputs(question="Q?", contract=SPAN, history=(), views=()), IMAGES
    )
    reply = request.reply_type.model_validate({"start_frame": 3, "end_frame": 3})
    assert reply.answer == SpanAnswer(start_frame=3, end_frame=3)
    for wrong in ({"start_frame": 3}, {"start_frame": 4, "end_frame": 3}):
        with pytest.raises(ValidationError):
            request.reply_type.model_validate(wrong)


def test_plans_serve_demands_that_exist() -> None:
    reply = REQUESTS[1].reply_type
    good = {"subtasks": [{"goal": "see", "demand": 2}]}
    assert reply.model_validate(good).subtasks[0].demand == 2
    for wrong in ([{"goal": "see", "demand": 3}], [], [{"goal": "see", "demand": 1}] * 5):
        with pytest.raises(ValidationError):
            reply.model_validate({"subtasks": wrong})


def test_parameters_that_an_action_does_not_take_may_be_null() -> None:
    said = {
        "note": "",
        "keep": True,
        "action": "FACE",
        "bearing_deg": 30.0,
        "count": None,
        "direction": None,
        "frame_id": None,
        "box": None,
        "object_name": None,
        "atomic_action": None,
        "objects": None,
    }
    request = next(asked for asked in REQUESTS if asked.stage == "seek")
    assert set(said) == set(request.reply_type.model_fields)
    assert request.reply_type.model_validate(said).bearing_deg == 30.0


def test_without_budget_a_seeker_can_only_end() -> None:
    inputs = REQUESTS[3].inputs.model_copy(update={"remaining": 0})
    assert isinstance(inputs, SeekInputs)
    with pytest.raises(ValidationError):
        seek_request(inputs, IMAGES).reply_type.model_validate({"keep": True, "action": "FACE"})


def test_coverage_is_told_of_every_demand() -> None:
    with pytest.raises(ValidationError):
        REQUESTS[7].reply_type.model_validate({"demands": [{"covered": True}]})


def test_contracts_name_the_unit() -> None:
    question = Question(
        question_id="q", family=None, answer_mode=AnswerMode.NUMBER, text="How long?", unit="s"
    )
    assert contract_of(question).form == "a number in seconds"
