"""Drawing people: the parts of each body, worn and carried things, from far to near."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.sample.appearance import Appearance
from avr_ros.sample.body import REFERENCE_STATURE
from avr_ros.sample.carried import carried_parts, vehicle_parts
from avr_ros.sample.drawing import (
    BODY,
    CARRIED,
    FRACTION_BITS,
    UNIT,
    ByteArray,
    Canvas,
    FloatArray,
    Ink,
    IntArray,
    Light,
    Sketchbook,
)
from avr_ros.sample.heads import head_parts
from avr_ros.sample.limbs import limb_colours, limb_parts
from avr_ros.sample.subject import Subject
from avr_ros.sample.torso import runs_of_colours, torso_colours, torso_parts
from avr_ros.sample.worn import worn_parts


@dataclass
class Figure:
    """A person as polygons in drawing order.

    ``outline`` is (left, top, right, bottom) of the whole body in continuous pixels, columns not
    wrapped, rows not cut; ``extent`` the same of all that is drawn.
    """

    identity: int
    depth: float
    inks: list[Ink]
    outline: tuple[float, float, float, float]
    extent: tuple[float, float, float, float]

    def silhouette(self) -> list[IntArray]:
        """The polygons that make up the body's outline."""
        return [ink.points for ink in self.inks if ink.kind == BODY]


class Illustrator:
    """Draws people, remembering the colours of their clothes from frame to frame."""

    def __init__(self) -> None:
        self._limbs: dict[Appearance, FloatArray] = {}
        self._torsos: dict[Appearance, tuple[FloatArray, list[tuple[int, int]]]] = {}

    def figures(
        self,
        subjects: list[Subject],
        direction: FloatArray,
        sun: float,
        ambient: float,
        tint: tuple[float, float, float],
    ) -> list[Figure]:
        """Turn everybody at one moment into polygons.

        ``direction`` points to the sun in the label frame; ``sun`` and ``ambient`` are the
        strength of direct and diffuse light.
        """
        if not subjects:
            return []
        joints = np.stack([s.joints for s in subjects])
        directions = np.stack([s.directions for s in subjects])
        looks = [s.appearance for s in subjects]
        azimuth = np.arctan2(joints[:, 0, 1], joints[:, 0, 0])
        distance = np.maximum(np.hypot(joints[:, 0, 0], joints[:, 0, 1]), 0.3)
        scale = np.asarray([look.stature for look in looks]) / REFERENCE_STATURE
        pixels_per_metre = JRDB_CYLINDER.vertical_focal_length / distance
        cosine, sine = np.cos(azimuth), np.sin(azimuth)
        zero = np.zeros_like(cosine)
        right = np.stack([sine, -cosine, zero], axis=-1)
        toward = np.stack([-cosine, -sine, zero], axis=-1)
        suns = sun * np.asarray([s.sunlight for s in subjects])
        lights = [Light(direction, float(value), ambient, tint) for value in suns]
        tints = np.asarray(tint)
        bands = [_bands(float(value)) for value in pixels_per_metre]
        steps = [
            1 if value > 95.0 or (value > 40.0 and _patterned(look)) else 2
            for value, look in zip(pixels_per_metre, looks, strict=True)
        ]
        limb_tones = np.stack([self._limb_colours(s) for s in subjects])
        torso_tones, torso_runs = zip(*(self._torso_colours(s) for s in subjects), strict=True)
        parts = limb_parts(
            joints,
            azimuth,
            scale,
            looks,
            limb_tones,
            right,
            toward,
            direction,
            suns,
            ambient,
            tints,
            bands,
        )
        torsos = torso_parts(
            joints,
            directions,
            azimuth,
            scale,
            looks,
            list(torso_tones),
            list(torso_runs),
            direction,
            suns,
            ambient,
            tints,
            steps,
        )
        heads = head_parts(
            joints, directions, azimuth, scale, looks, lights, right, pixels_per_metre
        )
        for owner, part in heads:
            parts[owner].append(part)
        book = Sketchbook()
        for index, subject in enumerate(subjects):
            around, size, light = float(azimuth[index]), float(scale[index]), lights[index]
            mine = parts[index]
            mine.append(torsos[index])
            mine.extend(worn_parts(subject, book, around, light, size))
            mine.extend(vehicle_parts(subject, book, around, light, size))
            mine.extend(carried_parts(subject, book, around, light, size))
        book.project()
        result = []
        for index, subject in enumerate(subjects):
            mine = sorted(parts[index], key=lambda part: -part.depth)
            inks = [ink for part in mine for ink in part.inks]
            outline = extent = _extent([ink.points for ink in inks if ink.kind == BODY])
            things = [ink.points for ink in inks if ink.kind == CARRIED]
            if things:
                other = _extent(things)
                extent = (
                    min(outline[0], other[0]),
                    min(outline[1], other[1]),
                    max(outline[2], other[2]),
                    max(outline[3], other[3]),
                )
            figure = Figure(subject.identity, float(distance[index]), inks, outline, extent)
            result.append(figure)
        return result

    def _limb_colours(self, subject: Subject) -> FloatArray:
        key = subject.appearance
        if key not in self._limbs:
            self._limbs[key] = limb_colours(subject.appearance)
        return self._limbs[key]

    def _torso_colours(self, subject: Subject) -> tuple[FloatArray, list[tuple[int, int]]]:
        key = subject.appearance
        if key not in self._torsos:
            colours = torso_colours(subject.appearance)
            self._torsos[key] = (colours, runs_of_colours(colours))
        return self._torsos[key]


