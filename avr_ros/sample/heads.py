"""Heads of all people of a frame: skin, face, hair and hats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avr_ros.sample.appearance import Appearance
from avr_ros.sample.body import DIRECTION, JOINT
from avr_ros.sample.drawing import (
    BODY,
    DETAIL,
    FloatArray,
    Ink,
    IntArray,
    Light,
    Part,
    Tone,
    angular,
    convex,
    ink_points,
    tone,
)

HEAD_RADII: Final = (0.098, 0.076, 0.122)
"""Half extents of the head along its forward, left and up axes, metres at 1.75 m."""

Mask = NDArray[np.bool_]
_Lit = Callable[[Tone, float], Tone]


def _sphere_points() -> FloatArray:
    """Directions spread evenly over a sphere (Fibonacci lattice)."""
    count = 160
    index = np.arange(count) + 0.5
    height = 1.0 - 2.0 * index / count
    angle = np.pi * (1.0 + np.sqrt(5.0)) * index
    radius = np.sqrt(1.0 - height**2)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), height], axis=-1)


SPHERE: Final = _sphere_points()
_COUNT: Final = len(SPHERE)


def _cap(axis: tuple[float, float, float], angle: float) -> Mask:
    """Which of the sphere's points lie within ``angle`` of an axis."""
    unit = np.asarray(axis) / np.linalg.norm(axis)
    return np.asarray(SPHERE @ unit > np.cos(angle))


_CROWN_HAIR: Final = _cap((-0.30, 0.0, 0.95), 1.08)
_NAPE_HAIR: Final = _cap((-1.0, 0.0, 0.0), 1.10)
_HAIR: Final = {
    "short": (_CROWN_HAIR | _NAPE_HAIR, 1.06),
    "long": (_cap((-0.62, 0.0, 0.78), 1.42) | _NAPE_HAIR, 1.10),
    "bun": (_CROWN_HAIR | _NAPE_HAIR, 1.05),
    "curly": (_cap((-0.50, 0.0, 0.86), 1.42) | _NAPE_HAIR, 1.22),
}
"""Where each kind of hair grows, and by what factor it stands off the head."""
_BEARD: Final = _cap((0.72, 0.0, -0.75), 0.62)
_CROWN: Final = _cap((-0.12, 0.0, 1.0), 1.22) & (SPHERE[:, 2] > 0.28)
_BAND: Final = (SPHERE[:, 2] > 0.22) & (SPHERE[:, 2] < 0.50)
_RIBBON: Final = (SPHERE[:, 2] > 0.38) & (SPHERE[:, 2] < 0.58)
_BACK: Final = SPHERE[:, 0] < 0.15


def _patch(azimuth: float, elevation: float, width: float, height: float) -> FloatArray:
    """Eight directions around a place of the face."""
    angles = 2.0 * np.pi * np.arange(8) / 8
    yaw, pitch = azimuth + width * np.cos(angles), elevation + height * np.sin(angles)
    return np.stack(
        [np.cos(pitch) * np.cos(yaw), np.cos(pitch) * np.sin(yaw), np.sin(pitch)], axis=-1
    )


_FEATURES: Final = (
    # name, azimuth and elevation on the head, half width and half height (radians)
    ("rim", 0.36, 0.10, 0.22, 0.14),
    ("rim", -0.36, 0.10, 0.22, 0.14),
    ("lens", 0.36, 0.10, 0.17, 0.10),
    ("lens", -0.36, 0.10, 0.17, 0.10),
    ("eye", 0.36, 0.10, 0.10, 0.055),
    ("eye", -0.36, 0.10, 0.10, 0.055),
    ("mouth", 0.0, -0.44, 0.20, 0.045),
    ("nose", 0.0, -0.14, 0.075, 0.13),
    ("brow", 0.36, 0.27, 0.15, 0.03),
    ("brow", -0.36, 0.27, 0.15, 0.03),
    ("ear", 1.72, -0.08, 0.13, 0.17),
    ("ear", -1.72, -0.08, 0.13, 0.17),
)
_FEATURE_POINTS: Final = np.stack([_patch(*feature[1:]) for feature in _FEATURES])
_FEATURE_MIDDLES: Final = _FEATURE_POINTS.mean(axis=1)
_FEATURE_MIDDLES_UNIT: Final = _FEATURE_MIDDLES / np.linalg.norm(
    _FEATURE_MIDDLES, axis=-1, keepdims=True
)
_RIM_ANGLES: Final = 2.0 * np.pi * np.arange(20) / 20
_BRIM: Final = np.stack(
    [1.75 * np.cos(_RIM_ANGLES), 1.9 * np.sin(_RIM_ANGLES), np.full(20, 0.42)], axis=-1
)
_FRONT: Final = _RIM_ANGLES[np.cos(_RIM_ANGLES) > -0.05]
_VISOR: Final = np.stack(
    [0.75 + 0.95 * np.cos(_FRONT), 0.85 * np.sin(_FRONT), np.full(len(_FRONT), 0.40)], axis=-1
)
_KNOT: Final = np.array([-1.15, 0.0, 0.55]) + 0.48 * SPHERE[::6]

