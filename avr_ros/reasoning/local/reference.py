"""Answers in words, read back, and whether two answers say the same."""

import re
from typing import Final

from pydantic import ValidationError

from avr_ros.reasoning.local.answer import CannotAnswerError
from avr_ros.reasoning.stages.contract import AnswerContract
from avr_ros.schema.answer import (
    Answer,
    ChoiceAnswer,
    FrameAnswer,
    FrameViewAnswer,
    NumberAnswer,
    SpanAnswer,
)
from avr_ros.schema.vocabulary import AnswerMode

LEAST_SPAN_IOU: Final = 0.5
"""Temporal IoU from which two spans say the same."""

_ROUNDING: Final = 1e-6
_NUMBER = re.compile(r"(?<!\d)[-+]?\d+(?:\.\d+)?")


def read_answer(text: str, contract: AnswerContract) -> Answer:
    """The answer that a text states. Raises CannotAnswerError where it has another form."""
    if contract.mode is AnswerMode.CHOICE:
        if text not in contract.choices:
            raise CannotAnswerError(f"{text!r} is none of the choices")
        return ChoiceAnswer(choice=contract.choices.index(text))
    try:
        values = [float(number) for number in _NUMBER.findall(text)]
        if contract.mode is AnswerMode.FRAME:
            (frame,) = values
            return FrameAnswer(frame_id=int(frame))
        if contract.mode is AnswerMode.SPAN:
            start, end = values
            return SpanAnswer(start_frame=int(start), end_frame=int(end))
        if contract.mode is AnswerMode.FRAME_VIEW:
            frame, azimuth = values
            return FrameViewAnswer(frame_id=int(frame), azimuth_deg=azimuth)
        (value,) = values
        return NumberAnswer(value=value)
    except (ValueError, ValidationError) as error:
        raise CannotAnswerError(f"{text!r} is not {contract.form}") from error


def says_the_same(found: Answer, right: Answer, tolerance: float | None) -> bool:
    """Whether an answer is the right one; answers of two forms never say the same.

    Frames and numbers may differ by ``tolerance``. The direction of a view is not compared: which
    ones show the person is not known here.
    """
    within = _ROUNDING + (0.0 if tolerance is None else tolerance)
    if isinstance(found, ChoiceAnswer) and isinstance(right, ChoiceAnswer):
        return found.choice == right.choice
    if isinstance(found, SpanAnswer) and isinstance(right, SpanAnswer):
        return _span_iou(found, right) >= LEAST_SPAN_IOU
    if isinstance(found, NumberAnswer) and isinstance(right, NumberAnswer):
        return abs(found.value - right.value) <= within
    if isinstance(found, FrameAnswer) and isinstance(right, FrameAnswer):
        return abs(found.frame_id - right.frame_id) <= within
    if isinstance(found, FrameViewAnswer) and isinstance(right, FrameViewAnswer):
        return abs(found.frame_id - right.frame_id) <= within
    return False


def _span_iou(one: SpanAnswer, other: SpanAnswer) -> float:
    common = max(
        0, min(one.end_frame, other.end_frame) - max(one.start_frame, other.start_frame) + 1
    )
    both = (one.end_frame - one.start_frame + 1) + (other.end_frame - other.start_frame + 1)
    return common / (both - common)
