"""Answers that are no choices, reduced to numbers that questions have in common, and back.

A point is (offset,) of a frame from the first legal frame, (start offset, length) of a span, (frame
offset, azimuth in degrees) of a frame and view, or (value,) of a number.
"""

from __future__ import annotations

from typing import Final

from avr_ros.benchmark.scoring.answers import span_is_right
from avr_ros.schema.answer import (
    Answer,
    ChoiceAnswer,
    FrameAnswer,
    FrameViewAnswer,
    NumberAnswer,
    SpanAnswer,
)
from avr_ros.schema.answer_key import AnswerKey
from avr_ros.schema.question import Question
from avr_ros.schema.vocabulary import AnswerMode

Solved = tuple[Question, AnswerKey]
"""A question with its key."""

Point = tuple[float, ...]

SECTOR_DEG: Final = 20.0
"""Degrees within which one direction serves for another, about half a view."""

SPAN_CLASS_FRAMES: Final = 15
"""Width in frames of the classes of starts of spans."""


def right_choice(key: AnswerKey) -> int | None:
    """Index of the right choice, none for other modes."""
    return key.answer.choice if isinstance(key.answer, ChoiceAnswer) else None


def point_of(solved: Solved) -> Point:
    """The point of a question's right answer; raises TypeError for a choice."""
    question, key = solved
    first, answer = _first(question), key.answer
    if isinstance(answer, FrameAnswer):
        return (float(answer.frame_id - first),)
    if isinstance(answer, FrameViewAnswer):
        return (float(answer.frame_id - first), answer.azimuth_deg)
    if isinstance(answer, SpanAnswer):
        return (float(answer.start_frame - first), float(answer.end_frame - answer.start_frame))
    if isinstance(answer, NumberAnswer):
        return (answer.value,)
    raise TypeError("a choice is no point")


def answer_at(question: Question, point: Point) -> Answer:
    """The answer of a question at a point."""
    frame = max(round(point[0]) + _first(question), 0)
    if question.answer_mode is AnswerMode.FRAME:
        return FrameAnswer(frame_id=frame)
    if question.answer_mode is AnswerMode.SPAN:
        return SpanAnswer(start_frame=frame, end_frame=frame + max(round(point[1]), 0))
    if question.answer_mode is AnswerMode.FRAME_VIEW:
        return FrameViewAnswer(frame_id=frame, azimuth_deg=(point[1] + 180.0) % 360.0 - 180.0)
    return NumberAnswer(value=point[0])


def would_be_right(question: Question, guess: Point, truth: Point) -> bool:
    """Whether a guess would about be right where another question's answer is the truth."""
    tolerance = question.tolerance or 0.0
    if question.answer_mode is AnswerMode.SPAN:
        return span_is_right(_span(guess), _span(truth))
    if question.answer_mode is AnswerMode.FRAME_VIEW:
        turn = abs((guess[1] - truth[1] + 180.0) % 360.0 - 180.0)
        return abs(guess[0] - truth[0]) <= tolerance and turn <= SECTOR_DEG
    return abs(guess[0] - truth[0]) <= tolerance


def class_of(question: Question, point: Point) -> tuple[int, ...]:
    """The class of answers in which a point lies, about as wide as one guess covers."""
    tolerance = question.tolerance or 0.0
    if question.answer_mode is AnswerMode.SPAN:
        return (int(point[0] // SPAN_CLASS_FRAMES),)
    if question.answer_mode is AnswerMode.NUMBER:
        return (int(point[0] // (2.0 * tolerance)),)
    place = int(point[0] // (2.0 * tolerance + 1.0))
    if question.answer_mode is AnswerMode.FRAME_VIEW:
        return (place, int((point[1] + 180.0) // (2.0 * SECTOR_DEG)))
    return (place,)


def _first(question: Question) -> int:
    return question.legal_frames[0].first if question.legal_frames else 0


def _span(point: Point) -> SpanAnswer:
    start = max(round(point[0]), 0)
    return SpanAnswer(start_frame=start, end_frame=start + max(round(point[1]), 0))
