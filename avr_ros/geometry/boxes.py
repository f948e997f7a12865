"""Boxes on the panorama's cylinder.

A box is (x, y, w, h) in panorama pixels, as a tuple or an array (..., 4): x in [0, W), y from the
top, w at most W, and x + w may run past the seam. Areas are in square pixels. Functions broadcast.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from avr_ros.geometry.crop import CropWindow
from avr_ros.geometry.errors import GeometryError
from avr_ros.geometry.panorama import Cylinder, FloatArray, modulo

EDGE_TOLERANCE = 1e-6
"""Pixels by which a box may pass a window's edge and still lie in it: rounding, not content."""


def normalise(box: ArrayLike, panorama_width: int) -> FloatArray:
    """Boxes (..., 4) with x reduced to [0, W).

    Raises GeometryError for values that are not finite, a negative size, or a width above W.
    """
    values = _boxes(box)
    if not np.all(np.isfinite(values)):
        raise GeometryError("a box holds a value that is not finite")
    if np.any(values[..., 2:] < 0.0):
        raise GeometryError("a box has a negative width or height")
    if np.any(values[..., 2] > panorama_width):
        raise GeometryError(f"a box is wider than the panorama's {panorama_width} px")
    result = values.copy()
    result[..., 0] = modulo(values[..., 0], panorama_width)
    return result


def crosses_seam(box: ArrayLike, panorama_width: int) -> NDArray[np.bool_]:
    """Whether normalised boxes run past the last column."""
    values = _boxes(box)
    return np.asarray(values[..., 0] + values[..., 2] > panorama_width)[()]


def area(box: ArrayLike) -> FloatArray:
    """Area in square pixels."""
    values = _boxes(box)
    return np.asarray(values[..., 2] * values[..., 3])[()]


def centre(box: ArrayLike, panorama_width: int) -> FloatArray:
    """Centres (..., 2) as column in [0, W) and row."""
    values = _boxes(box)
    column = modulo(values[..., 0] + values[..., 2] / 2, panorama_width)
    return np.stack([column, values[..., 1] + values[..., 3] / 2], axis=-1)


def centre_azimuth(box: ArrayLike, cylinder: Cylinder) -> FloatArray:
    """Azimuth in [-pi, pi) of the middle column of boxes."""
    values = _boxes(box)
    return cylinder.column_to_azimuth(values[..., 0] + values[..., 2] / 2)


def clip_rows(box: ArrayLike, panorama_height: int) -> FloatArray:
    """Boxes cut to the panorama's rows; the height is 0 where nothing is left."""
    values = _boxes(box).copy()
    top = np.clip(values[..., 1], 0.0, panorama_height)
    bottom = np.clip(values[..., 1] + values[..., 3], 0.0, panorama_height)
    values[..., 1] = top
    values[..., 3] = bottom - top
    return values


def intersection(a: ArrayLike, b: ArrayLike, panorama_width: int) -> FloatArray:
    """Common area of boxes in square pixels, exactly symmetric in a and b."""
    first = normalise(a, panorama_width)
    second = normalise(b, panorama_width)
    columns = _common_columns(
        first[..., 0], first[..., 2], second[..., 0], second[..., 2], panorama_width
    )
    rows = _common_rows(first[..., 1], first[..., 3], second[..., 1], second[..., 3])
    return np.asarray(columns * rows)[()]


def iou(a: ArrayLike, b: ArrayLike, panorama_width: int) -> FloatArray:
    """Intersection over union in [0, 1]; 0 where both boxes are empty."""
    common = intersection(a, b, panorama_width)
    union = area(a) + area(b) - common
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.asarray(common) / np.asarray(union)
    return np.where(np.asarray(union) > 0.0, np.clip(ratio, 0.0, 1.0), 0.0)[()]


