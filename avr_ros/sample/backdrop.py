"""The far layers of a picture: floor, sky or ceiling, walls, and shadows on the floor.

The floor and the ceiling are planes, met by each row at one distance; walls are vertical, met by
each column at one distance. Both are pictures looked up through `cv2.remap`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from avr_ros.geometry.panorama import GROUND_HEIGHT, JRDB_CYLINDER
from avr_ros.sample.scene import SCENE_SIZE, ByteArray, FloatArray, Scene

_WIDTH: Final = JRDB_CYLINDER.width
_HEIGHT: Final = JRDB_CYLINDER.height
_ROW_0: Final = JRDB_CYLINDER.principal_row
_FOCAL: Final = JRDB_CYLINDER.vertical_focal_length
HORIZON: Final = int(np.ceil(_ROW_0))
"""First row whose rays meet the floor."""
_STRIPS: Final = ((0.0, 4.5, 0), (4.5, 10.0, 1), (10.0, 22.0, 2), (22.0, np.inf, 3))
"""From which distance to which a plane is looked up in which level of its pyramid."""


@dataclass
class Far:
    """The backdrop seen from one pose: the picture and, per column, the nearest wall's distance in
    metres (infinite where there is none) with its first and last row.

    ``not_floor`` (rows from HORIZON on) is 255 where a wall covers the floor.
    """

    image: ByteArray
    distance: FloatArray
    top: FloatArray
    bottom: FloatArray
    not_floor: ByteArray


@dataclass
class _Hits:
    """Where each column meets the nearest wall."""

    seen: NDArray[np.bool_]
    wall: NDArray[np.int64]
    distance: FloatArray
    share: FloatArray
    top: FloatArray
    bottom: FloatArray


class Backdrop:
    """Draws what lies behind everything that stands in a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._azimuth = JRDB_CYLINDER.column_to_azimuth(np.arange(_WIDTH) + 0.5)
        self._pyramid = _pyramid(scene.ground)
        self._ceiling = _pyramid(scene.ceiling) if scene.ceiling is not None else []
        walls = scene.walls
        self._start = np.asarray([wall.start for wall in walls], np.float64)
        self._span = np.asarray([wall.end for wall in walls], np.float64) - self._start
        self._height = np.asarray([wall.height for wall in walls])
        self._rows = np.asarray([wall.texture.shape[0] for wall in walls])
        self._columns = np.asarray([wall.texture.shape[1] for wall in walls])
        self._tops = np.concatenate([[0], np.cumsum(self._rows)[:-1]])
        self._atlas = np.zeros((int(self._rows.sum()), int(self._columns.max()), 3), np.uint8)
        for wall, top in zip(walls, self._tops, strict=True):
            rows, columns = wall.texture.shape[:2]
            self._atlas[top : top + rows, :columns] = wall.texture
        self._last: tuple[bytes, Far] | None = None

    def far(self, pose: FloatArray) -> Far:
        """The backdrop seen from a robot pose (x, y, yaw), without people's shadows.

        Do not change its arrays: a robot that stands still sees the same ones again.
        """
        key = pose.tobytes()
        if self._last is None or self._last[0] != key:
            self._last = (key, self._draw(*(float(value) for value in pose)))
        return self._last[1]

    def _draw(self, x: float, y: float, yaw: float) -> Far:
        image = np.empty((_HEIGHT, _WIDTH, 3), np.uint8)
        direction = self._azimuth + yaw
        cosine, sine = np.cos(direction), np.sin(direction)
        hits = self._hits(x, y, cosine, sine)
        closed = bool(hits.seen.all())
        first_floor = (
            int(np.clip(np.floor(hits.bottom.min()), HORIZON, _HEIGHT)) if closed else HORIZON
        )
        last_above = int(np.clip(np.ceil(hits.top.max()), 0, HORIZON)) if closed else HORIZON
        rows = np.arange(first_floor, _HEIGHT)
        distance: NDArray[Any] = _FOCAL * -GROUND_HEIGHT / (rows + 0.5 - _ROW_0)
        scale = self.scene.ground_scale
        self._plane(image, rows, distance, (x, y), (cosine, sine), self._pyramid, scale)
        if self.scene.ceiling is not None:
            rows = np.arange(0, last_above)
            rise = self.scene.ceiling_height + GROUND_HEIGHT
            distance = _FOCAL * rise / np.maximum(_ROW_0 - rows - 0.5, 0.05)
            scale = self.scene.ceiling.shape[0] / SCENE_SIZE
            self._plane(image, rows, distance, (x, y), (cosine, sine), self._ceiling, scale)
        else:
            self._sky(image, yaw)
        self._walls(image, hits)
        covered = (np.arange(HORIZON, _HEIGHT)[:, None] + 0.5 < hits.bottom) & hits.seen
        return Far(
            image=image,
            distance=np.where(hits.seen, hits.distance, np.inf),
            top=hits.top,
            bottom=hits.bottom,
            not_floor=np.where(covered, 255, 0).astype(np.uint8),
        )

    def _plane(
        self,
        image: ByteArray,
        rows: NDArray[np.int64],
        distance: NDArray[Any],
        eye: tuple[float, float],
        ray: tuple[FloatArray, FloatArray],
        pyramid: list[ByteArray],
        scale: float,
    ) -> None:
        """Fill rows of a picture with a floor or ceiling at a distance for each row."""
        for near, beyond, level in _STRIPS:
            chosen = np.flatnonzero((distance >= near) & (distance < beyond))
            if not len(chosen):
                continue
            texture = pyramid[level]
            factor = scale * texture.shape[0] / pyramid[0].shape[0]
            reach = (np.minimum(distance[chosen], 200.0) * factor).astype(np.float32)
            maps = []
            for axis in (0, 1):
                where = np.multiply.outer(reach, ray[axis].astype(np.float32))
                where += np.float32((eye[axis] + SCENE_SIZE / 2) * factor - 0.5)
                maps.append(where)
            first, last = int(rows[chosen[0]]), int(rows[chosen[-1]]) + 1
            cv2.remap(
                texture,
                maps[0],
                maps[1],
                cv2.INTER_LINEAR,
                dst=image[first:last],
                borderMode=cv2.BORDER_REFLECT,
            )

    def _sky(self, image: ByteArray, yaw: float) -> None:
        sky = self.scene.sky
        assert sky is not None
        shift = round(yaw / (2.0 * np.pi) * _WIDTH) % _WIDTH
        rows = min(HORIZON, sky.shape[0])
        source = sky[sky.shape[0] - rows :]
        # A turn to the left moves everything to the right.
        image[:rows, shift:] = source[:, : _WIDTH - shift]
        image[:rows, :shift] = source[:, _WIDTH - shift :]

    def _hits(self, x: float, y: float, cosine: FloatArray, sine: FloatArray) -> _Hits:
        start, span = self._start - (x, y), self._span
        cross = np.outer(span[:, 1], cosine) - np.outer(span[:, 0], sine)
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (start[:, 0] * span[:, 1] - start[:, 1] * span[:, 0])[:, None] / cross
            share = (np.outer(start[:, 0], sine) - np.outer(start[:, 1], cosine)) / cross
        hit = (reach > 0.05) & (share >= 0.0) & (share <= 1.0)
        reach = np.where(hit, reach, np.inf)
        nearest = np.argmin(reach, axis=0)
        columns = np.arange(_WIDTH)
        distance = reach[nearest, columns]
        seen = np.isfinite(distance)
        where = np.where(seen, distance, 1.0)
        top = _ROW_0 - _FOCAL * (self._height[nearest] + GROUND_HEIGHT) / where
        bottom = _ROW_0 - _FOCAL * GROUND_HEIGHT / where
        return _Hits(seen, nearest, where, share[nearest, columns], top, bottom)

    def _walls(self, image: ByteArray, hits: _Hits) -> None:
        if not hits.seen.any():
            return
        top, bottom = hits.top, hits.bottom
        low = int(np.clip(np.floor(top[hits.seen].min()), 0, _HEIGHT))
        high = int(np.clip(np.ceil(bottom[hits.seen].max()) + 1, 0, _HEIGHT))
        rows = np.arange(low, high) + 0.5
        texture_rows = self._rows[hits.wall]
        first_row = self._tops[hits.wall]
        gain = texture_rows / np.maximum(bottom - top, 1e-6)
        offset = (first_row - top * gain - 0.5).astype(np.float32)
        row_map = np.multiply.outer(rows.astype(np.float32), gain.astype(np.float32))
        row_map += offset
        np.clip(
            row_map,
            first_row.astype(np.float32),
            (first_row + texture_rows - 1).astype(np.float32),
            out=row_map,
        )
        width = self._columns[hits.wall]
        column = np.clip(hits.share * width - 0.5, 0, width - 1).astype(np.float32)
        column_map = np.repeat(column[None], len(rows), axis=0)
        picture = cv2.remap(self._atlas, column_map, row_map, cv2.INTER_LINEAR)
        inside = (rows[:, None] >= top) & (rows[:, None] < bottom) & hits.seen
        cv2.copyTo(picture, inside.astype(np.uint8), image[low:high])


def with_shadows(far: Far, shadows: ByteArray) -> ByteArray:
    """A copy of the picture whose floor is darkened by ``shadows`` (half size, 255 = none)."""
    image = far.image.copy()
    part = image[HORIZON:]
    full = cv2.resize(shadows, (_WIDTH, part.shape[0]), interpolation=cv2.INTER_LINEAR)
    full = cv2.max(full, far.not_floor)
    cv2.multiply(part, cv2.merge([full, full, full]), dst=part, scale=1.0 / 255.0)
    return image


def _pyramid(texture: ByteArray) -> list[ByteArray]:
    levels = [texture]
    for _ in range(3):
        size = (levels[-1].shape[1] // 2, levels[-1].shape[0] // 2)
        smaller = cv2.resize(levels[-1], size, interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(smaller, np.uint8))
    return levels
