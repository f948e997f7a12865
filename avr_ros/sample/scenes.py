"""The places of the sample world: plaza, street, cafeteria, lobby, park and lecture hall."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from avr_ros.sample.furniture import (
    add_bench,
    add_chair,
    add_dining_set,
    add_hedge,
    add_kiosk,
    add_partition,
    add_pillar,
    add_planter,
    add_stairs,
    add_table,
    add_tree,
    add_van,
)
from avr_ros.sample.scene import (
    GRID,
    SCENE_SIZE,
    WALL_PIXELS_PER_METRE,
    ByteArray,
    Door,
    FloatArray,
    Plan,
    Scene,
)
from avr_ros.sample.styles import Colour, Style, scaled
from avr_ros.sample.textures import (
    carpet,
    ceiling,
    facade,
    grass,
    interior_wall,
    paving,
    plain,
    planks,
    sky,
)
from avr_ros.schema.seeds import generator

GROUND_PIXELS_PER_METRE: Final = 56
SKY_ROWS: Final = 216
WOOD: Final = (88.0, 128.0, 168.0)
SCALE: Final = WALL_PIXELS_PER_METRE


def scene_names() -> tuple[str, ...]:
    """Every kind of place, in the order in which sequences use them."""
    return tuple(_BUILDERS)


def build_scene(name: str, style: Style, seed: int, index: int) -> Scene:
    """The place of sequence ``index`` of a data set made from ``seed``."""
    rng = generator(seed, "scene", index)
    indoor, builder = _BUILDERS[name]
    azimuth = float(rng.uniform(-np.pi, np.pi))
    if indoor:
        sun = np.array([0.25 * np.cos(azimuth), 0.25 * np.sin(azimuth), 1.0])
    else:
        horizontal = np.cos(style.sun_elevation)
        sun = np.array(
            [
                horizontal * np.cos(azimuth),
                horizontal * np.sin(azimuth),
                np.sin(style.sun_elevation),
            ]
        )
    sun /= np.linalg.norm(sun)
    plan = Plan(style=style, indoor=indoor, sun=sun)
    venue, ground, kind, height = builder(plan, rng)
    return _finish(name, venue, plan, ground, kind, height, rng)


def _finish(
    name: str,
    venue: str,
    plan: Plan,
    ground: ByteArray,
    kind: str,
    height: float,
    rng: np.random.Generator,
) -> Scene:
    style = plan.style
    size = plan.blocked.shape[0]
    scale = ground.shape[0] / SCENE_SIZE
    blur = max(style.shadow_blur if not plan.indoor else 0.2, 0.03) / GRID
    shadow = cv2.resize(plan.shadow, None, fx=3, fy=3, interpolation=cv2.INTER_LINEAR)
    shadow = cv2.GaussianBlur(shadow, (0, 0), max(3 * blur, 0.8))
    contact = cv2.resize(plan.contact, None, fx=3, fy=3, interpolation=cv2.INTER_LINEAR)
    contact = cv2.GaussianBlur(contact, (0, 0), 6.0)
    dark = style.shadow * shadow.astype(np.float32) / 255.0
    occluded = 0.32 * contact.astype(np.float32) / 255.0
    light = (1.0 - dark) * (1.0 - occluded)
    ground = _darkened(ground, cv2.resize(light, (ground.shape[1], ground.shape[0])))
    free = np.where(plan.blocked > 0, 0, 255).astype(np.uint8)
    free[0, :] = free[-1, :] = free[:, 0] = free[:, -1] = 0
    clearance = cv2.distanceTransform(free, cv2.DIST_L2, 5).astype(np.float64) * GRID
    lit = cv2.resize(255 - plan.shadow, (size, size))
    if plan.indoor:
        lit[:] = 255
    ceiling_picture = None
    sky_picture = None
    if plan.indoor:
        ceiling_picture = _lamp_lit(ceiling(rng, 1440, 30.0, (222, 226, 228)), style)
    else:
        sky_picture = sky(rng, style, 3760, SKY_ROWS, skyline=True)
    for wall in plan.walls:
        wall.texture = _wall_light(wall.texture, wall.start, wall.end, plan)
    ground = _floor_light(ground, plan)
    return Scene(
        name=name,
        venue=venue,
        indoor=plan.indoor,
        style=style,
        sun=plan.sun,
        ground=ground,
        ground_scale=scale,
        walls=plan.walls,
        panels=plan.panels,
        solids=plan.solids,
        sky=sky_picture,
        ceiling=ceiling_picture,
        ceiling_height=height,
        free=free,
        clearance=clearance,
        shaded=np.asarray(lit, np.uint8),
        seats=plan.seats,
        doors=plan.doors,
        stairs=plan.stairs,
        portals=plan.portals,
        gather=plan.gather,
        hidden=plan.hidden,
        lanes=plan.lanes,
        robot_path=plan.robot_path,
        ground_kind=kind,
    )


def _lamp_lit(image: ByteArray, style: Style) -> ByteArray:
    factor = np.asarray(style.tint, np.float32) * style.lamp_ambient
    return np.clip(image.astype(np.float32) * factor, 0, 255).astype(np.uint8)


def _darkened(ground: ByteArray, light: NDArray[Any]) -> ByteArray:
    weight = cv2.convertScaleAbs(light, alpha=255.0)
    return np.asarray(
        cv2.multiply(ground, cv2.merge([weight, weight, weight]), scale=1.0 / 255.0), np.uint8
    )


def _floor_light(ground: ByteArray, plan: Plan) -> ByteArray:
    style = plan.style
    level = style.lamp_ambient if plan.indoor else style.ambient + style.sun * float(plan.sun[2])
    factor = np.asarray(style.tint) * min(level, 1.12)
    return _mapped(ground, np.arange(256)[:, None] * factor)


def _wall_light(
    texture: ByteArray, start: tuple[float, float], end: tuple[float, float], plan: Plan
) -> ByteArray:
    """A wall's picture under the light that falls on its inner (left) side."""
    style = plan.style
    along = np.asarray(end) - np.asarray(start)
    along = along / max(float(np.linalg.norm(along)), 1e-6)
    normal = np.array([-along[1], along[0]])
    if plan.indoor:
        level = style.lamp_ambient * (0.95 + 0.06 * normal[0])
    else:
        level = style.ambient * 0.95 + style.sun * max(float(normal @ plan.sun[:2]), 0.0)
    factor = np.asarray(style.tint) * level
    colours = np.arange(256)[:, None] * factor
    if not plan.indoor:
        # The robot stays near the middle of the scene: haze is the same for a whole wall.
        middle = 0.5 * (np.asarray(start) + np.asarray(end))
        haze = 1.0 - np.exp(-style.haze * max(float(np.hypot(*middle)) - 4.0, 0.0))
        colours = (1.0 - haze) * colours + haze * np.asarray(style.sky_horizon)
    return _mapped(texture, colours)


