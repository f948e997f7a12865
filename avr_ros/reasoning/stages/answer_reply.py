"""The reply of every stage that answers a question: the answer, and where it can be seen."""

from collections.abc import Sequence
from typing import Final

from pydantic import Field, model_validator

from avr_ros.reasoning.stage import limited
from avr_ros.reasoning.stages.contract import AnswerContract
from avr_ros.schema.answer import (
    Answer,
    ChoiceAnswer,
    FrameAnswer,
    FrameViewAnswer,
    NumberAnswer,
    SpanAnswer,
)
from avr_ros.schema.model import Record
from avr_ros.schema.vocabulary import AnswerMode

PictureBox = tuple[float, float, float, float]
"""x, y, width and height in thousandths of a picture's width and height."""


class AnswerReply(Record):
    """What all answers share.

    ``evidence_view`` names the attached view, and ``evidence_box`` marks the person in it, that
    shows the answer. The answer's own fields are null where the model cannot tell.
    """

    reason: str = ""
    evidence_view: str | None = None
    evidence_box: PictureBox | None = None

    @property
    def answer(self) -> Answer | None:
        """The answer, none where the model cannot tell."""
        raise NotImplementedError


class ChoiceReply(AnswerReply):
    """One of the choices by its index."""

    choice: int | None = None

    @property
    def answer(self) -> Answer | None:
        """The answer."""
        return None if self.choice is None else ChoiceAnswer(choice=self.choice)


class FrameReply(AnswerReply):
    """A frame."""

    frame_id: int | None = Field(default=None, ge=0)

    @property
    def answer(self) -> Answer | None:
        """The answer."""
        return None if self.frame_id is None else FrameAnswer(frame_id=self.frame_id)


class SpanReply(AnswerReply):
    """First and last frame."""

    start_frame: int | None = Field(default=None, ge=0)
    end_frame: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _ordered(self) -> "SpanReply":
        if (self.start_frame is None) != (self.end_frame is None):
            raise ValueError("give both start_frame and end_frame, or neither")
        if (
            self.start_frame is not None
            and self.end_frame is not None
            and self.end_frame < self.start_frame
        ):
            raise ValueError("end_frame lies before start_frame")
        return self

    @property
    def answer(self) -> Answer | None:
        """The answer."""
        if self.start_frame is None or self.end_frame is None:
            return None
        return SpanAnswer(start_frame=self.start_frame, end_frame=self.end_frame)


class FrameViewReply(AnswerReply):
    """A frame and a direction in degrees."""

    frame_id: int | None = Field(default=None, ge=0)
    azimuth_deg: float | None = Field(default=None, ge=-180, le=180)

    @model_validator(mode="after")
    def _both(self) -> "FrameViewReply":
        if (self.frame_id is None) != (self.azimuth_deg is None):
            raise ValueError("give both frame_id and azimuth_deg, or neither")
        return self

    @property
    def answer(self) -> Answer | None:
        """The answer."""
        if self.frame_id is None or self.azimuth_deg is None:
            return None
        return FrameViewAnswer(frame_id=self.frame_id, azimuth_deg=self.azimuth_deg)


class NumberReply(AnswerReply):
    """A number in the contract's unit."""

    value: float | None = None

    @property
    def answer(self) -> Answer | None:
        """The answer."""
        return None if self.value is None else NumberAnswer(value=self.value)


REPLY_TYPES: Final[dict[AnswerMode, type[AnswerReply]]] = {
    AnswerMode.CHOICE: ChoiceReply,
    AnswerMode.FRAME: FrameReply,
    AnswerMode.SPAN: SpanReply,
    AnswerMode.FRAME_VIEW: FrameViewReply,
    AnswerMode.NUMBER: NumberReply,
}
"""The reply's type in each answer mode."""


def answer_reply_type(contract: AnswerContract, views: Sequence[str]) -> type[AnswerReply]:
    """The reply to a question of this form, its evidence among the attached views."""
    legal: dict[str, Sequence[str | int | None]] = {"evidence_view": [*views, None]}
    if contract.mode is AnswerMode.CHOICE:
        legal["choice"] = [*range(len(contract.choices)), None]
    return limited(REPLY_TYPES[contract.mode], **legal)
