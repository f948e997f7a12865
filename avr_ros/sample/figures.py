"""Drawing a person: limbs, clothes, head and what is carried, from nearest to farthest part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from avr_ros.sample.appearance import Appearance
from avr_ros.sample.body import DIRECTION, JOINT, REFERENCE_STATURE
from avr_ros.sample.carried import carried_inks, vehicle_parts
from avr_ros.sample.drawing import (
    BODY,
    CARRIED,
    DETAIL,
    FRACTION_BITS,
    Canvas,
    FloatArray,
    Ink,
    IntArray,
    Light,
    View,
    block,
    brightness,
    capsules,
    hull,
    shade,
)

Tone = tuple[float, float, float]


@dataclass
class Subject:
    """One person at one moment, in the label frame.

    ``joints`` (24, 3) and ``directions`` (4, 3) as `body.place` gives them; ``root`` is the
    point on the floor below the pelvis and ``heading`` the way the person faces; ``things`` are
    the names of what is carried or ridden and ``side`` (+1 left, -1 right) the hand that does it;
    ``phase`` turns wheels and cranks.
    """

    identity: int
    appearance: Appearance
    joints: FloatArray
    directions: FloatArray
    root: FloatArray
    heading: float
    things: frozenset[str]
    side: float
    phase: float


@dataclass
class Figure:
    """A person as polygons in drawing order.

    ``outline`` is (left, top, right, bottom) of the whole body in continuous pixels, columns not
    wrapped, rows not cut.
    """

    identity: int
    depth: float
    inks: list[Ink]
    outline: tuple[float, float, float, float]

    def silhouette(self) -> list[IntArray]:
        """The polygons that make up the body's outline."""
        return [ink.points for ink in self.inks if ink.kind == BODY]


@dataclass
class _Part:
    depth: float
    inks: list[Ink]


_LIMBS: Final = (
    # from, to, radius at each end, what covers it, how much nearer than its middle it counts
    ("left_hip", "left_knee", 0.082, 0.058, "thigh", 0.0),
    ("right_hip", "right_knee", 0.082, 0.058, "thigh", 0.0),
    ("left_knee", "left_ankle", 0.056, 0.040, "shin", 0.0),
    ("right_knee", "right_ankle", 0.056, 0.040, "shin", 0.0),
    ("left_heel", "left_toe", 0.040, 0.034, "shoe", 0.01),
    ("right_heel", "right_toe", 0.040, 0.034, "shoe", 0.01),
    ("left_shoulder", "left_elbow", 0.056, 0.044, "upper arm", 0.05),
    ("right_shoulder", "right_elbow", 0.056, 0.044, "upper arm", 0.05),
    ("left_elbow", "left_wrist", 0.043, 0.032, "forearm", 0.06),
    ("right_elbow", "right_wrist", 0.043, 0.032, "forearm", 0.06),
    ("left_wrist", "left_hand", 0.030, 0.036, "hand", 0.07),
    ("right_wrist", "right_hand", 0.030, 0.036, "hand", 0.07),
    ("neck", "head", 0.052, 0.050, "neck", 0.0),
)
_STARTS: Final = np.array([JOINT[limb[0]] for limb in _LIMBS])
_ENDS: Final = np.array([JOINT[limb[1]] for limb in _LIMBS])
_START_RADII: Final = np.array([limb[2] for limb in _LIMBS])
_END_RADII: Final = np.array([limb[3] for limb in _LIMBS])
_NEARER: Final = np.array([limb[5] for limb in _LIMBS])

HEAD_RADII: Final = (0.098, 0.076, 0.122)
"""Half extents of the head along its forward, left and up axes, metres at 1.75 m."""


def _tone(colour: FloatArray) -> Tone:
    return float(colour[0]), float(colour[1]), float(colour[2])


