"""Postures and gestures: what a body looks like while it does something.

A posture makes poses (n, 24) for n moments; a gesture changes the hands, head and elbows of such
poses in place. Times are in seconds, phases in cycles (1 is two steps, or one turn of a crank).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from avr_ros.sample.body import (
    CURL,
    HEAD_PITCH,
    HEAD_YAW,
    LEAN,
    LEFT_ELBOW_OUT,
    LEFT_FOOT,
    LEFT_FOOT_PITCH,
    LEFT_HAND,
    PELVIS,
    POSE_SIZE,
    RIGHT_ELBOW_OUT,
    RIGHT_FOOT,
    RIGHT_FOOT_PITCH,
    RIGHT_HAND,
    TWIST,
    FloatArray,
    set_hands,
)

METRES_PER_CYCLE: Final[dict[str, float]] = {
    "walking": 1.13,
    "running": 2.55,
    "going upstairs": 0.73,
    "going downstairs": 0.73,
    "cycling": 4.2,
    "scootering": 3.2,
}
"""Distance covered in one cycle by a body of 1.75 m."""

SEAT_HEIGHT: Final = 0.45
TABLE_HEIGHT: Final = 0.74
STAIR_RISE: Final = 0.165
STAIR_RUN: Final = 0.31


def neutral(count: int) -> FloatArray:
    """Standing upright, arms at the sides."""
    pose = np.zeros((count, POSE_SIZE))
    pose[:, PELVIS] = (0.0, 0.0, 0.935)
    pose[:, LEFT_FOOT] = (0.0, 0.10, 0.08)
    pose[:, RIGHT_FOOT] = (0.0, -0.10, 0.08)
    pose[:, LEFT_HAND] = (0.05, 0.25, -0.53)
    pose[:, RIGHT_HAND] = (0.05, -0.25, -0.53)
    return pose


def standing(time: FloatArray, variant: float) -> FloatArray:
    """Standing; ``variant`` in [0, 1) chooses how weight and feet are placed."""
    pose = neutral(len(time))
    sway = np.sin(2.0 * np.pi * (0.12 * time + variant))
    pose[:, 0] = 0.008 * sway
    pose[:, 1] = 0.02 * np.sin(2.0 * np.pi * (0.09 * time + 3.0 * variant))
    spread = 0.09 + 0.07 * variant
    pose[:, LEFT_FOOT] = (0.05 * (variant - 0.5), spread, 0.08)
    pose[:, RIGHT_FOOT] = (-0.07 * (variant - 0.5), -spread, 0.08)
    pose[:, TWIST] = 0.06 * sway
    return pose


def _step(
    phase: FloatArray, half_stride: float, stance: float, lift: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Ankle's x, its height above the stance height, and the foot's pitch over a cycle."""
    cycle = np.mod(phase, 1.0)
    on_floor = cycle < stance
    share = np.where(on_floor, cycle / stance, (cycle - stance) / (1.0 - stance))
    smooth = share * share * (3.0 - 2.0 * share)
    x = np.where(on_floor, half_stride * (1.0 - 2.0 * share), half_stride * (2.0 * smooth - 1.0))
    push_off = np.where(on_floor, np.clip((share - 0.6) / 0.4, 0.0, 1.0) ** 2, (1.0 - share) ** 2)
    z = np.where(on_floor, 0.0, lift * np.sin(np.pi * share)) + 0.07 * push_off
    strike = np.where(on_floor, np.clip(1.0 - share / 0.15, 0.0, 1.0), np.clip(share * 2 - 1, 0, 1))
    return x, z, 0.75 * push_off - 0.3 * strike


