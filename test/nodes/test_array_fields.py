"""Number fields are filled with ``array.array``: rclpy looks at each element of all else."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from avr_ros.srv import Observe
from sensor_msgs.msg import CompressedImage, Image

from avr_ros.geometry.crop import CropWindow
from avr_ros.geometry.panorama import Cylinder
from avr_ros.messages.detection import detection_message
from avr_ros.messages.image import (
    compressed_image_message,
    fill_compressed_image,
    fill_image,
    image_message,
)
from avr_ros.messages.observation import fill_observe_response, given_frame_response_message
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


class _Watched:
    """Stands in for a message and keeps what it is filled with."""

    def __init__(self) -> None:
        self.__dict__["data"] = None

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__[name] = value


@pytest.mark.parametrize("raw", [False, True])
def test_views(raw: bool) -> None:
    """Without field checks rclpy turns whatever it is given into an array, element by element."""
    response = Observe.Response()
    response.observation.jpeg = CompressedImage(check_fields=True)
    response.observation.raw = Image(check_fields=True)
    image = _Watched()
    if raw:
        fill_image(image, _observation(True).raw)
    else:
        fill_compressed_image(image, b"\xff\xd8")
    assert isinstance(image.data, array) and image.data.typecode == "B"
    filled = fill_observe_response(
        response, ObserveResponse(ObserveStatus.OK, "", _observation(raw), 3), "camera"
    )
    assert len(filled.observation.raw.data) == (691_200 if raw else 0)
    assert len(filled.observation.jpeg.data) == (0 if raw else 2)


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
