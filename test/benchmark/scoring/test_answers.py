"""Answer rules by hand-worked values."""

import pytest

from avr_ros.benchmark.scoring.answers import (
    answer_is_right,
    choice_is_right,
    frame_is_right,
    number_is_right,
    span_iou,
    span_is_right,
)
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.schema.answer import (
    ChoiceAnswer,
    FrameAnswer,
    FrameViewAnswer,
    NumberAnswer,
    SpanAnswer,
)
from avr_ros.schema.answer_key import AnswerKey, EvidenceFrame
from avr_ros.schema.box import Box
from avr_ros.schema.question import Question
from avr_ros.schema.vocabulary import AnswerMode, Family


def span(start: int, end: int) -> SpanAnswer:
    """A span."""
    return SpanAnswer(start_frame=start, end_frame=end)


def test_choice_is_the_same_index() -> None:
    assert choice_is_right(ChoiceAnswer(choice=2), ChoiceAnswer(choice=2))
    assert not choice_is_right(ChoiceAnswer(choice=1), ChoiceAnswer(choice=2))


@pytest.mark.parametrize(
    ("frame", "right"), [(94, False), (95, True), (100, True), (105, True), (106, False)]
)
def test_frame_tolerance_includes_its_edges(frame: int, right: bool) -> None:
    assert frame_is_right(frame, 100, 5.0) is right


@pytest.mark.parametrize(
    ("value", "right"),
    [(3.2, True), (2.2, True), (4.2, True), (4.201, False), (2.199, False)],
)
def test_number_tolerance_includes_its_edges(value: float, right: bool) -> None:
    assert number_is_right(value, 3.2, 1.0) is right


def test_number_edge_survives_rounding() -> None:
    # 0.1 + 0.2 - 0.3 is not 0 in binary: the edge 0.3 away from 0.1 + 0.2 is still inside.
    assert number_is_right(0.0, 0.1 + 0.2, 0.3)


@pytest.mark.parametrize(
    ("answer", "truth", "expected"),
    [
        (span(0, 9), span(0, 9), 1.0),
        (span(0, 9), span(9, 18), 1 / 19),  # one frame in common, 19 in all
        (span(0, 9), span(10, 19), 0.0),  # next to each other, none in common
        (span(10, 19), span(0, 9), 0.0),
        (span(5, 5), span(5, 5), 1.0),
        (span(0, 9), span(5, 14), 5 / 15),
        (span(0, 19), span(0, 9), 10 / 20),
        (span(3, 6), span(0, 9), 4 / 10),
    ],
)
def test_span_iou_counts_frames_with_both_ends(
    answer: SpanAnswer, truth: SpanAnswer, expected: float
) -> None:
    assert span_iou(answer, truth) == pytest.approx(expected)


def test_span_is_right_from_one_half() -> None:
    assert span_is_right(span(0, 19), span(0, 9))
    assert not span_is_right(span(0, 20), span(0, 9))


TARGET = Box(1000.0, 100.0, 100.0, 200.0)
KEY = AnswerKey(
    question_id="q",
    answer=FrameViewAnswer(frame_id=50, azimuth_deg=0.0),
    tolerance=5.0,
    target="pedestrian:1",
    evidence=(
        EvidenceFrame(frame_id=48, box=Box(1400.0, 100.0, 100.0, 200.0)),
        EvidenceFrame(frame_id=50, box=TARGET),
    ),
)
QUESTION = Question(
    question_id="q",
    family=Family.CHAIN_HYBRID,
    answer_mode=AnswerMode.FRAME_VIEW,
    text="When?",
    tolerance=5.0,
)


def azimuth_of_left_column(left: float) -> float:
    """Azimuth in degrees of the view that begins at a column: its middle is 240 px further."""
    return 360.0 * (0.5 - (left + 240.0) / 3760.0)


@pytest.mark.parametrize(
    ("frame", "left", "right"),
    [
        (50, 900, True),  # all of the box
        (50, 1010, True),  # 90 of 100 columns
        (50, 1011, False),  # 89 of 100
        (50, 610, True),  # columns 610 to 1089: 90 of 100
        (50, 609, False),
        (55, 900, True),  # nearest of the key's frames is 50
        (56, 900, False),  # out of tolerance
        (48, 900, False),  # at frame 48 the person is elsewhere
        (48, 1300, True),
        (49, 1300, True),  # 48 and 50 are as near: the earlier counts
        (45, 1300, True),
    ],
)
def test_frame_view_needs_the_frame_and_nine_tenths_of_the_person(
    frame: int, left: int, right: bool
) -> None:
    answer = FrameViewAnswer(frame_id=frame, azimuth_deg=azimuth_of_left_column(left))
    assert answer_is_right(QUESTION, KEY, answer, JRDB_CYLINDER) is right


def test_frame_view_without_any_box_near_the_answer_is_wrong() -> None:
    key = KEY.model_copy(update={"evidence": (EvidenceFrame(frame_id=50, box=None),)})
    answer = FrameViewAnswer(frame_id=50, azimuth_deg=0.0)
    assert not answer_is_right(QUESTION, key, answer, JRDB_CYLINDER)


def test_another_modes_answer_and_none_are_wrong() -> None:
    key = AnswerKey(
        question_id="q",
        answer=FrameAnswer(frame_id=50),
        tolerance=5.0,
        target="pedestrian:1",
        evidence=(EvidenceFrame(frame_id=50, box=TARGET),),
    )
    question = QUESTION.model_copy(update={"answer_mode": AnswerMode.FRAME})
    assert answer_is_right(question, key, FrameAnswer(frame_id=53), JRDB_CYLINDER)
    assert not answer_is_right(question, key, NumberAnswer(value=50.0), JRDB_CYLINDER)
    assert not answer_is_right(question, key, span(50, 50), JRDB_CYLINDER)
    assert not answer_is_right(question, key, None, JRDB_CYLINDER)


def test_number_and_span_and_choice_go_to_their_rules() -> None:
    evidence = (EvidenceFrame(frame_id=50, box=TARGET),)
    number = AnswerKey(
        question_id="q",
        answer=NumberAnswer(value=4.0),
        tolerance=0.5,
        target="t",
        evidence=evidence,
    )
    assert answer_is_right(QUESTION, number, NumberAnswer(value=4.5), JRDB_CYLINDER)
    assert not answer_is_right(QUESTION, number, NumberAnswer(value=4.6), JRDB_CYLINDER)
    spans = AnswerKey(question_id="q", answer=span(10, 19), target="t", evidence=evidence)
    assert answer_is_right(QUESTION, spans, span(10, 29), JRDB_CYLINDER)
    choice = AnswerKey(
        question_id="q", answer=ChoiceAnswer(choice=1), target="t", evidence=evidence
    )
    assert answer_is_right(QUESTION, choice, ChoiceAnswer(choice=1), JRDB_CYLINDER)
