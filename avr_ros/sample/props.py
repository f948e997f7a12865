"""Drawing the things that stand in a scene: plain boxes and textured panels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from avr_ros.geometry.panorama import GROUND_HEIGHT, JRDB_CYLINDER, TWO_PI
from avr_ros.sample.backdrop import Far
from avr_ros.sample.drawing import UNIT, ByteArray, Canvas, FloatArray, IntArray, Tone
from avr_ros.sample.scene import Panel, Scene

_WIDTH: Final = JRDB_CYLINDER.width
_ROW_0: Final = JRDB_CYLINDER.principal_row
_FOCAL: Final = JRDB_CYLINDER.vertical_focal_length
_PER_RADIAN: Final = JRDB_CYLINDER.columns_per_radian
_SIGNS: Final = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
_FACES: Final = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [1, 5, 7, 3]])
_NORMALS: Final = np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, 1]], np.float64)
MAX_DISTANCE: Final = 45.0


@dataclass
class Drawable:
    """Something to paint at a distance: polygons, or a patch with alpha.

    ``first`` and ``last`` are its columns in continuous pixels, not wrapped. ``tall`` things can
    stand behind a wall and reach over it.
    """

    depth: float
    first: float
    last: float
    polygons: list[tuple[IntArray, Tone]]
    patch: ByteArray | None = None
    alpha: ByteArray | None = None
    row: int = 0

    @property
    def tall(self) -> bool:
        """Whether a wall may hide only a part of it."""
        return self.patch is not None

    def hide(self, canvas: Canvas) -> None:
        """Hide the people behind."""
        if self.polygons:
            canvas.hide(self.polygons, self.first, self.last)
        if self.alpha is not None:
            height, width = self.alpha.shape
            for place in canvas.places(int(self.first), self.row, width, height):
                canvas.ids[place[:2]][self.alpha[place[2:]] > 127] = 0

    def paint(self, canvas: Canvas) -> None:
        """Paint it."""
        if self.polygons:
            canvas.fill(self.polygons, self.first, self.last)
        if self.patch is not None and self.alpha is not None:
            canvas.paste(self.patch, self.alpha, int(self.first), self.row)


class Props:
    """All solids and panels of a scene, prepared for drawing from any pose."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        style = scene.style
        solids = scene.solids
        count = len(solids)
        self._corners = np.zeros((count, 8, 3))
        self._normals = np.zeros((count, 5, 3))
        self._centres = np.zeros((count, 5, 3))
        self._middles = np.asarray([s.centre for s in solids]).reshape(count, 3)
        self._farther = np.asarray([s.farther for s in solids])
        colours = np.asarray([s.colour for s in solids], np.float64).reshape(count, 3)
        for index, solid in enumerate(solids):
            cosine, sine = np.cos(solid.heading), np.sin(solid.heading)
            turn = np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])
            half = np.asarray(solid.half)
            self._corners[index] = np.asarray(solid.centre) + (_SIGNS * half) @ turn
            self._normals[index] = _NORMALS @ turn
            self._centres[index] = np.asarray(solid.centre) + (_NORMALS * half) @ turn
        lit = np.asarray([scene.lit_at(s.centre[0], s.centre[1]) for s in solids])
        ambient = style.lamp_ambient * 0.8 if scene.indoor else style.ambient
        sun = 0.25 if scene.indoor else style.sun
        level = ambient * (0.82 + 0.18 * self._normals[..., 2]) + sun * lit[:, None] * np.maximum(
            self._normals @ scene.sun, 0.0
        )
        tones = colours[:, None] * level[..., None] * np.asarray(style.tint)
        self._tones: list[list[Tone]] = [
            [(float(t[0]), float(t[1]), float(t[2])) for t in faces]
            for faces in np.clip(tones, 0, 255)
        ]
        self._thin = np.asarray([max(s.half[0], s.half[1]) < 0.03 for s in solids], dtype=bool)
        self._pyramids = [_mip(panel.texture) for panel in scene.panels]
        self._panel_light = [self._light_of(panel, ambient, sun) for panel in scene.panels]

    def _light_of(self, panel: Panel, ambient: float, sun: float) -> tuple[FloatArray, FloatArray]:
        """Brightness factors of a panel's left and right side."""
        tint = np.asarray(self.scene.style.tint)
        if panel.billboard:
            lit = 0.75 if not self.scene.indoor else 0.4
            level = tint * (ambient + sun * lit)
            return level, level
        along = np.asarray(panel.end) - np.asarray(panel.start)
        along = along / max(float(np.linalg.norm(along)), 1e-6)
        normal = np.array([-along[1], along[0], 0.0])
        facing = float(normal @ self.scene.sun)
        return (
            tint * (ambient + sun * max(facing, 0.0)),
            tint * (ambient + sun * max(-facing, 0.0)),
        )

    def drawables(self, pose: FloatArray, far: Far) -> list[Drawable]:
        """Everything in sight from a robot pose (x, y, yaw), in no particular order."""
        return [*self._solids(pose, far), *self._panels(pose, far)]

    def _solids(self, pose: FloatArray, far: Far) -> list[Drawable]:
        if not len(self._corners):
            return []
        x, y, yaw = (float(v) for v in pose)
        eye = np.array([x, y, -GROUND_HEIGHT])
        offset = self._corners[..., :2] - (x, y)
        distance = np.maximum(np.hypot(offset[..., 0], offset[..., 1]), 0.05)
        bearing = np.arctan2(offset[..., 1], offset[..., 0]) - yaw
        # Corners of one solid stay together across the seam.
        reference = bearing[:, :1]
        bearing -= TWO_PI * np.round((bearing - reference) / TWO_PI)
        column = _WIDTH * (0.5 - bearing / TWO_PI)
        column -= _WIDTH * np.floor(column[:, :1] / _WIDTH)
        row = _ROW_0 - _FOCAL * (self._corners[..., 2] + GROUND_HEIGHT) / distance
        ink = np.rint((np.stack([column, row], axis=-1) - 0.5) * UNIT).astype(np.int32)
        facing = np.sum(self._normals * (self._centres - eye), axis=-1)
        seen = facing < 0.0
        # Of a thin leg one side is enough.
        best = np.argmin(facing[:, :4], axis=1)
        seen[self._thin] = False
        seen[self._thin, best[self._thin]] = True
        depth = np.hypot(self._middles[:, 0] - x, self._middles[:, 1] - y) + self._farther
        first, last = column.min(axis=1), column.max(axis=1)
        middle = (0.5 * (first + last)).astype(int) % _WIDTH
        wanted = (depth < MAX_DISTANCE) & (distance.min(axis=1) > 0.35)
        wanted &= far.distance[middle] > depth - 0.5
        faces = np.ascontiguousarray(ink[:, _FACES])
        result = []
        for index in np.flatnonzero(wanted).tolist():
            polygons = [
                (faces[index, face], self._tones[index][face])
                for face in np.flatnonzero(seen[index]).tolist()
            ]
            result.append(
                Drawable(float(depth[index]), float(first[index]), float(last[index]), polygons)
            )
        return result

    def _panels(self, pose: FloatArray, far: Far) -> list[Drawable]:
        x, y, yaw = (float(v) for v in pose)
        result = []
        for index, panel in enumerate(self.scene.panels):
            start, end = np.asarray(panel.start) - (x, y), np.asarray(panel.end) - (x, y)
            if panel.billboard:
                middle = 0.5 * (start + end)
                reach = max(float(np.hypot(*middle)), 1e-3)
                half = 0.5 * float(np.hypot(*(end - start)))
                across = np.array([-middle[1], middle[0]]) / reach * half
                start, end = middle + across, middle - across
            drawable = self._panel(index, panel, start, end, yaw, far)
            if drawable is not None:
                result.append(drawable)
        return result

    def _panel(
        self,
        index: int,
        panel: Panel,
        start: FloatArray,
        end: FloatArray,
        yaw: float,
        far: Far,
    ) -> Drawable | None:
        middle = 0.5 * (start + end)
        depth = float(np.hypot(*middle))
        if depth > MAX_DISTANCE or depth < 0.3:
            return None
        span = end - start
        # The left side of start -> end is towards the robot when this is positive.
        side = float(span[0] * -start[1] - span[1] * -start[0])
        if side < 0.0 and not panel.two_sided and not panel.billboard:
            return None
        bearings = np.arctan2([start[1], end[1]], [start[0], end[0]]) - yaw
        first, second = (_WIDTH * (0.5 - b / TWO_PI) for b in bearings)
        second -= _WIDTH * np.round((second - first) / _WIDTH)
        left, right = int(np.floor(min(first, second))), int(np.ceil(max(first, second)))
        if right - left < 1 or right - left > _WIDTH // 2:
            return None
        columns = np.arange(left, right) + 0.5
        angle = TWO_PI * (0.5 - columns / _WIDTH) + yaw
        cosine, sine = np.cos(angle), np.sin(angle)
        cross = span[1] * cosine - span[0] * sine
        cross = np.where(np.abs(cross) < 1e-9, 1e-9, cross)
        reach = np.maximum((start[0] * span[1] - start[1] * span[0]) / cross, 0.05)
        share = np.clip((start[1] * cosine - start[0] * sine) / -cross, 0.0, 1.0)
        top = _ROW_0 - _FOCAL * (panel.top + GROUND_HEIGHT) / reach
        bottom = _ROW_0 - _FOCAL * (panel.bottom + GROUND_HEIGHT) / reach
        behind = columns.astype(int) % _WIDTH
        if np.all((far.distance[behind] < reach - 0.3) & (far.top[behind] <= top)):
            return None
        low = int(np.clip(np.floor(top.min()), 0, 480))
        high = int(np.clip(np.ceil(bottom.max()), 0, 480))
        if high <= low:
            return None
        pyramid = self._pyramids[index]
        length = float(np.hypot(*span))
        wanted = _PER_RADIAN / max(float(reach.min()), 0.3)
        level = int(
            np.clip(
                np.floor(np.log2(max(pyramid[0].shape[1] / length / wanted, 1.0))),
                0,
                len(pyramid) - 1,
            )
        )
        texture = pyramid[level]
        rows = np.arange(low, high) + 0.5
        per_row = texture.shape[0] / np.maximum(bottom - top, 1e-6)
        row_map = np.multiply.outer(rows.astype(np.float32), per_row.astype(np.float32))
        row_map += (-top * per_row - 0.5).astype(np.float32)
        if side > 0.0 or panel.billboard:
            share = 1.0 - share
        column_map = np.broadcast_to(
            (share * texture.shape[1] - 0.5).astype(np.float32), row_map.shape
        )
        patch = cv2.remap(
            texture,
            np.ascontiguousarray(column_map),
            row_map,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        inside = (rows[:, None] >= top) & (rows[:, None] < bottom)
        alpha = np.where(inside, patch[..., 3], 0).astype(np.uint8)
        light = self._panel_light[index][0 if side > 0.0 else 1]
        bands = cv2.split(patch)[:3]
        colour = np.asarray(
            cv2.merge(
                [
                    cv2.convertScaleAbs(band, alpha=float(level))
                    for band, level in zip(bands, light, strict=True)
                ]
            ),
            np.uint8,
        )
        return Drawable(
            depth,
            left,
            right,
            [],
            colour,
            alpha,
            low,
        )


def _mip(texture: ByteArray) -> list[ByteArray]:
    levels = [texture]
    while min(levels[-1].shape[:2]) > 24 and len(levels) < 5:
        size = (levels[-1].shape[1] // 2, levels[-1].shape[0] // 2)
        smaller = cv2.resize(levels[-1], size, interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(smaller, np.uint8))
    return levels
