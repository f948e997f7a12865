"""The scored outcome of one question: a line of samples.jsonl."""

from enum import Enum

from pydantic import Field

from avr_ros.schema.model import Record
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.vocabulary import AnswerMode, Family


class EvidenceReason(str, Enum):
    """Why evidence counts or does not."""

    SUPPORTED = "supported"
    NO_EVIDENCE = "no_evidence"
    WRONG_FRAME = "wrong_frame"
    NOT_GRANTED = "not_granted"
    OUTSIDE_VIEW = "outside_view"
    NO_BOX = "no_box"
    OTHER_PERSON = "other_person"
    LOW_IOU = "low_iou"


class Score(Record):
    """Whether answer, evidence and both are right; ``iou`` with the target where it applies."""

    answer: bool
    evidence: bool
    combined: bool
    iou: float | None = Field(default=None, ge=0, le=1)
    evidence_reason: EvidenceReason


class Cost(Record):
    """What one episode cost. Times are in seconds; only they differ between equal runs."""

    steps: int = Field(default=0, ge=0)
    observations: int = Field(default=0, ge=0)
    given_frames: int = Field(default=0, ge=0)
    calls: int = Field(default=0, ge=0)
    tokens_in: int = Field(default=0, ge=0)
    tokens_out: int = Field(default=0, ge=0)
    tokens_reasoning: int = Field(default=0, ge=0)
    images: int = Field(default=0, ge=0)
    seconds: float = Field(default=0.0, ge=0)
    model_seconds: float = Field(default=0.0, ge=0)
    perception_seconds: float = Field(default=0.0, ge=0)


class SampleResult(Record):
    """One question's prediction, score and cost."""

    question_id: str
    family: Family | None
    answer_mode: AnswerMode
    sequence: str
    attempt: int = Field(ge=1)
    prediction: Prediction
    score: Score
    cost: Cost