def draw_figure(canvas: Canvas, figure: Figure) -> int:
    """Paint a figure and its ids; returns the pixels of its body inside the picture."""
    for ink in figure.inks:
        low = int(ink.points[:, 0].min()) >> FRACTION_BITS
        high = int(ink.points[:, 0].max()) >> FRACTION_BITS
        for shift in canvas.shifts(low - 1, high + 1):
            moved = ink.points
            if shift:
                moved = moved + np.array([shift << FRACTION_BITS, 0], np.int32)
            cv2.fillPoly(canvas.image, [moved], ink.colour, cv2.LINE_AA, FRACTION_BITS)
    points = np.concatenate([ink.points for ink in figure.inks if ink.kind != DETAIL])
    low = points.min(axis=0) >> FRACTION_BITS
    high = (points.max(axis=0) >> FRACTION_BITS) + 2
    top, bottom = max(int(low[1]) - 1, 0), min(int(high[1]) + 1, canvas.height)
    if bottom <= top:
        return 0
    left, width = int(low[0]) - 1, int(high[0] - low[0]) + 2
    body = np.zeros((bottom - top, width), np.uint8)
    carried = np.zeros_like(body)
    origin = np.array([left << FRACTION_BITS, top << FRACTION_BITS], np.int32)
    for ink in figure.inks:
        if ink.kind == DETAIL:
            continue
        target = body if ink.kind == BODY else carried
        cv2.fillPoly(target, [ink.points - origin], (255,), cv2.LINE_8, FRACTION_BITS)
    carried[body > 0] = 0
    for shift in canvas.shifts(left, left + width - 1):
        begin, end = max(left + shift, 0), min(left + shift + width, canvas.width)
        if end <= begin:
            continue
        columns = slice(begin - left - shift, end - left - shift)
        target = canvas.ids[top:bottom, begin:end]
        target[carried[:, columns] > 0] = 0
        target[body[:, columns] > 0] = figure.identity
    return int(cv2.countNonZero(body))


def build_figure(subject: Subject, light: Light) -> Figure:
    """Turn a person at one moment into polygons."""
    view = View(float(np.arctan2(subject.joints[0, 1], subject.joints[0, 0])))
    scale = subject.appearance.stature / REFERENCE_STATURE
    distance = float(np.hypot(subject.joints[0, 0], subject.joints[0, 1]))
    pixels_per_metre = view.cylinder.vertical_focal_length / max(distance, 0.3)
    parts = _limb_parts(subject, view, light, scale, pixels_per_metre)
    parts.append(_torso_part(subject, view, light, scale, pixels_per_metre))
    parts.append(_head_part(subject, view, light, scale, pixels_per_metre))
    parts.extend(_worn_parts(subject, view, light, scale))
    for depth, inks in vehicle_parts(subject, view, light, scale):
        parts.append(_Part(depth, inks))
    for depth, inks in carried_inks(subject, view, light, scale):
        parts.append(_Part(depth, inks))
    parts.sort(key=lambda part: -part.depth)
    inks = [ink for part in parts for ink in part.inks]
    outline_points = np.concatenate([ink.points for ink in inks if ink.kind == BODY])
    low = outline_points.min(axis=0) / (1 << FRACTION_BITS) + 0.5
    high = outline_points.max(axis=0) / (1 << FRACTION_BITS) + 0.5
    return Figure(
        identity=subject.identity,
        depth=distance,
        inks=inks,
        outline=(float(low[0]), float(low[1]), float(high[0]), float(high[1])),
    )


def _depth(point: FloatArray) -> float:
    return float(np.hypot(point[0], point[1]))


def _limb_colours(appearance: Appearance) -> FloatArray:
    colours = []
    for _, _, _, _, cover, _ in _LIMBS:
        if cover == "thigh":
            colours.append(appearance.bottom)
        elif cover == "shin":
            bare = appearance.bottom_kind in ("shorts", "skirt")
            colours.append(appearance.skin if bare else appearance.bottom)
        elif cover == "shoe":
            colours.append(appearance.shoes)
        elif cover == "upper arm":
            colours.append(appearance.top)
        elif cover == "forearm":
            colours.append(appearance.top if appearance.long_sleeves else appearance.skin)
        else:
            colours.append(appearance.skin)
    return np.asarray(colours, dtype=np.float64)