def _patterned(look: Appearance) -> bool:
    return look.top_kind == "jacket" or look.stripe != "none"


def _bands(pixels_per_metre: float) -> int:
    """How many shades a limb has across, by its width on the picture."""
    for limit, count in ((45.0, 2), (95.0, 3), (190.0, 4)):
        if pixels_per_metre < limit:
            return count
    return 6


def _extent(shapes: list[IntArray]) -> tuple[float, float, float, float]:
    points = np.concatenate(shapes)
    left, top = (points.min(axis=0) / UNIT + 0.5).tolist()
    right, bottom = (points.max(axis=0) / UNIT + 0.5).tolist()
    return left, top, right, bottom


def paint_figure(canvas: Canvas, figure: Figure) -> None:
    """Paint a figure's colours."""
    for shift in canvas.shifts(figure.extent[0] - 2, figure.extent[2] + 2):
        move = np.array([shift << FRACTION_BITS, 0], np.int32)
        for ink in figure.inks:
            points = ink.points + move if shift else ink.points
            cv2.fillConvexPoly(canvas.image, points, ink.colour, cv2.LINE_AA, FRACTION_BITS)


def mark_figure(canvas: Canvas, figure: Figure) -> int:
    """Enter a figure in the canvas's ids; returns the pixels of its body inside the picture.

    What it carries hides others, but not its own body.
    """
    left, top = int(np.floor(figure.extent[0])) - 2, max(int(np.floor(figure.extent[1])) - 2, 0)
    right = int(np.ceil(figure.extent[2])) + 2
    bottom = min(int(np.ceil(figure.extent[3])) + 2, canvas.height)
    if bottom <= top:
        return 0
    body = np.zeros((bottom - top, right - left), np.uint8)
    origin = np.array([left << FRACTION_BITS, top << FRACTION_BITS], np.int32)
    carried: ByteArray | None = None
    for ink in figure.inks:
        if ink.kind == BODY:
            cv2.fillConvexPoly(body, ink.points - origin, (255,), cv2.LINE_8, FRACTION_BITS)
        elif ink.kind == CARRIED:
            if carried is None:
                carried = np.zeros_like(body)
            cv2.fillConvexPoly(carried, ink.points - origin, (255,), cv2.LINE_8, FRACTION_BITS)
    for place in canvas.places(left, top, right - left, bottom - top):
        target = canvas.ids[place[:2]]
        if carried is not None:
            target[carried[place[2:]] > 0] = 0
        target[body[place[2:]] > 0] = figure.identity
    return int(cv2.countNonZero(body))
