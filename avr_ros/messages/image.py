"""Pictures as ``sensor_msgs`` images."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from avr_ros.messages.arrays import byte_array, to_bytes
from avr_ros.messages.message_types import MessageContentError, MessageTypes
from avr_ros.messages.time import fill_header, header_message

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


def fill_image(message: Any, pixels: npt.NDArray[np.uint8]) -> Any:
    """Set everything but the header of a ``sensor_msgs/Image`` in bgr8 and return it."""
    message.height, message.width = pixels.shape[:2]
    message.encoding = ENCODING
    message.step = 3 * message.width
    message.data = byte_array(pixels)
    return message


class ReusedImage:
    """One ``sensor_msgs/Image`` in bgr8 for pictures that are sent one after the other.

    Pixels are copied once, into the array that the message has: rclpy's classes copy whatever
    array is assigned to a field once more.
    """

    def __init__(self, height: int, width: int, types: MessageTypes) -> None:
        """Make the message, black."""
        self._message = image_message(np.zeros((height, width, 3), dtype=np.uint8), 0, "", types)
        self._pixels = np.frombuffer(self._message.data, dtype=np.uint8).reshape(height, width, 3)

    def filled(self, pixels: npt.NDArray[np.uint8], stamp: int, frame: str) -> Any:
        """The message with pixels of its size; ``stamp`` in nanoseconds since the epoch.

        What it held before is overwritten, so that must have been sent. Raises ValueError for
        pixels of another size.
        """
        if pixels.shape != self._pixels.shape:
            raise ValueError(f"pixels of {pixels.shape} in a message of {self._pixels.shape}")
        self._pixels[...] = pixels
        fill_header(self._message.header, stamp, frame)
        return self._message


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