def _limb_parts(
    subject: Subject, view: View, light: Light, scale: float, pixels_per_metre: float
) -> list[_Part]:
    appearance = subject.appearance
    girth = scale * (0.5 + 0.5 * appearance.build)
    start, end = subject.joints[_STARTS], subject.joints[_ENDS]
    padding = 1.0 + (0.16 if appearance.top_kind in ("coat", "hoodie", "jacket") else 0.0) * (
        (_NEARER > 0.04) & (_NEARER < 0.065)
    )
    bands = int(np.clip(pixels_per_metre * 0.1 / 2.5, 2, 8))
    polygons = capsules(
        view,
        start,
        end,
        _START_RADII * girth * padding,
        _END_RADII * girth * padding,
        _limb_colours(appearance),
        light,
        bands,
    )
    middle = 0.5 * (start + end)
    parts = []
    for index, limb in enumerate(polygons):
        inks = [
            Ink(points, tone, BODY if k == 0 else DETAIL) for k, (points, tone) in enumerate(limb)
        ]
        parts.append(_Part(_depth(middle[index]) - scale * float(_NEARER[index]), inks))
    if not appearance.long_sleeves:
        sleeves = capsules(
            view,
            start[6:8],
            start[6:8] + 0.62 * (end[6:8] - start[6:8]),
            np.full(2, 0.060 * girth),
            np.full(2, 0.060 * girth),
            np.asarray([appearance.top, appearance.top], dtype=np.float64),
            light,
            bands,
        )
        bare = shade(
            np.asarray(appearance.skin, dtype=np.float64),
            light.ambient + 0.4 * light.sun,
            light.tint,
        )
        for index, limb in enumerate(sleeves):
            upper = parts[6 + index]
            upper.inks = [
                *(Ink(i.points, _skin_like(i, appearance, bare), i.kind) for i in upper.inks),
                *(Ink(p, t, BODY if k == 0 else DETAIL) for k, (p, t) in enumerate(limb)),
            ]
    return parts


def _skin_like(ink: Ink, appearance: Appearance, bare: FloatArray) -> Tone:
    """The ink's light on bare skin instead of the cloth it was shaded for."""
    cloth = np.maximum(np.asarray(appearance.top, dtype=np.float64), 8.0)
    level = float(np.clip(np.mean(np.asarray(ink.colour) / cloth), 0.35, 1.25))
    reference = float(np.mean(bare / np.maximum(np.asarray(appearance.skin, np.float64), 8.0)))
    return _tone(np.clip(bare * level / max(reference, 0.1), 0.0, 255.0))


_SECTORS: Final = 16
_ANGLES: Final = 2.0 * np.pi * np.arange(_SECTORS) / _SECTORS


def _rings(
    centres: FloatArray, forward: FloatArray, left: FloatArray, deep: FloatArray, wide: FloatArray
) -> FloatArray:
    """Points (rings, sectors, 3) of ellipses around a spine; sector 0 faces forward."""
    cosine, sine = np.cos(_ANGLES), np.sin(_ANGLES)
    return (
        centres[:, None]
        + deep[:, None, None] * cosine[None, :, None] * forward[:, None]
        + wide[:, None, None] * sine[None, :, None] * left[:, None]
    )


def _mesh(view: View, rings: FloatArray, colours: FloatArray, light: Light, step: int) -> list[Ink]:
    """A closed sleeve of rings: convex outlines first, then the sectors in sight, shaded.

    ``colours`` (rings - 1, sectors, 3); every ``step``-th sector boundary is used.
    """
    points = rings[:, ::step]
    tones = colours[:, ::step]
    ink = view.ink(view.angular(points)[0])
    following = np.roll(points, -1, axis=1)
    ink_next = np.roll(ink, -1, axis=1)
    diagonal = following[1:] - points[:-1]
    other = points[1:] - following[:-1]
    normal = np.cross(diagonal, other)
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-9)
    centre = 0.25 * (points[:-1] + points[1:] + following[:-1] + following[1:])
    # Sectors run against the clock seen from above, so that this product points outwards.
    axis = 0.5 * (points[:-1].mean(axis=1) + points[1:].mean(axis=1))
    outward = np.sum(normal * (centre - axis[:, None]), axis=-1)
    normal *= np.where(outward < 0.0, -1.0, 1.0)[..., None]
    seen = np.sum(normal * centre, axis=-1) < 0.0
    level = brightness(normal[..., 2], normal @ light.direction, light)
    shaded = shade(tones, level, light.tint)
    result = []
    for row in range(len(points) - 1):
        outline = np.asarray(
            cv2.convexHull(np.concatenate([ink[row], ink[row + 1]])), np.int32
        ).reshape(-1, 2)
        visible = np.flatnonzero(seen[row])
        base = shaded[row, visible].mean(axis=0) if len(visible) else shaded[row].mean(axis=0)
        result.append(Ink(outline, _tone(base), BODY))
    order = np.argsort(-np.hypot(centre[..., 0], centre[..., 1]), axis=None)
    columns = points.shape[1]
    for flat in order:
        row, column = divmod(int(flat), columns)
        if not seen[row, column]:
            continue
        quad = np.stack(
            [
                ink[row, column],
                ink_next[row, column],
                ink_next[row + 1, column],
                ink[row + 1, column],
            ]
        )
        result.append(Ink(quad, _tone(shaded[row, column]), DETAIL))
    return result


