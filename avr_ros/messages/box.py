"""Boxes on the panorama and crop windows."""

from typing import Any

from avr_ros.geometry.crop import CropWindow
from avr_ros.geometry.errors import GeometryError
from avr_ros.messages.message_types import MessageContentError, MessageTypes
from avr_ros.schema.box import Box


def box_message(box: Box | None, types: MessageTypes) -> Any:
    """A ``PanoramaBox``; zeros where there is none."""
    x, y, w, h = box if box is not None else (0.0, 0.0, 0.0, 0.0)
    return types("avr_ros/msg/PanoramaBox")(x=float(x), y=float(y), width=float(w), height=float(h))


def box_from_message(message: Any) -> Box:
    """The box of a ``PanoramaBox``."""
    return Box(float(message.x), float(message.y), float(message.width), float(message.height))


def crop_message(crop: CropWindow | None, types: MessageTypes) -> Any:
    """A ``sensor_msgs/RegionOfInterest``; zeros where there is no crop."""
    left, top, height, width = (
        (crop.left, crop.top, crop.height, crop.width) if crop is not None else (0, 0, 0, 0)
    )
    return types("sensor_msgs/msg/RegionOfInterest")(
        x_offset=left, y_offset=top, height=height, width=width, do_rectify=False
    )


def crop_from_message(message: Any, panorama_width: int) -> CropWindow | None:
    """The crop of a ``sensor_msgs/RegionOfInterest``, none where its width is 0.

    Raises MessageContentError where it does not fit a panorama of that width in pixels.
    """
    if message.width == 0:
        return None
    try:
        return CropWindow(
            int(message.x_offset),
            int(message.y_offset),
            int(message.width),
            int(message.height),
            panorama_width,
        )
    except GeometryError as error:
        raise MessageContentError(
            f"crop on a panorama {panorama_width} px wide: {error}; use the sender's width"
        ) from error
