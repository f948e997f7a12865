"""The far layers of a picture: floor, sky or ceiling, walls, and shadows on the floor.

The floor and the ceiling are planes, met by each row at one distance; walls are vertical, met by
each column at one distance. Both are pictures looked up through `cv2.remap`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from avr_ros.geometry.panorama import GROUND_HEIGHT, JRDB_CYLINDER
from avr_ros.sample.scene import SCENE_SIZE, ByteArray, FloatArray, Scene

FloatImage = NDArray[np.float32]

_WIDTH: Final = JRDB_CYLINDER.width
_HEIGHT: Final = JRDB_CYLINDER.height
_ROW_0: Final = JRDB_CYLINDER.principal_row
_FOCAL: Final = JRDB_CYLINDER.vertical_focal_length
HORIZON: Final = int(np.ceil(_ROW_0))
_STRIPS: Final = ((0.0, 4.5, 0), (4.5, 10.0, 1), (10.0, 22.0, 2), (22.0, np.inf, 3))


@dataclass
class Far:
    """The backdrop seen from one pose: the picture and, per column, the nearest wall's distance in
    metres (infinite where there is none) with its first and last row."""

    image: ByteArray
    distance: FloatArray
    top: FloatArray
    bottom: FloatArray


class Backdrop:
    """Draws what lies behind everything that stands in a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._azimuth = JRDB_CYLINDER.column_to_azimuth(np.arange(_WIDTH) + 0.5)
        self._pyramid = _pyramid(scene.ground)
        self._ceiling = _pyramid(scene.ceiling) if scene.ceiling is not None else []
        self._tops: list[int] = []
        if scene.walls:
            widest = max(wall.texture.shape[1] for wall in scene.walls)
            atlas = np.zeros((sum(w.texture.shape[0] for w in scene.walls), widest, 3), np.uint8)
            top = 0
            for wall in scene.walls:
                atlas[top : top + wall.texture.shape[0], : wall.texture.shape[1]] = wall.texture
                self._tops.append(top)
                top += wall.texture.shape[0]
            self._atlas = atlas

    def draw(self, pose: FloatArray, shadows: ByteArray | None) -> Far:
        """The backdrop seen from a robot pose (x, y, yaw); ``shadows`` (rows below the horizon at
        half size, 255 = none) darkens the floor."""
        x, y, yaw = (float(v) for v in pose)
        image = np.empty((_HEIGHT, _WIDTH, 3), np.uint8)
        direction = self._azimuth + yaw
        cosine, sine = np.cos(direction), np.sin(direction)
        self._planes(image, x, y, cosine, sine)
        if shadows is not None:
            self._darken(image, shadows)
        if not self.scene.indoor and self.scene.sky is not None:
            self._sky(image, yaw)
        if self.scene.walls:
            return self._walls(image, x, y, cosine, sine)
        nothing = np.zeros(_WIDTH)
        return Far(image, np.full(_WIDTH, np.inf), nothing, nothing)

    def _planes(
        self, image: ByteArray, x: float, y: float, cosine: FloatArray, sine: FloatArray
    ) -> None:
        rows = np.arange(HORIZON, _HEIGHT)
        distance = _FOCAL * -GROUND_HEIGHT / (rows + 0.5 - _ROW_0)
        self._plane(
            image, rows, distance, x, y, cosine, sine, self._pyramid, self.scene.ground_scale
        )
        if self.scene.ceiling is not None:
            rise = self.scene.ceiling_height + GROUND_HEIGHT
            rows = np.arange(0, HORIZON)
            distance = _FOCAL * rise / np.maximum(_ROW_0 - rows - 0.5, 0.05)
            scale = self.scene.ceiling.shape[0] / SCENE_SIZE
            self._plane(image, rows, distance, x, y, cosine, sine, self._ceiling, scale)

    def _plane(
        self,
        image: ByteArray,
        rows: NDArray[np.int64],
        distance: FloatArray,
        x: float,
        y: float,
        cosine: FloatArray,
        sine: FloatArray,
        pyramid: list[ByteArray],
        scale: float,
    ) -> None:
        for near, far, level in _STRIPS:
            chosen = np.flatnonzero((distance >= near) & (distance < far))
            if not len(chosen):
                continue
            texture = pyramid[min(level, len(pyramid) - 1)]
            factor = scale * texture.shape[0] / pyramid[0].shape[0]
            reach = np.minimum(distance[chosen], 200.0) * factor
            column = np.multiply.outer(reach, cosine).astype(np.float32)
            column += np.float32((x + SCENE_SIZE / 2) * factor - 0.5)
            row = np.multiply.outer(reach, sine).astype(np.float32)
            row += np.float32((y + SCENE_SIZE / 2) * factor - 0.5)
            first, last = rows[chosen[0]], rows[chosen[-1]] + 1
            image[first:last] = cv2.remap(
                texture, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
            )

    def _darken(self, image: ByteArray, shadows: ByteArray) -> None:
        part = image[HORIZON:]
        full = cv2.resize(shadows, (_WIDTH, part.shape[0]), interpolation=cv2.INTER_LINEAR)
        part[:] = cv2.multiply(part, cv2.merge([full, full, full]), scale=1.0 / 255.0)

    def _sky(self, image: ByteArray, yaw: float) -> None:
        sky = self.scene.sky
        assert sky is not None
        shift = round(yaw / (2.0 * np.pi) * _WIDTH) % _WIDTH
        rows = min(HORIZON, sky.shape[0])
        source = sky[sky.shape[0] - rows :]
        # A turn to the left moves everything to the right.
        image[:rows, shift:] = source[:, : _WIDTH - shift]
        image[:rows, :shift] = source[:, _WIDTH - shift :]

    def _walls(
        self, image: ByteArray, x: float, y: float, cosine: FloatArray, sine: FloatArray
    ) -> Far:
        walls = self.scene.walls
        start = np.asarray([wall.start for wall in walls]) - (x, y)
        span = np.asarray([wall.end for wall in walls]) - np.asarray([wall.start for wall in walls])
        cross = np.outer(span[:, 1], cosine) - np.outer(span[:, 0], sine)
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (start[:, 0] * span[:, 1] - start[:, 1] * span[:, 0])[:, None] / cross
            share = (np.outer(start[:, 1], cosine) - np.outer(start[:, 0], sine)) / -cross
        hit = (reach > 0.05) & (share >= 0.0) & (share <= 1.0)
        reach = np.where(hit, reach, np.inf)
        nearest = np.argmin(reach, axis=0)
        columns = np.arange(_WIDTH)
        distance = reach[nearest, columns]
        seen = np.isfinite(distance)
        if not seen.any():
            return Far(image, distance, np.zeros(_WIDTH), np.zeros(_WIDTH))
        height = np.asarray([wall.height for wall in walls])[nearest]
        texture_rows = np.asarray([wall.texture.shape[0] for wall in walls])[nearest]
        texture_columns = np.asarray([wall.texture.shape[1] for wall in walls])[nearest]
        first_row = np.asarray(self._tops)[nearest]
        where = np.where(seen, distance, 1.0)
        top = _ROW_0 - _FOCAL * (height + GROUND_HEIGHT) / where
        bottom = _ROW_0 - _FOCAL * GROUND_HEIGHT / where
        low = int(np.clip(np.floor(top[seen].min()), 0, _HEIGHT))
        high = int(np.clip(np.ceil(bottom[seen].max()) + 1, 0, _HEIGHT))
        rows = np.arange(low, high) + 0.5
        pixels_per_row = texture_rows / np.maximum(bottom - top, 1e-6)
        gain = pixels_per_row.astype(np.float32)
        offset = (first_row - top * pixels_per_row - 0.5).astype(np.float32)
        row_map = np.multiply.outer(rows.astype(np.float32), gain) + offset
        limit_low = first_row.astype(np.float32)
        limit_high = (first_row + texture_rows - 1).astype(np.float32)
        np.clip(row_map, limit_low, limit_high, out=row_map)
        column = np.clip(share[nearest, columns] * texture_columns - 0.5, 0, texture_columns - 1)
        column_map = np.broadcast_to(column.astype(np.float32), row_map.shape)
        picture = cv2.remap(
            self._atlas, np.ascontiguousarray(column_map), row_map, cv2.INTER_LINEAR
        )
        haze = 1.0 - np.exp(-self.scene.style.haze * np.maximum(where - 4.0, 0.0))
        if not self.scene.indoor:
            _blend_columns(picture, haze, np.asarray(self.scene.style.sky_horizon, np.float64))
        inside = (rows[:, None] >= top) & (rows[:, None] < bottom) & seen
        cv2.copyTo(picture, inside.astype(np.uint8), image[low:high])
        return Far(image, distance, top, bottom)


def _blend_columns(picture: ByteArray, share: FloatArray, colour: FloatArray) -> None:
    """Mix a colour into each column by its own share, in place."""
    keep = np.round((1.0 - share) * 255.0).astype(np.uint8)
    weights = np.broadcast_to(keep[None, :, None], picture.shape)
    add = np.round(share[None, :, None] * colour).astype(np.uint8)
    mixed = cv2.multiply(picture, np.ascontiguousarray(weights), scale=1.0 / 255.0)
    cv2.add(mixed, np.ascontiguousarray(np.broadcast_to(add, picture.shape)), dst=picture)


def _pyramid(texture: ByteArray) -> list[ByteArray]:
    levels = [texture]
    for _ in range(3):
        size = (levels[-1].shape[1] // 2, levels[-1].shape[0] // 2)
        levels.append(cv2.resize(levels[-1], size, interpolation=cv2.INTER_AREA))
    return levels