FACE_FROM: Final = 55.0
"""Faces are drawn where a metre has at least this many pixels."""


def head_parts(  # noqa: PLR0913
    joints: FloatArray,
    directions: FloatArray,
    azimuth: FloatArray,
    scale: FloatArray,
    looks: list[Appearance],
    lights: list[Light],
    right: FloatArray,
    pixels_per_metre: FloatArray,
) -> list[tuple[int, Part]]:
    """The heads of P people, as parts with their person's position."""
    centre = joints[:, JOINT["head"]]
    forward = directions[:, DIRECTION["head_forward"]]
    up = directions[:, DIRECTION["head_up"]]
    axes = np.stack([forward, np.cross(up, forward), up], axis=1)
    radii = np.asarray(HEAD_RADII) * 1.02 * scale[:, None]
    swell = np.asarray([_HAIR[k.hair_kind][1] if k.hair_kind in _HAIR else 1.0 for k in looks])
    shapes = np.concatenate(
        [SPHERE, _FEATURE_POINTS.reshape(-1, 3) * 1.01, _BRIM, _VISOR, _KNOT, SPHERE * 1.14]
    )
    local = shapes[None] * radii[:, None]
    hair = SPHERE[None] * radii[:, None] * swell[:, None, None]
    world = centre[:, None] + np.concatenate([local, hair], axis=1) @ axes
    around = azimuth[:, None]
    ink = ink_points(angular(world, around)[0], around)
    marks = np.cumsum([_COUNT, _FEATURE_POINTS.shape[0] * 8, 20, len(_FRONT), len(_KNOT), _COUNT])
    skin_ink, feature_ink, brim_ink, visor_ink, knot_ink, crown_ink, hair_ink = np.split(
        ink, marks, axis=1
    )
    sight = centre / np.linalg.norm(centre, axis=-1, keepdims=True)
    normals = (SPHERE[None] / radii[:, None]) @ axes
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    facing = np.einsum("pnk,pk->pn", normals, sight)
    feature_normals = (_FEATURE_MIDDLES_UNIT[None] / radii[:, None]) @ axes
    feature_normals /= np.linalg.norm(feature_normals, axis=-1, keepdims=True)
    feature_facing = np.einsum("pnk,pk->pn", feature_normals, sight)
    looking = np.einsum("pk,pk->p", forward, sight)
    depth = np.hypot(centre[:, 0], centre[:, 1]) - 0.02 * scale
    locks_ink, locks_depth = _locks(joints, directions, azimuth, scale, axes)
    result = []
    owners: list[int] = []
    for person, look in enumerate(looks):
        owners.append(person)
        light = lights[person]
        sun_right = float(right[person] @ light.direction)
        inks = _head(
            _Head(
                look=look,
                light=light,
                lean=(0.55 * sun_right, 0.4 * float(light.direction[2])),
                skin=skin_ink[person],
                hair=hair_ink[person],
                crown=crown_ink[person],
                brim=brim_ink[person],
                visor=visor_ink[person],
                knot=knot_ink[person],
                locks=locks_ink[person],
                features=feature_ink[person].reshape(-1, 8, 2),
                facing=facing[person],
                feature_facing=feature_facing[person],
                looking=float(looking[person]),
                detail=float(pixels_per_metre[person]),
            )
        )
        result.append(Part(float(depth[person]), inks))
        if look.hair_kind == "long":
            back = _HAIR["long"][0] & _BACK
            points = convex(np.concatenate([hair_ink[person][back], locks_ink[person]]))
            colour = _palette(look).hair
            level = (light.ambient * 0.95 + light.sun * 0.42) * 0.84
            locks = [Ink(tone(colour, level, light), BODY, points)]
            locks.append(Ink(tone(colour, level * 1.2, light), DETAIL, _narrowed(points)))
            result.append(Part(float(locks_depth[person]), locks))
            owners.append(person)
    return list(zip(owners, result, strict=True))


