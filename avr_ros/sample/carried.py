"""Things that people carry or ride: they show what somebody does."""

from __future__ import annotations

from typing import Final

import numpy as np

from avr_ros.sample.body import DIRECTION, JOINT
from avr_ros.sample.drawing import CARRIED, FloatArray, Ink, Light, Part, Sketchbook, tone
from avr_ros.sample.poses import CRANK, CRANK_LENGTH, HANDLEBAR, SCOOTER_BAR, TROLLEY_BAR
from avr_ros.sample.subject import Subject

PAGE: Final = (235.0, 238.0, 240.0)
TEXT: Final = (150.0, 150.0, 150.0)
COVERS: Final = ((60.0, 70.0, 175.0), (52.0, 60.0, 150.0))
DARK: Final = (34.0, 32.0, 32.0)
SCREEN: Final = (235.0, 205.0, 150.0)
CARTON: Final = (92.0, 140.0, 182.0)
TAPE: Final = (110.0, 145.0, 175.0)
CUP: Final = (225.0, 232.0, 236.0)
SLEEVE: Final = (70.0, 105.0, 150.0)
FOOD: Final = (70.0, 150.0, 205.0)
METAL: Final = (150.0, 152.0, 155.0)
RUBBER: Final = (40.0, 40.0, 42.0)
SHELL: Final = (160.0, 160.0, 164.0)
BAG: Final = (60.0, 60.0, 150.0)

_UP: Final = np.array([0.0, 0.0, 1.0])


def _depth(point: FloatArray) -> float:
    return float(np.hypot(point[0], point[1]))


def _grid(
    centre: FloatArray,
    first: FloatArray,
    firsts: tuple[float, float],
    second: FloatArray,
    seconds: tuple[float, float],
) -> FloatArray:
    """Corners (4, 3) of a flat rectangle between multiples of two vectors."""
    return np.stack([centre + a * first + b * second for a in firsts for b in seconds])


class _Hands:
    """Where hands are and how things are turned in them."""

    def __init__(
        self, subject: Subject, book: Sketchbook, azimuth: float, light: Light, scale: float
    ) -> None:
        joints = subject.joints
        self.subject, self.book, self.azimuth = subject, book, azimuth
        self.light, self.scale = light, scale
        self.forward = subject.directions[DIRECTION["torso_forward"]]
        self.left = subject.directions[DIRECTION["torso_left"]]
        side, other = ("left", "right") if subject.side > 0 else ("right", "left")
        self.hand = joints[JOINT[f"{side}_hand"]]
        self.wrist = joints[JOINT[f"{side}_wrist"]]
        self.other = joints[JOINT[f"{other}_hand"]]
        self.between = 0.5 * (joints[JOINT["left_hand"]] + joints[JOINT["right_hand"]])
        self.level = light.ambient + 0.4 * light.sun
        self.ahead = np.array([np.cos(subject.heading), np.sin(subject.heading), 0.0])
        self.aside = np.array([-self.ahead[1], self.ahead[0], 0.0])

    def flat(self, points: FloatArray, colour: tuple[float, float, float], level: float) -> Ink:
        """A flat convex shape."""
        return self.book.outline(self.azimuth, points, tone(colour, level, self.light), CARRIED)

    def block(
        self,
        centre: FloatArray,
        axes: FloatArray,
        half: tuple[float, float, float],
        colour: tuple[float, float, float],
    ) -> list[Ink]:
        """A box whose half sizes are for a body of 1.75 m."""
        size = self.scale
        return self.book.block(
            self.azimuth,
            centre,
            axes,
            (size * half[0], size * half[1], size * half[2]),
            colour,
            self.light,
        )


def carried_parts(
    subject: Subject, book: Sketchbook, azimuth: float, light: Light, scale: float
) -> list[Part]:
    """What the hands hold."""
    if not subject.things:
        return []
    hands = _Hands(subject, book, azimuth, light, scale)
    parts = []
    for thing in sorted(subject.things):
        maker = _MAKERS.get(thing)
        if maker is not None:
            parts.extend(maker(hands))
    return parts


def _phone(hands: _Hands) -> list[Part]:
    along = hands.hand - hands.wrist
    along = along / max(float(np.linalg.norm(along)), 1e-6)
    size = hands.scale
    centre = hands.hand + 0.015 * size * along + hands.subject.side * 0.012 * size * hands.left
    axes = np.stack([hands.forward, hands.left, _UP])
    return [
        Part(_depth(centre) - 0.09 * size, hands.block(centre, axes, (0.036, 0.011, 0.076), DARK))
    ]