def _torso_part(
    subject: Subject, view: View, light: Light, scale: float, pixels_per_metre: float
) -> _Part:
    appearance = subject.appearance
    joints = subject.joints
    pelvis, waist, neck = (joints[JOINT[name]] for name in ("pelvis", "waist", "neck"))
    hips_left = joints[JOINT["left_hip"]] - joints[JOINT["right_hip"]]
    hips_left = hips_left / max(float(np.linalg.norm(hips_left)), 1e-6)
    chest_left = subject.directions[DIRECTION["torso_left"]]
    chest_forward = subject.directions[DIRECTION["torso_forward"]]
    spine = waist - pelvis
    spine = spine / max(float(np.linalg.norm(spine)), 1e-6)
    hips_forward = np.cross(hips_left, spine)
    girth = scale * appearance.build
    loose = {"coat": 1.14, "hoodie": 1.10, "jacket": 1.06}.get(appearance.top_kind, 1.0)
    centres = np.stack(
        [
            pelvis - 0.075 * scale * spine,
            pelvis + 0.02 * scale * spine,
            pelvis + 0.12 * scale * spine,
            waist + 0.05 * scale * spine,
            waist + 0.62 * (neck - waist),
            waist + 0.86 * (neck - waist),
            neck,
        ]
    )
    wide = np.array([0.150, 0.168, 0.150, 0.156, 0.190, 0.178, 0.075]) * girth
    deep = np.array([0.105, 0.118, 0.108, 0.112, 0.124, 0.098, 0.062]) * girth
    wide[2:6] *= loose
    deep[2:6] *= loose
    blend = np.array([0.0, 0.0, 0.2, 0.4, 1.0, 1.0, 1.0])[:, None]
    forward = (1.0 - blend) * hips_forward + blend * chest_forward
    left = (1.0 - blend) * hips_left + blend * chest_left
    rings = _rings(centres, forward, left, deep, wide)

    colours = np.empty((6, _SECTORS, 3))
    colours[:] = appearance.top
    colours[0] = appearance.bottom
    if appearance.top_kind in ("tshirt", "shirt"):
        colours[1, :] = 0.5 * np.asarray(appearance.top) + 0.5 * np.asarray(appearance.bottom) * 0.9
    if appearance.top_kind == "jacket":
        colours[1:, [15, 0]] = appearance.inner
    if appearance.stripe == "chest":
        colours[3] = appearance.stripe_colour
    elif appearance.stripe == "rows":
        colours[[2, 4]] = appearance.stripe_colour
    if appearance.top_kind == "hoodie":
        colours[5] = 0.85 * np.asarray(appearance.top)
    step = 1 if pixels_per_metre > 95.0 else 2
    if appearance.top_kind == "jacket" or appearance.stripe != "none":
        step = 1 if pixels_per_metre > 45.0 else 2
    inks = _mesh(view, rings, colours, light, step)
    depth = _depth(0.5 * (waist + 0.5 * (neck + pelvis)))
    lower = _skirt_inks(subject, view, light, scale, centres, left, forward)
    return _Part(depth, [*lower, *inks])


