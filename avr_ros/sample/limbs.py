"""Arms, legs, hands, feet and necks of all people of a frame: tapered round limbs."""

from __future__ import annotations

from typing import Final

import numpy as np

from avr_ros.sample.appearance import Appearance
from avr_ros.sample.body import JOINT
from avr_ros.sample.drawing import (
    BODY,
    DETAIL,
    FloatArray,
    Ink,
    Part,
    angular,
    ink_points,
)

LIMBS: Final[tuple[tuple[str, str, float, float, str, float], ...]] = (
    # from, to, radius at each end in metres, what covers it, how much nearer it counts
    ("left_hip", "left_knee", 0.082, 0.058, "thigh", -0.11),
    ("right_hip", "right_knee", 0.082, 0.058, "thigh", -0.11),
    ("left_knee", "left_ankle", 0.056, 0.040, "shin", 0.0),
    ("right_knee", "right_ankle", 0.056, 0.040, "shin", 0.0),
    ("left_heel", "left_toe", 0.040, 0.034, "shoe", 0.01),
    ("right_heel", "right_toe", 0.040, 0.034, "shoe", 0.01),
    ("left_shoulder", "left_elbow", 0.054, 0.043, "upper arm", 0.05),
    ("right_shoulder", "right_elbow", 0.054, 0.043, "upper arm", 0.05),
    ("left_elbow", "left_wrist", 0.042, 0.030, "forearm", 0.06),
    ("right_elbow", "right_wrist", 0.042, 0.030, "forearm", 0.06),
    ("left_wrist", "left_hand", 0.029, 0.036, "hand", 0.07),
    ("right_wrist", "right_hand", 0.029, 0.036, "hand", 0.07),
    ("neck", "head", 0.052, 0.050, "neck", -0.06),
    ("left_shoulder", "left_elbow", 0.061, 0.057, "sleeve", 0.052),
    ("right_shoulder", "right_elbow", 0.061, 0.057, "sleeve", 0.052),
)
_STARTS: Final = np.array([JOINT[limb[0]] for limb in LIMBS])
_ENDS: Final = np.array([JOINT[limb[1]] for limb in LIMBS])
_START_RADII: Final = np.array([limb[2] for limb in LIMBS])
_END_RADII: Final = np.array([limb[3] for limb in LIMBS])
_NEARER: Final = np.array([limb[5] for limb in LIMBS])
_SLEEVES: Final = np.array([limb[4] == "sleeve" for limb in LIMBS])
_ARMS: Final = np.array([limb[4] in ("upper arm", "forearm") for limb in LIMBS])
_FIRST_SLEEVE: Final = int(np.flatnonzero(_SLEEVES)[0])
_UPPER_ARMS: Final = tuple(i for i, limb in enumerate(LIMBS) if limb[4] == "upper arm")
SLEEVE_SHARE: Final = 0.62
"""How far down the upper arm a short sleeve reaches."""

NECK_SHARE: Final = 0.6
"""How far up to the middle of the head a neck is drawn."""
_SHARES: Final = np.array(
    [{"sleeve": SLEEVE_SHARE, "neck": NECK_SHARE}.get(limb[4], 1.0) for limb in LIMBS]
)

_FINE: Final = 12
_ARC: Final = -np.cos(np.linspace(0.0, np.pi, _FINE + 1))
_ARC_DEPTH: Final = np.sqrt(np.maximum(1.0 - _ARC**2, 0.0))
_MIDDLE: Final = -np.cos(np.linspace(0.0, np.pi, 2 * _FINE + 1))[1::2]
_MIDDLE_DEPTH: Final = np.sqrt(1.0 - _MIDDLE**2)


def limb_colours(appearance: Appearance) -> FloatArray:
    """The colour of each limb (15, 3)."""
    bare_legs = appearance.bottom_kind in ("shorts", "skirt")
    bare_arms = not appearance.long_sleeves
    colour_of = {
        "thigh": appearance.bottom,
        "shin": appearance.skin if bare_legs else appearance.bottom,
        "shoe": appearance.shoes,
        "upper arm": appearance.skin if bare_arms else appearance.top,
        "forearm": appearance.skin if bare_arms else appearance.top,
        "sleeve": appearance.top,
        "hand": appearance.skin,
        "neck": appearance.skin,
    }
    return np.asarray([colour_of[limb[4]] for limb in LIMBS], dtype=np.float64)