def _phone_in_front(hands: _Hands) -> list[Part]:
    size = hands.scale
    tilt = 0.75 * _UP + 0.66 * hands.forward
    tilt = tilt / np.linalg.norm(tilt)
    normal = np.cross(hands.left, tilt)
    centre = hands.hand + 0.045 * size * _UP + 0.02 * size * hands.forward
    inks = hands.block(centre, np.stack([normal, hands.left, tilt]), (0.008, 0.044, 0.082), DARK)
    facing = normal if normal @ hands.forward < 0 else -normal
    if facing @ centre < 0:
        screen = centre + 0.009 * size * facing
        corners = _grid(screen, size * hands.left, (-0.037, 0.037), size * tilt, (-0.070, 0.070))
        inks.append(hands.flat(corners, SCREEN, 1.0))
    return [Part(_depth(centre) - 0.05 * size, inks)]


def _book(hands: _Hands) -> list[Part]:
    size = hands.scale
    tilt = 0.70 * _UP + 0.71 * hands.forward
    tilt = size * tilt / np.linalg.norm(tilt)
    centre = hands.between + 0.06 * tilt
    inside = np.cross(hands.left, tilt)
    inside = inside if inside @ hands.forward < 0 else -inside
    open_side = inside @ centre < 0
    inks = []
    for sign, cover in ((1.0, COVERS[0]), (-1.0, COVERS[1])):
        across = size * (sign * 0.20 * hands.left + 0.03 * _UP)
        page = _grid(centre, across, (0.0, 1.0), tilt, (-0.15, 0.15))
        inks.append(hands.flat(page, PAGE, hands.level * (1.0 if sign > 0 else 0.88)))
        if open_side:
            for row in (-0.09, -0.04, 0.015, 0.07):
                line = _grid(centre, across, (0.15, 0.85), tilt, (row, row + 0.018))
                inks.append(hands.flat(line, TEXT, hands.level))
        else:
            back = _grid(centre, across, (0.05, 0.96), tilt, (-0.142, 0.142))
            inks.append(hands.flat(back, cover, hands.level))
    return [Part(_depth(centre) - 0.04 * size, inks)]


def _cup(hands: _Hands) -> list[Part]:
    size = hands.scale
    centre = hands.hand + 0.035 * size * _UP + 0.02 * size * hands.forward
    angles = 2.0 * np.pi * np.arange(10) / 10
    ring = size * np.stack([np.cos(angles), np.sin(angles), np.zeros(10)], axis=-1)

    def drum(low: float, high: float, radius: float, wider: float) -> FloatArray:
        return np.concatenate(
            [centre + radius * ring + low * size * _UP, centre + wider * ring + high * size * _UP]
        )

    inks = [
        hands.flat(drum(-0.07, 0.06, 0.034, 0.046), CUP, hands.level),
        hands.flat(drum(-0.03, 0.03, 0.039, 0.044), SLEEVE, hands.level),
        hands.flat(drum(0.06, 0.08, 0.049, 0.042), DARK, hands.level),
    ]
    return [Part(_depth(centre) - 0.06 * size, inks)]


def _box(hands: _Hands) -> list[Part]:
    size = hands.scale
    centre = hands.between + size * (0.05 * hands.forward + 0.07 * _UP)
    axes = np.stack([hands.ahead, hands.aside, _UP])
    inks = hands.block(centre, axes, (0.15, 0.19, 0.14), CARTON)
    inks += hands.block(centre, axes, (0.152, 0.03, 0.142), TAPE)
    return [Part(_depth(centre), inks)]


def _food(hands: _Hands) -> list[Part]:
    size = hands.scale
    axes = np.stack([hands.forward, hands.left, _UP])
    plate = hands.block(hands.other + 0.04 * size * _UP, axes, (0.10, 0.10, 0.012), CUP)
    bite = hands.block(hands.hand + 0.02 * size * _UP, axes, (0.035, 0.05, 0.03), FOOD)
    return [
        Part(_depth(hands.other) - 0.05 * size, plate),
        Part(_depth(hands.hand) - 0.1 * size, bite),
    ]


def _item_on_floor(hands: _Hands) -> list[Part]:
    size = hands.scale
    centre = hands.subject.root + size * (0.52 * hands.ahead + 0.11 * _UP)
    axes = np.stack([hands.ahead, hands.aside, _UP])
    return [Part(_depth(centre), hands.block(centre, axes, (0.10, 0.16, 0.11), BAG))]