def walking(phase: FloatArray, vigour: float) -> FloatArray:
    """Walking; ``vigour`` scales the swing of the arms."""
    pose = neutral(len(phase))
    for field, pitch, hand, sign, shift in (
        (LEFT_FOOT, LEFT_FOOT_PITCH, LEFT_HAND, 1.0, 0.0),
        (RIGHT_FOOT, RIGHT_FOOT_PITCH, RIGHT_HAND, -1.0, 0.5),
    ):
        x, z, tilt = _step(phase + shift, 0.34, 0.6, 0.06)
        pose[:, field] = np.stack([x, np.full_like(x, sign * 0.07), 0.08 + z], axis=-1)
        pose[:, pitch] = tilt
        swing = -np.cos(2.0 * np.pi * (phase + shift - 0.02))
        forward = 0.06 + 0.24 * vigour * swing
        pose[:, hand] = np.stack(
            [
                forward,
                np.full_like(x, sign * 0.24),
                -0.535
                + 0.35 * np.maximum(forward, 0.0) ** 2
                + 0.12 * np.maximum(-forward, 0.0) ** 2,
            ],
            axis=-1,
        )
    pose[:, 2] = 0.912 + 0.022 * np.cos(4.0 * np.pi * (phase - 0.3))
    pose[:, LEAN] = 0.05
    pose[:, TWIST] = 0.10 * np.cos(2.0 * np.pi * phase)
    return pose


def running(phase: FloatArray, vigour: float) -> FloatArray:
    """Running: long strides, high heels, bent elbows, body leaning forward."""
    pose = neutral(len(phase))
    for field, pitch, hand, elbow, sign, shift in (
        (LEFT_FOOT, LEFT_FOOT_PITCH, LEFT_HAND, LEFT_ELBOW_OUT, 1.0, 0.0),
        (RIGHT_FOOT, RIGHT_FOOT_PITCH, RIGHT_HAND, RIGHT_ELBOW_OUT, -1.0, 0.5),
    ):
        x, z, tilt = _step(phase + shift, 0.46, 0.36, 0.30)
        cycle = np.mod(phase + shift, 1.0)
        swing_share = np.clip((cycle - 0.36) / 0.64, 0.0, 1.0)
        # The foot is carried high behind the body first and comes forward low.
        z = z + np.where(cycle > 0.36, 0.22 * np.sin(np.pi * swing_share) * (1 - swing_share), 0.0)
        pose[:, field] = np.stack([x - 0.06, np.full_like(x, sign * 0.06), 0.09 + z], axis=-1)
        pose[:, pitch] = tilt + 0.6 * np.sin(np.pi * swing_share) * (1 - swing_share)
        swing = -np.cos(2.0 * np.pi * (phase + shift))
        pose[:, hand] = np.stack(
            [0.14 + 0.24 * vigour * swing, np.full_like(x, sign * 0.2), -0.30 + 0.14 * swing],
            axis=-1,
        )
        pose[:, elbow] = 0.25
    pose[:, 2] = 0.90 + 0.045 * np.cos(4.0 * np.pi * (phase - 0.43))
    pose[:, LEAN] = 0.22
    pose[:, CURL] = 0.06
    pose[:, TWIST] = 0.22 * np.cos(2.0 * np.pi * phase)
    return pose


def stairs(phase: FloatArray, up: bool) -> FloatArray:
    """Climbing or descending; the floor under the feet slopes like the stairs."""
    pose = neutral(len(phase))
    slope = (1.0 if up else -1.0) * STAIR_RISE / STAIR_RUN
    for field, pitch, hand, sign, shift in (
        (LEFT_FOOT, LEFT_FOOT_PITCH, LEFT_HAND, 1.0, 0.0),
        (RIGHT_FOOT, RIGHT_FOOT_PITCH, RIGHT_HAND, -1.0, 0.5),
    ):
        x, z, tilt = _step(phase + shift, 0.20, 0.55, 0.16 if up else 0.07)
        pose[:, field] = np.stack(
            [x + 0.06, np.full_like(x, sign * 0.09), 0.08 + z + slope * (x + 0.02)], axis=-1
        )
        pose[:, pitch] = tilt * 0.6 + (0.0 if up else 0.25)
        swing = -np.cos(2.0 * np.pi * (phase + shift))
        pose[:, hand] = np.stack(
            [0.10 + 0.15 * swing, np.full_like(x, sign * 0.25), -0.50 + 0.06 * swing], axis=-1
        )
    pose[:, 2] = 0.90 if up else 0.885
    pose[:, LEAN] = 0.20 if up else -0.02
    pose[:, HEAD_PITCH] = 0.12 if up else 0.38
    return pose