def _skirt_inks(
    subject: Subject,
    view: View,
    light: Light,
    scale: float,
    centres: FloatArray,
    left: FloatArray,
    forward: FloatArray,
) -> list[Ink]:
    """The part of a skirt or a long coat that hangs below the hips."""
    appearance = subject.appearance
    coat = appearance.top_kind == "coat"
    if not coat and appearance.bottom_kind != "skirt":
        return []
    knees = [subject.joints[JOINT[f"{side}_knee"]] for side in ("left", "right")]
    hips = [subject.joints[JOINT[f"{side}_hip"]] for side in ("left", "right")]
    share = 0.62 if coat else 0.85
    hem = [hip + share * (knee - hip) for hip, knee in zip(hips, knees)]
    colour = appearance.top if coat else appearance.bottom
    girth = scale * appearance.build
    upper = _rings(
        centres[1:2], forward[:1], left[:1], np.array([0.125 * girth]), np.array([0.172 * girth])
    )[0]
    around = []
    for point in hem:
        ring = _rings(
            point[None], forward[:1], left[:1], np.array([0.115 * girth]), np.array([0.115 * girth])
        )[0]
        around.append(ring)
    points = np.concatenate([upper, *around])
    outline = hull(view, points)
    normal_light = float(light.direction @ view.toward)
    tone = shade(
        np.asarray(colour, np.float64),
        brightness(np.asarray(0.0), np.asarray(normal_light), light),
        light.tint,
    )
    inks = [Ink(outline, _tone(tone * 0.92), BODY)]
    narrow = points + 0.0
    centre = points.mean(axis=0)
    sun = view.light(light)
    narrow = centre + 0.62 * (points - centre) + 0.05 * scale * np.sign(sun[0]) * view.right
    inks.append(Ink(hull(view, narrow), _tone(np.clip(tone * 1.05, 0, 255)), DETAIL))
    return inks


def _sphere_points() -> FloatArray:
    """Directions spread evenly over a sphere (Fibonacci lattice)."""
    count = 160
    index = np.arange(count) + 0.5
    height = 1.0 - 2.0 * index / count
    angle = np.pi * (1.0 + np.sqrt(5.0)) * index
    radius = np.sqrt(1.0 - height**2)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), height], axis=-1)


_SPHERE: Final = _sphere_points()


def _cap_mask(axis: tuple[float, float, float], angle: float) -> FloatArray:
    """Which of the sphere's points lie within ``angle`` of an axis."""
    unit = np.asarray(axis) / np.linalg.norm(axis)
    return np.asarray(_SPHERE @ unit > np.cos(angle))


_HAIR: Final = {
    "short": (_cap_mask((-0.55, 0.0, 0.83), 1.28), 1.06),
    "long": (_cap_mask((-0.62, 0.0, 0.78), 1.42), 1.10),
    "bun": (_cap_mask((-0.60, 0.0, 0.80), 1.30), 1.05),
    "curly": (_cap_mask((-0.50, 0.0, 0.86), 1.42), 1.24),
}
_CAP: Final = _cap_mask((-0.12, 0.0, 1.0), 1.22)
_FACE: Final = _cap_mask((1.0, 0.0, -0.25), 1.02)
_BEARD: Final = _cap_mask((0.72, 0.0, -0.75), 0.62)


