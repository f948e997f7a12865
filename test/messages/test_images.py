"""Pictures, arrays and what is refused."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
import pytest

from avr_ros.geometry.panorama import Cylinder
from avr_ros.messages.answer import answer_from_message, answer_message
from avr_ros.messages.arrays import byte_array, float32_array, to_bytes
from avr_ros.messages.box import crop_from_message
from avr_ros.messages.diagnostics import Level, diagnostics_message
from avr_ros.messages.image import (
    ReusedImage,
    compressed_image_message,
    image_message,
    jpeg_from_message,
    pixels_from_message,
)
from avr_ros.messages.message_types import MessageContentError
from avr_ros.messages.recording import (
    NO_STAMP,
    SequenceDescription,
    sequence_from_message,
    sequence_message,
)


def _image(types: Any, encoding: str, step: int, height: int, width: int, data: bytes) -> Any:
    message = image_message(None, 0, "", types)
    message.encoding, message.step = encoding, step
    message.height, message.width = height, width
    message.data = np.frombuffer(data, np.uint8)
    return message


def test_pixels_round_trip(types: Any) -> None:
    pixels = np.arange(4 * 5 * 3, dtype=np.uint8).reshape(4, 5, 3)
    message = image_message(pixels, 7, "camera", types)
    assert isinstance(message.data, array) and message.data.typecode == "B"
    assert (message.step, message.encoding) == (15, "bgr8")
    back = pixels_from_message(types.sent(message))
    assert np.array_equal(back, pixels)
    assert back.flags.writeable


def test_a_view_into_another_picture_is_sent_whole(types: Any) -> None:
    pixels = np.arange(4 * 10 * 3, dtype=np.uint8).reshape(4, 10, 3)[:, 2:7]
    assert np.array_equal(pixels_from_message(image_message(pixels, 0, "", types)), pixels)


def test_a_message_is_used_again_without_other_arrays(types: Any) -> None:
    panorama = np.random.default_rng(3).integers(0, 256, (48, 90, 3), dtype=np.uint8)
    picture = ReusedImage(48, 48, types)
    first = picture.filled(panorama[:, 7:55], 7, "camera")
    data = first.data
    np.testing.assert_array_equal(pixels_from_message(first), panorama[:, 7:55])
    second = picture.filled(panorama[:, 20:68], 1_000_000_008, "other")
    assert second.data is data
    assert (second.header.stamp.sec, second.header.stamp.nanosec) == (1, 8)
    back = types.sent(second)
    np.testing.assert_array_equal(pixels_from_message(back), panorama[:, 20:68])
    assert back.header.frame_id == "other"
    with pytest.raises(ValueError, match="in a message of"):
        picture.filled(panorama[:1, :48], 0, "")


def test_rows_may_be_padded(types: Any) -> None:
    message = _image(types, "bgr8", 5, 2, 1, bytes([1, 2, 3, 0, 0, 4, 5, 6, 0, 0]))
    assert pixels_from_message(message).tolist() == [[[1, 2, 3]], [[4, 5, 6]]]


@pytest.mark.parametrize(
    ("encoding", "step", "height", "width", "size"),
    [
        ("yuv422", 2, 1, 1, 2),
        ("bgr8", 3, 2, 1, 5),
        ("bgr8", 2, 1, 1, 3),
        ("bgr8", 0, 0, 0, 0),
        ("bgr8", 3, 2**31, 1, 3),
    ],
)
def test_damaged_images_are_refused(
    types: Any, encoding: str, step: int, height: int, width: int, size: int
) -> None:
    with pytest.raises(MessageContentError):
        pixels_from_message(_image(types, encoding, step, height, width, bytes(size)))


def test_jpeg_bytes(types: Any) -> None:
    message = compressed_image_message(b"\xff\xd8\0", 3, "camera", types)
    assert isinstance(message.data, array) and message.data.typecode == "B"
    assert jpeg_from_message(types.sent(message)) == b"\xff\xd8\0"
    assert compressed_image_message(b"", 0, "", types).format == ""


def test_arrays() -> None:
    assert byte_array(b"ab") == array("B", b"ab")
    assert to_bytes(byte_array(np.array([[1, 2], [3, 4]], dtype=np.uint8))) == b"\1\2\3\4"
    assert to_bytes(b"x") == b"x"
    vector = float32_array(np.array([0.5, -1.0], dtype=np.float32))
    assert (vector.typecode, list(vector)) == ("f", [0.5, -1.0])


def test_unknown_numbers_are_refused(types: Any) -> None:
    message = answer_message(None, types)
    message.mode = 9
    with pytest.raises(MessageContentError, match="mode 9"):
        answer_from_message(message)


def test_a_crop_of_a_wider_panorama_is_refused(types: Any) -> None:
    region = types("sensor_msgs/msg/RegionOfInterest")(
        x_offset=3000, y_offset=0, height=480, width=480, do_rectify=False
    )
    assert crop_from_message(region, 3760) is not None
    with pytest.raises(MessageContentError, match="2000 px wide"):
        crop_from_message(region, 2000)


def test_sequences(types: Any) -> None:
    sequence = SequenceDescription(
        name="plaza",
        frame_ids=np.array([0, 2, 5]),
        stamps_us=np.array([1_560_000_000_000_001, NO_STAMP, 1_560_000_000_200_002]),
        cylinder=Cylinder(vertical_focal_length=480.5, principal_row=200.25),
        ground_height=-0.9,
    )
    back = sequence_from_message(types.sent(sequence_message(sequence, types)))
    for name in ("name", "cylinder", "ground_height"):
        assert getattr(back, name) == getattr(sequence, name)
    assert back.frame_ids.tolist() == sequence.frame_ids.tolist()
    assert back.stamps_us.tolist() == sequence.stamps_us.tolist()


def test_without_stamps(types: Any) -> None:
    for stamps in ([], [NO_STAMP, NO_STAMP]):
        sequence = SequenceDescription(
            "plaza", np.array([0, 1]), np.array(stamps, dtype=np.int64), Cylinder(), -0.9
        )
        assert sequence_message(sequence, types).stamps == []


def test_diagnostics(types: Any) -> None:
    message = diagnostics_message("replay", Level.WARN, "slow", {"served": 3}, 5, types)
    status = message.status[0]
    assert (status.level, status.name, status.message) == (b"\1", "replay", "slow")
    assert [(item.key, item.value) for item in status.values] == [("served", "3")]