def _locks(  # noqa: PLR0913
    joints: FloatArray,
    directions: FloatArray,
    azimuth: FloatArray,
    scale: FloatArray,
    axes: FloatArray,
) -> tuple[IntArray, FloatArray]:
    """Where long hair ends, on the back, (P, 4, 2), and its distance (P,)."""
    neck, waist = joints[:, JOINT["neck"]], joints[:, JOINT["waist"]]
    chest_up = neck - waist
    chest_up /= np.maximum(np.linalg.norm(chest_up, axis=-1, keepdims=True), 1e-6)
    back = -directions[:, DIRECTION["torso_forward"]]
    left = axes[:, 1]
    size = scale[:, None]
    fall = neck + 0.075 * size * back - 0.09 * size * chest_up
    tips = np.stack([left, -left, 0.6 * back, -0.3 * chest_up], axis=1)
    points = fall[:, None] + 0.07 * scale[:, None, None] * tips
    ink = ink_points(angular(points, azimuth[:, None])[0], azimuth[:, None])
    # A little farther back than it hangs, so that it never lies over a face or a chest.
    behind = fall + 0.05 * size * back
    return ink, np.hypot(behind[:, 0], behind[:, 1])


@dataclass(frozen=True)
class _Palette:
    """Colours of one head."""

    skin: Tone
    hair: Tone
    shine: Tone
    beard: Tone
    hat: Tone
    hat_light: Tone
    features: dict[str, Tone]


def _tuple(colour: FloatArray) -> Tone:
    blue, green, red = np.clip(colour, 0.0, 255.0).tolist()
    return blue, green, red


@lru_cache(maxsize=4096)
def _palette(look: Appearance) -> _Palette:
    skin, hair = np.asarray(look.skin, np.float64), np.asarray(look.hair, np.float64)
    hat = np.asarray(look.hat, np.float64)
    features = {
        "rim": np.array([30.0, 30.0, 32.0]),
        "lens": 0.6 * skin + 60.0,
        "eye": np.array([40.0, 36.0, 38.0]),
        "mouth": 0.5 * skin + np.array([8.0, 4.0, 34.0]),
        "nose": 0.84 * skin,
        "brow": 0.6 * hair + 0.2 * skin,
        "ear": 0.88 * skin,
    }
    return _Palette(
        skin=_tuple(skin),
        hair=_tuple(hair),
        shine=_tuple(hair * 1.25 + 8.0),
        beard=_tuple(0.75 * hair + 0.25 * skin),
        hat=_tuple(hat),
        hat_light=_tuple(hat * 1.12 + 6.0),
        features={name: _tuple(colour) for name, colour in features.items()},
    )


@dataclass
class _Head:
    """What is needed to draw one head."""

    look: Appearance
    light: Light
    lean: tuple[float, float]
    skin: IntArray
    hair: IntArray
    crown: IntArray
    brim: IntArray
    visor: IntArray
    knot: IntArray
    locks: IntArray
    features: IntArray
    facing: FloatArray
    feature_facing: FloatArray
    looking: float
    detail: float


def _shrunk(points: IntArray, factor: float, shift: FloatArray) -> IntArray:
    """Points drawn together around their middle and moved, in 1/16 px."""
    middle = points.mean(axis=0)
    return np.asarray(np.rint(middle + factor * (points - middle) + shift), np.int32)


def _narrowed(points: IntArray) -> IntArray:
    """The middle third of a shape, as a strand of hair."""
    middle = points.mean(axis=0)
    moved = np.rint(middle + np.array([0.4, 0.9]) * (points - middle))
    return np.asarray(moved, np.int32)