def sitting(time: FloatArray, variant: float) -> FloatArray:
    """Sitting on a chair or a bench; ``variant`` chooses how far the feet reach."""
    pose = neutral(len(time))
    pose[:, PELVIS] = (0.0, 0.0, SEAT_HEIGHT + 0.10)
    pose[:, LEAN] = -0.10 + 0.03 * np.sin(2.0 * np.pi * (0.1 * time + variant))
    pose[:, CURL] = 0.14
    reach = 0.40 + 0.14 * variant
    pose[:, LEFT_FOOT] = (reach, 0.11 + 0.05 * variant, 0.08)
    pose[:, RIGHT_FOOT] = (reach - 0.10 * variant, -0.13, 0.08)
    set_hands(pose, np.array([0.30, 0.14, 0.64]), np.array([0.30, -0.14, 0.64]))
    pose[:, LEFT_ELBOW_OUT] = pose[:, RIGHT_ELBOW_OUT] = 0.35
    return pose


def bending(time: FloatArray, variant: float) -> FloatArray:
    """Bent over towards the ground, hands at something low in front of the feet."""
    pose = neutral(len(time))
    pose[:, PELVIS] = (-0.20, 0.0, 0.86)
    pose[:, LEAN] = 1.22 + 0.05 * np.sin(2.0 * np.pi * 0.4 * time)
    pose[:, CURL] = 0.38
    pose[:, HEAD_PITCH] = 1.15
    pose[:, LEFT_FOOT] = (0.08, 0.12, 0.08)
    pose[:, RIGHT_FOOT] = (-0.12 * variant, -0.12, 0.08)
    wiggle = 0.04 * np.sin(2.0 * np.pi * 1.1 * time)
    hands = np.stack([0.40 + 0.0 * time, 0.10 + wiggle, 0.26 + 0.5 * wiggle], axis=-1)
    mirrored = hands * np.array([1.0, -1.0, 1.0])
    set_hands(pose, hands, mirrored)
    return pose


CRANK: Final = (0.16, 0.29)
"""Bottom bracket of the bicycle in the rider's root frame: x and height."""
CRANK_LENGTH: Final = 0.165
HANDLEBAR: Final = (0.56, 0.21, 1.02)
SCOOTER_BAR: Final = (0.42, 0.20, 1.00)
TROLLEY_BAR: Final = (0.46, 0.20, 0.98)


def cycling(phase: FloatArray, vigour: float) -> FloatArray:
    """Riding a bicycle; one cycle is a turn of the crank."""
    pose = neutral(len(phase))
    pose[:, PELVIS] = (-0.06, 0.0, 1.02)
    pose[:, LEAN] = 0.52 + 0.08 * (vigour - 1.0)
    pose[:, CURL] = 0.14
    pose[:, HEAD_PITCH] = 0.05
    for field, pitch, sign, shift in (
        (LEFT_FOOT, LEFT_FOOT_PITCH, 1.0, 0.0),
        (RIGHT_FOOT, RIGHT_FOOT_PITCH, -1.0, 0.5),
    ):
        angle = -2.0 * np.pi * (phase + shift)
        pose[:, field] = np.stack(
            [
                CRANK[0] - 0.06 + CRANK_LENGTH * np.cos(angle),
                np.full_like(angle, sign * 0.11),
                CRANK[1] + 0.10 + CRANK_LENGTH * np.sin(angle),
            ],
            axis=-1,
        )
        pose[:, pitch] = 0.2 - 0.15 * np.sin(angle)
    x, y, z = HANDLEBAR
    set_hands(pose, np.array([x - 0.07, y, z + 0.03]), np.array([x - 0.07, -y, z + 0.03]))
    pose[:, LEFT_ELBOW_OUT] = pose[:, RIGHT_ELBOW_OUT] = 0.4
    return pose