def _laptop(hands: _Hands) -> list[Part]:
    size, subject = hands.scale, hands.subject
    wrists = subject.joints[[JOINT["left_wrist"], JOINT["right_wrist"]]]
    # Fixed to the person, not to the hands, which move while they type.
    base = subject.root + 0.40 * size * hands.ahead
    base = np.array([base[0], base[1], float(wrists[:, 2].min()) - 0.05 * size])
    inks = hands.block(base, np.stack([hands.ahead, hands.aside, _UP]), (0.12, 0.175, 0.010), SHELL)
    lean = (0.94 * _UP + 0.33 * hands.ahead) / np.hypot(0.94, 0.33)
    centre = base + 0.12 * size * hands.ahead + 0.125 * size * lean
    normal = np.cross(hands.aside, lean)
    lid = hands.block(centre, np.stack([normal, hands.aside, lean]), (0.007, 0.175, 0.125), SHELL)
    front = -hands.ahead + 0.33 * _UP
    if front @ centre < 0:
        corners = _grid(
            centre - 0.009 * size * hands.ahead,
            size * hands.aside,
            (-0.158, 0.158),
            size * lean,
            (-0.108, 0.108),
        )
        lid.append(hands.flat(corners, SCREEN, 1.0))
    else:
        mark = _grid(
            centre + 0.009 * size * hands.ahead,
            size * hands.aside,
            (-0.022, 0.022),
            size * lean,
            (-0.022, 0.022),
        )
        lid.append(hands.flat(mark, CUP, 0.95))
    return [Part(_depth(base) - 0.02 * size, inks), Part(_depth(centre), lid)]


_MAKERS: Final = {
    "phone": _phone,
    "phone_in_front": _phone_in_front,
    "book": _book,
    "cup": _cup,
    "box": _box,
    "food": _food,
    "item_on_floor": _item_on_floor,
    "laptop": _laptop,
}


class _Machine:
    """A vehicle's axes and the means to draw rods and wheels."""

    def __init__(
        self, subject: Subject, book: Sketchbook, azimuth: float, light: Light, scale: float
    ) -> None:
        self.subject, self.book, self.azimuth = subject, book, azimuth
        self.light, self.scale = light, scale
        self.ahead = np.array([np.cos(subject.heading), np.sin(subject.heading), 0.0])
        self.aside = np.array([-self.ahead[1], self.ahead[0], 0.0])
        self.axes = np.stack([self.ahead, self.aside, _UP])
        self.colour = subject.appearance.hat

    def at(self, x: float, y: float, z: float) -> FloatArray:
        """A point of the rider's root frame, given for a body of 1.75 m."""
        return self.subject.root + self.scale * (x * self.ahead + y * self.aside + z * _UP)

    def rod(
        self, start: FloatArray, end: FloatArray, radius: float, colour: tuple[float, float, float]
    ) -> Ink:
        """A rod of constant thickness."""
        level = self.light.ambient + 0.35 * self.light.sun
        return self.book.bar(
            self.azimuth, (start, end), radius, tone(colour, level, self.light), CARRIED
        )

    def wheel(
        self, centre: FloatArray, radius: float, turn: float, tyre: float, spokes: int
    ) -> list[Ink]:
        """A wheel standing upright along the way ahead."""
        count = 16 if radius > 0.2 else 10
        angles = 2.0 * np.pi * np.arange(count) / count
        rim = centre + radius * (
            np.cos(angles)[:, None] * self.ahead + np.sin(angles)[:, None] * _UP
        )
        inks = []
        for index in range(spokes):
            angle = 2.0 * np.pi * index / spokes - turn
            tip = centre + radius * (np.cos(angle) * self.ahead + np.sin(angle) * _UP)
            inks.append(self.rod(centre, tip, 0.004, METAL))
        inks.extend(self.rod(rim[i - 1], rim[i], tyre, RUBBER) for i in range(count))
        return inks


def vehicle_parts(
    subject: Subject, book: Sketchbook, azimuth: float, light: Light, scale: float
) -> list[Part]:
    """The bicycle, scooter or trolley of a person."""
    if not subject.things & {"bicycle", "scooter", "trolley"}:
        return []
    machine = _Machine(subject, book, azimuth, light, scale)
    if "bicycle" in subject.things:
        return _bicycle(machine)
    if "scooter" in subject.things:
        return _scooter(machine)
    return _trolley(machine)


