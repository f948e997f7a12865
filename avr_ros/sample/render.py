"""From a world to pictures, and what was seen of everybody in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from avr_ros.geometry.panorama import GROUND_HEIGHT, JRDB_CYLINDER, TWO_PI
from avr_ros.sample.backdrop import HORIZON, Backdrop, Far, with_shadows
from avr_ros.sample.body import JOINT, JRDB_KEYPOINTS
from avr_ros.sample.drawing import FRACTION_BITS, UNIT, Canvas
from avr_ros.sample.figures import Figure, Illustrator, mark_figure, paint_figure
from avr_ros.sample.occlusion import visible_pixels
from avr_ros.sample.props import Drawable, Props
from avr_ros.sample.scene import ByteArray, FloatArray
from avr_ros.sample.subject import Subject
from avr_ros.sample.world import Track, World
from avr_ros.schema.seeds import generator

JPEG_QUALITY: Final = 90
WALL_MARGIN: Final = 0.3
"""A wall hides what is farther away than it by more than this, metres."""

_NOISE_ROWS: Final = 64
_NOISE_COLUMNS: Final = 256
"""By how much a larger sheet of noise is moved from frame to frame, pixels."""

MAX_ANNOTATED_DISTANCE: Final = 25.0
"""Nobody farther than this (metres) is labelled."""


@dataclass
class Sight:
    """What a frame shows of one person.

    ``outline`` is (left, top, right, bottom) of the whole body in continuous pixels around the
    picture, columns not wrapped, rows not cut; ``visible`` the share of the silhouette within the
    picture that nothing hides; ``keypoints`` (17, 3) columns, rows, and JRDB-Pose's visibility.
    """

    track: Track
    outline: tuple[float, float, float, float]
    visible: float
    pixels: int
    joints: FloatArray
    keypoints: FloatArray
    distance: float


class Renderer:
    """Draws the frames of one world."""

    def __init__(self, world: World) -> None:
        self.world = world
        scene, style = world.scene, world.scene.style
        self._backdrop = Backdrop(scene)
        self._props = Props(scene)
        self._illustrator = Illustrator()
        self._still: tuple[bytes, list[Drawable]] | None = None
        rng = generator(world.seed, "sensor", world.index)
        shape = (JRDB_CYLINDER.height + _NOISE_ROWS, JRDB_CYLINDER.width + _NOISE_COLUMNS, 3)
        # Demosaicing makes noise that is alike in neighbouring pixels and in the channels.
        raw = rng.standard_normal(shape, dtype=np.float32)
        raw = 0.72 * raw + 0.9 * cv2.GaussianBlur(raw.mean(axis=2), (3, 3), 0.8)[..., None]
        raw *= style.noise / float(raw.std())
        self._brighter = np.clip(np.round(raw), 0, 255).astype(np.uint8)
        self._darker = np.clip(np.round(-raw), 0, 255).astype(np.uint8)
        self._tone = _tone_curve(style.contrast)
        columns = np.arange(JRDB_CYLINDER.width)
        # The five cameras of the rig fall off a little towards their edges.
        within = (columns % 752) / 752.0 * 2.0 - 1.0
        fall = 1.0 - style.vignette * within**2
        gain = 1.0 + 0.4 * style.vignette * rng.uniform(-1.0, 1.0, 5)[columns // 752]
        factor = np.clip(fall * gain, 0.0, 1.0)
        self._vignette = np.ascontiguousarray(
            np.broadcast_to(
                np.round(factor * 255.0).astype(np.uint8)[None, :, None],
                (JRDB_CYLINDER.height, JRDB_CYLINDER.width, 3),
            )
        )

    def frame(self, frame: int) -> tuple[ByteArray, list[Sight], NDArray[np.uint8]]:
        """Picture (480, 3760, 3), what it shows of everybody present, and who is in each pixel.

        Pixel values of the last are positions in the list plus 1, 0 for nobody.
        """
        world = self.world
        pose = world.robot[frame]
        present = [track for track in world.tracks if track.present(frame)]
        subjects = self._subjects(present, frame)
        shadows = self._shadows(subjects, pose)
        far = self._backdrop.far(pose)
        canvas = Canvas(with_shadows(far, shadows))
        things: list[tuple[float, Figure | Drawable]] = []
        figures = self._figures(subjects, pose)
        things.extend((figure.depth, figure) for figure in figures)
        for drawable in self._drawables(pose, far):
            things.append((drawable.depth, drawable))
        things.sort(key=lambda item: -item[0])
        whole = np.zeros(len(present) + 1, dtype=np.int64)
        for depth, thing in things:
            if isinstance(thing, Figure):
                whole[thing.identity] = mark_figure(canvas, thing)
                _hide_behind_walls(canvas.ids, far, depth, thing.extent[0], thing.extent[2])
            else:
                thing.hide(canvas)
        ids = canvas.ids
        seen = visible_pixels(ids, len(present))
        for depth, thing in things:
            if isinstance(thing, Figure):
                if seen[thing.identity]:
                    paint_figure(canvas, thing)
                    _restore_walls(canvas.image, far, depth, thing.extent[0], thing.extent[2])
            else:
                thing.paint(canvas)
                if thing.tall:
                    _restore_walls(canvas.image, far, depth, thing.first, thing.last)
        image = self._sensor(canvas.image, frame)
        sights: list[Sight] = []
        if not subjects:
            return image, sights, ids
        keypoints = _keypoints(subjects, ids)
        for index, (subject, track, figure) in enumerate(
            zip(subjects, present, figures, strict=True)
        ):
            distance = float(np.hypot(subject.root[0], subject.root[1]))
            pixels = int(whole[subject.identity])
            visible = float(seen[subject.identity]) / pixels if pixels else 0.0
            sights.append(
                Sight(
                    track=track,
                    outline=figure.outline,
                    visible=min(visible, 1.0),
                    pixels=int(seen[subject.identity]),
                    joints=subject.joints,
                    keypoints=keypoints[index],
                    distance=distance,
                )
            )
        return image, sights, ids

    def encoded(self) -> Iterator[tuple[bytes, list[Sight]]]:
        """All frames as JPEG files with what they show."""
        for frame in range(self.world.frames):
            image, sights, _ = self.frame(frame)
            good, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
            assert good
            yield data.tobytes(), sights

    def _subjects(self, present: list[Track], frame: int) -> list[Subject]:
        """Everybody present as the drawing needs them, identities from 1."""
        if not present:
            return []
        world = self.world
        yaw = float(world.robot[frame, 2])
        joints = world.in_label_frame(np.stack([track.joints[frame] for track in present]), frame)
        roots = world.in_label_frame(np.stack([track.root[frame] for track in present]), frame)
        directions = _turned(np.stack([track.directions[frame] for track in present]), yaw)
        result = []
        for index, track in enumerate(present):
            doing = track.doing(frame)
            result.append(
                Subject(
                    identity=index + 1,
                    appearance=track.appearance,
                    joints=joints[index],
                    directions=directions[index],
                    root=roots[index],
                    heading=float(track.heading[frame]) - yaw,
                    things=doing.things,
                    side=doing.side,
                    phase=float(track.phase[frame]),
                    sunlight=self._sunlight(track, frame),
                )
            )
        return result

    def _sunlight(self, track: Track, frame: int) -> float:
        """Share of direct light that a person gets: in the shade some still comes around."""
        if self.world.scene.indoor:
            return 1.0
        x, y = (float(v) for v in track.root[frame, :2])
        return 0.12 + 0.88 * self.world.scene.lit_at(x, y)

    def _figures(self, subjects: list[Subject], pose: FloatArray) -> list[Figure]:
        scene, style = self.world.scene, self.world.scene.style
        sun, ambient = (
            (0.22, 0.82 * style.lamp_ambient) if scene.indoor else (style.sun, style.ambient)
        )
        direction = _turned(scene.sun, float(pose[2]))
        return self._illustrator.figures(subjects, direction, sun, ambient, style.tint)

    def _drawables(self, pose: FloatArray, far: Far) -> list[Drawable]:
        key = pose.tobytes()
        if self._still is None or self._still[0] != key:
            self._still = (key, self._props.drawables(pose, far))
        return self._still[1]

    def _shadows(self, subjects: list[Subject], pose: FloatArray) -> ByteArray:
        """What people darken of the floor, half size, 255 where nothing."""
        scene, style = self.world.scene, self.world.scene.style
        rows = (JRDB_CYLINDER.height - HORIZON + 1) // 2
        sheet = np.full((rows, JRDB_CYLINDER.width // 2), 255, np.uint8)
        near = [
            s
            for s in subjects
            if s.root[2] < GROUND_HEIGHT + 0.1 and np.hypot(s.root[0], s.root[1]) < 22.0
        ]
        if not near:
            return sheet
        joints = np.stack([s.joints for s in near])
        reference = np.arctan2(joints[:, 0, 1], joints[:, 0, 0])
        sun = _turned(scene.sun, float(pose[2]))
        if not scene.indoor:
            drop = -sun[:2] / max(float(sun[2]), 0.15)
            height = joints[..., 2] - GROUND_HEIGHT
            floor = joints[..., :2] + drop * height[..., None]
            ends = np.stack([floor[:, _SHADOW_STARTS], floor[:, _SHADOW_ENDS]], axis=2)
            rings = ends[..., None, :] + _SHADOW_RADII[:, None, None, None] * _OCTAGON
            shapes = _floor_points(rings.reshape(len(near), -1, 16, 2), reference[:, None, None])
            for person, hulls in enumerate(shapes):
                level = int(255 * (1.0 - style.shadow * min(near[person].sunlight, 1.0)))
                for points in hulls:
                    _fill(sheet, points, level)
        names = ("pelvis", "left_ankle", "right_ankle")
        spots = np.stack([joints[:, JOINT[name], :2] for name in names], axis=1)
        rings = spots[:, :, None] + _CONTACT_RADII[:, None, None] * _OCTAGON
        shapes = _floor_points(rings, reference[:, None, None])
        touching = joints[:, [JOINT[name] for name in names], 2] < GROUND_HEIGHT + 0.25
        contact = np.full_like(sheet, 255)
        for which, level in enumerate(_CONTACT_LEVELS):
            for person, hulls in enumerate(shapes):
                if which == 0 or touching[person, which]:
                    _fill(contact, hulls[which], level)
        sheet = np.minimum(sheet, contact)
        return np.asarray(cv2.GaussianBlur(sheet, (0, 0), 1.6), np.uint8)

    def _sensor(self, picture: ByteArray, frame: int) -> ByteArray:
        """What the camera makes of the scene: blur, fall-off, tone curve, noise."""
        style = self.world.scene.style
        image: Any = cv2.GaussianBlur(picture, (3, 3), style.lens_blur)
        image = cv2.multiply(image, self._vignette, scale=1.0 / 255.0)
        image = cv2.LUT(image, self._tone)
        if abs(style.saturation - 1.0) > 0.08:
            image = cv2.transform(image, _saturation(style.saturation))
        rng = generator(self.world.seed, "noise", self.world.index, frame)
        row, column = int(rng.integers(_NOISE_ROWS)), int(rng.integers(_NOISE_COLUMNS))
        window = np.s_[row : row + image.shape[0], column : column + image.shape[1]]
        image = cv2.subtract(cv2.add(image, self._brighter[window]), self._darker[window])
        return np.asarray(image, np.uint8)


def _behind_walls(
    far: Far, depth: float, left: float, right: float, height: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Columns of left..right whose wall is nearer than ``depth``, and the rows that it covers."""
    columns = np.arange(int(np.floor(left)) - 1, int(np.ceil(right)) + 2) % len(far.distance)
    hidden = columns[far.distance[columns] < depth - WALL_MARGIN]
    rows = np.arange(height)[:, None] + 0.5
    return hidden, (rows >= far.top[hidden]) & (rows < far.bottom[hidden])


