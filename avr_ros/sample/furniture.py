"""Things that stand in a scene: seats, tables, trees, kiosks, cars, hedges, pillars, stairs."""

from __future__ import annotations

import cv2
import numpy as np

from avr_ros.sample.poses import SEAT_HEIGHT, STAIR_RISE, STAIR_RUN, TABLE_HEIGHT
from avr_ros.sample.scene import Panel, Plan, Seat, Stairs, rectangle
from avr_ros.sample.styles import Colour, Tone, scaled
from avr_ros.sample.textures import ByteArray, foliage, fractal, opaque, plain, tinted, trunk


def _ahead(heading: float, distance: float) -> tuple[float, float]:
    return float(np.cos(heading) * distance), float(np.sin(heading) * distance)


def add_chair(
    plan: Plan,
    x: float,
    y: float,
    heading: float,
    colour: Tone,
    table: bool,
    cluster: int,
    taken: bool = True,
) -> None:
    """A chair whose sitter faces ``heading``; ``taken`` offers it as a seat."""
    seat = SEAT_HEIGHT
    plan.solid(x, y, seat - 0.02, (0.21, 0.21, 0.02), heading, colour, farther=0.30)
    back_x, back_y = _ahead(heading, -0.21)
    plan.solid(x + back_x, y + back_y, seat + 0.28, (0.018, 0.20, 0.17), heading, colour)
    for along in (-0.18, 0.18):
        for aside in (-0.18, 0.18):
            leg_x = x + np.cos(heading) * along - np.sin(heading) * aside
            leg_y = y + np.sin(heading) * along + np.cos(heading) * aside
            plan.solid(
                float(leg_x),
                float(leg_y),
                seat / 2 - 0.02,
                (0.014, 0.014, seat / 2 - 0.02),
                heading,
                (58.0, 58.0, 60.0),
                farther=0.25 if along > 0 else 0.0,
            )
    plan.footprint(x, y, 0.24, 0.24, heading, 0.0)
    if taken:
        plan.seats.append(Seat((x, y), heading, table, cluster))


def add_table(
    plan: Plan,
    x: float,
    y: float,
    half_length: float,
    half_width: float,
    heading: float,
    colour: Tone,
) -> None:
    """A table as a row of short units, so that each is drawn at its own distance."""
    units = max(round(half_length / 0.35), 1)
    unit = half_length / units
    for index in range(units):
        along = -half_length + (2 * index + 1) * unit
        unit_x, unit_y = x + np.cos(heading) * along, y + np.sin(heading) * along
        plan.solid(
            float(unit_x),
            float(unit_y),
            TABLE_HEIGHT - 0.02,
            (unit, half_width, 0.022),
            heading,
            colour,
        )
    for along in (-half_length + 0.08, half_length - 0.08):
        for aside in (-half_width + 0.08, half_width - 0.08):
            leg_x = x + np.cos(heading) * along - np.sin(heading) * aside
            leg_y = y + np.sin(heading) * along + np.cos(heading) * aside
            plan.solid(
                float(leg_x),
                float(leg_y),
                TABLE_HEIGHT / 2 - 0.03,
                (0.025, 0.025, TABLE_HEIGHT / 2 - 0.03),
                heading,
                (66.0, 66.0, 68.0),
                farther=0.1,
            )
    plan.footprint(x, y, half_length, half_width, heading, TABLE_HEIGHT)


def add_dining_set(
    plan: Plan, x: float, y: float, heading: float, wood: Tone, chair: Tone, places: int = 4
) -> None:
    """A table with chairs on its long sides."""
    cluster = plan.clusters
    plan.clusters += 1
    half_length = 0.75 if places <= 4 else 1.15
    add_table(plan, x, y, half_length, 0.4, heading, wood)
    per_side = places // 2
    for side in (1.0, -1.0):
        for index in range(per_side):
            along = (index - (per_side - 1) / 2.0) * (2 * half_length / per_side)
            px = x + np.cos(heading) * along - np.sin(heading) * side * 0.68
            py = y + np.sin(heading) * along + np.cos(heading) * side * 0.68
            facing = heading - side * np.pi / 2
            add_chair(plan, float(px), float(py), float(facing), chair, True, cluster)


