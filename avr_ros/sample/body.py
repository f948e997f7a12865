"""The body: a pose as positions of pelvis, feet and hands, and the skeleton that follows from it.

Poses are authored for a body of 1.75 m and scaled. The root frame of a person has its origin on
the floor below the pelvis, x forward, y left, z up; hands are given in the torso frame, whose
origin is the base of the neck and whose axes lean and twist with the chest. Elbows and knees
follow by two-bone inverse kinematics. Everything works on arrays of n poses at once.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

PELVIS: Final = slice(0, 3)
LEAN: Final = 3
CURL: Final = 4
TWIST: Final = 5
HEAD_PITCH: Final = 6
HEAD_YAW: Final = 7
LEFT_FOOT: Final = slice(8, 11)
LEFT_FOOT_PITCH: Final = 11
RIGHT_FOOT: Final = slice(12, 15)
RIGHT_FOOT_PITCH: Final = 15
LEFT_HAND: Final = slice(16, 19)
RIGHT_HAND: Final = slice(19, 22)
LEFT_ELBOW_OUT: Final = 22
RIGHT_ELBOW_OUT: Final = 23
POSE_SIZE: Final = 24
"""A pose is a row of this many numbers; metres and radians. ``LEAN`` tilts the spine forward,
``CURL`` bends the chest further, ``TWIST`` turns the shoulders left; head angles are relative to
the heading (pitch down, yaw left); ``ELBOW_OUT`` 0 keeps the elbow behind, 1 lifts it sideways."""

REFERENCE_STATURE: Final = 1.75
THIGH: Final = 0.44
SHIN: Final = 0.42
ANKLE_HEIGHT: Final = 0.08
UPPER_ARM: Final = 0.29
FOREARM: Final = 0.26
HAND: Final = 0.08
LOWER_SPINE: Final = 0.27
UPPER_SPINE: Final = 0.25
SHOULDER_HALF_WIDTH: Final = 0.172
HIP_HALF_WIDTH: Final = 0.095

JOINTS: Final[tuple[str, ...]] = (
    "pelvis",
    "waist",
    "neck",
    "head",
    "left_shoulder",
    "left_elbow",
    "left_wrist",
    "left_hand",
    "left_hip",
    "left_knee",
    "left_ankle",
    "left_toe",
    "right_shoulder",
    "right_elbow",
    "right_wrist",
    "right_hand",
    "right_hip",
    "right_knee",
    "right_ankle",
    "right_toe",
    "left_heel",
    "right_heel",
    "left_eye",
    "right_eye",
)
"""Points of the skeleton, in the order of `skeleton`'s first result."""

JOINT: Final[dict[str, int]] = {name: index for index, name in enumerate(JOINTS)}

DIRECTIONS: Final[tuple[str, ...]] = ("head_forward", "head_up", "torso_forward", "torso_left")
"""Unit vectors of the skeleton, in the order of `skeleton`'s second result."""

DIRECTION: Final[dict[str, int]] = {name: index for index, name in enumerate(DIRECTIONS)}

JRDB_KEYPOINTS: Final[tuple[str, ...]] = (
    "head",
    "right_eye",
    "left_eye",
    "right_shoulder",
    "neck",
    "left_shoulder",
    "right_elbow",
    "left_elbow",
    "pelvis",
    "right_wrist",
    "right_hip",
    "left_hip",
    "left_wrist",
    "right_knee",
    "left_knee",
    "right_ankle",
    "left_ankle",
)
"""Which joint each of JRDB-Pose's 17 keypoints is, in the file's order."""