def _head_part(
    subject: Subject, view: View, light: Light, scale: float, pixels_per_metre: float
) -> _Part:
    appearance = subject.appearance
    centre = subject.joints[JOINT["head"]]
    forward = subject.directions[DIRECTION["head_forward"]]
    up = subject.directions[DIRECTION["head_up"]]
    left = np.cross(up, forward)
    axes = np.stack([forward, left, up])
    radii = np.asarray(HEAD_RADII) * scale * 1.02

    def surface(directions: FloatArray, factor: float = 1.0) -> FloatArray:
        return centre + (directions * radii * factor) @ axes

    line_of_sight = centre / np.linalg.norm(centre)
    normals = (_SPHERE / radii) @ axes
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    seen = normals @ line_of_sight < 0.08
    points = surface(_SPHERE)
    skin = np.asarray(appearance.skin, np.float64)
    sun = view.light(light)

    def lit(colour: FloatArray, factor: float = 1.0) -> Tone:
        level = light.ambient * 0.95 + light.sun * 0.55 * max(float(sun[2]) * 0.6 + 0.35, 0.0)
        return _tone(np.clip(shade(colour, level * factor, light.tint), 0, 255))

    outline = hull(view, points)
    inks = [Ink(outline, lit(skin, 0.86), BODY)]
    # The lit side: the same head, smaller, moved towards the light.
    towards = (
        0.28 * radii[1] * (sun[0] * view.right + np.array([0.0, 0.0, 0.55 * max(sun[1], 0.0)]))
    )
    inks.append(
        Ink(hull(view, centre + towards + 0.84 * (points - centre)), lit(skin, 0.97), DETAIL)
    )
    inks.append(
        Ink(hull(view, centre + 1.5 * towards + 0.6 * (points - centre)), lit(skin, 1.06), DETAIL)
    )
    detail = pixels_per_metre > 55.0
    looking = float(-(forward @ line_of_sight))
    if detail and looking > -0.1:
        inks.extend(
            _face_inks(subject, view, surface, normals, line_of_sight, lit, pixels_per_metre)
        )
    if appearance.hair_kind != "bald":
        mask, swell = _HAIR[appearance.hair_kind]
        hair = np.asarray(appearance.hair, np.float64)
        visible = mask & seen
        if np.count_nonzero(visible) >= 3:
            shell = surface(_SPHERE[visible], swell)
            inks.append(Ink(hull(view, shell), lit(hair, 0.95), BODY))
            shine = shell.mean(axis=0)
            glossy = shine + 0.55 * (shell - shine) + 0.6 * towards
            inks.append(Ink(hull(view, glossy), lit(np.minimum(hair * 1.22 + 6, 255), 1.0), DETAIL))
        if appearance.hair_kind == "bun":
            knot = centre + (np.array([-1.15, 0.0, 0.55]) * radii) @ axes
            ball = knot + 0.055 * scale * _SPHERE
            ink = Ink(hull(view, ball), lit(hair, 0.98), BODY)
            inks.insert(len(inks) if knot @ line_of_sight < centre @ line_of_sight else 0, ink)
        if appearance.hair_kind == "long":
            neck = subject.joints[JOINT["neck"]]
            chest_up = neck - subject.joints[JOINT["waist"]]
            chest_up = chest_up / max(float(np.linalg.norm(chest_up)), 1e-6)
            back = -subject.directions[DIRECTION["torso_forward"]]
            fall = neck + 0.075 * scale * back - 0.09 * scale * chest_up
            locks = np.concatenate(
                [
                    surface(_SPHERE[mask & (_SPHERE[:, 0] < 0.15)], 1.10),
                    fall + 0.07 * scale * np.stack([left, -left, 0.6 * back]),
                ]
            )
            ink = Ink(hull(view, locks), lit(hair, 0.84), BODY)
            inks.insert(len(inks) if forward @ line_of_sight > 0.1 else 0, ink)
    inks.extend(_hat_inks(appearance, view, surface, seen, lit, centre, radii, axes))
    return _Part(_depth(centre) - 0.02 * scale, inks)


