"""Boxes in thousandths of a view's picture, as models give them, and on the panorama."""

import numpy as np

from avr_ros.geometry import boxes
from avr_ros.geometry.crop import CropWindow, from_crop, to_crop
from avr_ros.schema.box import Box

PICTURE_UNITS = 1000
"""Width and height of every picture in the units of these boxes."""


def to_panorama(box: Box, window: CropWindow) -> Box | None:
    """The part of a picture's box that lies in the picture, on the panorama; none where empty."""
    return _box(boxes.clip_to_window(from_crop(box, window, PICTURE_UNITS), window))


def to_picture(box: Box, window: CropWindow) -> Box:
    """A panorama box in thousandths of a view's picture."""
    return Box(*(float(value) for value in to_crop(box, window, PICTURE_UNITS)))


def _box(values: object) -> Box | None:
    if values is None:
        return None
    return Box(*(float(value) for value in np.asarray(values, dtype=np.float64)))
