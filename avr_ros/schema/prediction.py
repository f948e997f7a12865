"""What an agent returns for a question."""

from enum import Enum

from pydantic import Field, model_validator

from avr_ros.schema.answer import Answer
from avr_ros.schema.box import Box
from avr_ros.schema.model import Record


class FailureKind(str, Enum):
    """Why a question has no usable answer, apart from an abstention. All count as wrong."""

    AGENT_ERROR = "agent_error"
    DEADLINE = "deadline"
    CANCELLED = "cancelled"
    PARSE_FAILURE = "parse_failure"
    INVALID_ANSWER = "invalid_answer"
    MODEL_TIMEOUT = "model_timeout"
    MODEL_UNAVAILABLE = "model_unavailable"
    MODEL_REFUSED = "model_refused"
    MODEL_INVALID_REPLY = "model_invalid_reply"
    OBSERVATION_FAILED = "observation_failed"
    PERCEPTION_FAILED = "perception_failed"
    INVALID_QUESTION = "invalid_question"


RETRIED_ON_RESUME = frozenset(
    {
        FailureKind.AGENT_ERROR,
        FailureKind.DEADLINE,
        FailureKind.CANCELLED,
        FailureKind.MODEL_TIMEOUT,
        FailureKind.MODEL_UNAVAILABLE,
        FailureKind.OBSERVATION_FAILED,
        FailureKind.PERCEPTION_FAILED,
    }
)
"""Failures that say nothing of the agent's skill; a resumed run tries these questions again."""


class Evidence(Record):
    """The view or panorama, and the box in it, that shows the answer's person.

    ``azimuth_deg`` is the granted view's azimuth in degrees, none for a given panorama. ``box``
    is in panorama pixels.
    """

    observation_id: str
    frame_id: int = Field(ge=0)
    azimuth_deg: float | None = Field(default=None, ge=-180.0, le=180.0)
    box: Box | None


class Prediction(Record):
    """An answer with its evidence, or an abstention or failure with its reason."""

    answer: Answer | None = None
    evidence: Evidence | None = None
    abstained: bool = False
    failure: FailureKind | None = None
    reason: str = ""

    @model_validator(mode="after")
    def _one_outcome(self) -> "Prediction":
        outcomes = (self.answer is not None) + self.abstained + (self.failure is not None)
        if outcomes != 1:
            raise ValueError("a prediction is exactly one of answer, abstention and failure")
        return self
