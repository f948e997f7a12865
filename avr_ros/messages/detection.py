"""Detections of perception."""

from typing import Any

import numpy as np

from avr_ros.messages.arrays import float32_array
from avr_ros.messages.box import box_from_message, box_message
from avr_ros.messages.message_types import MessageTypes
from avr_ros.schema.detection import Detection, GroundPosition


def detection_message(detection: Detection, types: MessageTypes) -> Any:
    """A ``Detection``; actions of equal probability keep their order."""
    ground = detection.ground
    probability = types("avr_ros/msg/ActionProbability")
    actions = sorted(detection.actions.items(), key=lambda item: -item[1])
    return types("avr_ros/msg/Detection")(
        box=box_message(detection.box, types),
        confidence=float(detection.confidence),
        actions=[probability(action=name, probability=float(value)) for name, value in actions],
        appearance=float32_array(detection.appearance),
        has_ground=ground is not None,
        ground=types("avr_ros/msg/GroundPosition")(
            x=float(ground.x) if ground is not None else 0.0,
            y=float(ground.y) if ground is not None else 0.0,
            sigma=float(ground.sigma) if ground is not None else 0.0,
        ),
        visibility=float(detection.visibility),
        has_heading=detection.heading is not None,
        heading=0.0 if detection.heading is None else float(detection.heading),
    )


def detection_from_message(message: Any) -> Detection:
    """The detection of a ``Detection``."""
    ground = message.ground
    return Detection(
        box=box_from_message(message.box),
        confidence=float(message.confidence),
        actions={str(item.action): float(item.probability) for item in message.actions},
        appearance=np.array(message.appearance, dtype=np.float32),
        ground=(
            GroundPosition(float(ground.x), float(ground.y), float(ground.sigma))
            if message.has_ground
            else None
        ),
        visibility=float(message.visibility),
        heading=float(message.heading) if message.has_heading else None,
    )
