"""The local backend: what it answers, and how it says that it cannot."""

import pytest
from pydantic import BaseModel

from avr_ros.reasoning.backends.local import LocalBackend
from avr_ros.reasoning.call import CallOutcome, CallRecord, ModelCallError
from avr_ros.reasoning.local.answer import CannotAnswerError, look
from avr_ros.reasoning.meaning import NotUnderstood, QuestionMeaning
from avr_ros.reasoning.stage import StageImage, StageRequest, limited
from avr_ros.reasoning.stages.understand import understand_request
from avr_ros.schema.model import Record
from avr_ros.schema.prediction import FailureKind


class Inputs(Record):
    """What is told."""

    frame_id: int


class Look(Record):
    """Where to look."""

    frame_id: int


def go_where_told(request: StageRequest[BaseModel]) -> BaseModel:
    """Answer with the frame that was told; refuse the first one."""
    assert isinstance(request.inputs, Inputs)
    if request.inputs.frame_id == 0:
        raise CannotAnswerError("there is nothing at the beginning")
    for image in request.images:
        look(image)
    return Look(frame_id=request.inputs.frame_id)


BACKEND = LocalBackend({"look": go_where_told})


def request(
    frame_id: int, stage: str = "look", images: tuple[StageImage, ...] = ()
) -> StageRequest[Look]:
    return StageRequest(
        stage, Inputs(frame_id=frame_id), limited(Look, frame_id=(0, 3)), images, "q1"
    )


def failure(asked: StageRequest[Look]) -> tuple[CallRecord, FailureKind]:
    with pytest.raises(ModelCallError) as caught:
        BACKEND.ask(asked)
    return caught.value.record, caught.value.kind


def test_an_answer_is_of_the_type_that_is_legal_now() -> None:
    reply = BACKEND.ask(request(3))
    assert reply.value.frame_id == 3
    record = reply.record
    assert (record.backend, record.outcome, record.reply) == (
        "local",
        CallOutcome.OK,
        {"frame_id": 3},
    )
    assert (record.stage, record.scope, record.inputs) == ("look", "q1", {"frame_id": 3})
    assert (record.tokens_in, record.tokens_out, record.attempts) == (0, 0, 1)


def test_what_it_cannot_answer_is_said_and_not_invented() -> None:
    record, kind = failure(request(0))
    assert record.outcome is CallOutcome.REFUSED
    assert kind is FailureKind.MODEL_REFUSED
    assert "nothing at the beginning" in record.problem
    record, kind = failure(request(5))
    assert record.outcome is CallOutcome.INVALID_REPLY
    assert "frame_id" in record.problem
    record, kind = failure(request(3, "dance"))
    assert (record.outcome, kind) == (CallOutcome.UNAVAILABLE, FailureKind.MODEL_UNAVAILABLE)
    assert "'dance'" in record.problem


def test_a_picture_without_eyes_is_not_seen() -> None:
    record, _ = failure(request(3, images=(StageImage("view 1", b"x"),)))
    assert record.outcome is CallOutcome.REFUSED
    assert "view 1" in record.problem
    seeing = StageImage("view 1", b"x", detect=lambda: ())
    assert BACKEND.ask(request(3, images=(seeing,))).record.image_names == ("view 1",)


def test_what_a_picture_shows_is_no_part_of_what_is_asked() -> None:
    blind, seeing = StageImage("v", b"x"), StageImage("v", b"x", detect=lambda: ())
    assert blind == seeing
    assert request(3, images=(blind,)).key == request(3, images=(seeing,)).key


def test_questions_are_understood_or_not() -> None:
    backend = LocalBackend()
    text = "What is the only person who is sitting at frame 3 doing at frame 9?"
    assert isinstance(backend.ask(understand_request(text)).value.meaning, QuestionMeaning)
    reply = backend.ask(understand_request("Warum?", "q7"))
    assert reply.value.meaning == NotUnderstood(
        reason="the grammar does not know some words", words=("warum",)
    )
    assert reply.record.scope == "q7"