def _head(head: _Head) -> list[Ink]:
    look, light = head.look, head.light
    level = light.ambient * 0.95 + light.sun * 0.42
    palette = _palette(look)

    def lit(colour: Tone, factor: float) -> Tone:
        return tone(colour, level * factor, light)

    outline = convex(head.skin)
    span = outline.max(axis=0) - outline.min(axis=0)
    shift = np.array([head.lean[0] * span[0] * 0.16, -head.lean[1] * span[1] * 0.10])
    inks = [Ink(lit(palette.skin, 0.82), BODY, outline)]
    steps = 2 if head.detail < 40.0 else 3 if head.detail < 100.0 else 6
    for step in range(1, steps):
        # Rounder towards the light: the same outline, smaller, lighter, moved.
        share = step / steps
        inner = _shrunk(outline, 1.0 - 0.75 * share, 2.0 * share * shift)
        inks.append(Ink(lit(palette.skin, 0.82 + 0.24 * share), DETAIL, inner))
    seen = head.facing < 0.08
    if head.detail > FACE_FROM and head.looking < 0.25:
        inks.extend(_face(head, palette, lit))
    if look.hair_kind in _HAIR:
        visible = _HAIR[look.hair_kind][0] & seen
        if np.count_nonzero(visible) >= 3:
            shell = convex(head.hair[visible])
            inks.append(Ink(lit(palette.hair, 0.92), BODY, shell))
            if head.detail > 40.0:
                glossy = _shrunk(shell, 0.58, shift)
                inks.append(Ink(lit(palette.shine, 1.0), DETAIL, glossy))
        if look.hair_kind == "bun":
            ink = Ink(lit(palette.hair, 0.98), BODY, convex(head.knot))
            inks.insert(len(inks) if head.looking > 0.0 else 0, ink)
    if look.hat_kind != "none":
        inks.extend(_hat(head, palette, lit, inks))
    return inks


def _face(head: _Head, palette: _Palette, lit: _Lit) -> list[Ink]:
    """Beard, glasses, eyes, mouth, nose, brows and ears as far as they are seen."""
    look = head.look
    inks: list[Ink] = []
    beard = _BEARD & (head.facing < -0.05)
    if look.beard and np.count_nonzero(beard) >= 3:
        inks.append(Ink(lit(palette.beard, 1.0), DETAIL, convex(head.skin[beard])))
    facing = head.feature_facing.tolist()
    for index, feature in enumerate(_FEATURES):
        name = feature[0]
        if name in ("rim", "lens") and not look.glasses:
            continue
        if name == "brow" and head.detail < 110.0:
            continue
        if name == "ear" and (look.hair_kind in ("long", "curly") or head.detail < 80.0):
            continue
        if facing[index] > (-0.45 if name == "ear" else -0.22):
            continue
        # The eight points of a feature are in order and convex as they are.
        inks.append(Ink(lit(palette.features[name], 1.0), DETAIL, head.features[index]))
    return inks


def _hat(head: _Head, palette: _Palette, lit: _Lit, under: list[Ink]) -> list[Ink]:
    """A hat's inks that come on top; a brim or visor seen from behind goes ``under`` the head."""
    look = head.look
    crown = convex(head.crown[_CROWN])
    inks = [
        Ink(lit(palette.hat, 0.92), BODY, crown),
        Ink(lit(palette.hat_light, 1.0), DETAIL, _shrunk(crown, 0.6, np.zeros(2))),
    ]
    if look.hat_kind == "beanie":
        inks.append(Ink(lit(palette.hat, 0.74), BODY, convex(head.crown[_BAND])))
    elif look.hat_kind == "brim":
        inks.insert(0, Ink(lit(palette.hat, 0.7), BODY, convex(head.brim)))
        inks.append(Ink(lit(palette.hat, 0.45), DETAIL, convex(head.crown[_RIBBON])))
    else:
        visor = Ink(lit(palette.hat, 0.66), BODY, convex(head.visor))
        if head.looking < 0.2:
            inks.append(visor)
        else:
            under.insert(0, visor)
    return inks
