"""Answer payloads, one type for each answer mode."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from avr_ros.schema.model import Record


class ChoiceAnswer(Record):
    """The index, from 0, of one of the question's choices."""

    mode: Literal["choice"] = "choice"
    choice: int = Field(ge=0)


class FrameAnswer(Record):
    """A frame id."""

    mode: Literal["frame"] = "frame"
    frame_id: int = Field(ge=0)


class SpanAnswer(Record):
    """A span of frames, both ends included."""

    mode: Literal["span"] = "span"
    start_frame: int = Field(ge=0)
    end_frame: int = Field(ge=0)

    @model_validator(mode="after")
    def _ordered(self) -> "SpanAnswer":
        if self.end_frame < self.start_frame:
            raise ValueError(
                f"end_frame {self.end_frame} lies before start_frame {self.start_frame}"
            )
        return self


class FrameViewAnswer(Record):
    """A frame id and the azimuth, in degrees, of a view of it."""

    mode: Literal["frame_view"] = "frame_view"
    frame_id: int = Field(ge=0)
    azimuth_deg: float = Field(ge=-180.0, le=180.0)


class NumberAnswer(Record):
    """A number in the question's unit."""

    mode: Literal["number"] = "number"
    value: float


Answer = Annotated[
    ChoiceAnswer | FrameAnswer | SpanAnswer | FrameViewAnswer | NumberAnswer,
    Field(discriminator="mode"),
]
"""Any answer payload; ``mode`` tells which."""
