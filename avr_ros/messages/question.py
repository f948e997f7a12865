"""Questions."""

from typing import Any

from pydantic import ValidationError

from avr_ros.messages.arrays import float64_array, int64_array, to_floats, to_ints
from avr_ros.messages.message_types import MessageContentError, MessageTypes
from avr_ros.schema.question import FrameSpan, Question, StartView
from avr_ros.schema.vocabulary import AnswerMode, Family

NO_TOLERANCE = -1.0
"""What a message says where a question has no tolerance."""

UNNAMED = "unnamed"
"""The id that a question without one gets."""


LONGEST_DEADLINE = 1e9
"""Seconds that a goal may ask for at most."""


def deadline_of_goal(seconds: float, default: float) -> float:
    """The deadline of an ``Ask`` goal in seconds, ``default`` for 0.

    Raises MessageContentError for one that is no time: negative, not a number, without an end.
    """
    asked = float(seconds)
    if not 0.0 <= asked <= LONGEST_DEADLINE:
        raise MessageContentError(
            f"Ask goal: deadline is {asked:g}; give 0 for the node's own or up to "
            f"{LONGEST_DEADLINE:g} s"
        )
    return asked or default


def question_message(question: Question, types: MessageTypes) -> Any:
    """A ``Question``."""
    start = question.start_view
    span = types("avr_ros/msg/FrameSpan")
    return types("avr_ros/msg/Question")(
        question_id=question.question_id,
        family=question.family.value if question.family is not None else "",
        answer_mode=question.answer_mode.value,
        text=question.text,
        sequence=question.sequence,
        choices=list(question.choices),
        unit=question.unit,
        tolerance=NO_TOLERANCE if question.tolerance is None else question.tolerance,
        legal_frames=[span(first=item.first, last=item.last) for item in question.legal_frames],
        max_observations=question.max_observations,
        max_tool_calls=question.max_tool_calls,
        fields_of_view_deg=float64_array(question.fields_of_view_deg),
        given_frames=int64_array(question.given_frames),
        has_start_view=start is not None,
        start_frame=start.frame_id if start is not None else 0,
        start_azimuth_deg=start.azimuth_deg if start is not None else 0.0,
    )


def question_from_message(message: Any) -> Question:
    """The question of a ``Question``; an empty id becomes ``unnamed``.

    Raises MessageContentError for one that is none.
    """
    start = None
    try:
        if message.has_start_view:
            start = StartView(
                frame_id=int(message.start_frame),
                azimuth_deg=float(message.start_azimuth_deg),
            )
        fields: dict[str, Any] = {
            "question_id": str(message.question_id) or UNNAMED,
            "family": Family(message.family) if message.family else None,
            "answer_mode": AnswerMode(message.answer_mode),
            "text": str(message.text),
            "sequence": str(message.sequence),
            "choices": tuple(str(choice) for choice in message.choices),
            "unit": str(message.unit),
            "tolerance": (None if message.tolerance == NO_TOLERANCE else float(message.tolerance)),
            "legal_frames": tuple(
                FrameSpan(first=int(item.first), last=int(item.last))
                for item in message.legal_frames
            ),
            "max_observations": int(message.max_observations),
            "max_tool_calls": int(message.max_tool_calls),
            "fields_of_view_deg": to_floats(message.fields_of_view_deg),
            "given_frames": to_ints(message.given_frames),
            "start_view": start,
        }
        return Question.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise MessageContentError(
            f"Question: {place}: {first['msg']}".replace(": :", ":")
        ) from error
    except ValueError as error:
        raise MessageContentError(f"Question: {error}") from error
