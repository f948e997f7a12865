"""The public half of a benchmark question: everything an agent may know."""

from typing import Final, Literal

from pydantic import Field, model_validator

from avr_ros.schema.model import Record
from avr_ros.schema.vocabulary import AnswerMode, Family

DEFAULT_FIELD_OF_VIEW_DEG: Final[float] = 360.0 * 480 / 3760
"""Field of view of a 480 px wide crop of JRDB's 3760 px panorama, degrees."""


class FrameSpan(Record):
    """Frame ids from ``first`` to ``last``, both included."""

    first: int = Field(ge=0)
    last: int = Field(ge=0)

    @model_validator(mode="after")
    def _ordered(self) -> "FrameSpan":
        if self.last < self.first:
            raise ValueError(f"last {self.last} lies before first {self.first}")
        return self


class StartView(Record):
    """A first view that the question names: frame and azimuth in degrees."""

    frame_id: int = Field(ge=0)
    azimuth_deg: float = Field(ge=-180.0, le=180.0)


class Question(Record):
    """A question as an agent receives it, with the limits of its episode.

    ``legal_frames`` are the spans that may be observed (empty: the whole sequence);
    ``fields_of_view_deg`` the allowed fields of view; ``given_frames`` the panoramas that passive
    agents receive; ``tolerance`` what still counts as right: frames for the modes frame and
    frame_view, the unit for number, none for the others.
    """

    question_id: str = Field(min_length=1, max_length=200, pattern=r"^[A-Za-z0-9_.:\-]+$")
    family: Family | None
    answer_mode: AnswerMode
    text: str = Field(min_length=1)
    sequence: str = ""
    choices: tuple[str, ...] = ()
    unit: Literal["", "s", "m"] = ""
    tolerance: float | None = Field(default=None, ge=0)
    legal_frames: tuple[FrameSpan, ...] = ()
    max_observations: int = Field(default=32, ge=1, le=10_000)
    max_tool_calls: int = Field(default=96, ge=1, le=100_000)
    fields_of_view_deg: tuple[float, ...] = (DEFAULT_FIELD_OF_VIEW_DEG,)
    given_frames: tuple[int, ...] = ()
    start_view: StartView | None = None

    @model_validator(mode="after")
    def _consistent(self) -> "Question":
        if (self.answer_mode is AnswerMode.CHOICE) != bool(self.choices):
            raise ValueError("choices belong to answer mode choice, and only to it")
        if len(set(self.choices)) != len(self.choices):
            raise ValueError("choices repeat")
        if (self.answer_mode is AnswerMode.NUMBER) != bool(self.unit):
            raise ValueError("a unit belongs to answer mode number, and only to it")
        return self