def _bicycle(machine: _Machine) -> list[Part]:
    at, scale, colour = machine.at, machine.scale, machine.colour
    rear, front = at(-0.34, 0.0, 0.34), at(0.72, 0.0, 0.34)
    phase = machine.subject.phase
    turn = 2.0 * np.pi * phase * 2.2
    bracket = at(CRANK[0] - 0.06, 0.0, CRANK[1])
    saddle, post, head = at(-0.12, 0.0, 0.90), at(-0.09, 0.0, 0.78), at(0.50, 0.0, 0.84)
    x, y, z = HANDLEBAR
    inks = [
        *machine.wheel(rear, 0.33 * scale, turn, 0.018, 6),
        *machine.wheel(front, 0.33 * scale, turn, 0.018, 6),
        machine.rod(bracket, saddle, 0.018, colour),
        machine.rod(bracket, head, 0.020, colour),
        machine.rod(post, head, 0.018, colour),
        machine.rod(rear, bracket, 0.013, colour),
        machine.rod(rear, post, 0.013, colour),
        machine.rod(front, head, 0.016, METAL),
        machine.rod(head, at(x - 0.02, 0.0, z), 0.016, METAL),
        machine.rod(at(-0.22, 0.0, 0.92), at(0.02, 0.0, 0.93), 0.032, DARK),
        machine.rod(at(x - 0.04, -y, z), at(x - 0.04, y, z), 0.018, DARK),
    ]
    angle = -2.0 * np.pi * phase
    for sign, shift in ((1.0, 0.0), (-1.0, np.pi)):
        pedal = bracket + scale * (
            CRANK_LENGTH * (np.cos(angle - shift) * machine.ahead + np.sin(angle - shift) * _UP)
            + sign * 0.08 * machine.aside
        )
        inks.append(machine.rod(bracket + 0.08 * scale * sign * machine.aside, pedal, 0.012, METAL))
    return [Part(_depth(at(0.05, 0.0, 0.0)) + 0.03, inks)]


def _scooter(machine: _Machine) -> list[Part]:
    at, scale = machine.at, machine.scale
    turn = 2.0 * np.pi * machine.subject.phase * 5.0
    x, y, z = SCOOTER_BAR
    deck = machine.book.block(
        machine.azimuth,
        at(0.08, 0.0, 0.09),
        machine.axes,
        (0.32 * scale, 0.075 * scale, 0.018 * scale),
        machine.colour,
        machine.light,
    )
    inks = [
        *machine.wheel(at(-0.32, 0.0, 0.085), 0.075 * scale, turn, 0.016, 3),
        *machine.wheel(at(x + 0.07, 0.0, 0.085), 0.075 * scale, turn, 0.016, 3),
        *deck,
        machine.rod(at(x + 0.06, 0.0, 0.10), at(x, 0.0, z), 0.020, METAL),
        machine.rod(at(x, -y, z), at(x, y, z), 0.020, DARK),
    ]
    return [Part(_depth(at(0.2, 0.0, 0.0)) + 0.05, inks)]


def _trolley(machine: _Machine) -> list[Part]:
    at, scale = machine.at, machine.scale
    x, y, z = TROLLEY_BAR
    frame = [
        machine.rod(at(x, sign * y, z), at(x + 0.10, sign * y, 0.25), 0.016, METAL)
        for sign in (1.0, -1.0)
    ]
    frame.append(machine.rod(at(x, -y, z), at(x, y, z), 0.020, DARK))
    load = machine.book.block(
        machine.azimuth,
        at(x + 0.48, 0.0, 0.42),
        machine.axes,
        (0.36 * scale, 0.26 * scale, 0.16 * scale),
        machine.colour,
        machine.light,
    )
    load += machine.book.block(
        machine.azimuth,
        at(x + 0.42, 0.02, 0.68),
        machine.axes,
        (0.25 * scale, 0.2 * scale, 0.10 * scale),
        CARTON,
        machine.light,
    )
    wheels: list[Ink] = []
    turn = 2.0 * np.pi * machine.subject.phase * 3.0
    for wheel_x in (0.16, 0.76):
        for sign in (1.0, -1.0):
            wheels.extend(
                machine.wheel(at(x + wheel_x, sign * 0.22, 0.09), 0.08 * scale, turn, 0.02, 0)
            )
    middle = _depth(at(x + 0.48, 0.0, 0.0))
    return [Part(middle + 0.1, wheels), Part(middle, load), Part(_depth(at(x, 0.0, 0.0)), frame)]