def limb_parts(
    joints: FloatArray,
    azimuth: FloatArray,
    scale: FloatArray,
    looks: list[Appearance],
    colours: FloatArray,
    right: FloatArray,
    toward: FloatArray,
    direction: FloatArray,
    sun: FloatArray,
    ambient: float,
    tint: FloatArray,
    bands: list[int],
) -> list[list[Part]]:
    """The limbs of P people as parts, each from its outline to its bands of shade.

    ``joints`` (P, 24, 3), ``azimuth`` and ``scale`` (P,), ``colours`` (P, 15, 3), ``right`` and
    ``toward`` (P, 3) the view's axes, ``sun`` (P,) the direct light each gets; ``bands`` is how
    many shades each person's limbs have, a divisor of 12.
    """
    girth = scale * (0.5 + 0.5 * np.asarray([look.build for look in looks]))
    loose = np.asarray([look.top_kind in ("coat", "hoodie", "jacket") for look in looks])
    padding = 1.0 + 0.08 * loose[:, None] * _ARMS[None]
    start, end = joints[:, _STARTS], joints[:, _ENDS]
    end = start + _SHARES[:, None] * (end - start)
    around = azimuth[:, None]
    first, near = angular(start, around)
    last, far = angular(end, around)
    axis = last - first
    length = np.linalg.norm(axis, axis=-1, keepdims=True)
    axis = np.where(length > 1e-9, axis / np.maximum(length, 1e-9), np.array([0.0, -1.0]))
    across = np.stack([-axis[..., 1], axis[..., 0]], axis=-1)
    radius_0 = (_START_RADII * girth[:, None] * padding / near)[..., None, None]
    radius_1 = (_END_RADII * girth[:, None] * padding / far)[..., None, None]
    wide, deep = _ARC[:, None], _ARC_DEPTH[:, None]
    around = azimuth[:, None, None]
    near_ink = ink_points(
        first[:, :, None] + radius_0 * (wide * across[:, :, None] - deep * axis[:, :, None]),
        around,
    )
    far_ink = ink_points(
        last[:, :, None] + radius_1 * (wide * across[:, :, None] + deep * axis[:, :, None]), around
    )
    to_right, to_camera = right @ direction, toward @ direction
    lit = (
        _MIDDLE * (across[..., 0] * to_right[:, None] + across[..., 1] * direction[2])[..., None]
        + _MIDDLE_DEPTH * to_camera[:, None, None]
    )
    level = ambient * (0.82 + 0.18 * _MIDDLE * across[..., 1:2]) + sun[:, None, None] * np.maximum(
        lit, 0.0
    )
    tones = np.clip(level[..., None] * (colours * tint)[:, :, None], 0.0, 255.0)
    middle = 0.5 * (start + end)
    depth = np.hypot(middle[..., 0], middle[..., 1]) - scale[:, None] * _NEARER
    result = []
    for person, look in enumerate(looks):
        step = _FINE // bands[person]
        shades = tones[person, :, step // 2 :: step].tolist()
        parts: list[Part] = []
        for limb in range(len(LIMBS)):
            if _SLEEVES[limb] and look.long_sleeves:
                break
            near_end, far_end = near_ink[person, limb], far_ink[person, limb][::-1]
            whole = np.concatenate([near_end, far_end])
            inks = [Ink(tuple(shades[limb][0]), BODY, whole)]
            for band in range(1, bands[person]):
                begin = band * step
                points = whole[begin : 2 * (_FINE + 1) - begin]
                inks.append(Ink(tuple(shades[limb][band]), DETAIL, points))
            if _SLEEVES[limb]:
                # On the arm that it covers, whatever their distances.
                parts[_UPPER_ARMS[limb - _FIRST_SLEEVE]].inks.extend(inks)
            else:
                parts.append(Part(float(depth[person, limb]), inks))
        result.append(parts)
    return result
