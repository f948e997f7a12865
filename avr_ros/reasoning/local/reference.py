"""Right answers in words, read back, and whether an answer that was found says the same."""

import re
from typing import Final

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

_NUMBER = re.compile(r"(?<!\d)[-+]?\d+(?:\.\d+)?")
_ROUNDING: Final = 1e-6
_NUMBERS: Final = {
    AnswerMode.FRAME: 1,
    AnswerMode.SPAN: 2,
    AnswerMode.FRAME_VIEW: 2,
    AnswerMode.NUMBER: 1,
}


def says_the_same(
    found: Answer, reference: str, contract: AnswerContract, tolerance: float | None
) -> bool:
    """Whether an answer is the one that is given in words.

    Frames and numbers may differ by ``tolerance``; the direction of a view is not compared. Raises
    CannotAnswerError for words that are no answer of the contract's form.
    """
    if contract.mode is AnswerMode.CHOICE:
        if reference not in contract.choices:
            raise CannotAnswerError(f"the right answer {reference!r} is none of the choices")
        return isinstance(found, ChoiceAnswer) and contract.choices[found.choice] == reference
    numbers = [float(text) for text in _NUMBER.findall(reference)]
    if len(numbers) != _NUMBERS[contract.mode]:
        raise CannotAnswerError(f"the right answer {reference!r} is not {contract.form}")
    within = _ROUNDING + (0.0 if tolerance is None else tolerance)
    if isinstance(found, (FrameAnswer, FrameViewAnswer)):
        return abs(found.frame_id - numbers[0]) <= within
    if isinstance(found, NumberAnswer):
        return abs(found.value - numbers[0]) <= within
    if isinstance(found, SpanAnswer):
        return _span_iou(found, numbers[0], numbers[1]) >= LEAST_SPAN_IOU
    return False


def _span_iou(found: SpanAnswer, start: float, end: float) -> float:
    common = max(0.0, min(found.end_frame, end) - max(found.start_frame, start) + 1)
    return common / ((found.end_frame - found.start_frame + 1) + (end - start + 1) - common)
