"""Fitting a picture into a detector's input, and boxes back out of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from avr_ros.geometry.crop import CROP_SIZE, CropWindow

FloatArray = NDArray[np.float64]


class Fit(str, Enum):
    """How a picture is brought to the input's size.

    ``letterbox`` keeps its proportions and fills the rest; ``stretch`` does not; ``rows`` puts each
    row of the panorama at the same row of the input, so that a view narrower than the default one,
    which is an enlarged piece of the panorama, goes back to the panorama's scale.
    """

    LETTERBOX = "letterbox"
    STRETCH = "stretch"
    ROWS = "rows"


@dataclass(frozen=True)
class Placement:
    """Where a picture lies in an input: x_in = left + scale_x * x, y_in = top + scale_y * y.

    The picture covers ``width`` x ``height`` px of the input. Positions are continuous: 0 is the
    left edge of the first pixel, in both.
    """

    left: int
    top: int
    width: int
    height: int
    scale_x: float
    scale_y: float

    def to_input(self, corners: ArrayLike) -> FloatArray:
        """Picture boxes (..., 4) left, top, right, bottom in the input's pixels."""
        values = np.asarray(corners, np.float64)
        return values * self._scales + self._offsets

    def to_picture(self, corners: ArrayLike) -> FloatArray:
        """Input boxes (..., 4) in the picture's pixels."""
        values = np.asarray(corners, np.float64)
        return np.asarray((values - self._offsets) / self._scales)

    @property
    def _scales(self) -> FloatArray:
        return np.array([self.scale_x, self.scale_y, self.scale_x, self.scale_y])

    @property
    def _offsets(self) -> FloatArray:
        return np.array([self.left, self.top, self.left, self.top], np.float64)


def place(
    picture: tuple[int, int], size: tuple[int, int], fit: Fit, window: CropWindow | None = None
) -> Placement:
    """Where a picture of (height, width) lies in an input of ``size`` (height, width).

    The scales are those of whole pixels, so that boxes go back exactly. ``window`` is the part of
    the panorama that the picture shows; `Fit.ROWS` needs it.
    """
    high, wide = picture
    rows, columns = size
    if fit is Fit.STRETCH:
        return Placement(0, 0, columns, rows, columns / wide, rows / high)
    if fit is Fit.ROWS:
        if window is None:
            raise ValueError("the fit by rows needs the window that the picture shows")
        scale = min(rows / CROP_SIZE, 1.0)
        width = max(min(round(window.width * scale), columns), 1)
        height = max(min(round(window.height * scale), rows), 1)
        top = min(round(window.top * scale), rows - height)
        return Placement((columns - width) // 2, top, width, height, width / wide, height / high)
    scale = min(rows / high, columns / wide)
    width = max(min(round(wide * scale), columns), 1)
    height = max(min(round(high * scale), rows), 1)
    return Placement(
        (columns - width) // 2, (rows - height) // 2, width, height, width / wide, height / high
    )


_AREA_BELOW: Final = 0.999
"""Scales below this shrink, which area averaging does without aliasing."""


def fitted(
    picture: NDArray[np.uint8], placement: Placement, size: tuple[int, int], padding: int
) -> NDArray[np.uint8]:
    """The input (rows, columns, 3) with the picture in its place and ``padding`` around it."""
    rows, columns = size
    if picture.shape[:2] != (placement.height, placement.width):
        shrinks = min(placement.scale_x, placement.scale_y) < _AREA_BELOW
        way = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR_EXACT
        resized = cv2.resize(picture, (placement.width, placement.height), interpolation=way)
        picture = np.asarray(resized, np.uint8)
    if picture.shape[:2] == (rows, columns):
        return picture
    canvas = np.full((rows, columns, 3), padding, np.uint8)
    bottom, right = placement.top + placement.height, placement.left + placement.width
    canvas[placement.top : bottom, placement.left : right] = picture
    return canvas
