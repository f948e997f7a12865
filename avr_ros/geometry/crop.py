"""Views: square pictures cut from the panorama around an azimuth.

The default view spans 480 of 3760 columns (45.96 degrees) and every row. A narrower one spans
fewer columns and the same share of rows around the panorama's middle, enlarged linearly to the
same 480x480 pixels: it shows no more detail. Wider ones do not exist.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from avr_ros.geometry.errors import GeometryError
from avr_ros.geometry.panorama import TWO_PI, Cylinder, FloatArray, modulo

CROP_SIZE = 480
"""Width and height of every view in pixels."""

DEFAULT_FIELD_OF_VIEW = TWO_PI * 480 / 3760
"""Horizontal field of view of the default view in radians (45.96 degrees), also the widest."""

FIELD_OF_VIEW_TOLERANCE = 1e-9
"""Radians by which a field of view may pass the default one, for values read from text."""

_LATTICE = 1024.0
_SNAP = 2.0**-30


@dataclass(frozen=True)
class CropWindow:
    """The rectangle of whole panorama pixels that a view shows.

    ``left`` lies in [0, panorama_width); ``left + width`` may run past the seam.
    """

    left: int
    top: int
    width: int
    height: int
    panorama_width: int

    def __post_init__(self) -> None:
        if not 0 <= self.left < self.panorama_width:
            raise GeometryError(f"left column {self.left} is outside [0, {self.panorama_width})")
        if not 1 <= self.width <= self.panorama_width:
            raise GeometryError(f"width {self.width} is outside [1, {self.panorama_width}]")
        if self.top < 0 or self.height < 1:
            raise GeometryError(f"rows {self.top} + {self.height} are not in the panorama")

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The window as a panorama box (x, y, w, h)."""
        return (float(self.left), float(self.top), float(self.width), float(self.height))


def crop_window(
    cylinder: Cylinder, azimuth: float, field_of_view: float = DEFAULT_FIELD_OF_VIEW
) -> CropWindow:
    """The window of the view at an azimuth, both in radians.

    With u the azimuth's column and w the number of columns, the left column is
    floor(u - w/2 + 1/2) mod W. Raises GeometryError for a value that is not finite, a field of
    view wider than the default, or one so narrow that no column or row is left.
    """
    if not math.isfinite(azimuth):
        raise GeometryError(f"azimuth {azimuth} is not finite")
    if not math.isfinite(field_of_view) or field_of_view <= 0.0:
        raise GeometryError(f"field of view {field_of_view} rad must be finite and positive")
    if field_of_view > DEFAULT_FIELD_OF_VIEW + FIELD_OF_VIEW_TOLERANCE:
        raise GeometryError(
            f"field of view {field_of_view:.6f} rad is wider than {DEFAULT_FIELD_OF_VIEW:.6f}"
        )
    width = math.floor(cylinder.width * field_of_view / TWO_PI + 0.5)
    height = math.floor(cylinder.height * field_of_view / DEFAULT_FIELD_OF_VIEW + 0.5)
    if width < 1 or height < 1:
        raise GeometryError(f"field of view {field_of_view} rad leaves no pixel")
    column = cylinder.column_of(azimuth)
    left = math.floor(column - width / 2 + 0.5) % cylinder.width
    top = math.floor(cylinder.height / 2 - height / 2 + 0.5)
    return CropWindow(left, top, width, height, cylinder.width)


def cut(
    panorama: NDArray[np.uint8], window: CropWindow, size: int = CROP_SIZE
) -> NDArray[np.uint8]:
    """Cut a window out of a panorama (H, W, channels) as a contiguous (size, size, channels) copy.

    Enlargement is bilinear by OpenCV's bit-exact variant, so that every version of it gives the
    same bytes.
    """
    pixels = cut_shared(panorama, window, size)
    return pixels if pixels.flags.owndata else pixels.copy()


def cut_shared(
    panorama: NDArray[np.uint8], window: CropWindow, size: int = CROP_SIZE
) -> NDArray[np.uint8]:
    """The pixels of :func:`cut`, sharing the panorama's memory where they can.

    They do for a default view that does not cross the seam; its rows are then not contiguous. For
    whoever passes the pixels on at once and changes nothing.
    """
    if panorama.ndim != 3 or panorama.shape[1] != window.panorama_width:
        raise GeometryError(
            f"panorama of shape {panorama.shape} does not fit a window on "
            f"{window.panorama_width} columns"
        )
    bottom = window.top + window.height
    if bottom > panorama.shape[0]:
        raise GeometryError(f"window rows end at {bottom}, the panorama's at {panorama.shape[0]}")
    rows = panorama[window.top : bottom]
    right = window.left + window.width
    if right <= window.panorama_width:
        pixels = rows[:, window.left : right]
    else:
        pixels = np.concatenate(
            [rows[:, window.left :], rows[:, : right - window.panorama_width]], axis=1
        )
    if pixels.shape[:2] == (size, size):
        return pixels
    enlarged = cv2.resize(pixels, (size, size), interpolation=cv2.INTER_LINEAR_EXACT)
    return np.ascontiguousarray(enlarged.reshape(size, size, panorama.shape[2]), dtype=np.uint8)


def to_crop(box: ArrayLike, window: CropWindow, size: int = CROP_SIZE) -> FloatArray:
    """Panorama boxes (..., 4) in the view's own pixels; parts outside the view stay outside.

    Of the copies of a box around the cylinder, the one with its centre nearest to the view's is
    taken. Together with `from_crop` exact for coordinates that are multiples of 1/1024 px, else
    to a billionth of a pixel.
    """
    x, y, w, h = _split(box)
    width = window.panorama_width
    # The centre's offset from the view's, reduced to half a turn either way, selects the copy.
    offset = x + w / 2 - (window.left + window.width / 2)
    x = x - width * np.floor(offset / width + 0.5)
    horizontal = size / window.width
    vertical = size / window.height
    return np.stack(
        [
            _snap((x - window.left) * horizontal),
            _snap((y - window.top) * vertical),
            _snap(w * horizontal),
            _snap(h * vertical),
        ],
        axis=-1,
    )


def from_crop(box: ArrayLike, window: CropWindow, size: int = CROP_SIZE) -> FloatArray:
    """Boxes (..., 4) in a view's pixels as panorama boxes with x in [0, W)."""
    x, y, w, h = _split(box)
    horizontal = window.width / size
    vertical = window.height / size
    return np.stack(
        [
            modulo(_snap(x * horizontal) + window.left, window.panorama_width),
            _snap(y * vertical) + window.top,
            _snap(w * horizontal),
            _snap(h * vertical),
        ],
        axis=-1,
    )


def _split(box: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    values = np.asarray(box, dtype=np.float64)
    if values.ndim < 1 or values.shape[-1] != 4:
        raise GeometryError(f"boxes must have shape (..., 4), not {values.shape}")
    return values[..., 0], values[..., 1], values[..., 2], values[..., 3]


def _snap(value: FloatArray) -> FloatArray:
    """Undo the rounding of a scale on pixel coordinates that are multiples of 1/1024."""
    nearest = np.round(value * _LATTICE) / _LATTICE
    return np.where(np.abs(value - nearest) < _SNAP, nearest, value)