def scootering(phase: FloatArray, vigour: float) -> FloatArray:
    """Riding a kick scooter: one foot on the deck, the other pushes for half of each cycle."""
    pose = neutral(len(phase))
    cycle = np.mod(phase, 1.0)
    push = np.clip(cycle / 0.5, 0.0, 1.0)
    pose[:, PELVIS] = (0.02, 0.0, 0.99)
    pose[:, LEAN] = 0.16 + 0.10 * np.sin(np.pi * push) * vigour
    pose[:, LEFT_FOOT] = (0.10, 0.02, 0.20)
    back = np.where(cycle < 0.5, 0.30 - 0.75 * push, -0.45 + 0.75 * (cycle - 0.5) / 0.5)
    height = np.where(cycle < 0.5, 0.09, 0.09 + 0.16 * np.sin(np.pi * (cycle - 0.5) / 0.5))
    pose[:, RIGHT_FOOT] = np.stack([back, np.full_like(back, -0.16), height], axis=-1)
    pose[:, RIGHT_FOOT_PITCH] = np.where(back < -0.2, 0.5, 0.0)
    x, y, z = SCOOTER_BAR
    set_hands(pose, np.array([x - 0.05, y, z + 0.03]), np.array([x - 0.05, -y, z + 0.03]))
    pose[:, LEFT_ELBOW_OUT] = pose[:, RIGHT_ELBOW_OUT] = 0.35
    return pose


def _hand_field(side: float) -> tuple[slice, int]:
    return (LEFT_HAND, LEFT_ELBOW_OUT) if side > 0 else (RIGHT_HAND, RIGHT_ELBOW_OUT)


def phone_at_ear(pose: FloatArray, side: float) -> None:
    """One hand holds a phone at the ear of that ``side`` (+1 left, -1 right)."""
    hand, elbow = _hand_field(side)
    pose[:, hand] = (0.065, side * 0.165, 0.11)
    pose[:, elbow] = 0.75
    pose[:, HEAD_YAW] *= 0.5


def phone_in_front(pose: FloatArray, side: float) -> None:
    """Looking into a phone held in front of the chest."""
    hand, elbow = _hand_field(side)
    pose[:, hand] = (0.32, side * 0.06, -0.16)
    pose[:, elbow] = 0.15
    pose[:, HEAD_PITCH] = 0.55
    pose[:, HEAD_YAW] *= 0.3


def reading(pose: FloatArray) -> None:
    """Both hands hold an open book in front, the head bowed to it."""
    pose[:, LEFT_HAND] = (0.33, 0.13, -0.20)
    pose[:, RIGHT_HAND] = (0.33, -0.13, -0.20)
    pose[:, LEFT_ELBOW_OUT] = pose[:, RIGHT_ELBOW_OUT] = 0.2
    pose[:, HEAD_PITCH] = 0.45
    pose[:, HEAD_YAW] *= 0.2


def typing(pose: FloatArray, time: FloatArray, height: float) -> None:
    """Both hands on the keyboard of a laptop at ``height`` above the floor."""
    left = 0.02 * np.sin(2.0 * np.pi * 2.3 * time)
    right = 0.02 * np.sin(2.0 * np.pi * 2.9 * time + 1.0)
    pose[:, LEAN] = 0.10
    set_hands(
        pose,
        np.stack([0.36 + 0.3 * left, 0.10 + left, height + 0.05 + np.abs(left)], axis=-1),
        np.stack([0.36 + 0.3 * right, -0.10 + right, height + 0.05 + np.abs(right)], axis=-1),
    )
    pose[:, LEFT_ELBOW_OUT] = pose[:, RIGHT_ELBOW_OUT] = 0.3
    pose[:, HEAD_PITCH] = 0.38
    pose[:, HEAD_YAW] *= 0.2


def holding_cup(pose: FloatArray, side: float) -> None:
    """One hand holds a cup in front of the body, the forearm level."""
    hand, elbow = _hand_field(side)
    pose[:, hand] = (0.30, side * 0.19, -0.26)
    pose[:, elbow] = 0.05


def holding_box(pose: FloatArray) -> None:
    """Both arms carry a box in front of the belly."""
    pose[:, LEFT_HAND] = (0.33, 0.17, -0.36)
    pose[:, RIGHT_HAND] = (0.33, -0.17, -0.36)
    pose[:, LEAN] -= 0.06


def pointing(pose: FloatArray, side: float, azimuth: FloatArray) -> None:
    """One arm stretched out towards ``azimuth`` (n,), relative to the heading; the head follows."""
    hand, elbow = _hand_field(side)
    angle = azimuth - pose[:, TWIST]
    pose[:, hand] = np.stack(
        [
            0.54 * np.cos(angle),
            side * 0.185 + 0.54 * np.sin(angle),
            np.full_like(angle, -0.03),
        ],
        axis=-1,
    )
    pose[:, elbow] = 0.5
    pose[:, HEAD_YAW] = np.clip(azimuth, -0.9, 0.9)


