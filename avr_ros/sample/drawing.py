"""Drawing on the panorama: the view of a point, shaded shapes, and the canvas with its ids.

A view is measured in *angular* coordinates around a person's azimuth: a to the right in radians,
b up as the tangent of the elevation. A length r at distance rho spans r / rho in both, so that
shapes keep their proportions here; only pixels are not square (598 per radian against 483 per
unit of tangent).

Pixel i covers [i, i + 1): a position in continuous pixels is half a pixel more than OpenCV's.

Shapes are collected in a `Sketchbook` first and projected all at once, because a frame holds
thousands of small ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from avr_ros.geometry.panorama import JRDB_CYLINDER, TWO_PI

FloatArray = NDArray[np.float64]
ByteArray = NDArray[np.uint8]
IntArray = NDArray[np.int32]
Tone = tuple[float, float, float]

FRACTION_BITS: Final = 4
"""OpenCV draws at 1/16 of a pixel."""
UNIT: Final = 1 << FRACTION_BITS

BODY: Final = 0
"""Ink of a body: visible, and part of the person's outline."""
DETAIL: Final = 1
"""Ink within a body's outline."""
CARRIED: Final = 2
"""Ink of a thing that a person carries or rides: hides others, is not the person."""

_NO_POINTS: Final = np.zeros((0, 2), np.int32)


@dataclass(slots=True)
class Ink:
    """One filled convex polygon: points (n, 2) in 1/16 px (OpenCV's centres), colour, kind."""

    colour: Tone
    kind: int
    points: IntArray


@dataclass(slots=True)
class Part:
    """Inks that are painted together, at a distance."""

    depth: float
    inks: list[Ink]


@dataclass
class Light:
    """Light where something stands: ``direction`` towards the sun in the label frame (unit),
    direct and diffuse strength, and a (blue, green, red) tint."""

    direction: FloatArray
    sun: float
    ambient: float
    tint: tuple[float, float, float]


def tone(colour: Tone, level: float, light: Light) -> Tone:
    """A colour under a brightness of at least 0, as a pixel holds it."""
    tint = light.tint
    return (
        min(colour[0] * level * tint[0], 255.0),
        min(colour[1] * level * tint[1], 255.0),
        min(colour[2] * level * tint[2], 255.0),
    )


