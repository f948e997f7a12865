"""Answers."""

from typing import Any, Final

from pydantic import ValidationError

from avr_ros.messages.message_types import MessageContentError, MessageTypes
from avr_ros.schema.answer import (
    Answer,
    ChoiceAnswer,
    FrameAnswer,
    FrameViewAnswer,
    NumberAnswer,
    SpanAnswer,
)

CHOICE: Final = 0
FRAME: Final = 1
SPAN: Final = 2
FRAME_VIEW: Final = 3
NUMBER: Final = 4


def answer_message(answer: Answer | None, types: MessageTypes) -> Any:
    """An ``Answer``; all zeros where there is none."""
    fields: dict[str, Any] = {
        "mode": CHOICE,
        "choice": 0,
        "frame_id": 0,
        "start_frame": 0,
        "end_frame": 0,
        "azimuth_deg": 0.0,
        "value": 0.0,
    }
    if isinstance(answer, ChoiceAnswer):
        fields.update(mode=CHOICE, choice=answer.choice)
    elif isinstance(answer, FrameAnswer):
        fields.update(mode=FRAME, frame_id=answer.frame_id)
    elif isinstance(answer, SpanAnswer):
        fields.update(mode=SPAN, start_frame=answer.start_frame, end_frame=answer.end_frame)
    elif isinstance(answer, FrameViewAnswer):
        fields.update(mode=FRAME_VIEW, frame_id=answer.frame_id, azimuth_deg=answer.azimuth_deg)
    elif isinstance(answer, NumberAnswer):
        fields.update(mode=NUMBER, value=answer.value)
    return types("avr_ros/msg/Answer")(**fields)


def answer_from_message(message: Any) -> Answer:
    """The answer of an ``Answer``. Raises MessageContentError for one that is none."""
    mode = int(message.mode)
    try:
        if mode == CHOICE:
            return ChoiceAnswer(choice=int(message.choice))
        if mode == FRAME:
            return FrameAnswer(frame_id=int(message.frame_id))
        if mode == SPAN:
            return SpanAnswer(
                start_frame=int(message.start_frame), end_frame=int(message.end_frame)
            )
        if mode == FRAME_VIEW:
            return FrameViewAnswer(
                frame_id=int(message.frame_id), azimuth_deg=float(message.azimuth_deg)
            )
        if mode == NUMBER:
            return NumberAnswer(value=float(message.value))
    except ValidationError as error:
        raise MessageContentError(f"Answer: {error.errors()[0]['msg']}") from error
    raise MessageContentError(f"Answer: mode {mode} is not one of {CHOICE} to {NUMBER}")
