"""From a world to pictures, and what was seen of everybody in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from avr_ros.geometry.panorama import GROUND_HEIGHT, JRDB_CYLINDER, TWO_PI
from avr_ros.sample.backdrop import HORIZON, Backdrop, Far
from avr_ros.sample.body import JOINT, JRDB_KEYPOINTS
from avr_ros.sample.drawing import Canvas, Light
from avr_ros.sample.figures import Figure, Subject, build_figure, draw_figure
from avr_ros.sample.occlusion import visible_pixels
from avr_ros.sample.props import Drawable, Props
from avr_ros.sample.scene import ByteArray, FloatArray
from avr_ros.sample.world import Track, World
from avr_ros.schema.seeds import generator

JPEG_QUALITY: Final = 90
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
        self._still: tuple[bytes, ByteArray, list[Drawable]] | None = None
        rng = generator(world.seed, "sensor", world.index)
        self._noise_rng = rng
        margin = 256
        shape = (JRDB_CYLINDER.height + 64, JRDB_CYLINDER.width + margin, 3)
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
        subjects = []
        for identity, track in enumerate(present):
            doing = track.doing(frame)
            joints = world.in_label_frame(track.joints[frame], frame)
            yaw = float(pose[2])
            subjects.append(
                Subject(
                    identity=identity + 1,
                    appearance=track.appearance,
                    joints=joints,
                    directions=_turned(track.directions[frame], yaw),
                    root=world.in_label_frame(track.root[frame], frame),
                    heading=float(track.heading[frame]) - yaw,
                    things=doing.things,
                    side=doing.side,
                    phase=float(track.phase[frame]),
                )
            )
        shadows = self._shadows(subjects, pose)
        far = self._backdrop.draw(pose, shadows)
        canvas = Canvas(far.image.copy())
        things: list[tuple[float, Figure | Drawable]] = []
        figures: list[Figure] = []
        for subject, track in zip(subjects, present):
            figure = build_figure(subject, self._light(track, frame, pose))
            figures.append(figure)
            things.append((figure.depth, figure))
        for drawable in self._drawables(pose):
            things.append((drawable.depth, drawable))
        things.sort(key=lambda item: -item[0])
        whole = np.zeros(len(present) + 1, dtype=np.int64)
        for depth, thing in things:
            if isinstance(thing, Figure):
                whole[thing.identity] = draw_figure(canvas, thing)
                _hide_behind_walls(canvas, far, depth, thing.outline[0], thing.outline[2])
            else:
                thing.paint(canvas)
                _hide_behind_walls(canvas, far, depth, *thing.columns())
        ids = canvas.ids
        seen = visible_pixels(ids, len(present))
        image = self._sensor(canvas.image)
        sights = []
        for subject, track, figure in zip(subjects, present, figures):
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
                    keypoints=_keypoints(subject, figure, ids),
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

    def _light(self, track: Track, frame: int, pose: FloatArray) -> Light:
        scene, style = self.world.scene, self.world.scene.style
        yaw = float(pose[2])
        direction = _turned(scene.sun, yaw)
        tint = np.asarray(style.tint)
        if scene.indoor:
            return Light(direction, 0.22, style.lamp_ambient * 0.82, tint)
        lit = scene.lit_at(float(track.root[frame, 0]), float(track.root[frame, 1]))
        return Light(direction, style.sun * (0.12 + 0.88 * lit), style.ambient, tint)

    def _drawables(self, pose: FloatArray) -> list[Drawable]:
        key = pose.tobytes()
        if self._still is None or self._still[0] != key:
            self._still = (key, np.zeros(0, np.uint8), self._props.drawables(pose))
        return self._still[2]

    def _shadows(self, subjects: list[Subject], pose: FloatArray) -> ByteArray:
        """What people darken of the floor, half size, 255 where nothing."""
        scene, style = self.world.scene, self.world.scene.style
        rows = (JRDB_CYLINDER.height - HORIZON + 1) // 2
        sheet = np.full((rows, JRDB_CYLINDER.width // 2), 255, np.uint8)
        sun = _turned(scene.sun, float(pose[2]))
        drop = -sun[:2] / max(float(sun[2]), 0.15)
        for subject in subjects:
            if (
                subject.root[2] > GROUND_HEIGHT + 0.1
                or np.hypot(subject.root[0], subject.root[1]) > 22.0
            ):
                continue
            reference = float(np.arctan2(subject.root[1], subject.root[0]))
            if not scene.indoor:
                world = self.world.robot
                del world
                _cast(sheet, subject, drop, reference, int(255 * (1.0 - style.shadow)))
            for foot in ("left_ankle", "right_ankle", "pelvis"):
                joint = subject.joints[JOINT[foot]]
                radius = 0.30 if foot == "pelvis" else 0.14
                level = 205 if foot == "pelvis" else 165
                if foot != "pelvis" and joint[2] > GROUND_HEIGHT + 0.25:
                    continue
                _spot(sheet, joint[:2], radius, reference, level)
        return cv2.GaussianBlur(sheet, (0, 0), 1.6)

    def _sensor(self, image: ByteArray) -> ByteArray:
        style = self.world.scene.style
        image = cv2.GaussianBlur(image, (3, 3), style.lens_blur)
        image = cv2.multiply(image, self._vignette, scale=1.0 / 255.0)
        image = cv2.LUT(image, self._tone)
        if abs(style.saturation - 1.0) > 0.01:
            image = cv2.transform(image, _saturation(style.saturation))
        row = int(self._noise_rng.integers(64))
        column = int(self._noise_rng.integers(256))
        window = np.s_[row : row + image.shape[0], column : column + image.shape[1]]
        image = cv2.add(image, self._brighter[window])
        return cv2.subtract(image, self._darker[window])


def _hide_behind_walls(canvas: Canvas, far: Far, depth: float, left: float, right: float) -> None:
    """Bring back the walls that are nearer than what was just painted in columns left..right.

    Everything painted so far was at least as far away, so nothing nearer is lost.
    """
    columns = np.arange(int(np.floor(left)) - 1, int(np.ceil(right)) + 2) % canvas.width
    hidden = columns[far.distance[columns] < depth - 0.3]
    if not len(hidden):
        return
    rows = np.arange(canvas.height)[:, None] + 0.5
    wall = (rows >= far.top[hidden]) & (rows < far.bottom[hidden])
    canvas.image[:, hidden] = np.where(
        wall[..., None], far.image[:, hidden], canvas.image[:, hidden]
    )
    canvas.ids[:, hidden] = np.where(wall, 0, canvas.ids[:, hidden])


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


def _floor_points(points: FloatArray, reference: float) -> NDArray[np.int32]:
    """Half-size sheet coordinates (1/16 px) of floor points (n, 2)."""
    distance = np.maximum(np.hypot(points[:, 0], points[:, 1]), 0.4)
    offset = np.arctan2(points[:, 1], points[:, 0]) - reference
    offset -= TWO_PI * np.round(offset / TWO_PI)
    column = JRDB_CYLINDER.width * (0.5 - (reference + offset) / TWO_PI)
    row = (
        JRDB_CYLINDER.principal_row - JRDB_CYLINDER.vertical_focal_length * GROUND_HEIGHT / distance
    )
    sheet = np.stack([column / 2.0, (row - HORIZON) / 2.0], axis=-1)
    return np.round((sheet - 0.5) * 16.0).astype(np.int32)


def _fill(sheet: ByteArray, points: NDArray[np.int32], level: int) -> None:
    hull = cv2.convexHull(points)
    for shift in (-1, 0, 1):
        moved = hull + np.array([shift * (JRDB_CYLINDER.width // 2) * 16, 0], np.int32)
        low, high = int(moved[..., 0].min()), int(moved[..., 0].max())
        if high >= 0 and low < sheet.shape[1] * 16:
            cv2.fillConvexPoly(sheet, moved, (level,), cv2.LINE_AA, 4)


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
_OCTAGON: Final = np.stack(
    [np.cos(TWO_PI * np.arange(8) / 8), np.sin(TWO_PI * np.arange(8) / 8)], axis=-1
)


def _cast(
    sheet: ByteArray, subject: Subject, drop: FloatArray, reference: float, level: int
) -> None:
    """The shadow of a body on the floor, limb by limb."""
    for first, second, radius in _SHADOW_LIMBS:
        ends = subject.joints[[JOINT[first], JOINT[second]]]
        height = ends[:, 2] - GROUND_HEIGHT
        floor = ends[:, :2] + drop * height[:, None]
        points = np.concatenate([floor[0] + radius * _OCTAGON, floor[1] + radius * _OCTAGON])
        _fill(sheet, _floor_points(points, reference), level)


def _spot(
    sheet: ByteArray, centre: FloatArray, radius: float, reference: float, level: int
) -> None:
    points = _floor_points(centre + radius * _OCTAGON, reference)
    hull = cv2.convexHull(points)
    for shift in (-1, 0, 1):
        moved = hull + np.array([shift * (JRDB_CYLINDER.width // 2) * 16, 0], np.int32)
        box = cv2.boundingRect(moved)
        left, right = max(box[0] // 16 - 1, 0), min((box[0] + box[2]) // 16 + 2, sheet.shape[1])
        top, bottom = max(box[1] // 16 - 1, 0), min((box[1] + box[3]) // 16 + 2, sheet.shape[0])
        if right <= left or bottom <= top:
            continue
        part = sheet[top:bottom, left:right]
        mask = np.full(part.shape, 255, np.uint8)
        cv2.fillConvexPoly(
            mask, moved - np.array([left * 16, top * 16], np.int32), (level,), cv2.LINE_AA, 4
        )
        np.minimum(part, mask, out=part)


def _keypoints(subject: Subject, figure: Figure, ids: NDArray[np.uint8]) -> FloatArray:
    """JRDB-Pose keypoints: column in [0, W), row, 0 outside the picture, 1 hidden, 2 seen."""
    joints = subject.joints[[JOINT[name] for name in JRDB_KEYPOINTS]]
    pixels = JRDB_CYLINDER.project(joints)
    result = np.zeros((len(joints), 3))
    result[:, :2] = pixels
    height, width = ids.shape
    for index, (column, row) in enumerate(pixels):
        if not 0.0 <= row < height:
            continue
        seen = ids[int(row), int(column) % width] == subject.identity
        result[index, 2] = 2.0 if seen else 1.0
    del figure
    return result
