"""Pictures as ``sensor_msgs`` images."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from avr_ros.messages.arrays import byte_array, to_bytes
from avr_ros.messages.message_types import MessageContentError, MessageTypes
from avr_ros.messages.time import header_message

_CHANNEL_ORDERS: Final[dict[str, tuple[int, tuple[int, int, int]]]] = {
    "bgr8": (3, (0, 1, 2)),
    "rgb8": (3, (2, 1, 0)),
    "bgra8": (4, (0, 1, 2)),
    "rgba8": (4, (2, 1, 0)),
    "mono8": (1, (0, 0, 0)),
}
"""Encodings that are read: bytes a pixel, and which of them are blue, green and red."""


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
    """A ``sensor_msgs/Image`` (bgr8) of pixels (height, width, 3); empty where there are none."""
    height, width = pixels.shape[:2] if pixels is not None else (0, 0)
    return types("sensor_msgs/msg/Image")(
        header=header_message(stamp, frame, types),
        height=height,
        width=width,
        encoding="bgr8" if pixels is not None else "",
        is_bigendian=0,
        step=3 * width,
        data=byte_array(np.ascontiguousarray(pixels) if pixels is not None else b""),
    )


def pixels_from_message(message: Any) -> npt.NDArray[np.uint8]:
    """The pixels (height, width, 3), blue-green-red, of a ``sensor_msgs/Image``.

    Raises MessageContentError for encodings other than bgr8, rgb8, bgra8, rgba8 and mono8 and for
    data that is too short.
    """
    layout = _CHANNEL_ORDERS.get(message.encoding)
    if layout is None:
        raise MessageContentError(
            f"image encoding {message.encoding!r} is not supported: "
            f"publish one of {', '.join(_CHANNEL_ORDERS)}"
        )
    channels, order = layout
    height, width, step = int(message.height), int(message.width), int(message.step)
    if width < 1 or height < 1 or step < width * channels:
        raise MessageContentError(
            f"image of {width}x{height} px with rows of {step} bytes is not {message.encoding}"
        )
    data = np.frombuffer(message.data, dtype=np.uint8)
    if data.size < step * height:
        raise MessageContentError(
            f"image of {height} rows of {step} bytes holds {data.size} bytes only"
        )
    rows = data[: step * height].reshape(height, step)[:, : width * channels]
    pixels = rows.reshape(height, width, channels)
    if order == (0, 1, 2) and channels == 3:
        return np.array(pixels, dtype=np.uint8, order="C")
    return np.ascontiguousarray(pixels[:, :, list(order)])


def jpeg_from_message(message: Any) -> bytes:
    """The file's bytes of a ``sensor_msgs/CompressedImage``."""
    return to_bytes(message.data)
