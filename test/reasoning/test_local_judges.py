"""The local judges: values of answers compared, and what no value tells refused."""

import pytest

from avr_ros.reasoning.backends.local import LocalBackend
from avr_ros.reasoning.call import CallOutcome, ModelCallError
from avr_ros.reasoning.local.answer import CannotAnswerError
from avr_ros.reasoning.local.answers import judge_support
from avr_ros.reasoning.local.reference import read_answer, says_the_same
from avr_ros.reasoning.local.sight.wanted import Findings, Solved
from avr_ros.reasoning.stage import StageImage
from avr_ros.reasoning.stages.contract import AnswerContract, ShownView
from avr_ros.reasoning.stages.judge_match import MatchInputs, match_request
from avr_ros.reasoning.stages.judge_support import JudgeInputs, judge_request
from avr_ros.schema.answer import (
    Answer,
    ChoiceAnswer,
    FrameAnswer,
    FrameViewAnswer,
    NumberAnswer,
    SpanAnswer,
)
from avr_ros.schema.vocabulary import AnswerMode

MODE_FORMS = {mode: AnswerContract(mode=mode, form="f", choices=("a", "b")) for mode in AnswerMode}


def mark(right: str, given: str, *accepted: str) -> str:
    inputs = MatchInputs(
        question="Q?", reference_answer=right, accepted=accepted, given_answer=given
    )
    return LocalBackend().ask(match_request(inputs)).value.mark


@pytest.mark.parametrize(
    ("right", "given", "expected"),
    [
        ("The blue sofa.", "a blue SOFA", "5"),
        ("frame 12", "Frame 012", "5"),
        ("two people", "2 people", "5"),
        ("frames 3 to 5", "frames 3 to 6", "1"),
        ("2.5 m", "-2.5 m", "1"),
        ("yes", "No.", "1"),
    ],
)
def test_values_are_matched(right: str, given: str, expected: str) -> None:
    assert mark(right, given) == expected


def test_every_accepted_answer_counts() -> None:
    assert mark("a couch", "sofa", "the sofa") == "5"
    assert mark("3 chairs", "5 chairs", "four chairs") == "1"


@pytest.mark.parametrize(
    ("right", "given"),
    [
        ("touching", "not touching"),
        ("a couch", "a sofa"),
        ("12 m", "12 s"),
        ("5 %", "5"),
        ("yes", "maybe"),
    ],
)
def test_other_words_are_refused_not_marked(right: str, given: str) -> None:
    with pytest.raises(ModelCallError) as caught:
        mark(right, given)
    assert caught.value.record.outcome is CallOutcome.REFUSED
    assert repr(given) in caught.value.record.problem


@pytest.mark.parametrize(
    ("found", "reference", "tolerance", "same"),
    [
        (ChoiceAnswer(choice=1), "b", None, True),
        (ChoiceAnswer(choice=0), "b", None, False),
        (FrameAnswer(frame_id=40), "frame 45", 5.0, True),
        (FrameAnswer(frame_id=39), "frame 45", 5.0, False),
        (FrameAnswer(frame_id=44), "frame 45", None, False),
        (FrameViewAnswer(frame_id=7, azimuth_deg=90), "frame 7, azimuth -30.0°", None, True),
        (NumberAnswer(value=2.0), "2.5 m", 0.5, True),
        (NumberAnswer(value=1.9), "2.5 m", 0.5, False),
        # 10 to 19 and 10 to 29 share 10 of 20 frames; with 10 to 30 it is 10 of 21.
        (SpanAnswer(start_frame=10, end_frame=19), "frames 10 to 29", None, True),
        (SpanAnswer(start_frame=10, end_frame=19), "frames 10 to 30", None, False),
        (SpanAnswer(start_frame=10, end_frame=19), "frames 20 to 29", None, False),
    ],
)
def test_a_found_answer_is_compared_with_the_right_one(
    found: Answer, reference: str, tolerance: float | None, same: bool
) -> None:
    contract = MODE_FORMS[AnswerMode(found.mode)]
    assert says_the_same(found, read_answer(reference, contract), tolerance) is same


def test_a_right_answer_that_cannot_be_read_is_not_guessed() -> None:
    with pytest.raises(CannotAnswerError, match="none of the choices"):
        read_answer("c", MODE_FORMS[AnswerMode.CHOICE])
    for text, mode in (("soon", AnswerMode.FRAME), ("frames 9 to 3", AnswerMode.SPAN)):
        with pytest.raises(CannotAnswerError, match="is not f"):
            read_answer(text, MODE_FORMS[mode])


@pytest.mark.parametrize(("given", "expected"), [("frame 14", "5"), ("frame 15", "1")])
def test_answers_of_a_form_match_within_their_tolerance(given: str, expected: str) -> None:
    inputs = MatchInputs(
        question="Q?",
        reference_answer="frame 12",
        given_answer=given,
        contract=MODE_FORMS[AnswerMode.FRAME],
        tolerance=2.0,
    )
    assert LocalBackend().ask(match_request(inputs)).value.mark == expected


@pytest.mark.parametrize(("reference", "grade"), [("frame 9", "1"), ("frame 20", "0.5")])
def test_pictures_that_lead_to_another_answer_are_not_decisive(
    reference: str, grade: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = object()
    solved = Solved(FrameAnswer(frame_id=10), seen, "seen")  # type: ignore[arg-type]
    monkeypatch.setattr(judge_support, "search", lambda *_, **__: Findings(solved))
    monkeypatch.setattr(judge_support, "seen_views", lambda *_: [])
    inputs = JudgeInputs(
        question="Q?",
        contract=MODE_FORMS[AnswerMode.FRAME],
        reference_answer=reference,
        tolerance=1.0,
        views=(ShownView(name="1", caption="frame 10"),),
    )
    reply = LocalBackend().ask(judge_request(inputs, (StageImage("1", b"1"),)))
    assert reply.value.grade == grade
