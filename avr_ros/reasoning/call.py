"""What is recorded of a call to a model."""

from enum import Enum
from typing import Any

from pydantic import Field

from avr_ros.reasoning.stage import StageRequest
from avr_ros.schema.errors import AvrError
from avr_ros.schema.model import Record
from avr_ros.schema.prediction import FailureKind


class CallOutcome(str, Enum):
    """How a call ended.

    PERCEPTION_FAILED is that of a model which sees by the episode's perception, where that failed.
    """

    OK = "ok"
    TIMEOUT = "timeout"
    UNAVAILABLE = "unavailable"
    REFUSED = "refused"
    INVALID_REPLY = "invalid_reply"
    PERCEPTION_FAILED = "perception_failed"


FAILURES: dict[CallOutcome, FailureKind] = {
    CallOutcome.TIMEOUT: FailureKind.MODEL_TIMEOUT,
    CallOutcome.UNAVAILABLE: FailureKind.MODEL_UNAVAILABLE,
    CallOutcome.REFUSED: FailureKind.MODEL_REFUSED,
    CallOutcome.INVALID_REPLY: FailureKind.MODEL_INVALID_REPLY,
    CallOutcome.PERCEPTION_FAILED: FailureKind.PERCEPTION_FAILED,
}
"""The kind of a question's failure for each outcome that is none."""


class CallRecord(Record):
    """One call: what was asked, what came back, and what it cost.

    ``key`` is the hash of all that was asked, ``inputs`` what the model was told as JSON and
    ``image_names`` what the pictures are called in it, ``image_sources`` the observation ids of
    those that show a view or panorama of the episode.
    ``reply`` is the reply as JSON where the outcome is OK, ``text`` what the model last said.
    ``attempts`` counts requests sent, repairs included; ``cached`` that none was needed.
    Tokens are as the server counts them, summed over the attempts; ``images`` is their number.
    """

    stage: str
    key: str
    scope: str = ""
    inputs: dict[str, Any] = Field(default_factory=dict)
    image_names: tuple[str, ...] = ()
    image_sources: tuple[str, ...] = ()
    backend: str
    outcome: CallOutcome
    reply: dict[str, Any] | None = None
    text: str = ""
    problem: str = ""
    attempts: int = Field(default=0, ge=0)
    cached: bool = False
    reply_format: str = ""
    tokens_in: int = Field(default=0, ge=0)
    tokens_out: int = Field(default=0, ge=0)
    tokens_reasoning: int = Field(default=0, ge=0)
    images: int = Field(default=0, ge=0)
    seconds: float = Field(default=0.0, ge=0)


class ModelCallError(AvrError):
    """A call gave no usable reply; the question fails with ``kind``. ``record`` tells of it."""

    def __init__(self, record: CallRecord) -> None:
        """Keep the record beside its text."""
        super().__init__(
            f"stage {record.stage!r} by {record.backend}: {record.outcome.value}: {record.problem}"
        )
        self.record = record
        self.kind = FAILURES[record.outcome]


def record_of(request: StageRequest[Any], **rest: Any) -> CallRecord:
    """The record of a call that asked ``request``; ``rest`` are the fields on how it went."""
    return CallRecord(
        stage=request.stage,
        key=request.key,
        scope=request.scope,
        inputs=request.inputs.model_dump(mode="json"),
        image_names=tuple(image.name for image in request.images),
        image_sources=tuple(
            image.source.observation_id for image in request.images if image.source is not None
        ),
        images=len(request.images),
        **rest,
    )