def _mapped(image: ByteArray, table: FloatArray) -> ByteArray:
    """A picture whose channel values are looked up in a table (256, 3)."""
    rounded = np.clip(table, 0, 255).round().astype(np.uint8)
    return np.asarray(cv2.LUT(image, np.ascontiguousarray(rounded.reshape(1, 256, 3))), np.uint8)


def _pick(rng: np.random.Generator, colours: tuple[Colour, ...]) -> Colour:
    return colours[int(rng.integers(len(colours)))]


def _building(
    plan: Plan,
    rng: np.random.Generator,
    start: tuple[float, float],
    end: tuple[float, float],
    height: float,
    doors: tuple[float, ...] = (),
    glass: bool | None = None,
) -> None:
    """A facade whose front is on the left of start -> end."""
    width = float(np.hypot(end[0] - start[0], end[1] - start[1]))
    base = _pick(rng, plan.style.facades)
    is_glass = bool(rng.random() < 0.25) if glass is None else glass
    # Textures are seen from the front, where the wall runs from right to left.
    mirrored = tuple(width - door for door in doors)
    picture = facade(
        rng,
        plan.style,
        width,
        height,
        base,
        SCALE,
        mirrored,
        brick=bool(rng.random() < 0.4),
        glass=is_glass,
    )
    plan.wall(start, end, height, np.ascontiguousarray(picture[:, ::-1]))
    along = (np.asarray(end) - np.asarray(start)) / max(width, 1e-6)
    normal = np.array([-along[1], along[0]])
    for door in doors:
        point = np.asarray(start) + along * door + normal * 0.62
        facing = float(np.arctan2(-normal[1], -normal[0]))
        plan.doors.append(Door((float(point[0]), float(point[1])), facing))
        plan.portals.append((float(point[0]), float(point[1])))


def _room(
    plan: Plan,
    rng: np.random.Generator,
    corners: list[tuple[float, float]],
    height: float,
    doors: dict[int, tuple[float, ...]],
    windows: set[int],
) -> None:
    """Indoor walls around a room, corners against the clock."""
    base = _pick(rng, ((206, 214, 218), (196, 208, 216), (188, 198, 200), (210, 206, 200)))
    for index, start in enumerate(corners):
        end = corners[(index + 1) % len(corners)]
        width = float(np.hypot(end[0] - start[0], end[1] - start[1]))
        places = doors.get(index, ())
        mirrored = tuple(width - door for door in places)
        picture = interior_wall(
            rng, width, height, base, SCALE, mirrored, index in windows, plan.style
        )
        plan.wall(start, end, height, np.ascontiguousarray(picture[:, ::-1]))
        along = (np.asarray(end) - np.asarray(start)) / max(width, 1e-6)
        normal = np.array([-along[1], along[0]])
        for door in places:
            point = np.asarray(start) + along * door + normal * 0.62
            plan.doors.append(
                Door((float(point[0]), float(point[1])), float(np.arctan2(-normal[1], -normal[0])))
            )
            plan.portals.append((float(point[0]), float(point[1])))


