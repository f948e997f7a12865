"""The private half of a benchmark question. Agents, models and perception never import this."""

from pydantic import Field, model_validator

from avr_ros.schema.answer import Answer
from avr_ros.schema.box import Box
from avr_ros.schema.model import Record


class EvidenceFrame(Record):
    """One frame in which the target may be shown as evidence.

    ``box`` is the target's annotated box (none where the annotation has no box: identity alone
    counts there). ``others`` are the boxes of the annotated people that overlap it, which are all
    that can have a larger IoU with a box whose IoU with the target is at least one half.
    """

    frame_id: int = Field(ge=0)
    box: Box | None
    others: tuple[Box, ...] = ()


class AnswerKey(Record):
    """The right answer to a question and the evidence that supports it.

    ``tolerance`` is in frames for the modes frame and frame_view and in the question's unit for
    number. ``target`` is the annotation's track id.
    """

    question_id: str
    answer: Answer
    tolerance: float | None = Field(default=None, ge=0)
    target: str
    evidence: tuple[EvidenceFrame, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _ordered(self) -> "AnswerKey":
        frames = [item.frame_id for item in self.evidence]
        if frames != sorted(set(frames)):
            raise ValueError("evidence frames must rise")
        return self
