"""Number fields are filled with ``array.array``: rclpy looks at each element of all else."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from avr_ros.geometry.crop import CropWindow
from avr_ros.geometry.panorama import Cylinder
from avr_ros.messages.detection import detection_message
from avr_ros.messages.image import compressed_image_message, image_message
from avr_ros.messages.observation import (
    given_frame_response_message,
    observation_message,
    observe_response_message,
)
from avr_ros.messages.recording import SequenceDescription, sequence_message
from avr_ros.nodes.message_types import ros_types
from avr_ros.schema.box import Box
from avr_ros.schema.detection import Detection
from avr_ros.schema.observation import (
    GivenFrame,
    GivenFrameResponse,
    Observation,
    ObserveResponse,
    ObserveStatus,
)

TYPECODES = {
    "sequence<uint8>": "B",
    "sequence<int64>": "q",
    "sequence<double>": "d",
    "sequence<float>": "f",
}


class CheckedTypes:
    """rclpy's classes, with a look at what their array fields are filled with."""

    def __init__(self) -> None:
        self.filled: list[str] = []

    def __call__(self, name: str, /) -> Callable[..., Any]:
        made: Any = ros_types(name)

        def make(**fields: Any) -> Any:
            declared = made.get_fields_and_field_types()
            assert set(fields) == set(declared), f"{name}: every field is set"
            for field, value in fields.items():
                code = TYPECODES.get(declared[field])
                if code is not None:
                    assert isinstance(value, array), f"{name}.{field} is {type(value).__name__}"
                    assert value.typecode == code, f"{name}.{field}"
                    self.filled.append(f"{name}.{field}")
            return made(**fields)

        return make


def _observation(raw: bool) -> Observation:
    pixels = np.zeros((480, 480, 3), dtype=np.uint8)
    window = CropWindow(0, 0, 480, 480, 3760)
    jpeg = None if raw else b"\xff\xd8"
    return Observation("e/1", "s", 3, 5, 0.0, 0.8, window, jpeg, pixels if raw else None)


@pytest.mark.parametrize("raw", [False, True])
def test_views(raw: bool) -> None:
    types = CheckedTypes()
    observation_message(_observation(raw), "camera", types)
    response = ObserveResponse(ObserveStatus.OK, "", _observation(raw), 3)
    observe_response_message(response, "camera", types)
    observe_response_message(
        ObserveResponse(ObserveStatus.TIME_NOT_FOUND, "no", None, 3), "camera", types
    )
    assert {
        "sensor_msgs/msg/CompressedImage.data",
        "sensor_msgs/msg/Image.data",
    } == set(types.filled)


def test_panoramas_and_vectors() -> None:
    types = CheckedTypes()
    frame = GivenFrame("e/given/1", "s", 1, 5, b"\xff\xd8")
    given_frame_response_message(GivenFrameResponse(ObserveStatus.OK, "", frame), "c", types)
    image_message(np.zeros((4, 6, 3), dtype=np.uint8), 0, "c", types)
    compressed_image_message(b"x", 0, "c", types)
    vector = np.ones(64, dtype=np.float32) / 8
    detection_message(Detection(Box(1, 2, 3, 4), 1.0, {}, vector, None, 1.0), types)
    sequence_message(SequenceDescription("s", np.arange(3), np.arange(0), Cylinder(), -0.9), types)
    assert len(types.filled) == 5
