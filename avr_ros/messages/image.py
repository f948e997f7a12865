"""Pictures as ``sensor_msgs`` images."""

from array import array
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from avr_ros.messages.arrays import byte_array, to_bytes
from avr_ros.messages.message_types import MessageContentError, MessageTypes
from avr_ros.messages.time import header_message

ENCODING: Final = "bgr8"
"""The encoding of the raw pictures that this package sends."""


def compressed_image_message(jpeg: bytes, stamp: int, frame: str, types: MessageTypes) -> Any:
    """A ``sensor_msgs/CompressedImage`` of a JPEG file's bytes; empty bytes leave it empty.

    ``stamp`` is in nanoseconds since the epoch.
    """
    message = types("sensor_msgs/msg/CompressedImage")(
        header=header_message(stamp, frame, types), format="", data=byte_array(b"")
    )
    return fill_compressed_image(message, jpeg) if jpeg else message


def fill_compressed_image(message: Any, jpeg: bytes) -> Any:
    """Set format and data of a ``sensor_msgs/CompressedImage`` and return it."""
    message.format = "jpeg"
    message.data = byte_array(jpeg)
    return message


def image_message(
    pixels: npt.NDArray[np.uint8] | None, stamp: int, frame: str, types: MessageTypes
) -> Any:
    """A ``sensor_msgs/Image`` in bgr8 of pixels (height, width, 3); empty where there are none."""
    message = types("sensor_msgs/msg/Image")(
        header=header_message(stamp, frame, types),
        height=0,
        width=0,
        encoding="",
        is_bigendian=0,
        step=0,
        data=byte_array(b""),
    )
    return fill_image(message, pixels) if pixels is not None else message


def fill_image(
    message: Any, pixels: npt.NDArray[np.uint8], buffer: "array[int] | None" = None
) -> Any:
    """Set everything but the header of a ``sensor_msgs/Image`` in bgr8 and return it.

    ``buffer``, where it has the pixels' size, becomes the message's data and is overwritten: for a
    message that is sent before the next one is filled. The data are set last and by name: rclpy's
    constructors would copy them once more.
    """
    message.height, message.width = pixels.shape[:2]
    message.encoding = ENCODING
    message.step = 3 * message.width
    if buffer is None or len(buffer) != pixels.size:
        message.data = byte_array(pixels)
    else:
        np.frombuffer(buffer, np.uint8).reshape(pixels.shape)[...] = pixels
        message.data = buffer
    return message


def pixels_from_message(message: Any) -> npt.NDArray[np.uint8]:
    """The pixels (height, width, 3), blue-green-red, of a ``sensor_msgs/Image`` in bgr8.

    Raises MessageContentError for another encoding and for data that is too short.
    """
    height, width, step = int(message.height), int(message.width), int(message.step)
    if message.encoding != ENCODING:
        raise MessageContentError(f"image encoding is {message.encoding!r}, not {ENCODING}")
    if width < 1 or height < 1 or step < 3 * width:
        raise MessageContentError(f"image of {width}x{height} px has rows of {step} bytes")
    data = np.frombuffer(message.data, dtype=np.uint8)
    if data.size < step * height:
        raise MessageContentError(
            f"image of {height} rows of {step} bytes holds {data.size} bytes only"
        )
    rows = data[: step * height].reshape(height, step)[:, : 3 * width]
    return np.array(rows.reshape(height, width, 3), dtype=np.uint8, order="C")


def jpeg_from_message(message: Any) -> bytes:
    """The file's bytes of a ``sensor_msgs/CompressedImage``."""
    return to_bytes(message.data)