def _hide_behind_walls(
    ids: NDArray[np.uint8], far: Far, depth: float, left: float, right: float
) -> None:
    """Nobody who was entered so far is seen where a wall is nearer than ``depth``.

    Everything so far was at least as far away, so nothing nearer is lost.
    """
    hidden, wall = _behind_walls(far, depth, left, right, len(ids))
    if len(hidden):
        ids[:, hidden] = np.where(wall, 0, ids[:, hidden])


def _restore_walls(image: ByteArray, far: Far, depth: float, left: float, right: float) -> None:
    """Bring back the walls that are nearer than what was just painted in columns left..right."""
    hidden, wall = _behind_walls(far, depth, left, right, len(image))
    if len(hidden):
        image[:, hidden] = np.where(wall[..., None], far.image[:, hidden], image[:, hidden])


def _turned(vectors: FloatArray, yaw: float) -> FloatArray:
    """World vectors (..., 3) in axes turned left by ``yaw``."""
    cosine, sine = np.cos(yaw), np.sin(yaw)
    x, y = vectors[..., 0], vectors[..., 1]
    return np.stack([cosine * x + sine * y, cosine * y - sine * x, vectors[..., 2]], axis=-1)


def _tone_curve(contrast: float) -> ByteArray:
    values = np.arange(256) / 255.0
    curve = 0.5 + (values - 0.5) * contrast
    return np.clip(np.round(curve * 255.0), 0, 255).astype(np.uint8)