def _face_inks(  # noqa: PLR0913
    subject: Subject,
    view: View,
    surface: object,
    normals: FloatArray,
    line_of_sight: FloatArray,
    lit: object,
    pixels_per_metre: float,
) -> list[Ink]:
    """Eyes, brows, nose, mouth, beard and glasses as far as they are seen."""
    assert callable(surface) and callable(lit)
    appearance = subject.appearance
    skin = np.asarray(appearance.skin, np.float64)
    inks: list[Ink] = []
    seen = normals @ line_of_sight < -0.05
    if appearance.beard and np.count_nonzero(seen & _BEARD) >= 3:
        beard = np.asarray(appearance.hair, np.float64)
        inks.append(
            Ink(
                hull(view, surface(_SPHERE[seen & _BEARD], 1.015)),
                lit(0.75 * beard + 0.25 * skin),
                DETAIL,
            )
        )
    dark = np.array([38.0, 34.0, 36.0])

    def patch(azimuth: float, elevation: float, width: float, height: float) -> FloatArray | None:
        angles = 2.0 * np.pi * np.arange(8) / 8
        yaw, pitch = azimuth + width * np.cos(angles), elevation + height * np.sin(angles)
        directions = np.stack(
            [np.cos(pitch) * np.cos(yaw), np.cos(pitch) * np.sin(yaw), np.sin(pitch)], axis=-1
        )
        middle = np.array(
            [
                np.cos(elevation) * np.cos(azimuth),
                np.cos(elevation) * np.sin(azimuth),
                np.sin(elevation),
            ]
        )
        point = surface(middle[None])[0]
        centre = subject.joints[JOINT["head"]]
        if (point - centre) @ line_of_sight > -0.25 * np.linalg.norm(point - centre):
            return None
        result: FloatArray = surface(directions, 1.01)
        return result

    features = [
        (0.36, 0.10, 0.11, 0.055, dark, 1.0),
        (-0.36, 0.10, 0.11, 0.055, dark, 1.0),
        (0.0, -0.42, 0.20, 0.045, 0.55 * skin + np.array([10.0, 5.0, 35.0]), 0.8),
        (0.0, -0.14, 0.075, 0.13, skin * 0.84, 1.0),
    ]
    if pixels_per_metre > 110.0:
        brow = 0.6 * np.asarray(appearance.hair, np.float64) + 0.2 * skin
        features += [(0.36, 0.27, 0.15, 0.03, brow, 1.0), (-0.36, 0.27, 0.15, 0.03, brow, 1.0)]
    if appearance.glasses:
        rim = np.array([30.0, 30.0, 32.0])
        features = [
            (0.36, 0.10, 0.22, 0.14, rim, 1.0),
            (-0.36, 0.10, 0.22, 0.14, rim, 1.0),
            (0.36, 0.10, 0.17, 0.10, 0.6 * skin + 60.0, 1.0),
            (-0.36, 0.10, 0.17, 0.10, 0.6 * skin + 60.0, 1.0),
            *features,
        ]
    for azimuth, elevation, width, height, colour, factor in features:
        points = patch(azimuth, elevation, width, height)
        if points is not None:
            inks.append(Ink(hull(view, points), lit(colour, factor), DETAIL))
    for sign in (1.0, -1.0):
        ear = surface(np.array([[-0.05, sign, -0.05]]), 1.0)[0]
        centre = subject.joints[JOINT["head"]]
        if (ear - centre) @ line_of_sight < 0.02:
            ring = ear + 0.022 * np.stack(
                [
                    np.array([0.0, 0.0, np.sin(a) * 1.4]) + np.cos(a) * view.right
                    for a in 2.0 * np.pi * np.arange(8) / 8
                ]
            )
            inks.append(Ink(hull(view, ring), lit(skin, 0.82), DETAIL))
    return inks


def _hat_inks(  # noqa: PLR0913
    appearance: Appearance,
    view: View,
    surface: object,
    seen: FloatArray,
    lit: object,
    centre: FloatArray,
    radii: FloatArray,
    axes: FloatArray,
) -> list[Ink]:
    assert callable(surface) and callable(lit)
    if appearance.hat_kind == "none":
        return []
    colour = np.asarray(appearance.hat, np.float64)
    mask = _CAP & (_SPHERE[:, 2] > 0.28)
    crown = surface(_SPHERE[mask], 1.13)
    inks = [Ink(hull(view, crown), lit(colour, 0.92), BODY)]
    middle = crown.mean(axis=0)
    inks.append(Ink(hull(view, middle + 0.6 * (crown - middle)), lit(colour, 1.08), DETAIL))
    angles = 2.0 * np.pi * np.arange(20) / 20
    if appearance.hat_kind == "beanie":
        band = surface(_SPHERE[(_SPHERE[:, 2] > 0.22) & (_SPHERE[:, 2] < 0.50)], 1.17)
        inks.append(Ink(hull(view, band), lit(colour, 0.74), BODY))
    elif appearance.hat_kind == "brim":
        rim = (
            centre
            + (
                np.stack([1.75 * np.cos(angles), 1.9 * np.sin(angles), np.full(20, 0.42)], axis=-1)
                * radii
            )
            @ axes
        )
        inks.insert(0, Ink(hull(view, rim), lit(colour, 0.7), BODY))
        band = surface(_SPHERE[(_SPHERE[:, 2] > 0.38) & (_SPHERE[:, 2] < 0.58)], 1.14)
        inks.append(Ink(hull(view, band), lit(colour * 0.45, 1.0), DETAIL))
    else:
        front = angles[np.cos(angles) > -0.05]
        visor = (
            centre
            + (
                np.stack(
                    [0.75 + 0.95 * np.cos(front), 0.85 * np.sin(front), np.full(len(front), 0.40)],
                    axis=-1,
                )
                * radii
            )
            @ axes
        )
        ink = Ink(hull(view, visor), lit(colour, 0.66), BODY)
        facing = float(-(axes[0] @ (centre / np.linalg.norm(centre))))
        inks.insert(len(inks) if facing > -0.2 else 0, ink)
    return inks


