"""Things that people carry or ride: they show what somebody does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from avr_ros.sample.body import DIRECTION, JOINT
from avr_ros.sample.drawing import CARRIED, FloatArray, Ink, Light, View, block, hull, shade
from avr_ros.sample.poses import CRANK, CRANK_LENGTH, HANDLEBAR, SCOOTER_BAR, TROLLEY_BAR

if TYPE_CHECKING:
    from avr_ros.sample.figures import Subject

BOOK: Final = np.array([235.0, 238.0, 240.0])
DARK: Final = np.array([34.0, 32.0, 32.0])
SCREEN: Final = np.array([235.0, 205.0, 150.0])
CARTON: Final = np.array([92.0, 140.0, 182.0])
CUP: Final = np.array([225.0, 232.0, 236.0])
FOOD: Final = np.array([70.0, 150.0, 205.0])
METAL: Final = np.array([150.0, 152.0, 155.0])
RUBBER: Final = np.array([40.0, 40.0, 42.0])

Parts = list[tuple[float, list[Ink]]]


def _depth(point: FloatArray) -> float:
    return float(np.hypot(point[0], point[1]))


def _flat(view: View, points: FloatArray, colour: FloatArray, level: float, light: Light) -> Ink:
    tone = shade(colour, level, light.tint)
    return Ink(hull(view, points), (float(tone[0]), float(tone[1]), float(tone[2])), CARRIED)


def carried_inks(subject: Subject, view: View, light: Light, scale: float) -> Parts:
    """What the hands hold, with its depth."""
    parts: Parts = []
    joints = subject.joints
    forward = subject.directions[DIRECTION["torso_forward"]]
    left = subject.directions[DIRECTION["torso_left"]]
    up = np.array([0.0, 0.0, 1.0])
    side = "left" if subject.side > 0 else "right"
    other = "right" if subject.side > 0 else "left"
    hand, wrist = joints[JOINT[f"{side}_hand"]], joints[JOINT[f"{side}_wrist"]]
    level = light.ambient + 0.4 * light.sun
    if "phone" in subject.things:
        along = joints[JOINT[f"{side}_hand"]] - joints[JOINT[f"{side}_wrist"]]
        along = along / max(float(np.linalg.norm(along)), 1e-6)
        centre = hand + 0.015 * scale * along + subject.side * 0.012 * scale * left
        axes = np.stack([forward, left, up])
        inks = block(view, centre, axes, scale * np.array([0.034, 0.010, 0.072]), DARK, light)
        parts.append((_depth(centre) - 0.09 * scale, inks))
    if "phone_in_front" in subject.things:
        tilt = 0.75 * up + 0.66 * forward
        tilt = tilt / np.linalg.norm(tilt)
        normal = np.cross(left, tilt)
        centre = hand + 0.045 * scale * up + 0.02 * scale * forward
        inks = block(
            view,
            centre,
            np.stack([normal, left, tilt]),
            scale * np.array([0.008, 0.042, 0.078]),
            DARK,
            light,
        )
        facing = normal if normal @ forward < 0 else -normal
        if facing @ centre < 0:
            screen = centre + 0.009 * scale * facing
            corners = np.stack(
                [
                    screen + scale * (a * 0.035 * left + b * 0.066 * tilt)
                    for a in (-1, 1)
                    for b in (-1, 1)
                ]
            )
            inks.append(_flat(view, corners, SCREEN, 1.0, light))
        parts.append((_depth(centre) - 0.05 * scale, inks))
    if "book" in subject.things:
        middle = 0.5 * (joints[JOINT["left_hand"]] + joints[JOINT["right_hand"]])
        tilt = 0.70 * up + 0.71 * forward
        tilt = tilt / np.linalg.norm(tilt)
        centre = middle + 0.06 * scale * tilt
        inks = []
        for sign in (1.0, -1.0):
            page = np.stack(
                [
                    centre + scale * (sign * a * 0.20 * left + b * 0.15 * tilt + a * 0.03 * up)
                    for a in (0.0, 1.0)
                    for b in (-1.0, 1.0)
                ]
            )
            inks.append(_flat(view, page, BOOK, level * (1.0 if sign > 0 else 0.88), light))
            inside = np.cross(left, tilt)
            inside = inside if inside @ forward < 0 else -inside
            if inside @ centre < 0:
                for row in (-0.6, -0.25, 0.1, 0.45):
                    text = np.stack(
                        [
                            centre
                            + scale * (sign * a * 0.20 * left + b * 0.15 * tilt + a * 0.03 * up)
                            for a in (0.15, 0.85)
                            for b in (row, row + 0.12)
                        ]
                    )
                    inks.append(_flat(view, text, np.array([150.0, 150.0, 150.0]), level, light))
            else:
                cover = np.stack(
                    [
                        centre + scale * (sign * a * 0.20 * left + b * 0.15 * tilt + a * 0.03 * up)
                        for a in (0.08, 0.94)
                        for b in (-0.94, 0.94)
                    ]
                )
                shade_of = (
                    np.array([60.0, 70.0, 175.0]) if sign > 0 else np.array([52.0, 60.0, 150.0])
                )
                inks.append(_flat(view, cover, shade_of, level, light))
        parts.append((_depth(centre) - 0.04 * scale, inks))
    if "laptop" in subject.things:
        parts.append(_laptop(subject, view, light, scale))
    if "cup" in subject.things:
        centre = hand + 0.035 * scale * up + 0.02 * scale * forward
        angles = 2.0 * np.pi * np.arange(10) / 10
        ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(10)], axis=-1)
        body = np.concatenate(
            [
                centre + 0.034 * scale * ring - 0.07 * scale * up,
                centre + 0.046 * scale * ring + 0.06 * scale * up,
            ]
        )
        lid = np.concatenate(
            [
                centre + 0.049 * scale * ring + 0.06 * scale * up,
                centre + 0.042 * scale * ring + 0.08 * scale * up,
            ]
        )
        sleeve = np.concatenate(
            [
                centre + 0.039 * scale * ring - 0.03 * scale * up,
                centre + 0.044 * scale * ring + 0.03 * scale * up,
            ]
        )
        inks = [
            _flat(view, body, CUP, level, light),
            _flat(view, sleeve, np.array([70.0, 105.0, 150.0]), level, light),
            _flat(view, lid, DARK, level, light),
        ]
        parts.append((_depth(centre) - 0.06 * scale, inks))
    if "box" in subject.things:
        middle = 0.5 * (joints[JOINT["left_hand"]] + joints[JOINT["right_hand"]])
        centre = middle + scale * (0.05 * forward + 0.07 * up)
        flat_forward = np.array([forward[0], forward[1], 0.0])
        flat_forward = flat_forward / max(float(np.linalg.norm(flat_forward)), 1e-6)
        axes = np.stack([flat_forward, np.cross(up, flat_forward), up])
        inks = block(view, centre, axes, scale * np.array([0.15, 0.19, 0.14]), CARTON, light)
        tape = block(
            view, centre, axes, scale * np.array([0.152, 0.03, 0.142]), CARTON * 0.75 + 40.0, light
        )
        parts.append((_depth(centre), [*inks, *tape]))
    if "food" in subject.things:
        tray = joints[JOINT[f"{other}_hand"]]
        axes = np.stack([forward, left, up])
        plate = block(
            view, tray + 0.04 * scale * up, axes, scale * np.array([0.10, 0.10, 0.012]), CUP, light
        )
        parts.append((_depth(tray) - 0.05 * scale, plate))
        bite = block(
            view, hand + 0.02 * scale * up, axes, scale * np.array([0.035, 0.05, 0.03]), FOOD, light
        )
        parts.append((_depth(hand) - 0.1 * scale, bite))
    if "item_on_floor" in subject.things:
        ahead = np.array([np.cos(subject.heading), np.sin(subject.heading), 0.0])
        aside = np.array([-ahead[1], ahead[0], 0.0])
        centre = subject.root + scale * (0.52 * ahead + 0.11 * up)
        inks = block(
            view,
            centre,
            np.stack([ahead, aside, up]),
            scale * np.array([0.10, 0.16, 0.11]),
            np.array([60.0, 60.0, 150.0]),
            light,
        )
        parts.append((_depth(centre), inks))
    del wrist
    return parts


def _laptop(subject: Subject, view: View, light: Light, scale: float) -> tuple[float, list[Ink]]:
    middle = 0.5 * (subject.joints[JOINT["left_wrist"]] + subject.joints[JOINT["right_wrist"]])
    ahead = np.array([np.cos(subject.heading), np.sin(subject.heading), 0.0])
    aside = np.array([-ahead[1], ahead[0], 0.0])
    up = np.array([0.0, 0.0, 1.0])
    # Fixed to the person, not to the hands, which move while they type.
    reach = scale * 0.40
    base = subject.root + reach * ahead
    base = np.array([base[0], base[1], middle[2] - 0.045 * scale])
    inks = block(
        view,
        base,
        np.stack([ahead, aside, up]),
        scale * np.array([0.12, 0.175, 0.010]),
        np.array([165.0, 165.0, 168.0]),
        light,
    )
    lean = 0.94 * up + 0.33 * ahead
    hinge = base + 0.12 * scale * ahead
    normal = np.cross(aside, lean)
    centre = hinge + 0.125 * scale * lean
    lid = block(
        view,
        centre,
        np.stack([normal, aside, lean]),
        scale * np.array([0.007, 0.175, 0.125]),
        np.array([150.0, 150.0, 155.0]),
        light,
    )
    facing = -ahead + 0.33 * up
    if facing @ centre < 0:
        corners = np.stack(
            [
                centre - 0.009 * scale * ahead + scale * (a * 0.155 * aside + b * 0.105 * lean)
                for a in (-1, 1)
                for b in (-1, 1)
            ]
        )
        lid.append(_flat(view, corners, SCREEN, 1.0, light))
    elif True:
        mark = np.stack(
            [
                centre + 0.009 * scale * ahead + scale * (a * 0.02 * aside + b * 0.02 * lean)
                for a in (-1, 1)
                for b in (-1, 1)
            ]
        )
        lid.append(_flat(view, mark, np.array([230.0, 230.0, 230.0]), 0.9, light))
    return _depth(centre), [*inks, *lid]


def _bar(
    view: View, start: FloatArray, end: FloatArray, width: float, colour: FloatArray, light: Light
) -> Ink:
    """A thin rod as a quadrilateral of constant thickness in metres."""
    ends, distances = view.angular(np.stack([start, end]))
    axis = ends[1] - ends[0]
    length = float(np.linalg.norm(axis))
    axis = axis / length if length > 1e-9 else np.array([0.0, 1.0])
    across = np.array([-axis[1], axis[0]])
    radius = np.maximum(width / distances, 0.0009)
    corners = np.stack(
        [
            ends[0] + radius[0] * across,
            ends[1] + radius[1] * across,
            ends[1] - radius[1] * across,
            ends[0] - radius[0] * across,
        ]
    )
    tone = shade(colour, light.ambient + 0.35 * light.sun, light.tint)
    return Ink(view.ink(corners), (float(tone[0]), float(tone[1]), float(tone[2])), CARRIED)


def _wheel(
    view: View,
    centre: FloatArray,
    ahead: FloatArray,
    radius: float,
    phase: float,
    light: Light,
    thickness: float,
    spokes: int,
) -> list[Ink]:
    """A wheel standing upright along ``ahead``: the tyre as short rods, some spokes."""
    angles = 2.0 * np.pi * np.arange(18) / 18
    up = np.array([0.0, 0.0, 1.0])
    rim = centre + radius * (np.cos(angles)[:, None] * ahead + np.sin(angles)[:, None] * up)
    inks = []
    for index in range(spokes):
        angle = 2.0 * np.pi * (index / spokes) - phase
        tip = centre + radius * (np.cos(angle) * ahead + np.sin(angle) * up)
        inks.append(_bar(view, centre, tip, 0.004, METAL, light))
    for index in range(len(rim)):
        inks.append(_bar(view, rim[index - 1], rim[index], thickness, RUBBER, light))
    return inks


def vehicle_parts(subject: Subject, view: View, light: Light, scale: float) -> Parts:
    """The bicycle, scooter or trolley of a person, with depths."""
    ahead = np.array([np.cos(subject.heading), np.sin(subject.heading), 0.0])
    aside = np.array([-ahead[1], ahead[0], 0.0])
    up = np.array([0.0, 0.0, 1.0])

    def at(x: float, y: float, z: float) -> FloatArray:
        return subject.root + scale * (x * ahead + y * aside + z * up)

    colour = np.asarray(subject.appearance.hat, np.float64)
    if "bicycle" in subject.things:
        rear, front = at(-0.34, 0.0, 0.34), at(0.72, 0.0, 0.34)
        turn = 2.0 * np.pi * subject.phase * 2.2
        bracket = at(CRANK[0] - 0.06, 0.0, CRANK[1])
        saddle, head = at(-0.12, 0.0, 0.90), at(0.50, 0.0, 0.84)
        bar = at(HANDLEBAR[0] - 0.02, 0.0, HANDLEBAR[2])
        inks = [
            *_wheel(view, rear, ahead, 0.33 * scale, turn, light, 0.018, 8),
            *_wheel(view, front, ahead, 0.33 * scale, turn, light, 0.018, 8),
            _bar(view, bracket, saddle, 0.018, colour, light),
            _bar(view, bracket, head, 0.020, colour, light),
            _bar(view, at(-0.09, 0.0, 0.78), head, 0.018, colour, light),
            _bar(view, rear, bracket, 0.013, colour, light),
            _bar(view, rear, at(-0.09, 0.0, 0.78), 0.013, colour, light),
            _bar(view, front, head, 0.016, METAL, light),
            _bar(view, head, bar, 0.016, METAL, light),
            _bar(view, at(-0.22, 0.0, 0.92), at(0.02, 0.0, 0.93), 0.032, DARK, light),
            _bar(
                view,
                at(HANDLEBAR[0] - 0.04, -HANDLEBAR[1], HANDLEBAR[2]),
                at(HANDLEBAR[0] - 0.04, HANDLEBAR[1], HANDLEBAR[2]),
                0.018,
                DARK,
                light,
            ),
        ]
        angle = -2.0 * np.pi * subject.phase
        for sign, shift in ((1.0, 0.0), (-1.0, np.pi)):
            pedal = bracket + scale * (
                CRANK_LENGTH * (np.cos(angle - shift) * ahead + np.sin(angle - shift) * up)
                + sign * 0.08 * aside
            )
            inks.append(
                _bar(view, bracket + 0.08 * scale * sign * aside, pedal, 0.012, METAL, light)
            )
        return [(_depth(at(0.05, 0.0, 0.0)) + 0.03, inks)]
    if "scooter" in subject.things:
        turn = 2.0 * np.pi * subject.phase * 5.0
        x, y, z = SCOOTER_BAR
        foot, top = at(x + 0.06, 0.0, 0.10), at(x, 0.0, z)
        deck = block(
            view,
            at(0.08, 0.0, 0.09),
            np.stack([ahead, aside, up]),
            scale * np.array([0.32, 0.075, 0.018]),
            colour,
            light,
        )
        inks = [
            *_wheel(view, at(-0.32, 0.0, 0.085), ahead, 0.075 * scale, turn, light, 0.016, 3),
            *_wheel(view, at(x + 0.07, 0.0, 0.085), ahead, 0.075 * scale, turn, light, 0.016, 3),
            *deck,
            _bar(view, foot, top, 0.020, METAL, light),
            _bar(view, at(x, -y, z), at(x, y, z), 0.020, DARK, light),
        ]
        return [(_depth(at(0.2, 0.0, 0.0)) + 0.05, inks)]
    if "trolley" in subject.things:
        x, y, z = TROLLEY_BAR
        frame = []
        for sign in (1.0, -1.0):
            frame.append(
                _bar(view, at(x, sign * y, z), at(x + 0.10, sign * y, 0.25), 0.016, METAL, light)
            )
        frame.append(_bar(view, at(x, -y, z), at(x, y, z), 0.020, DARK, light))
        load = block(
            view,
            at(x + 0.48, 0.0, 0.42),
            np.stack([ahead, aside, up]),
            scale * np.array([0.36, 0.26, 0.16]),
            colour,
            light,
        )
        upper = block(
            view,
            at(x + 0.42, 0.02, 0.68),
            np.stack([ahead, aside, up]),
            scale * np.array([0.25, 0.2, 0.10]),
            CARTON,
            light,
        )
        wheels: list[Ink] = []
        for wheel_x in (0.16, 0.76):
            for sign in (1.0, -1.0):
                wheels.extend(
                    _wheel(
                        view,
                        at(x + wheel_x, sign * 0.22, 0.09),
                        ahead,
                        0.08 * scale,
                        2.0 * np.pi * subject.phase * 3.0,
                        light,
                        0.02,
                        0,
                    )
                )
        return [
            (_depth(at(x + 0.48, 0.0, 0.0)) + 0.1, wheels),
            (_depth(at(x + 0.48, 0.0, 0.0)), [*load, *upper]),
            (_depth(at(x, 0.0, 0.0)), frame),
        ]
    return []
