"""Torsos of all people of a frame: a sleeve of elliptic rings from the hips to the neck."""

from __future__ import annotations

from typing import Final

import numpy as np

from avr_ros.sample.appearance import Appearance
from avr_ros.sample.body import DIRECTION, JOINT
from avr_ros.sample.drawing import (
    BODY,
    DETAIL,
    FloatArray,
    Ink,
    Part,
    Tone,
    angular,
    convex,
    ink_points,
)

SECTORS: Final = 16
_ANGLES: Final = 2.0 * np.pi * np.arange(SECTORS) / SECTORS
_COSINE: Final = np.cos(_ANGLES)
_SINE: Final = np.sin(_ANGLES)
RINGS: Final = 6
_WIDE: Final = np.array([0.152, 0.168, 0.152, 0.186, 0.180, 0.078])
_DEEP: Final = np.array([0.105, 0.118, 0.110, 0.124, 0.100, 0.062])
_CHEST: Final = np.array([0.0, 0.0, 0.4, 1.0, 1.0, 1.0])
"""How far each ring turns with the chest rather than with the hips."""


def torso_colours(look: Appearance) -> FloatArray:
    """Colours (5, 16, 3) between the rings; sector 0 is in front."""
    colours = np.empty((RINGS - 1, SECTORS, 3))
    top, bottom = np.asarray(look.top, float), np.asarray(look.bottom, float)
    colours[:] = top
    colours[0] = top if look.top_kind == "coat" else bottom
    if look.top_kind == "jacket":
        colours[1:, [15, 0]] = look.inner
    if look.stripe == "chest":
        colours[2] = look.stripe_colour
    elif look.stripe == "rows":
        colours[[1, 3]] = look.stripe_colour
    if look.top_kind == "hoodie":
        colours[4] = 0.82 * top
    return colours


def frame_of_torso(
    joints: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """The hips' left and forward, the lower spine's direction and the hips' middle, (P, 3) each."""
    hips = joints[:, JOINT["left_hip"]] - joints[:, JOINT["right_hip"]]
    hips = hips / np.maximum(np.linalg.norm(hips, axis=-1, keepdims=True), 1e-6)
    pelvis, waist = joints[:, JOINT["pelvis"]], joints[:, JOINT["waist"]]
    spine = waist - pelvis
    spine = spine / np.maximum(np.linalg.norm(spine, axis=-1, keepdims=True), 1e-6)
    return hips, np.cross(hips, spine), spine, pelvis


def torso_parts(  # noqa: PLR0913
    joints: FloatArray,
    directions: FloatArray,
    azimuth: FloatArray,
    scale: FloatArray,
    looks: list[Appearance],
    colours: list[FloatArray],
    runs: list[list[tuple[int, int]]],
    direction: FloatArray,
    sun: FloatArray,
    ambient: float,
    tint: FloatArray,
    steps: list[int],
) -> list[Part]:
    """The torsos of P people; every ``steps``-th sector boundary of each is drawn.

    ``runs`` are each person's `runs_of_colours`.
    """
    hips_left, hips_forward, spine, pelvis = frame_of_torso(joints)
    waist, neck = joints[:, JOINT["waist"]], joints[:, JOINT["neck"]]
    chest_left = directions[:, DIRECTION["torso_left"]]
    chest_forward = directions[:, DIRECTION["torso_forward"]]
    size = scale[:, None]
    centres = np.stack(
        [
            pelvis - 0.075 * size * spine,
            pelvis + 0.02 * size * spine,
            waist - 0.01 * size * spine,
            waist + 0.62 * (neck - waist),
            waist + 0.89 * (neck - waist),
            neck,
        ],
        axis=1,
    )
    girth = (scale * np.asarray([look.build for look in looks]))[:, None]
    loose = np.asarray(
        [{"coat": 1.14, "hoodie": 1.10, "jacket": 1.06}.get(look.top_kind, 1.0) for look in looks]
    )[:, None]
    loosened = 1.0 + (loose - 1.0) * (np.arange(RINGS) >= 2) * (np.arange(RINGS) < 5)
    wide, deep = _WIDE * girth * loosened, _DEEP * girth * loosened
    blend = _CHEST[:, None]
    left = (1 - blend) * hips_left[:, None] + blend * chest_left[:, None]
    forward = (1 - blend) * hips_forward[:, None] + blend * chest_forward[:, None]
    rings = (
        centres[:, :, None]
        + (deep[..., None] * _COSINE)[..., None] * forward[:, :, None]
        + (wide[..., None] * _SINE)[..., None] * left[:, :, None]
    )
    ink = ink_points(angular(rings, azimuth[:, None, None])[0], azimuth[:, None, None])
    # Normals between two sector boundaries, from the ellipse alone: smooth along the body.
    half = _ANGLES + np.pi / SECTORS
    flat = np.cos(half) / deep[..., None]
    steep = np.sin(half) / wide[..., None]
    normal = flat[..., None] * forward[:, :, None] + steep[..., None] * left[:, :, None]
    normal = 0.5 * (normal[:, :-1] + normal[:, 1:])
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-9)
    middle = 0.5 * (centres[:, :-1] + centres[:, 1:])
    seen = np.sum(normal * middle[:, :, None], axis=-1) < 0.0
    level = ambient * (0.82 + 0.18 * normal[..., 2]) + sun[:, None, None] * np.maximum(
        normal @ direction, 0.0
    )
    shaded = np.clip(level[..., None] * np.stack(colours) * tint, 0.0, 255.0)
    core = 0.5 * (waist + 0.5 * (neck + pelvis))
    depth = np.hypot(core[:, 0], core[:, 1])
    # A body that leans to or from the camera shows its nearer end in front.
    reach = np.hypot(middle[..., 0], middle[..., 1])
    order = np.argsort(-reach, axis=1, kind="stable")
    upright = (spine[:, 2] > 0.75).tolist()
    tones_of, seen_of, rows_of = shaded.tolist(), seen.tolist(), order.tolist()
    depths = depth.tolist()
    result = []
    for person in range(len(looks)):
        inks: list[Ink] = []
        step = steps[person]
        sleeve, faces, tones = ink[person], seen_of[person], tones_of[person]
        for row in rows_of[person]:
            visible = [sector for sector in range(SECTORS) if faces[row][sector]]
            middle_face = visible[len(visible) // 2] if visible else 0
            pair = sleeve[row : row + 2].reshape(-1, 2)
            inks.append(Ink(_tone(tones[row][middle_face]), BODY, convex(pair)))
        spans = runs[person] if upright[person] else [(row, row + 1) for row in rows_of[person]]
        for low, high in spans:
            edges = sleeve[low : high + 1, ::step].swapaxes(0, 1)
            turned = np.roll(edges, -1, axis=0)[:, ::-1]
            strips = np.ascontiguousarray(np.concatenate([edges, turned], axis=1))
            middle_row = (low + high) // 2
            for index in range(SECTORS // step):
                sector = index * step + step // 2
                if faces[low][sector] or faces[high - 1][sector] or faces[middle_row][sector]:
                    shade = tones[middle_row][sector]
                    inks.append(Ink(_tone(shade), DETAIL, strips[index]))
        result.append(Part(depths[person], inks))
    return result


def runs_of_colours(colours: FloatArray) -> list[tuple[int, int]]:
    """Rings between which the cloth stays the same all around, from the hips up."""
    runs, start = [], 0
    for row in range(1, RINGS):
        if row == RINGS - 1 or not np.array_equal(colours[row], colours[start]):
            runs.append((start, row))
            start = row
    return runs


def _tone(values: list[float]) -> Tone:
    blue, green, red = values
    return blue, green, red
