"""Pictures as ``sensor_msgs`` images."""

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
    return types("sensor_msgs/msg/CompressedImage")(
        header=header_message(stamp, frame, types),
        format="jpeg" if jpeg else "",
        data=byte_array(jpeg),
    )


def image_message(
    pixels: npt.NDArray[np.uint8] | None, stamp: int, frame: str, types: MessageTypes
) -> Any:
    """A ``sensor_msgs/Image`` in bgr8 of pixels (height, width, 3); empty where there are none."""
    height, width = pixels.shape[:2] if pixels is not None else (0, 0)
    return types("sensor_msgs/msg/Image")(
        header=header_message(stamp, frame, types),
        height=height,
        width=width,
        encoding=ENCODING if pixels is not None else "",
        is_bigendian=0,
        step=3 * width,
        data=byte_array(np.ascontiguousarray(pixels) if pixels is not None else b""),
    )


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