def greeting(pose: FloatArray, side: float, time: FloatArray) -> None:
    """Waving with one hand above the head's height."""
    hand, elbow = _hand_field(side)
    wave = np.sin(2.0 * np.pi * 1.6 * time)
    reach = [
        np.full_like(wave, 0.12),
        side * (0.33 + 0.11 * wave),
        0.42 - 0.04 * np.abs(wave),
    ]
    pose[:, hand] = np.stack(reach, axis=-1)
    pose[:, elbow] = 1.0


def talking(pose: FloatArray, time: FloatArray, variant: float) -> None:
    """Both hands in the air in front of the chest, moving with the words."""
    beat = 2.0 * np.pi * (0.9 + 0.4 * variant) * time
    for hand, elbow, sign, shift in (
        (LEFT_HAND, LEFT_ELBOW_OUT, 1.0, 0.0),
        (RIGHT_HAND, RIGHT_ELBOW_OUT, -1.0, 2.2 + 2.0 * variant),
    ):
        pose[:, hand] = np.stack(
            [
                0.33 + 0.05 * np.sin(beat + shift),
                sign * (0.21 + 0.07 * np.sin(0.7 * beat + shift)),
                -0.17 + 0.09 * np.sin(1.3 * beat + 1.0 + shift),
            ],
            axis=-1,
        )
        pose[:, elbow] = 0.25
    pose[:, HEAD_PITCH] += 0.05 * np.sin(1.1 * beat)


def listening(pose: FloatArray, variant: float) -> None:
    """Arms crossed over the chest, or hands joined in front of the belly."""
    if variant < 0.65:
        pose[:, LEFT_HAND] = (0.19, -0.10, -0.24)
        pose[:, RIGHT_HAND] = (0.22, 0.10, -0.28)
        pose[:, LEFT_ELBOW_OUT] = pose[:, RIGHT_ELBOW_OUT] = 0.45
    else:
        pose[:, LEFT_HAND] = (0.20, 0.05, -0.42)
        pose[:, RIGHT_HAND] = (0.20, -0.05, -0.42)
        pose[:, LEFT_ELBOW_OUT] = pose[:, RIGHT_ELBOW_OUT] = 0.3


def eating(pose: FloatArray, side: float, time: FloatArray) -> None:
    """One hand carries food from below to the mouth and back, the other holds the plate."""
    lift = 0.5 - 0.5 * np.cos(2.0 * np.pi * 0.42 * time)
    hand, elbow = _hand_field(side)
    pose[:, hand] = np.stack(
        [
            0.32 - 0.10 * lift,
            side * (0.14 - 0.08 * lift),
            -0.27 + 0.31 * lift,
        ],
        axis=-1,
    )
    pose[:, elbow] = 0.3
    other, _ = _hand_field(-side)
    pose[:, other] = (0.32, -side * 0.13, -0.30)
    pose[:, HEAD_PITCH] = 0.22


def at_door(pose: FloatArray, side: float, time: FloatArray) -> None:
    """One hand on a door's handle."""
    hand, elbow = _hand_field(side)
    pull = 0.05 * np.sin(2.0 * np.pi * 0.5 * time)
    pose[:, hand] = np.stack(
        [0.45 + pull, np.full_like(pull, side * 0.16), np.full_like(pull, -0.36)], axis=-1
    )
    pose[:, elbow] = 0.1
    pose[:, HEAD_PITCH] = 0.2


def pushing(pose: FloatArray) -> None:
    """Both hands on the bar of a trolley."""
    x, y, z = TROLLEY_BAR
    pose[:, LEAN] += 0.10
    set_hands(pose, np.array([x, y, z]), np.array([x, -y, z]))
    pose[:, LEFT_ELBOW_OUT] = pose[:, RIGHT_ELBOW_OUT] = 0.1


def look_towards(pose: FloatArray, azimuth: FloatArray, limit: float = 1.15) -> None:
    """Turn the head to ``azimuth`` (n,) relative to the heading, as far as a neck goes."""
    pose[:, HEAD_YAW] = np.clip(azimuth, -limit, limit)