def add_bench(
    plan: Plan, x: float, y: float, heading: float, seats: int, wood: Tone, back: bool = True
) -> None:
    """A bench of ``seats`` places, sitters facing ``heading``."""
    cluster = plan.clusters
    plan.clusters += 1
    pitch = 0.62
    for index in range(seats):
        aside = (index - (seats - 1) / 2.0) * pitch
        px, py = float(x - np.sin(heading) * aside), float(y + np.cos(heading) * aside)
        for slat in (-0.15, 0.0, 0.15):
            sx, sy = _ahead(heading, slat)
            plan.solid(
                px + sx,
                py + sy,
                SEAT_HEIGHT - 0.02,
                (0.06, pitch / 2, 0.022),
                heading,
                wood,
                farther=0.30,
            )
        if back:
            bx, by = _ahead(heading, -0.25)
            for height in (0.22, 0.38):
                plan.solid(
                    px + bx, py + by, SEAT_HEIGHT + height, (0.018, pitch / 2, 0.055), heading, wood
                )
        plan.seats.append(Seat((px, py), heading, False, cluster))
    for index in range(seats + 1):
        aside = (index - seats / 2.0) * pitch * 0.94
        px, py = float(x - np.sin(heading) * aside), float(y + np.cos(heading) * aside)
        plan.solid(
            px,
            py,
            SEAT_HEIGHT / 2 - 0.02,
            (0.17, 0.025, SEAT_HEIGHT / 2 - 0.02),
            heading,
            (52.0, 52.0, 54.0),
            farther=0.26,
        )
    plan.footprint(x, y, 0.27, seats * pitch / 2, heading, SEAT_HEIGHT)


def add_tree(
    plan: Plan, rng: np.random.Generator, x: float, y: float, height: float, radius: float
) -> None:
    """A tree: a round trunk and a crown that always shows its broad side."""
    girth = 0.07 + 0.018 * height
    bark = trunk(rng, 160, 24)
    crown_bottom = height - 1.7 * radius
    plan.panels.append(
        Panel(
            (x - girth, y), (x + girth, y), 0.0, crown_bottom + 0.6 * radius, bark, billboard=True
        )
    )
    # A few pictures serve all trees, turned over now and then.
    if len(plan.crowns) < 4:
        plan.crowns.append(foliage(rng, plan.style, 200, 224, round_crown=True))
    picture = plan.crowns[int(rng.integers(len(plan.crowns)))]
    if rng.random() < 0.5:
        picture = np.ascontiguousarray(picture[:, ::-1])
    plan.panels.append(
        Panel((x - radius, y), (x + radius, y), crown_bottom, height, picture, billboard=True)
    )
    plan.footprint(x, y, 0.3, 0.3, 0.0, 0.0)
    plan.obstacle(rectangle(x, y, girth, girth, 0.0), crown_bottom)
    plan.crown(x, y, height - radius, radius)


