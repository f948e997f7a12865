"""Predictions and their evidence."""

from typing import Any

from pydantic import ValidationError

from avr_ros.messages.answer import answer_from_message, answer_message
from avr_ros.messages.box import box_from_message, box_message
from avr_ros.messages.message_types import MessageContentError, MessageTypes
from avr_ros.schema.prediction import Evidence, FailureKind, Prediction


def evidence_message(evidence: Evidence | None, types: MessageTypes) -> Any:
    """An ``Evidence``; empty where there is none."""
    azimuth = evidence.azimuth_deg if evidence is not None else None
    box = evidence.box if evidence is not None else None
    return types("avr_ros/msg/Evidence")(
        observation_id=evidence.observation_id if evidence is not None else "",
        frame_id=evidence.frame_id if evidence is not None else 0,
        panorama=evidence is not None and azimuth is None,
        azimuth_deg=azimuth if azimuth is not None else 0.0,
        has_box=box is not None,
        box=box_message(box, types),
    )


def evidence_from_message(message: Any) -> Evidence:
    """The evidence of an ``Evidence``. Raises MessageContentError for one that is none."""
    try:
        return Evidence(
            observation_id=str(message.observation_id),
            frame_id=int(message.frame_id),
            azimuth_deg=None if message.panorama else float(message.azimuth_deg),
            box=box_from_message(message.box) if message.has_box else None,
        )
    except ValidationError as error:
        raise MessageContentError(f"Evidence: {error.errors()[0]['msg']}") from error


def prediction_message(prediction: Prediction, types: MessageTypes) -> Any:
    """A ``Prediction``."""
    return types("avr_ros/msg/Prediction")(
        has_answer=prediction.answer is not None,
        answer=answer_message(prediction.answer, types),
        has_evidence=prediction.evidence is not None,
        evidence=evidence_message(prediction.evidence, types),
        abstained=prediction.abstained,
        failure=prediction.failure.value if prediction.failure is not None else "",
        reason=prediction.reason,
    )


def prediction_from_message(message: Any) -> Prediction:
    """The prediction of a ``Prediction``. Raises MessageContentError for one that is none."""
    answer = answer_from_message(message.answer) if message.has_answer else None
    evidence = evidence_from_message(message.evidence) if message.has_evidence else None
    try:
        return Prediction(
            answer=answer,
            evidence=evidence,
            abstained=bool(message.abstained),
            failure=FailureKind(message.failure) if message.failure else None,
            reason=str(message.reason),
        )
    except ValueError as error:
        raise MessageContentError(f"Prediction: {error}") from error
