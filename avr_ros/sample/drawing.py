"""Drawing on the panorama: the view of a point, shaded solids, and the canvas with its ids.

A view is measured in *angular* coordinates around an azimuth: a to the right in radians, b up as
the tangent of the elevation. A length r at distance rho spans r / rho in both, so that shapes keep
their proportions here; only the canvas knows that a pixel is not square (598 px per radian
against 483 px per unit of tangent).

Pixel i covers [i, i + 1): a position in continuous pixels is half a pixel more than OpenCV's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from avr_ros.geometry.panorama import JRDB_CYLINDER, TWO_PI, Cylinder

FloatArray = NDArray[np.float64]
ByteArray = NDArray[np.uint8]
IntArray = NDArray[np.int32]

FRACTION_BITS: Final = 4
"""OpenCV draws at 1/16 of a pixel."""

BODY: Final = 0
"""Ink of a body: visible, and part of the person's outline."""
DETAIL: Final = 1
"""Ink within a body's outline."""
CARRIED: Final = 2
"""Ink of a thing that a person carries or rides: hides others, is not the person."""


@dataclass
class Ink:
    """One filled polygon: points (n, 2) in 1/16 px (OpenCV's centres), colour, kind."""

    points: IntArray
    colour: tuple[float, float, float]
    kind: int


@dataclass
class Light:
    """Light where something stands: ``direction`` towards the sun in the label frame (unit),
    direct and diffuse strength, and a (blue, green, red) tint."""

    direction: FloatArray
    sun: float
    ambient: float
    tint: FloatArray


