"""Steps of an agent."""

import json
from typing import Any

from avr_ros.messages.message_types import MessageContentError, MessageTypes
from avr_ros.messages.time import time_message
from avr_ros.schema.step import Step, StepKind

NO_FRAME = -1
"""What a message says where a step is not about a frame."""


def step_message(step: Step, stamp: int, types: MessageTypes) -> Any:
    """A ``Step`` that ended at ``stamp``, nanoseconds since the epoch."""
    return types("avr_ros/msg/Step")(
        stamp=time_message(stamp, types),
        episode_id=step.episode_id,
        number=step.number,
        kind=step.kind.value,
        summary=step.summary,
        observation_id=step.observation_id,
        frame_id=NO_FRAME if step.frame_id is None else step.frame_id,
        has_azimuth=step.azimuth_deg is not None,
        azimuth_deg=0.0 if step.azimuth_deg is None else step.azimuth_deg,
        details=json.dumps(step.details, allow_nan=False),
        seconds=step.seconds,
    )


def step_from_message(message: Any) -> Step:
    """The step of a ``Step``. Raises MessageContentError for one that is none."""
    try:
        details = json.loads(message.details) if message.details else {}
        return Step(
            episode_id=str(message.episode_id),
            number=int(message.number),
            kind=StepKind(message.kind),
            summary=str(message.summary),
            observation_id=str(message.observation_id),
            frame_id=None if message.frame_id == NO_FRAME else int(message.frame_id),
            azimuth_deg=float(message.azimuth_deg) if message.has_azimuth else None,
            details=details,
            seconds=float(message.seconds),
        )
    except ValueError as error:
        raise MessageContentError(f"Step: {error}") from error
