"""Scored results."""

from typing import Any

from avr_ros.messages.message_types import MessageContentError, MessageTypes
from avr_ros.messages.prediction import prediction_from_message, prediction_message
from avr_ros.messages.time import time_message
from avr_ros.schema.result import Cost, EvidenceReason, SampleResult, Score
from avr_ros.schema.vocabulary import AnswerMode, Family

_COUNTS = (
    "steps",
    "observations",
    "given_frames",
    "calls",
    "tokens_in",
    "tokens_out",
    "tokens_reasoning",
    "images",
)
_TIMES = ("seconds", "model_seconds", "perception_seconds")


def cost_message(cost: Cost, types: MessageTypes) -> Any:
    """A ``Cost``."""
    return types("avr_ros/msg/Cost")(**{name: getattr(cost, name) for name in _COUNTS + _TIMES})


def cost_from_message(message: Any) -> Cost:
    """The cost of a ``Cost``. Raises MessageContentError for one that is none."""
    fields: dict[str, Any] = {name: int(getattr(message, name)) for name in _COUNTS}
    fields.update({name: float(getattr(message, name)) for name in _TIMES})
    try:
        return Cost(**fields)
    except ValueError as error:
        raise MessageContentError(f"Cost: {error}") from error


def score_message(score: Score, types: MessageTypes) -> Any:
    """A ``Score``."""
    return types("avr_ros/msg/Score")(
        answer=score.answer,
        evidence=score.evidence,
        combined=score.combined,
        has_iou=score.iou is not None,
        iou=0.0 if score.iou is None else score.iou,
        evidence_reason=score.evidence_reason.value,
    )


def score_from_message(message: Any) -> Score:
    """The score of a ``Score``. Raises MessageContentError for one that is none."""
    try:
        return Score(
            answer=bool(message.answer),
            evidence=bool(message.evidence),
            combined=bool(message.combined),
            iou=float(message.iou) if message.has_iou else None,
            evidence_reason=EvidenceReason(message.evidence_reason),
        )
    except ValueError as error:
        raise MessageContentError(f"Score: {error}") from error


def sample_result_message(
    result: SampleResult, run_id: str, stamp: int, types: MessageTypes
) -> Any:
    """A ``SampleResult`` of a run, scored at ``stamp``, nanoseconds since the epoch."""
    return types("avr_ros/msg/SampleResult")(
        stamp=time_message(stamp, types),
        run_id=run_id,
        question_id=result.question_id,
        family=result.family.value if result.family is not None else "",
        answer_mode=result.answer_mode.value,
        sequence=result.sequence,
        attempt=result.attempt,
        prediction=prediction_message(result.prediction, types),
        score=score_message(result.score, types),
        cost=cost_message(result.cost, types),
        sample=result.model_dump_json(),
    )


def sample_result_from_message(message: Any) -> SampleResult:
    """The result of a ``SampleResult``. Raises MessageContentError for one that is none."""
    try:
        return SampleResult(
            question_id=str(message.question_id),
            family=Family(message.family) if message.family else None,
            answer_mode=AnswerMode(message.answer_mode),
            sequence=str(message.sequence),
            attempt=int(message.attempt),
            prediction=prediction_from_message(message.prediction),
            score=score_from_message(message.score),
            cost=cost_from_message(message.cost),
        )
    except ValueError as error:
        raise MessageContentError(f"SampleResult: {error}") from error