@dataclass
class View:
    """Projection around one azimuth, so that nothing near it is torn apart by the seam."""

    azimuth: float
    cylinder: Cylinder = JRDB_CYLINDER
    column: float = field(init=False)
    right: FloatArray = field(init=False)
    toward: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        self.column = float(self.cylinder.width * (0.5 - self.azimuth / TWO_PI))
        cosine, sine = np.cos(self.azimuth), np.sin(self.azimuth)
        self.right = np.array([sine, -cosine, 0.0])
        self.toward = np.array([-cosine, -sine, 0.0])

    def angular(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Angular coordinates (..., 2) and ground distances (...) of label-frame points."""
        x, y = points[..., 0], points[..., 1]
        offset = np.arctan2(y, x) - self.azimuth
        offset = offset - TWO_PI * np.round(offset / TWO_PI)
        distance = np.maximum(np.hypot(x, y), 0.05)
        return np.stack([-offset, points[..., 2] / distance], axis=-1), distance

    def pixels(self, angular: FloatArray) -> FloatArray:
        """Continuous pixels (..., 2) of angular coordinates; columns are not wrapped."""
        result = np.empty_like(angular)
        result[..., 0] = self.column + self.cylinder.columns_per_radian * angular[..., 0]
        result[..., 1] = (
            self.cylinder.principal_row - self.cylinder.vertical_focal_length * angular[..., 1]
        )
        return result

    def ink(self, angular: FloatArray) -> IntArray:
        """Polygon points in 1/16 px for OpenCV."""
        return np.round((self.pixels(angular) - 0.5) * (1 << FRACTION_BITS)).astype(np.int32)

    def light(self, light: Light) -> FloatArray:
        """The direction of the light as (right, up, toward the camera)."""
        return np.array(
            [light.direction @ self.right, light.direction[2], light.direction @ self.toward]
        )


def shade(colour: FloatArray, brightness: FloatArray | float, tint: FloatArray) -> FloatArray:
    """Colours (..., 3) under a brightness (...), clipped to what a pixel holds."""
    value = np.asarray(brightness)[..., None] * tint * colour
    return np.clip(value, 0.0, 255.0)


def brightness(normal_up: FloatArray, normal_light: FloatArray, light: Light) -> FloatArray:
    """Brightness of a surface from its normal's upward part and its cosine to the light."""
    return light.ambient * (0.82 + 0.18 * normal_up) + light.sun * np.maximum(normal_light, 0.0)


_ARC: Final = -np.cos(np.linspace(0.0, np.pi, 13))
_ARC_DEPTH: Final = np.sqrt(np.maximum(1.0 - _ARC**2, 0.0))


def capsules(
    view: View,
    start: FloatArray,
    end: FloatArray,
    start_radius: FloatArray,
    end_radius: FloatArray,
    colours: FloatArray,
    light: Light,
    bands: int,
) -> list[list[tuple[IntArray, tuple[float, float, float]]]]:
    """Tapered round limbs (m of them), each as polygons from its outline to its bright side.

    ``start``, ``end`` (m, 3) in the label frame, radii in metres, ``colours`` (m, 3). The first
    polygon of each limb is its whole outline.
    """
    first, first_distance = view.angular(start)
    last, last_distance = view.angular(end)
    axis = last - first
    length = np.linalg.norm(axis, axis=-1, keepdims=True)
    axis = np.where(length > 1e-9, axis / np.maximum(length, 1e-9), np.array([0.0, -1.0]))
    across = np.stack([-axis[:, 1], axis[:, 0]], axis=-1)
    radius_0 = (start_radius / first_distance)[:, None, None]
    radius_1 = (end_radius / last_distance)[:, None, None]
    wide, deep = _ARC[None, :, None], _ARC_DEPTH[None, :, None]
    near_end = first[:, None] + radius_0 * (wide * across[:, None] - deep * axis[:, None])
    far_end = last[:, None] + radius_1 * (wide * across[:, None] + deep * axis[:, None])
    near_ink, far_ink = view.ink(near_end), view.ink(far_end)

    samples = len(_ARC)
    steps = np.unique(np.round(np.linspace(0, samples - 1, bands + 1)).astype(int))
    middle = 0.5 * (_ARC[steps[:-1]] + _ARC[steps[1:]])
    facing = np.sqrt(np.maximum(1.0 - middle**2, 0.0))
    sun = view.light(light)
    to_light = middle[None] * (across @ sun[:2])[:, None] + facing[None] * sun[2]
    upward = middle[None] * across[:, 1:2]
    tones = shade(colours[:, None], brightness(upward, to_light, light), light.tint)
    result = []
    for limb in range(len(start)):
        polygons = []
        for band, begin in enumerate(steps[:-1]):
            points = np.concatenate([far_ink[limb, begin:], near_ink[limb, begin:][::-1]])
            tone = tones[limb, band]
            polygons.append((points, (float(tone[0]), float(tone[1]), float(tone[2]))))
        result.append(polygons)
    return result


def hull(view: View, points: FloatArray) -> IntArray:
    """Convex outline of label-frame points (n, 3) as polygon points."""
    ink = view.ink(view.angular(points)[0])
    return np.asarray(cv2.convexHull(ink), dtype=np.int32).reshape(-1, 2)


_BOX_FACES: Final = (
    ((0, 1, 3, 2), (-1, 0, 0)),
    ((4, 6, 7, 5), (1, 0, 0)),
    ((0, 4, 5, 1), (0, -1, 0)),
    ((2, 3, 7, 6), (0, 1, 0)),
    ((0, 2, 6, 4), (0, 0, -1)),
    ((1, 5, 7, 3), (0, 0, 1)),
)
_BOX_SIGNS: Final = np.array(
    [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64
)


def block(
    view: View,
    centre: FloatArray,
    axes: FloatArray,
    half: FloatArray,
    colour: FloatArray,
    light: Light,
    kind: int = CARRIED,
) -> list[Ink]:
    """A box with unit ``axes`` (3, 3, one a row) and half sizes ``half``: its faces in sight."""
    corners = centre + (_BOX_SIGNS * half) @ axes
    ink = view.ink(view.angular(corners)[0])
    result = []
    for index, signs in _BOX_FACES:
        normal = np.asarray(signs, dtype=np.float64) @ axes
        face = centre + (np.asarray(signs) * half) @ axes
        if normal @ face >= 0.0:
            continue
        level = brightness(normal[2], np.asarray(normal @ light.direction), light)
        tone = shade(colour, level, light.tint)
        result.append(Ink(ink[list(index)], (float(tone[0]), float(tone[1]), float(tone[2])), kind))
    return result


class Canvas:
    """The picture being painted and, beside it, who is seen in each pixel (0: nobody)."""

    def __init__(self, image: ByteArray) -> None:
        self.image = image
        self.height, self.width = image.shape[:2]
        self.ids: ByteArray = np.zeros(image.shape[:2], dtype=np.uint8)
        self._period = self.width << FRACTION_BITS

    def shifts(self, first: float, last: float) -> list[int]:
        """Whole turns in pixels after which columns first..last of a shape meet the picture."""
        return [
            turn * self.width
            for turn in (-1, 0, 1)
            if last + turn * self.width >= 0 and first + turn * self.width < self.width
        ]

    def polygon(self, points: IntArray, colour: tuple[float, float, float]) -> None:
        """Fill a polygon whose columns may lie a turn away, hiding people behind it."""
        low, high = (
            int(points[:, 0].min()) >> FRACTION_BITS,
            int(points[:, 0].max()) >> FRACTION_BITS,
        )
        for shift in self.shifts(low - 1, high + 1):
            moved = (
                points if shift == 0 else points + np.array([shift << FRACTION_BITS, 0], np.int32)
            )
            cv2.fillPoly(self.image, [moved], colour, cv2.LINE_AA, FRACTION_BITS)
            cv2.fillPoly(self.ids, [moved], (0,), cv2.LINE_8, FRACTION_BITS)

    def paste(
        self, patch: ByteArray, alpha: ByteArray, column: int, row: int, opaque: ByteArray
    ) -> None:
        """Blend a patch (h, w, 3) with ``alpha`` (h, w) at a column that may lie a turn away.

        Where ``opaque`` is set, people behind are hidden.
        """
        height, width = alpha.shape
        top, bottom = max(row, 0), min(row + height, self.height)
        if bottom <= top:
            return
        for shift in self.shifts(column, column + width - 1):
            left, right = max(column + shift, 0), min(column + shift + width, self.width)
            if right <= left:
                continue
            rows = slice(top - row, bottom - row)
            columns = slice(left - column - shift, right - column - shift)
            target = self.image[top:bottom, left:right]
            cover = alpha[rows, columns]
            weight = cv2.merge([cover, cover, cover])
            kept = cv2.multiply(target, cv2.bitwise_not(weight), scale=1.0 / 255.0)
            target[:] = cv2.add(kept, cv2.multiply(patch[rows, columns], weight, scale=1.0 / 255.0))
            self.ids[top:bottom, left:right][opaque[rows, columns] > 0] = 0