def torso_axes(pose: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Base of the neck and the torso's forward, left and up vectors, each (n, 3), root frame."""
    lean = pose[:, LEAN]
    chest = lean + pose[:, CURL]
    zero = np.zeros_like(lean)
    lower = np.stack([np.sin(lean), zero, np.cos(lean)], axis=-1)
    up = np.stack([np.sin(chest), zero, np.cos(chest)], axis=-1)
    ahead = np.stack([np.cos(chest), zero, -np.sin(chest)], axis=-1)
    aside = np.zeros_like(up)
    aside[:, 1] = 1.0
    cosine, sine = np.cos(pose[:, TWIST])[:, None], np.sin(pose[:, TWIST])[:, None]
    forward = cosine * ahead + sine * aside
    left = cosine * aside - sine * ahead
    neck = pose[:, PELVIS] + LOWER_SPINE * lower + UPPER_SPINE * up
    return neck, forward, left, up


def set_hands(
    pose: FloatArray, left: FloatArray | None = None, right: FloatArray | None = None
) -> None:
    """Put hands (wrists) at points (n, 3) or (3,) of the root frame, in place."""
    neck, forward, aside, up = torso_axes(pose)
    for field, target in ((LEFT_HAND, left), (RIGHT_HAND, right)):
        if target is None:
            continue
        offset = np.broadcast_to(target, neck.shape) - neck
        pose[:, field] = np.stack(
            [np.sum(offset * axis, axis=-1) for axis in (forward, aside, up)], axis=-1
        )


def _bend(
    start: FloatArray, target: FloatArray, first: float, second: float, pole: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Middle and end of a two-bone chain that reaches for ``target``, bent towards ``pole``."""
    reach = target - start
    distance = np.linalg.norm(reach, axis=-1, keepdims=True)
    direction = reach / np.maximum(distance, 1e-6)
    distance = np.clip(distance, abs(first - second) + 0.02, (first + second) * 0.999)
    along = (first**2 - second**2 + distance**2) / (2.0 * distance)
    off = np.sqrt(np.maximum(first**2 - along**2, 0.0))
    across = pole - direction * np.sum(pole * direction, axis=-1, keepdims=True)
    across /= np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-6)
    return start + direction * along + across * off, start + direction * distance


def skeleton(pose: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Joints (n, 24, 3) and unit directions (n, 4, 3) of poses (n, 24), root frame, 1.75 m body."""
    count = len(pose)
    neck, forward, left, up = torso_axes(pose)
    pelvis = pose[:, PELVIS]
    lean = pose[:, LEAN]
    waist = pelvis + 0.2 * np.stack([np.sin(lean), 0.0 * lean, np.cos(lean)], axis=-1)
    joints = np.empty((count, len(JOINTS), 3))
    joints[:, JOINT["pelvis"]] = pelvis
    joints[:, JOINT["waist"]] = waist
    joints[:, JOINT["neck"]] = neck

    pitch, yaw = pose[:, HEAD_PITCH], pose[:, HEAD_YAW]
    head_forward = np.stack(
        [np.cos(pitch) * np.cos(yaw), np.cos(pitch) * np.sin(yaw), -np.sin(pitch)], axis=-1
    )
    head_up = np.stack(
        [np.sin(pitch) * np.cos(yaw), np.sin(pitch) * np.sin(yaw), np.cos(pitch)], axis=-1
    )
    head = neck + 0.055 * up + 0.125 * head_up + 0.03 * head_forward
    aside = np.cross(head_up, head_forward)
    joints[:, JOINT["head"]] = head
    joints[:, JOINT["left_eye"]] = head + 0.085 * head_forward + 0.032 * aside + 0.015 * head_up
    joints[:, JOINT["right_eye"]] = head + 0.085 * head_forward - 0.032 * aside + 0.015 * head_up

    for side, sign, hand_field, out_field, foot_field, foot_pitch in (
        ("left", 1.0, LEFT_HAND, LEFT_ELBOW_OUT, LEFT_FOOT, LEFT_FOOT_PITCH),
        ("right", -1.0, RIGHT_HAND, RIGHT_ELBOW_OUT, RIGHT_FOOT, RIGHT_FOOT_PITCH),
    ):
        shoulder = neck + sign * SHOULDER_HALF_WIDTH * left - 0.055 * up
        hand = pose[:, hand_field]
        target = neck + hand[:, :1] * forward + hand[:, 1:2] * left + hand[:, 2:] * up
        out = pose[:, out_field][:, None]
        pole = (out - 1.0) * 0.9 * forward + sign * (0.25 + 0.9 * out) * left - 0.55 * up
        elbow, wrist = _bend(shoulder, target, UPPER_ARM, FOREARM, pole)
        forearm = (wrist - elbow) / FOREARM
        joints[:, JOINT[f"{side}_shoulder"]] = shoulder
        joints[:, JOINT[f"{side}_elbow"]] = elbow
        joints[:, JOINT[f"{side}_wrist"]] = wrist
        joints[:, JOINT[f"{side}_hand"]] = wrist + HAND * forearm

        hip = pelvis.copy()
        hip[:, 1] += sign * HIP_HALF_WIDTH
        ankle_target = pose[:, foot_field]
        pole = np.zeros((count, 3))
        pole[:, 0] = 1.0
        pole[:, 1] = sign * 0.12
        pole[:, 2] = 0.3
        knee, ankle = _bend(hip, ankle_target, THIGH, SHIN, pole)
        tilt = pose[:, foot_pitch]
        toe = ankle + np.stack(
            [
                0.16 * np.cos(tilt) - 0.05 * np.sin(tilt),
                np.full(count, sign * 0.03),
                -0.16 * np.sin(tilt) - 0.05 * np.cos(tilt),
            ],
            axis=-1,
        )
        heel = ankle + np.stack(
            [
                -0.045 * np.cos(tilt) - 0.045 * np.sin(tilt),
                np.zeros(count),
                0.045 * np.sin(tilt) - 0.045 * np.cos(tilt),
            ],
            axis=-1,
        )
        joints[:, JOINT[f"{side}_hip"]] = hip
        joints[:, JOINT[f"{side}_knee"]] = knee
        joints[:, JOINT[f"{side}_ankle"]] = ankle
        joints[:, JOINT[f"{side}_toe"]] = toe
        joints[:, JOINT[f"{side}_heel"]] = heel

    directions = np.stack([head_forward, head_up, forward, left], axis=1)
    return joints, directions


def place(
    joints: FloatArray,
    directions: FloatArray,
    position: FloatArray,
    heading: FloatArray,
    stature: float,
) -> tuple[FloatArray, FloatArray]:
    """Root-frame skeletons in the world: scaled, turned by ``heading`` (n,), moved by (n, 3)."""
    cosine, sine = np.cos(heading)[:, None], np.sin(heading)[:, None]

    def turn(vectors: FloatArray) -> FloatArray:
        x, y = vectors[..., 0], vectors[..., 1]
        return np.stack([cosine * x - sine * y, sine * x + cosine * y, vectors[..., 2]], axis=-1)

    scaled = turn(joints) * (stature / REFERENCE_STATURE)
    return scaled + position[:, None, :], turn(directions)