def angular(points: FloatArray, azimuth: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Angular coordinates (..., 2) and ground distances (...) of label-frame points (..., 3).

    ``azimuth`` broadcasts against the points' leading axes.
    """
    x, y = points[..., 0], points[..., 1]
    offset = np.arctan2(y, x) - azimuth
    offset -= TWO_PI * np.round(offset / TWO_PI)
    distance = np.maximum(np.sqrt(x * x + y * y), 0.05)
    result = np.empty((*offset.shape, 2))
    result[..., 0] = -offset
    result[..., 1] = points[..., 2] / distance
    return result, distance


def ink_points(angles: FloatArray, azimuth: FloatArray) -> IntArray:
    """Polygon points in 1/16 px for OpenCV; columns are not wrapped."""
    column = JRDB_CYLINDER.width * (0.5 - azimuth / TWO_PI) - 0.5
    result = np.empty(angles.shape)
    result[..., 0] = column + JRDB_CYLINDER.columns_per_radian * angles[..., 0]
    result[..., 1] = (
        JRDB_CYLINDER.principal_row - 0.5 - JRDB_CYLINDER.vertical_focal_length * angles[..., 1]
    )
    result *= UNIT
    return np.rint(result).astype(np.int32)


def convex(points: IntArray) -> IntArray:
    """Convex outline of points (n, 2)."""
    return np.asarray(cv2.convexHull(points), dtype=np.int32)[:, 0]


class Sketchbook:
    """Shapes in the label frame, waiting to be projected around the azimuths of their owners."""

    def __init__(self) -> None:
        self._hulls: list[tuple[Ink, int]] = []
        self._points: list[FloatArray] = []
        self._azimuths: list[float] = []
        self._bars: list[Ink] = []
        self._bar_ends: list[tuple[FloatArray, FloatArray, float, float]] = []

    def outline(self, azimuth: float, points: FloatArray, colour: Tone, kind: int) -> Ink:
        """The convex outline of points (n, 3)."""
        ink = Ink(colour, kind, _NO_POINTS)
        self._hulls.append((ink, len(points)))
        self._points.append(points)
        self._azimuths.append(azimuth)
        return ink

    def bar(
        self,
        azimuth: float,
        ends: tuple[FloatArray, FloatArray],
        radius: float,
        colour: Tone,
        kind: int = CARRIED,
    ) -> Ink:
        """A thin rod of a radius in metres, as a quadrilateral."""
        ink = Ink(colour, kind, _NO_POINTS)
        self._bars.append(ink)
        self._bar_ends.append((ends[0], ends[1], radius, azimuth))
        return ink

    def block(  # noqa: PLR0913
        self,
        azimuth: float,
        centre: FloatArray,
        axes: FloatArray,
        half: tuple[float, float, float],
        colour: Tone,
        light: Light,
        kind: int = CARRIED,
    ) -> list[Ink]:
        """A box with unit ``axes`` (3, 3, one a row) and half sizes: its faces in sight."""
        spans = axes * np.asarray(half)[:, None]
        corners = centre + _BOX_SIGNS @ spans
        reach = (axes @ centre).tolist()
        suns = (axes @ light.direction).tolist()
        result = []
        for axis, sign, face in _BOX_FACES:
            if sign * reach[axis] + half[axis] >= 0.0:
                continue
            level = light.ambient * (0.82 + 0.18 * sign * float(axes[axis, 2]))
            level += light.sun * max(sign * suns[axis], 0.0)
            result.append(self.outline(azimuth, corners[face], tone(colour, level, light), kind))
        return result

    def project(self) -> None:
        """Fill in the points of all inks."""
        if self._points:
            counts = [count for _, count in self._hulls]
            azimuths = np.repeat(np.asarray(self._azimuths), counts)
            points = np.concatenate(self._points)
            ink = ink_points(angular(points, azimuths)[0], azimuths)
            start = 0
            for target, count in self._hulls:
                target.points = convex(ink[start : start + count])
                start += count
        if self._bars:
            starts = np.stack([entry[0] for entry in self._bar_ends])
            ends = np.stack([entry[1] for entry in self._bar_ends])
            radius = np.asarray([entry[2] for entry in self._bar_ends])
            azimuths = np.asarray([entry[3] for entry in self._bar_ends])
            first, near = angular(starts, azimuths)
            last, far = angular(ends, azimuths)
            axis = last - first
            axis /= np.maximum(np.linalg.norm(axis, axis=-1, keepdims=True), 1e-9)
            across = np.stack([-axis[:, 1], axis[:, 0]], axis=-1)
            # Nothing gets thinner than half a pixel, or it would flicker.
            wide_0 = np.maximum(radius / near, 0.0009)[:, None] * across
            wide_1 = np.maximum(radius / far, 0.0009)[:, None] * across
            corners = np.stack(
                [first + wide_0, last + wide_1, last - wide_1, first - wide_0], axis=1
            )
            ink = ink_points(corners, azimuths[:, None])
            for target, quad in zip(self._bars, ink, strict=True):
                target.points = quad


_BOX_SIGNS: Final = np.array(
    [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64
)
_BOX_FACES: Final = (
    (0, -1.0, [0, 1, 3, 2]),
    (0, 1.0, [4, 6, 7, 5]),
    (1, -1.0, [0, 4, 5, 1]),
    (1, 1.0, [2, 3, 7, 6]),
    (2, -1.0, [0, 2, 6, 4]),
    (2, 1.0, [1, 5, 7, 3]),
)


class Canvas:
    """The picture being painted and, beside it, who is seen in each pixel (0: nobody)."""

    def __init__(self, image: ByteArray) -> None:
        self.image = image
        self.height, self.width = image.shape[:2]
        self.ids: ByteArray = np.zeros(image.shape[:2], dtype=np.uint8)

    def shifts(self, first: float, last: float) -> list[int]:
        """Whole turns in pixels after which columns first..last of a shape meet the picture."""
        if first >= 0 and last < self.width:
            return [0]
        return [
            turn * self.width
            for turn in (-1, 0, 1)
            if last + turn * self.width >= 0 and first + turn * self.width < self.width
        ]

    def fill(self, shapes: list[tuple[IntArray, Tone]], first: float, last: float) -> None:
        """Fill convex polygons within columns first..last of the picture."""
        for shift in self.shifts(first - 1, last + 1):
            move = np.array([shift << FRACTION_BITS, 0], np.int32)
            for points, colour in shapes:
                moved = points + move if shift else points
                cv2.fillConvexPoly(self.image, moved, colour, cv2.LINE_AA, FRACTION_BITS)

    def hide(self, shapes: list[tuple[IntArray, Tone]], first: float, last: float) -> None:
        """Nobody is seen any more where these polygons are."""
        for shift in self.shifts(first - 1, last + 1):
            move = np.array([shift << FRACTION_BITS, 0], np.int32)
            for points, _ in shapes:
                moved = points + move if shift else points
                cv2.fillConvexPoly(self.ids, moved, (0,), cv2.LINE_8, FRACTION_BITS)

    def places(
        self, column: int, row: int, width: int, height: int
    ) -> list[tuple[slice, slice, slice, slice]]:
        """Where a patch at a column that may lie a turn away meets the picture.

        Each place as rows and columns of the picture, then rows and columns of the patch.
        """
        top, bottom = max(row, 0), min(row + height, self.height)
        if bottom <= top:
            return []
        found = []
        for shift in self.shifts(column, column + width - 1):
            left, right = max(column + shift, 0), min(column + shift + width, self.width)
            if right > left:
                found.append(
                    (
                        slice(top, bottom),
                        slice(left, right),
                        slice(top - row, bottom - row),
                        slice(left - column - shift, right - column - shift),
                    )
                )
        return found

    def paste(self, patch: ByteArray, alpha: ByteArray, column: int, row: int) -> None:
        """Blend a patch (h, w, 3) into the picture by its ``alpha`` (h, w)."""
        height, width = alpha.shape
        for rows, columns, from_rows, from_columns in self.places(column, row, width, height):
            target = self.image[rows, columns]
            cover = alpha[from_rows, from_columns]
            weight = cv2.merge([cover, cover, cover])
            kept = cv2.multiply(target, cv2.bitwise_not(weight), scale=1.0 / 255.0)
            added = cv2.multiply(patch[from_rows, from_columns], weight, scale=1.0 / 255.0)
            target[:] = cv2.add(kept, added)