def _shrubs(plan: Plan, rng: np.random.Generator, height: float, length: float) -> ByteArray:
    """Leaves over a rectangle in metres: a piece of it, repeated and turned over."""
    scale = 46
    rows, columns = int(height * scale), int(length * scale)
    piece = foliage(rng, plan.style, rows, min(columns, 100), round_crown=False)
    both = np.concatenate([piece, piece[:, ::-1]], axis=1)
    return np.ascontiguousarray(np.tile(both, (1, columns // both.shape[1] + 1, 1))[:, :columns])


def add_hedge(
    plan: Plan,
    rng: np.random.Generator,
    x: float,
    y: float,
    half_length: float,
    heading: float,
    height: float,
) -> None:
    """A clipped hedge."""
    long_side = _shrubs(plan, rng, height, 2 * half_length)
    short_side = _shrubs(plan, rng, height, 0.8)
    plan.boxed(x, y, half_length, 0.4, heading, 0.0, height, (long_side, short_side))
    if height < 0.85:
        units = max(round(half_length / 0.4), 1)
        tone = scaled(plan.style.foliage[0], 0.95)
        for index in range(units):
            along = -half_length + (2 * index + 1) * half_length / units
            plan.solid(
                float(x + np.cos(heading) * along),
                float(y + np.sin(heading) * along),
                height - 0.02,
                (half_length / units, 0.38, 0.02),
                heading,
                tone,
            )


def add_planter(
    plan: Plan, rng: np.random.Generator, x: float, y: float, half_length: float, heading: float
) -> None:
    """A concrete trough with shrubs as high as a chest."""
    scale = 46
    shrubs = _shrubs(plan, rng, 0.95, 2 * half_length)
    ends = _shrubs(plan, rng, 0.95, 0.8)
    base_long = opaque(
        plain(rng, int(0.5 * scale), int(2 * half_length * scale), (150, 156, 160), 0.05)
    )
    base_short = opaque(plain(rng, int(0.5 * scale), int(0.8 * scale), (150, 156, 160), 0.05))
    plan.boxed(
        x,
        y,
        half_length,
        0.4,
        heading,
        0.0,
        1.35,
        (np.vstack([shrubs, base_long]), np.vstack([ends, base_short])),
    )


def add_kiosk(
    plan: Plan,
    rng: np.random.Generator,
    x: float,
    y: float,
    half_length: float,
    half_width: float,
    heading: float,
    height: float,
    colour: Colour,
) -> None:
    """A stall with a counter, a shutter and an awning stripe."""
    scale = 46

    def side(length: float) -> ByteArray:
        rows, columns = int(height * scale), int(2 * length * scale)
        image = plain(rng, rows, columns, colour, 0.03)
        up = np.linspace(height, 0, rows)[:, None]
        image = np.clip(image * (1.0 - 0.25 * np.exp(-up / 0.3))[..., None], 0, 255).astype(
            np.uint8
        )
        counter = rows - int(1.05 * scale)
        window = rows - int(2.0 * scale)
        margin = int(0.25 * scale)
        image[window:counter, margin:-margin] = (52, 50, 46)
        for _ in range(int(length * 9)):
            left = int(rng.integers(margin, max(columns - margin - 8, margin + 1)))
            tall = int(rng.integers(5, 14))
            image[counter - tall : counter - 1, left : left + 7] = rng.integers(60, 240, 3)
        image[counter : counter + 5] = (190, 196, 200)
        for begin in range(0, columns, 24):
            image[window - 12 : window + 3, begin : begin + 12] = (235, 238, 240)
            image[window - 12 : window + 3, begin + 12 : begin + 24] = np.asarray(colour) // 2
        return opaque(image)

    plan.boxed(
        x, y, half_length, half_width, heading, 0.0, height, (side(half_length), side(half_width))
    )


def add_van(
    plan: Plan, rng: np.random.Generator, x: float, y: float, heading: float, colour: Colour
) -> None:
    """A parked delivery van."""
    scale = 46
    length, width, height = 5.2, 2.0, 2.3

    def side(metres: float, end: bool) -> ByteArray:
        rows, columns = int(height * scale), int(metres * scale)
        levels = 1.0 + 0.03 * fractal(rng, rows, columns, 60.0, 2)
        levels *= np.linspace(1.08, 0.82, rows, dtype=np.float32)[:, None]
        image = opaque(tinted(colour, levels.astype(np.float32)))
        image[rows - int(0.28 * scale) :, :, 3] = 0
        image[rows - int(0.42 * scale) : rows - int(0.28 * scale), :, :3] = (44, 44, 46)
        window = slice(int(0.22 * scale), int(0.95 * scale))
        if end:
            image[window, int(0.2 * scale) : -int(0.2 * scale), :3] = (78, 66, 56)
            for left in (int(0.12 * scale), columns - int(0.4 * scale)):
                image[
                    int(1.35 * scale) : int(1.55 * scale), left : left + int(0.28 * scale), :3
                ] = (60, 60, 190)
            wheels = (0.3, metres - 0.3)
        else:
            image[window, int(0.2 * scale) : int(1.3 * scale), :3] = (78, 66, 56)
            image[window, int(0.72 * scale) : int(0.76 * scale), :3] = colour
            for gap in (1.5, 2.9):
                image[int(0.2 * scale) : int(1.9 * scale), int(gap * scale), :3] = scaled(
                    colour, 0.7
                )
            image[int(1.1 * scale) : int(1.3 * scale), int(1.6 * scale) : int(4.6 * scale), :3] = (
                np.asarray(colour) * 0.55
            ).astype(np.uint8)
            wheels = (0.95, metres - 1.0)
        for wheel in wheels:
            centre = (int(wheel * scale), rows - int(0.34 * scale))
            cv2.circle(image, centre, int(0.34 * scale), (34, 34, 36, 255), -1)
            cv2.circle(image, centre, int(0.18 * scale), (150, 152, 154, 255), -1)
        return image

    plan.boxed(
        x, y, length / 2, width / 2, heading, 0.0, height, (side(length, False), side(width, True))
    )


def add_pillar(
    plan: Plan,
    rng: np.random.Generator,
    x: float,
    y: float,
    half: float,
    height: float,
    colour: Colour,
) -> None:
    """A square column from the floor to the ceiling."""
    rows, columns = int(height * 46), max(int(2 * half * 46), 4)
    levels = 1.0 + 0.04 * fractal(rng, rows, columns, 90.0, 3)
    up = np.linspace(height, 0, rows, dtype=np.float32)[:, None]
    levels = levels * (1.0 - 0.25 * np.exp(-up / 0.25))
    image = opaque(tinted(colour, levels.astype(np.float32)))
    image[-6:, :, :3] = (64, 66, 68)
    plan.boxed(x, y, half, half, 0.0, 0.0, height, (image, image))


def add_partition(
    plan: Plan,
    rng: np.random.Generator,
    start: tuple[float, float],
    end: tuple[float, float],
    height: float,
    colour: Colour,
) -> None:
    """A thin free-standing screen, as on a poster session or in an office."""
    length = float(np.hypot(end[0] - start[0], end[1] - start[1]))
    rows, columns = int(height * 46), int(length * 46)
    image = plain(rng, rows, columns, colour, 0.03)
    position = 8
    while position + 50 < columns:
        wide = int(rng.integers(30, 60))
        image[12 : 12 + int(0.55 * rows), position : position + wide] = (240, 242, 243)
        image[16:26, position + 4 : position + wide - 4] = rng.integers(30, 220, 3)
        for line in range(34, int(0.5 * rows), 7):
            image[line : line + 2, position + 5 : position + int(wide * rng.uniform(0.5, 0.9))] = (
                130,
                130,
                130,
            )
        position += wide + 14
    image[-10:] = (58, 60, 62)
    plan.panels.append(Panel(start, end, 0.0, height, opaque(image)))
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    heading = float(np.arctan2(end[1] - start[1], end[0] - start[0]))
    plan.footprint(middle[0], middle[1], length / 2, 0.12, heading, height)


def add_stairs(
    plan: Plan,
    rng: np.random.Generator,
    x: float,
    y: float,
    heading: float,
    steps: int,
    width: float,
    colour: Tone,
    landing: float = 2.2,
) -> None:
    """Steps that rise along ``heading`` from (x, y) to a landing."""
    direction = np.array([np.cos(heading), np.sin(heading)])
    across = np.array([-direction[1], direction[0]])
    lighter = scaled(colour, 1.06)
    strips = max(round(width / 0.9), 1)
    depth = steps * STAIR_RUN + landing
    for step in range(steps):
        last = step == steps - 1
        near = step * STAIR_RUN
        length = landing + STAIR_RUN if last else STAIR_RUN
        top = (step + 1) * STAIR_RISE
        for strip in range(strips):
            aside = (strip - (strips - 1) / 2.0) * width / strips
            spans = max(round(length / 0.6), 1) if last else 1
            for span in range(spans):
                half = length / spans / 2
                centre = (
                    np.array([x, y]) + direction * (near + (2 * span + 1) * half) + across * aside
                )
                tone = lighter if step % 2 else colour
                plan.solid(
                    float(centre[0]),
                    float(centre[1]),
                    top - STAIR_RISE / 2,
                    (half, width / strips / 2 + 0.004, STAIR_RISE / 2),
                    heading,
                    tone,
                    farther=0.35,
                )
    rows = max(int(steps * STAIR_RISE * 46), 4)
    cheek = np.zeros((rows, int(depth * 46), 4), np.uint8)
    cheek[..., :3] = tinted(
        (int(0.8 * colour[0]), int(0.8 * colour[1]), int(0.8 * colour[2])),
        1.0 + 0.05 * fractal(rng, rows, cheek.shape[1], 60.0, 3),
    )
    columns = np.arange(cheek.shape[1]) / 46.0
    top_height = np.minimum(np.floor(columns / STAIR_RUN) + 1, steps) * STAIR_RISE
    row_height = (rows - 1 - np.arange(rows)) / 46.0
    cheek[..., 3] = np.where(row_height[:, None] <= top_height[None, :], 255, 0)
    for sign in (1.0, -1.0):
        start = np.array([x, y]) + across * sign * width / 2
        end = start + direction * depth
        plan.panels.append(
            Panel(
                (float(start[0]), float(start[1])),
                (float(end[0]), float(end[1])),
                0.0,
                steps * STAIR_RISE,
                cheek,
            )
        )
        edge = (start + end) / 2
        plan.footprint(float(edge[0]), float(edge[1]), depth / 2, 0.06, heading, 0.0)
    foot = np.array([x, y]) - direction * 0.1
    head = np.array([x, y]) + direction * (steps * STAIR_RUN)
    end = np.array([x, y]) + direction * (steps * STAIR_RUN + landing - 0.5)
    centre = np.array([x, y]) + direction * depth / 2
    plan.footprint(
        float(centre[0]), float(centre[1]), depth / 2, width / 2, heading, steps * STAIR_RISE
    )
    plan.stairs.append(
        Stairs(
            (float(foot[0]), float(foot[1])),
            (float(head[0]), float(head[1])),
            steps * STAIR_RISE,
            (float(end[0]), float(end[1])),
            width,
        )
    )