def _saturation(factor: float) -> FloatArray:
    grey = np.array([0.114, 0.587, 0.299])
    return factor * np.eye(3) + (1.0 - factor) * np.tile(grey, (3, 1))


def _floor_points(points: FloatArray, reference: FloatArray) -> NDArray[np.int32]:
    """Half-size sheet coordinates (1/16 px) of floor points (..., 2) around azimuths."""
    distance = np.maximum(np.hypot(points[..., 0], points[..., 1]), 0.4)
    offset = np.arctan2(points[..., 1], points[..., 0]) - reference
    offset -= TWO_PI * np.round(offset / TWO_PI)
    column = JRDB_CYLINDER.width * (0.5 - (reference + offset) / TWO_PI)
    below = -JRDB_CYLINDER.vertical_focal_length * GROUND_HEIGHT / distance
    row = JRDB_CYLINDER.principal_row + below
    sheet = np.stack([column / 2.0, (row - HORIZON) / 2.0], axis=-1)
    return np.rint((sheet - 0.5) * UNIT).astype(np.int32)


_TURN: Final = (JRDB_CYLINDER.width // 2) * UNIT


def _turns(hull: NDArray[np.int32]) -> list[NDArray[np.int32]]:
    """A shape of the sheet wherever it appears, whole turns away included."""
    low, high = int(hull[..., 0].min()), int(hull[..., 0].max())
    if low >= 0 and high < _TURN:
        return [hull]
    return [
        hull + np.array([shift, 0], np.int32)
        for shift in (-_TURN, 0, _TURN)
        if high + shift >= 0 and low + shift < _TURN
    ]


def _fill(sheet: ByteArray, points: NDArray[np.int32], level: int) -> None:
    for hull in _turns(np.asarray(cv2.convexHull(points), np.int32)):
        cv2.fillConvexPoly(sheet, hull, (level,), cv2.LINE_AA, FRACTION_BITS)


_SHADOW_LIMBS: Final = (
    ("pelvis", "neck", 0.16),
    ("neck", "head", 0.11),
    ("left_hip", "left_knee", 0.08),
    ("left_knee", "left_ankle", 0.06),
    ("right_hip", "right_knee", 0.08),
    ("right_knee", "right_ankle", 0.06),
    ("left_shoulder", "left_elbow", 0.06),
    ("left_elbow", "left_hand", 0.05),
    ("right_shoulder", "right_elbow", 0.06),
    ("right_elbow", "right_hand", 0.05),
)
_SHADOW_STARTS: Final = np.array([JOINT[limb[0]] for limb in _SHADOW_LIMBS])
_SHADOW_ENDS: Final = np.array([JOINT[limb[1]] for limb in _SHADOW_LIMBS])
_SHADOW_RADII: Final = np.array([limb[2] for limb in _SHADOW_LIMBS])
_OCTAGON: Final = np.stack(
    [np.cos(TWO_PI * np.arange(8) / 8), np.sin(TWO_PI * np.arange(8) / 8)], axis=-1
)
_CONTACT_RADII: Final = np.array([0.30, 0.14, 0.14])
_CONTACT_LEVELS: Final = (205, 165, 165)


_KEYPOINT_JOINTS: Final = np.array([JOINT[name] for name in JRDB_KEYPOINTS])


def _keypoints(subjects: list[Subject], ids: NDArray[np.uint8]) -> FloatArray:
    """JRDB-Pose keypoints (P, 17, 3): column in [0, W), row, and 0 outside the picture, 1 hidden,
    2 seen."""
    joints = np.stack([s.joints for s in subjects])[:, _KEYPOINT_JOINTS]
    pixels = JRDB_CYLINDER.project(joints)
    height, width = ids.shape
    inside = (pixels[..., 1] >= 0.0) & (pixels[..., 1] < height)
    rows = np.clip(pixels[..., 1], 0, height - 1).astype(int)
    owner = ids[rows, pixels[..., 0].astype(int) % width]
    seen = owner == np.asarray([s.identity for s in subjects])[:, None]
    visibility = np.where(inside, np.where(seen, 2.0, 1.0), 0.0)
    return np.concatenate([pixels, visibility[..., None]], axis=-1)