def iou_matrix(a: ArrayLike, b: ArrayLike, panorama_width: int) -> FloatArray:
    """IoU of every box of a (n, 4) with every box of b (m, 4), as (n, m)."""
    rows = np.asarray(a, dtype=np.float64).reshape(-1, 4)
    columns = np.asarray(b, dtype=np.float64).reshape(-1, 4)
    return iou(rows[:, None, :], columns[None, :, :], panorama_width)


def visible_area(box: ArrayLike, window: CropWindow) -> FloatArray:
    """Area of boxes inside a window, in square panorama pixels."""
    return intersection(box, window.box, window.panorama_width)


def visible_fraction(box: ArrayLike, window: CropWindow) -> FloatArray:
    """Share in [0, 1] of boxes' area inside a window; 0 for an empty box."""
    total = np.asarray(area(box))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.asarray(visible_area(box, window)) / total
    return np.where(total > 0.0, np.clip(share, 0.0, 1.0), 0.0)[()]


def clip_to_window(box: ArrayLike, window: CropWindow) -> FloatArray | None:
    """The part of one box inside a window, as a panorama box, or None where there is none.

    A box so wide that it enters the window from both sides gives its larger part.
    """
    values = normalise(box, window.panorama_width)
    if values.shape != (4,):
        raise GeometryError(f"one box is clipped at a time, not an array of shape {values.shape}")
    top = max(float(values[1]), float(window.top))
    bottom = min(float(values[1] + values[3]), float(window.top + window.height))
    # Either the box starts inside the window, or the copy one turn earlier reaches into it.
    start = float(modulo(values[0] - window.left, window.panorama_width))
    best = (0.0, 0.0)
    for offset in (start, start - window.panorama_width):
        left = max(offset, 0.0)
        right = min(offset + float(values[2]), float(window.width))
        if right - left > best[1] - best[0]:
            best = (left, right)
    if best[1] <= best[0] or bottom <= top:
        return None
    x = float(modulo(window.left + best[0], window.panorama_width))
    return np.array([x, top, best[1] - best[0], bottom - top])


def contains(window: CropWindow, box: ArrayLike) -> NDArray[np.bool_]:
    """Whether boxes lie wholly inside a window, to `EDGE_TOLERANCE`."""
    values = normalise(box, window.panorama_width)
    # Shifted by the tolerance before the reduction, so that a box that starts a rounding error
    # left of the window is not taken for one that starts a whole turn to its right.
    start = modulo(values[..., 0] - window.left + EDGE_TOLERANCE, window.panorama_width)
    return np.asarray(
        (start + values[..., 2] <= window.width + 2 * EDGE_TOLERANCE)
        & (values[..., 1] >= window.top - EDGE_TOLERANCE)
        & (values[..., 1] + values[..., 3] <= window.top + window.height + EDGE_TOLERANCE)
    )[()]


def _common_columns(
    ax: FloatArray, aw: FloatArray, bx: FloatArray, bw: FloatArray, panorama_width: int
) -> FloatArray:
    """Common length of two arcs of columns; may consist of two pieces.

    Written with the distance of the starts, so that swapping the arcs changes no bit.
    """
    swap = bx < ax
    distance = np.abs(bx - ax)
    first = np.where(swap, bw, aw)
    second = np.where(swap, aw, bw)
    ahead = np.maximum(np.minimum(first - distance, second), 0.0)
    around = np.maximum(np.minimum(distance + second - panorama_width, first), 0.0)
    return np.asarray(ahead + around)


def _common_rows(ay: FloatArray, ah: FloatArray, by: FloatArray, bh: FloatArray) -> FloatArray:
    """Common length of two ranges of rows."""
    swap = by < ay
    first = np.where(swap, bh, ah)
    second = np.where(swap, ah, bh)
    return np.asarray(np.maximum(np.minimum(first - np.abs(by - ay), second), 0.0))


def _boxes(box: ArrayLike) -> FloatArray:
    values = np.asarray(box, dtype=np.float64)
    if values.ndim < 1 or values.shape[-1] != 4:
        raise GeometryError(f"boxes must have shape (..., 4), not {values.shape}")
    return values