def _ground_size() -> int:
    return int(SCENE_SIZE * GROUND_PIXELS_PER_METRE)


def _to_pixels(points: list[tuple[float, float]]) -> NDArray[np.int32]:
    return np.round((np.asarray(points) + SCENE_SIZE / 2) * GROUND_PIXELS_PER_METRE).astype(
        np.int32
    )


def _plaza(plan: Plan, rng: np.random.Generator) -> tuple[str, ByteArray, str, float]:
    size = _ground_size()
    ground = paving(rng, size, GROUND_PIXELS_PER_METRE, _pick(rng, plan.style.floors), (0.8, 0.8))
    lawn = grass(rng, size, plan.style.grass)
    for area in (
        [(9.0, 5.0), (16.0, 5.0), (16.0, 13.5), (9.0, 13.5)],
        [(-16.5, -13.0), (-9.0, -13.0), (-9.0, -5.5), (-16.5, -5.5)],
    ):
        mask = np.zeros((size, size), np.uint8)
        cv2.fillPoly(mask, [_to_pixels(area)], 255)
        ground[mask > 0] = lawn[mask > 0]
        cv2.polylines(ground, [_to_pixels(area)], True, (150, 156, 160), 9, cv2.LINE_AA)
    band = scaled(plan.style.floors[1], 0.8)
    for radius in (3.0, 5.5):
        cv2.circle(
            ground,
            (size // 2, size // 2),
            int(radius * GROUND_PIXELS_PER_METRE),
            band,
            12,
            cv2.LINE_AA,
        )
    _building(plan, rng, (-6.0, 16.0), (-21.0, 16.0), 9.5, (8.0,))
    _building(plan, rng, (21.0, 17.5), (2.0, 17.5), 13.0, (6.0, 14.0))
    _building(plan, rng, (-19.5, 16.0), (-19.5, -17.0), 8.0, (20.0,))
    _building(plan, rng, (-13.0, -17.0), (4.0, -17.0), 10.5, (4.5,))
    _building(plan, rng, (8.0, -18.5), (21.0, -18.5), 7.0)
    _building(plan, rng, (20.5, -17.0), (20.5, 12.0), 11.5, (9.0,))
    add_stairs(plan, rng, 3.6, -8.4, -np.pi / 2, 8, 3.0, (158.0, 166.0, 172.0))
    for x, y, height, radius in (
        (12.5, 8.0, 5.6, 2.0),
        (14.0, 11.8, 6.4, 2.3),
        (-12.5, -8.0, 5.8, 2.1),
        (-15.0, -11.5, 6.6, 2.4),
        (-9.0, 11.0, 5.0, 1.7),
        (16.5, -6.0, 5.4, 1.9),
    ):
        add_tree(plan, rng, x + rng.uniform(-0.5, 0.5), y + rng.uniform(-0.5, 0.5), height, radius)
    add_kiosk(
        plan, rng, -6.2, 6.4, 1.6, 1.1, rng.uniform(-0.4, 0.4), 2.5, _pick(rng, plan.style.tops)
    )
    add_kiosk(
        plan, rng, 7.8, -5.6, 1.5, 1.0, rng.uniform(0.6, 1.4), 2.5, _pick(rng, plan.style.tops)
    )
    add_hedge(plan, rng, 7.9, 9.0, 3.2, np.pi / 2, 1.55)
    add_hedge(plan, rng, -7.8, -9.5, 3.0, np.pi / 2, 1.5)
    add_planter(plan, rng, 1.2, 9.2, 1.5, 0.15)
    add_planter(plan, rng, 2.2, 4.8, 1.4, 0.5)
    add_planter(plan, rng, -0.6, -5.2, 1.5, -0.2)
    add_planter(plan, rng, 6.9, 2.9, 1.3, 1.4)
    add_kiosk(plan, rng, -5.2, -4.4, 1.1, 0.8, 0.8, 2.4, _pick(rng, plan.style.tops))
    add_planter(plan, rng, -9.6, 0.4, 1.6, np.pi / 2)
    for x, y, heading in (
        (-3.0, -6.8, np.pi / 2),
        (4.4, 6.2, -2.2),
        (-6.2, 2.4, 0.0),
        (5.8, 0.9, np.pi),
        (0.6, -8.0, np.pi / 2),
        (11.2, -1.0, np.pi),
    ):
        add_bench(plan, x, y, heading, 3, WOOD)
    plan.portals += [
        (-17.5, 0.0),
        (0.0, -15.5),
        (18.5, 14.5),
        (18.5, -15.0),
        (-16.5, 14.0),
        (-1.5, 15.8),
    ]
    plan.gather += [
        (2.6, 3.0),
        (-2.8, 2.9),
        (-3.6, -2.4),
        (3.4, -3.6),
        (0.2, 6.4),
        (8.6, 2.2),
        (-7.6, -4.6),
        (11.0, -8.8),
        (-10.6, 6.8),
        (5.2, 12.6),
        (-4.0, 11.2),
    ]
    plan.hidden += [(-7.0, 8.6), (9.6, -7.2), (10.0, 9.2), (-9.8, -9.8), (-11.4, 0.6), (1.6, 11.0)]
    plan.lanes += [
        [(-17.5, -2.6), (-6.0, -4.2), (6.0, -2.0), (17.0, 3.0)],
        [(17.0, 0.4), (4.0, 4.4), (-8.4, 4.0), (-17.0, 3.0)],
        [(0.5, 15.0), (-1.0, 7.6), (-4.8, -4.6), (-4.0, -15.0)],
    ]
    plan.robot_path += [(-2.6, -0.8), (-0.6, 0.3), (1.4, -0.4), (2.6, 0.6)]
    return "outdoor_open_area/campus", ground, "pavement", 0.0


def _street(plan: Plan, rng: np.random.Generator) -> tuple[str, ByteArray, str, float]:
    size = _ground_size()
    ground = plain(rng, size, size, (92, 94, 96), 0.06)
    walk = paving(rng, size, GROUND_PIXELS_PER_METRE, _pick(rng, plan.style.floors), (0.6, 0.4))
    for low, high in ((-24.0, -4.6), (3.6, 24.0)):
        rows = slice(
            int((low + 24) * GROUND_PIXELS_PER_METRE), int((high + 24) * GROUND_PIXELS_PER_METRE)
        )
        ground[rows] = walk[rows]
    kerb = int(0.14 * GROUND_PIXELS_PER_METRE)
    for edge in (-4.6, 3.6):
        row = int((edge + 24) * GROUND_PIXELS_PER_METRE)
        ground[row - kerb // 2 : row + kerb // 2] = (176, 180, 182)
    middle = int((-0.5 + 24) * GROUND_PIXELS_PER_METRE)
    for begin in range(0, size, int(3.0 * GROUND_PIXELS_PER_METRE)):
        ground[middle - 4 : middle + 4, begin : begin + int(1.5 * GROUND_PIXELS_PER_METRE)] = (
            225,
            228,
            230,
        )
    for x in (-7.0, 8.0):
        for bar in range(8):
            low = int((-4.4 + bar * 1.0 + 24) * GROUND_PIXELS_PER_METRE)
            column = int((x + 24) * GROUND_PIXELS_PER_METRE)
            ground[
                low : low + int(0.5 * GROUND_PIXELS_PER_METRE),
                column : column + int(2.6 * GROUND_PIXELS_PER_METRE),
            ] = (222, 226, 228)
    bike_row = slice(
        int((4.0 + 24) * GROUND_PIXELS_PER_METRE), int((5.4 + 24) * GROUND_PIXELS_PER_METRE)
    )
    ground[bike_row] = np.clip(ground[bike_row] * np.array([0.72, 0.86, 0.98]), 0, 255).astype(
        np.uint8
    )
    x = 23.5
    while x > -22.0:
        width = float(rng.uniform(7.0, 12.0))
        end = max(x - width, -23.5)
        _building(
            plan, rng, (x, 12.5), (end, 12.5), float(rng.uniform(7.0, 14.0)), (0.5 * (x - end),)
        )
        x = end
    x = -23.5
    while x < 22.0:
        width = float(rng.uniform(7.0, 12.0))
        end = min(x + width, 23.5)
        _building(
            plan, rng, (x, -11.5), (end, -11.5), float(rng.uniform(7.0, 14.0)), (0.5 * (end - x),)
        )
        x = end
    for x, y, colour_index in ((-11.5, -3.4, 0), (-1.0, -3.4, 1), (13.5, -3.4, 2), (3.0, 2.5, 3)):
        colour = ((226, 228, 230), (160, 92, 40), (60, 60, 62), (52, 60, 150))[colour_index]
        add_van(plan, rng, x + rng.uniform(-0.6, 0.6), y, 0.0, colour)
    for x in (-15.0, -8.5, 1.5, 9.0, 16.5):
        add_tree(
            plan, rng, x + rng.uniform(-0.4, 0.4), 5.6, rng.uniform(4.6, 5.8), rng.uniform(1.4, 1.9)
        )
    add_kiosk(plan, rng, -3.4, 9.9, 1.5, 0.9, 0.0, 2.5, _pick(rng, plan.style.tops))
    add_kiosk(plan, rng, 5.2, -8.4, 1.4, 0.9, 0.1, 2.5, _pick(rng, plan.style.tops))
    add_planter(plan, rng, 5.2, 9.8, 1.5, 0.0)
    add_planter(plan, rng, -12.0, 9.0, 1.5, 0.0)
    add_planter(plan, rng, -5.5, -7.2, 1.4, 0.0)
    for x, y, heading in (
        (-6.4, 11.3, -np.pi / 2),
        (2.0, 11.3, -np.pi / 2),
        (9.6, 11.2, -np.pi / 2),
        (-10.5, -10.3, np.pi / 2),
        (0.5, -10.3, np.pi / 2),
    ):
        add_bench(plan, x, y, heading, 3, WOOD)
    plan.portals += [
        (-22.5, 8.5),
        (22.5, 8.5),
        (-22.5, -7.5),
        (22.5, -7.5),
        (-22.0, 10.5),
        (22.0, -9.5),
    ]
    plan.gather += [
        (-8.8, 8.8),
        (0.6, 8.4),
        (8.2, 8.2),
        (-1.4, -6.6),
        (9.8, -6.4),
        (-9.0, -6.4),
        (12.6, 9.2),
        (3.0, 4.6),
        (-5.4, 4.8),
    ]
    plan.hidden += [
        (-3.4, 11.3),
        (5.4, 10.7),
        (-12.0, 10.6),
        (5.2, -10.2),
        (-1.4, -5.6),
        (-11.6, -5.6),
        (13.4, -5.6),
        (-5.4, -8.9),
    ]
    plan.lanes += [
        [(-22.5, 4.7), (-8.0, 4.7), (8.0, 4.7), (22.5, 4.7)],
        [(22.5, 4.3), (8.0, 4.3), (-8.0, 4.3), (-22.5, 4.3)],
        [(-22.5, 1.0), (0.0, -0.2), (22.5, 1.2)],
        [(22.0, 7.6), (6.8, 7.4), (-9.0, 7.6), (-22.0, 7.8)],
    ]
    plan.robot_path += [(-4.4, 7.3), (-1.6, 7.5), (1.2, 7.2), (4.4, 7.4)]
    return "outdoor_street", ground, "sidewalk", 0.0


def _cafeteria(plan: Plan, rng: np.random.Generator) -> tuple[str, ByteArray, str, float]:
    size = _ground_size()
    base = ((96, 132, 168), (150, 160, 168), (112, 140, 164))[int(rng.integers(3))]
    ground = planks(rng, size, GROUND_PIXELS_PER_METRE, base)
    _room(
        plan,
        rng,
        [(-13.0, -9.0), (13.0, -9.0), (13.0, 9.5), (-13.0, 9.5)],
        3.4,
        {0: (4.0, 21.0), 1: (9.0,), 2: (7.0,), 3: (5.0,)},
        {0, 2},
    )
    wood = scaled((96.0, 140.0, 182.0), float(rng.uniform(0.8, 1.1)))
    chair = scaled(_pick(rng, plan.style.tops), 1.0)
    spots = [
        (-9.2, -5.6),
        (-9.2, -1.6),
        (-9.0, 3.0),
        (-4.8, -6.2),
        (-4.6, 5.6),
        (0.2, -6.4),
        (0.4, 6.0),
        (4.8, -6.0),
        (5.0, 5.4),
        (9.2, -5.4),
        (9.0, -0.8),
        (9.2, 3.8),
        (4.6, 1.9),
        (-4.9, -2.3),
    ]
    for x, y in spots:
        add_dining_set(
            plan,
            x + rng.uniform(-0.3, 0.3),
            y + rng.uniform(-0.3, 0.3),
            float(rng.choice([0.0, np.pi / 2])) + rng.uniform(-0.15, 0.15),
            wood,
            chair,
        )
    add_kiosk(plan, rng, -2.0, 8.4, 3.6, 0.45, 0.0, 1.15, (150, 160, 170))
    for x, y in ((-6.8, 0.8), (6.9, -3.3), (2.6, 3.8), (-2.2, -4.4)):
        add_pillar(plan, rng, x, y, 0.28, 3.4, (196, 204, 208))
    add_planter(plan, rng, 11.6, 6.6, 1.0, np.pi / 2)
    add_partition(plan, rng, (-11.6, 0.7), (-7.8, 0.7), 1.6, (150, 158, 150))
    add_partition(plan, rng, (7.2, 1.6), (11.4, 1.6), 1.6, (140, 150, 166))
    add_partition(plan, rng, (-3.6, 3.9), (-0.8, 4.1), 1.7, (150, 146, 130))
    add_partition(plan, rng, (1.4, -4.4), (4.4, -4.3), 1.7, (130, 150, 146))
    add_partition(plan, rng, (-7.6, -4.4), (-5.8, -4.2), 1.7, (146, 130, 150))
    plan.portals += [(12.2, -7.6), (-12.2, 8.4)]
    plan.gather += [
        (-1.8, 3.4),
        (2.4, -3.2),
        (-2.6, 6.9),
        (1.4, 7.0),
        (6.6, -0.4),
        (-6.6, -4.2),
        (11.4, -2.8),
    ]
    plan.hidden += [(-10.6, 1.9), (9.6, 2.4), (-6.0, 8.2), (11.8, 8.6)]
    plan.robot_path += [(-2.2, -0.8), (-0.4, 0.1), (1.6, -0.2), (2.6, 0.9)]
    return "indoor_cafeteria/dining_hall/food_court", ground, "floor", 3.4


def _lobby(plan: Plan, rng: np.random.Generator) -> tuple[str, ByteArray, str, float]:
    size = _ground_size()
    ground = paving(rng, size, GROUND_PIXELS_PER_METRE, (172, 180, 186), (0.9, 0.9), 0.9)
    _room(
        plan,
        rng,
        [
            (-18.0, -5.2),
            (-4.5, -5.2),
            (-4.5, -12.5),
            (4.5, -12.5),
            (4.5, -5.2),
            (18.0, -5.2),
            (18.0, 5.4),
            (7.0, 5.4),
            (7.0, 11.5),
            (-7.0, 11.5),
            (-7.0, 5.4),
            (-18.0, 5.4),
        ],
        3.6,
        {
            0: (3.0, 9.0),
            2: (6.5,),
            4: (4.0, 10.0),
            5: (5.5,),
            6: (5.0,),
            8: (3.0, 11.0),
            10: (5.0,),
            11: (5.0,),
        },
        {8},
    )
    add_stairs(plan, rng, 0.0, -7.6, -np.pi / 2, 9, 2.8, (176.0, 182.0, 188.0), 1.6)
    for x, y in (
        (-4.6, 2.6),
        (4.6, 2.6),
        (-4.6, -2.8),
        (4.6, -2.8),
        (-11.0, 2.6),
        (11.0, 2.6),
        (-11.0, -2.6),
        (11.0, -2.6),
    ):
        add_pillar(plan, rng, x, y, 0.32, 3.6, (190, 196, 200))
    add_partition(plan, rng, (-3.0, 7.6), (-0.4, 7.2), 1.9, (120, 110, 104))
    add_partition(plan, rng, (1.4, 7.2), (4.2, 7.7), 1.9, (104, 116, 120))
    add_partition(plan, rng, (8.0, -3.6), (8.2, -1.2), 1.9, (110, 120, 104))
    add_partition(plan, rng, (-8.2, 0.6), (-8.0, 3.2), 1.9, (110, 104, 120))
    add_kiosk(plan, rng, 5.6, 9.6, 0.9, 0.5, np.pi / 2, 1.2, (120, 128, 140))
    for x, y, heading in (
        (-7.5, -4.4, np.pi / 2),
        (7.2, -4.4, np.pi / 2),
        (-2.4, 10.6, -np.pi / 2),
        (2.6, 10.6, -np.pi / 2),
        (12.6, 4.6, -np.pi / 2),
        (-13.0, 4.6, -np.pi / 2),
        (-3.9, -8.8, 0.0),
    ):
        add_bench(plan, x, y, heading, 3, (110.0, 110.0, 116.0), back=True)
    plan.portals += [(-17.0, 0.0), (17.0, 0.0), (-17.0, 2.0), (17.0, -2.0)]
    plan.gather += [
        (-2.2, 3.2),
        (2.8, 3.4),
        (0.2, 5.6),
        (-6.9, -1.6),
        (6.6, 0.4),
        (-2.6, -3.2),
        (2.8, -3.6),
        (9.8, 0.6),
        (-10.0, -0.6),
        (-4.6, 8.6),
    ]
    plan.hidden += [(-1.8, 9.0), (2.8, 9.2), (9.6, -2.4), (-9.8, 2.0), (13.4, -1.4), (-13.6, 1.0)]
    plan.lanes += [
        [(-17.0, 0.9), (-6.0, 1.2), (6.0, 1.4), (17.0, 0.8)],
        [(17.0, -1.2), (6.0, -1.6), (-6.0, -1.5), (-17.0, -1.0)],
    ]
    plan.robot_path += [(-2.4, -0.3), (-0.6, 0.2), (1.2, -0.1), (2.8, 0.5)]
    return "indoor_open_space/corridor", ground, "floor", 3.6


def _park(plan: Plan, rng: np.random.Generator) -> tuple[str, ByteArray, str, float]:
    size = _ground_size()
    ground = grass(rng, size, plan.style.grass)
    path = plain(rng, size, size, (148, 164, 178), 0.09)
    mask = np.zeros((size, size), np.uint8)
    for line in (
        [(-24.0, -3.0), (-12.0, -1.0), (0.0, 0.0), (12.0, 1.0), (24.0, 5.0)],
        [(-3.0, 24.0), (-1.0, 12.0), (0.0, 0.0), (2.5, -12.0), (1.0, -24.0)],
        [(-20.0, 14.0), (-8.0, 9.0), (0.0, 9.5), (10.0, 8.0), (22.0, 13.0)],
    ):
        cv2.polylines(
            mask, [_to_pixels(line)], False, 255, int(3.0 * GROUND_PIXELS_PER_METRE), cv2.LINE_AA
        )
    cv2.circle(mask, (size // 2, size // 2), int(4.4 * GROUND_PIXELS_PER_METRE), 255, -1)
    soft = cv2.GaussianBlur(mask, (0, 0), 4.0)
    weight = cv2.merge([soft, soft, soft])
    lawn = cv2.multiply(ground, cv2.bitwise_not(weight), scale=1.0 / 255.0)
    ground = np.asarray(cv2.add(lawn, cv2.multiply(path, weight, scale=1.0 / 255.0)), np.uint8)
    _building(plan, rng, (23.0, 20.0), (4.0, 20.0), 8.0)
    _building(plan, rng, (-23.5, -4.0), (-23.5, -20.0), 10.0)
    _building(plan, rng, (6.0, -21.0), (22.0, -21.0), 9.0)
    trees = [
        (-6.5, 5.5),
        (6.8, 5.2),
        (-7.2, -5.6),
        (7.4, -6.0),
        (-12.5, 4.5),
        (13.0, -3.4),
        (-14.0, -8.0),
        (3.8, -12.5),
        (-4.4, 13.6),
        (11.8, 12.2),
        (-17.0, 9.0),
        (18.0, 8.2),
        (17.0, -10.5),
        (-9.0, -14.0),
    ]
    for x, y in trees:
        add_tree(
            plan,
            rng,
            x + rng.uniform(-0.8, 0.8),
            y + rng.uniform(-0.8, 0.8),
            rng.uniform(5.0, 7.4),
            rng.uniform(1.7, 2.6),
        )
    for x, y, heading, length, height in (
        (2.6, 6.1, -0.3, 1.8, 1.5),
        (-5.6, 0.9, 1.5, 1.6, 1.45),
        (5.9, -1.7, 1.4, 1.7, 1.5),
        (-1.4, -5.8, 0.1, 1.8, 1.5),
        (-10.0, 12.0, 0.0, 3.0, 1.6),
        (9.5, -10.5, 0.6, 2.6, 1.5),
        (-10.4, -3.9, 0.1, 2.8, 1.5),
        (10.6, 4.0, 0.1, 2.6, 1.55),
        (4.4, 11.2, 0.0, 2.4, 1.5),
    ):
        add_hedge(plan, rng, x, y, length, heading, height)
    add_kiosk(plan, rng, -5.6, -9.8, 1.5, 1.0, 0.4, 2.5, _pick(rng, plan.style.tops))
    for x, y, heading in (
        (3.6, 4.0, -2.3),
        (-3.9, 3.6, -0.7),
        (-3.7, -4.0, 0.8),
        (4.2, -3.4, 2.4),
        (-9.8, 0.9, -np.pi / 2),
        (9.4, -1.2, np.pi / 2),
    ):
        add_bench(plan, x, y, heading, 3, WOOD)
    for x, y in ((-8.6, 7.4), (8.4, -8.2), (12.8, 8.0)):
        add_dining_set(plan, x, y, rng.uniform(0, np.pi), WOOD, (96.0, 132.0, 166.0))
    plan.portals += [
        (-22.5, -2.6),
        (22.5, 4.6),
        (-2.8, 22.5),
        (1.2, -20.0),
        (-19.5, 13.6),
        (21.5, 12.8),
    ]
    plan.gather += [
        (2.8, 2.2),
        (-2.4, 2.8),
        (0.4, -4.6),
        (6.2, 1.6),
        (-6.4, -1.2),
        (0.0, 7.2),
        (3.0, -8.2),
        (-3.4, 9.8),
        (12.4, 1.6),
        (-12.6, 1.0),
    ]
    plan.hidden += [
        (-10.0, 13.4),
        (10.6, -11.8),
        (-10.4, -5.4),
        (10.8, 5.6),
        (4.6, 12.8),
        (-6.2, -11.8),
    ]
    plan.lanes += [
        [(-22.5, -2.2), (-6.0, 1.6), (6.0, 1.8), (22.5, 5.0)],
        [(22.5, 4.0), (6.0, -1.6), (-6.0, -1.9), (-22.5, -3.4)],
        [(-2.0, 22.0), (-2.0, 6.0), (1.6, -6.0), (1.0, -20.0)],
    ]
    plan.robot_path += [(-2.4, -0.8), (-0.4, -0.2), (1.4, 0.6), (2.4, -0.4)]
    return "outdoor_open_area/campus", ground, "pathway", 0.0


def _hall(plan: Plan, rng: np.random.Generator) -> tuple[str, ByteArray, str, float]:
    size = _ground_size()
    base = ((112, 96, 84), (98, 104, 112), (84, 92, 110))[int(rng.integers(3))]
    ground = carpet(rng, size, GROUND_PIXELS_PER_METRE, base)
    _room(
        plan,
        rng,
        [(-11.0, -9.0), (11.0, -9.0), (11.0, 9.0), (-11.0, 9.0)],
        3.5,
        {0: (3.0,), 1: (4.0, 14.0), 2: (19.0,), 3: (4.0, 14.0)},
        {1},
    )
    board = plan.walls[2].texture
    height = board.shape[0]
    board[
        height - int(2.6 * SCALE) : height - int(0.9 * SCALE), int(6.0 * SCALE) : int(16.0 * SCALE)
    ] = (62, 74, 58)
    board[
        height - int(2.55 * SCALE) : height - int(0.95 * SCALE),
        int(8.6 * SCALE) : int(13.4 * SCALE),
    ] = (238, 240, 240)
    for line in range(6):
        row = height - int((2.35 - 0.22 * line) * SCALE)
        board[row : row + 4, int(8.9 * SCALE) : int((11.0 + 2.0 * rng.random()) * SCALE)] = (
            120,
            90,
            60,
        )
    chair = scaled(_pick(rng, plan.style.tops), 1.0)
    cluster = plan.clusters
    plan.clusters += 1
    for row, y in enumerate((-6.9, -5.2, -3.5)):
        for side in (-1.0, 1.0):
            centre = side * 5.2
            add_table(plan, centre, y + 0.55, 2.6, 0.22, 0.0, WOOD)
            for place in range(5):
                add_chair(
                    plan, centre + (place - 2) * 1.0, y, np.pi / 2, chair, True, cluster + row
                )
    plan.clusters += 3
    for x, y in ((-6.0, 2.6), (6.2, 2.4)):
        add_dining_set(plan, x, y, 0.1, WOOD, chair, places=6)
    add_table(plan, 0.0, 6.2, 1.2, 0.35, 0.0, WOOD)
    for x, y in ((-4.0, 0.2), (4.0, 0.2)):
        add_pillar(plan, rng, x, y, 0.28, 3.5, (190, 196, 200))
    for start, end in (
        ((-6.6, -0.9), (-4.7, -1.1)),
        ((4.7, -1.1), (6.6, -0.9)),
        ((-3.2, 5.0), (-1.5, 5.3)),
        ((1.6, 5.2), (3.3, 4.9)),
    ):
        add_partition(plan, rng, start, end, 1.8, (120, 116, 124))
    add_partition(plan, rng, (-9.6, 5.2), (-7.0, 5.4), 1.7, (124, 116, 110))
    add_partition(plan, rng, (7.2, 5.2), (9.8, 5.0), 1.7, (110, 120, 124))
    plan.portals += [(10.2, 0.0), (-10.2, 0.0)]
    plan.gather += [
        (-2.8, 3.8),
        (2.9, 3.9),
        (0.0, 4.2),
        (-8.4, -0.8),
        (8.4, -0.6),
        (-1.6, 7.4),
        (1.8, 7.6),
        (-8.8, 7.2),
    ]
    plan.hidden += [(-8.4, 6.8), (8.4, 6.6), (9.6, 7.8)]
    plan.robot_path += [(-1.8, -1.4), (0.0, 0.2), (0.4, 1.2), (-0.8, 1.8)]
    return "indoor_room/class", ground, "floor", 3.5


_BUILDERS: Final[
    dict[str, tuple[bool, Callable[[Plan, np.random.Generator], tuple[str, ByteArray, str, float]]]]
] = {
    "plaza": (False, _plaza),
    "cafeteria": (True, _cafeteria),
    "street": (False, _street),
    "lobby": (True, _lobby),
    "park": (False, _park),
    "hall": (True, _hall),
}
