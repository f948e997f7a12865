"""Things that people wear beside clothes: skirts and coat tails, backpacks, bags, scarves."""

from __future__ import annotations

import numpy as np

from avr_ros.sample.body import DIRECTION, JOINT
from avr_ros.sample.drawing import BODY, DETAIL, FloatArray, Light, Part, Sketchbook, tone
from avr_ros.sample.subject import Subject


def _depth(point: FloatArray) -> float:
    return float(np.hypot(point[0], point[1]))


def worn_parts(
    subject: Subject, book: Sketchbook, azimuth: float, light: Light, scale: float
) -> list[Part]:
    """What is worn over the body; worn things belong to the outline."""
    look = subject.appearance
    parts = []
    if look.top_kind == "coat" or look.bottom_kind == "skirt":
        parts.append(_skirt(subject, book, azimuth, light, scale))
    if look.backpack is not None:
        parts.extend(_backpack(subject, book, azimuth, light, scale))
    if look.shoulder_bag is not None:
        parts.extend(_bag(subject, book, azimuth, light, scale))
    if look.scarf is not None:
        parts.append(_scarf(subject, book, azimuth, light, scale))
    return parts


def _skirt(subject: Subject, book: Sketchbook, azimuth: float, light: Light, scale: float) -> Part:
    """The part of a skirt or a long coat that hangs below the hips."""
    look, joints = subject.appearance, subject.joints
    coat = look.top_kind == "coat"
    pelvis = joints[JOINT["pelvis"]]
    left = joints[JOINT["left_hip"]] - joints[JOINT["right_hip"]]
    left = left / max(float(np.linalg.norm(left)), 1e-6)
    ahead = np.array([left[1], -left[0], 0.0])
    girth = scale * look.build
    angles = 2.0 * np.pi * np.arange(8) / 8
    around = np.cos(angles)[:, None] * ahead + 1.15 * np.sin(angles)[:, None] * left
    rise = (0.13 if coat else 0.06) * scale
    points = [pelvis + np.array([0.0, 0.0, rise]) + 0.13 * girth * around]
    share = 0.62 if coat else 0.88
    for side in ("left", "right"):
        hip, knee = joints[JOINT[f"{side}_hip"]], joints[JOINT[f"{side}_knee"]]
        points.append(hip + share * (knee - hip) + 0.115 * girth * around)
    cloud = np.concatenate(points)
    colour = look.top if coat else look.bottom
    toward = -np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    right = np.array([np.sin(azimuth), -np.cos(azimuth), 0.0])
    level = light.ambient * 0.82 + light.sun * max(float(light.direction @ toward), 0.0)
    inks = [book.outline(azimuth, cloud, tone(colour, level * 0.9, light), BODY)]
    # Folds: the same shape, narrower and lighter, towards the light.
    middle = cloud.mean(axis=0)
    aside = (cloud - middle) @ right
    for share, lighter in ((0.72, 0.96), (0.42, 1.01)):
        shift = 0.05 * scale * float(light.direction @ right) - (1.0 - share) * aside
        inner = cloud + shift[:, None] * right
        inks.append(book.outline(azimuth, inner, tone(colour, level * lighter, light), DETAIL))
    knees = 0.5 * (joints[JOINT["left_knee"]] + joints[JOINT["right_knee"]])
    return Part(_depth(0.5 * (pelvis + knees)) - 0.09 * scale, inks)