def _worn_parts(subject: Subject, view: View, light: Light, scale: float) -> list[_Part]:
    """Backpack, shoulder bag and scarf: worn things belong to the outline."""
    appearance = subject.appearance
    neck, waist = subject.joints[JOINT["neck"]], subject.joints[JOINT["waist"]]
    forward = subject.directions[DIRECTION["torso_forward"]]
    left = subject.directions[DIRECTION["torso_left"]]
    up = np.cross(forward, left)
    parts = []
    if appearance.backpack is not None:
        centre = waist + 0.52 * (neck - waist) - 0.20 * scale * forward
        inks = block(
            view,
            centre,
            np.stack([forward, left, up]),
            scale * np.array([0.085, 0.145, 0.215]),
            np.asarray(appearance.backpack, np.float64),
            light,
            BODY,
        )
        pocket = block(
            view,
            centre - scale * (0.09 * forward + 0.07 * up),
            np.stack([forward, left, up]),
            scale * np.array([0.03, 0.11, 0.10]),
            0.82 * np.asarray(appearance.backpack, np.float64),
            light,
            BODY,
        )
        parts.append(_Part(_depth(centre), [*inks, *pocket]))
        straps = []
        for sign in (1.0, -1.0):
            top = neck + scale * (sign * 0.105 * left - 0.02 * up + 0.03 * forward)
            low = waist + scale * (
                sign * 0.13 * left + 0.06 * up + 0.125 * appearance.build * forward
            )
            middle = 0.5 * (top + low) + 0.075 * scale * forward
            line = np.stack([top, middle, low])
            width = 0.02 * scale * left
            straps.append(
                Ink(
                    hull(view, np.concatenate([line - width, line + width])),
                    _tone(0.6 * np.asarray(appearance.backpack, np.float64)),
                    DETAIL,
                )
            )
        if forward @ view.toward > -0.1:
            parts.append(_Part(_depth(waist + 0.15 * scale * forward) - 0.03 * scale, straps))
    if appearance.shoulder_bag is not None:
        sign = 1.0 if appearance.variant < 0.5 else -1.0
        hip = subject.joints[JOINT["left_hip" if sign > 0 else "right_hip"]]
        centre = hip + scale * (sign * 0.15 * left - 0.02 * forward + np.array([0.0, 0.0, 0.02]))
        inks = block(
            view,
            centre,
            np.stack([forward, left, np.array([0.0, 0.0, 1.0])]),
            scale * np.array([0.16, 0.055, 0.12]),
            np.asarray(appearance.shoulder_bag, np.float64),
            light,
            BODY,
        )
        far = neck - scale * (sign * 0.11 * left + 0.02 * up)
        line = np.stack(
            [far, 0.5 * (far + centre) + 0.14 * scale * forward, centre + 0.1 * scale * up]
        )
        width = 0.016 * scale * left
        strap = Ink(
            hull(view, np.concatenate([line - width, line + width])),
            _tone(0.55 * np.asarray(appearance.shoulder_bag, np.float64)),
            DETAIL,
        )
        parts.append(_Part(_depth(centre) - 0.08 * scale, inks))
        if forward @ view.toward > -0.1:
            parts.append(_Part(_depth(waist + 0.15 * scale * forward) - 0.025 * scale, [strap]))
    if appearance.scarf is not None:
        ring = _rings(
            (neck + 0.02 * scale * up)[None],
            forward[None],
            left[None],
            np.array([0.10 * scale]),
            np.array([0.105 * scale]),
        )[0]
        points = np.concatenate([ring - 0.04 * scale * up, ring + 0.04 * scale * up])
        tone = shade(
            np.asarray(appearance.scarf, np.float64), light.ambient + 0.4 * light.sun, light.tint
        )
        parts.append(
            _Part(_depth(neck) - 0.05 * scale, [Ink(hull(view, points), _tone(tone), BODY)])
        )
    return parts


__all__ = ["CARRIED", "Figure", "Subject", "build_figure", "draw_figure"]