def _backpack(
    subject: Subject, book: Sketchbook, azimuth: float, light: Light, scale: float
) -> list[Part]:
    look = subject.appearance
    assert look.backpack is not None
    neck, waist = subject.joints[JOINT["neck"]], subject.joints[JOINT["waist"]]
    forward = subject.directions[DIRECTION["torso_forward"]]
    left = subject.directions[DIRECTION["torso_left"]]
    up = np.cross(forward, left)
    axes = np.stack([forward, left, up])
    colour = look.backpack
    pocket = (0.8 * colour[0], 0.8 * colour[1], 0.8 * colour[2])
    strap = (0.6 * colour[0], 0.6 * colour[1], 0.6 * colour[2])
    centre = waist + 0.52 * (neck - waist) - 0.20 * scale * forward
    inks = book.block(
        azimuth, centre, axes, (0.085 * scale, 0.140 * scale, 0.205 * scale), colour, light, BODY
    )
    inks += book.block(
        azimuth,
        centre - scale * (0.09 * forward + 0.07 * up),
        axes,
        (0.03 * scale, 0.105 * scale, 0.095 * scale),
        pocket,
        light,
        BODY,
    )
    parts = [Part(_depth(centre), inks)]
    toward = -np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    if forward @ toward > -0.1:
        straps = []
        for sign in (1.0, -1.0):
            top = neck + scale * (sign * 0.105 * left - 0.02 * up + 0.03 * forward)
            low = waist + scale * (sign * 0.13 * left + 0.06 * up + 0.125 * look.build * forward)
            line = np.stack([top, 0.5 * (top + low) + 0.075 * scale * forward, low])
            width = 0.019 * scale * left
            both = np.concatenate([line - width, line + width])
            straps.append(
                book.outline(azimuth, both, tone(strap, light.ambient + 0.3, light), DETAIL)
            )
        parts.append(Part(_depth(waist + 0.15 * scale * forward) - 0.03 * scale, straps))
    return parts


def _bag(
    subject: Subject, book: Sketchbook, azimuth: float, light: Light, scale: float
) -> list[Part]:
    look = subject.appearance
    assert look.shoulder_bag is not None
    neck, waist = subject.joints[JOINT["neck"]], subject.joints[JOINT["waist"]]
    forward = subject.directions[DIRECTION["torso_forward"]]
    left = subject.directions[DIRECTION["torso_left"]]
    up = np.cross(forward, left)
    sign = 1.0 if look.variant < 0.5 else -1.0
    hip = subject.joints[JOINT["left_hip" if sign > 0 else "right_hip"]]
    centre = hip + scale * (sign * 0.15 * left - 0.02 * forward + np.array([0.0, 0.0, 0.02]))
    colour = look.shoulder_bag
    dark = (0.55 * colour[0], 0.55 * colour[1], 0.55 * colour[2])
    inks = book.block(
        azimuth,
        centre,
        np.stack([forward, left, np.array([0.0, 0.0, 1.0])]),
        (0.155 * scale, 0.055 * scale, 0.115 * scale),
        colour,
        light,
        BODY,
    )
    parts = [Part(_depth(centre) - 0.08 * scale, inks)]
    toward = -np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    if forward @ toward > -0.1:
        far = neck - scale * (sign * 0.11 * left + 0.02 * up)
        line = np.stack(
            [far, 0.5 * (far + centre) + 0.14 * scale * forward, centre + 0.1 * scale * up]
        )
        width = 0.016 * scale * left
        strap = book.outline(
            azimuth,
            np.concatenate([line - width, line + width]),
            tone(dark, light.ambient + 0.3, light),
            DETAIL,
        )
        parts.append(Part(_depth(waist + 0.15 * scale * forward) - 0.025 * scale, [strap]))
    return parts


def _scarf(subject: Subject, book: Sketchbook, azimuth: float, light: Light, scale: float) -> Part:
    look = subject.appearance
    assert look.scarf is not None
    neck = subject.joints[JOINT["neck"]]
    forward = subject.directions[DIRECTION["torso_forward"]]
    left = subject.directions[DIRECTION["torso_left"]]
    up = np.cross(forward, left)
    angles = 2.0 * np.pi * np.arange(10) / 10
    ring = neck + scale * (
        0.10 * np.cos(angles)[:, None] * forward + 0.105 * np.sin(angles)[:, None] * left
    )
    cloud = np.concatenate([ring - 0.025 * scale * up, ring + 0.06 * scale * up])
    colour = tone(look.scarf, light.ambient + 0.4 * light.sun, light)
    return Part(_depth(neck) - 0.05 * scale, [book.outline(azimuth, cloud, colour, BODY)])
