"""Pictures of surfaces, made from noise: floors, facades, foliage, sky, ceilings.

Textures are BGR or BGRA bytes; sizes are given in metres and pixels per metre. Row 0 is the top.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from avr_ros.sample.styles import Colour, Style, Tone, scaled

FloatImage = NDArray[np.float32]
ByteArray = NDArray[np.uint8]


def fractal(
    rng: np.random.Generator, height: int, width: int, cell: float, octaves: int, wrap: bool = False
) -> FloatImage:
    """Smooth noise with values mostly within -1..1, the largest features ``cell`` pixels wide.

    ``wrap`` makes its left and right edge meet.
    """
    total = np.zeros((height, width), np.float32)
    weight = 0.5
    for _ in range(octaves):
        rows, columns = max(int(height / cell) + 2, 2), max(int(width / cell) + 2, 2)
        small = rng.standard_normal((rows, columns), dtype=np.float32)
        if wrap:
            margin = 2
            ring = np.concatenate([small[:, -margin:], small, small[:, :margin]], axis=1)
            share = width / columns
            wide = cv2.resize(
                ring, (width + round(2 * margin * share), height), interpolation=cv2.INTER_CUBIC
            )
            grown = wide[:, round(margin * share) : round(margin * share) + width]
        else:
            grown = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
        cv2.scaleAdd(grown, weight, total, dst=total)
        weight *= 0.55
        cell = max(cell / 2.2, 1.0)
    return total


def tiled(
    rng: np.random.Generator, height: int, width: int, cell: float, octaves: int
) -> FloatImage:
    """Fine noise for large surfaces: a block of it, repeated and turned over."""
    block = fractal(rng, 512, 512, cell, octaves)
    block = np.concatenate([block, block[:, ::-1]], axis=1)
    block = np.concatenate([block, block[::-1]], axis=0)
    times = (height // 1024 + 1, width // 1024 + 1)
    return np.ascontiguousarray(np.tile(block, times)[:height, :width])


_STEPS: Final = 128.0


def tinted(base: Colour, levels: FloatImage) -> ByteArray:
    """A colour under a field of brightness factors up to 2, in steps of 1/128."""
    index = cv2.convertScaleAbs(np.maximum(levels, 0.0), alpha=_STEPS)
    table = np.clip(
        np.arange(256, dtype=np.float64)[:, None] / _STEPS * np.asarray(base, np.float64), 0, 255
    )
    table = np.round(table).astype(np.uint8)
    return np.asarray(
        cv2.merge([cv2.LUT(index, np.ascontiguousarray(table[:, c])) for c in range(3)]), np.uint8
    )


def plain(
    rng: np.random.Generator, height: int, width: int, base: Colour, rough: float
) -> ByteArray:
    """A rough even surface: plaster, concrete, asphalt."""
    levels = 1.0 + 0.07 * fractal(rng, height, width, max(width, height) / 3.0, 3)
    if max(height, width) > 1200:
        levels += rough * tiled(rng, height, width, 5.0, 3)
    else:
        levels += rough * fractal(rng, height, width, 5.0, 2)
    return tinted(base, levels)


def paving(
    rng: np.random.Generator,
    size: int,
    scale: float,
    base: Colour,
    stone: tuple[float, float],
    joint: float = 0.82,
) -> ByteArray:
    """Slabs of ``stone`` (length, width) metres with joints; each slab has its own tone."""
    half = size // 2
    coarse = cv2.resize(fractal(rng, half, half, 250.0, 3), (size, size))
    levels = 1.0 + 0.05 * coarse + 0.075 * tiled(rng, size, size, 3.0, 3)
    length, width = stone[0] * scale, stone[1] * scale
    rows = np.arange(size)
    row_index = (rows / width).astype(int)
    offset = (row_index % 2) * 0.5 * length
    tones = rng.normal(0.0, 0.05, (int(size / width) + 2, int(size / length) + 3)).astype(
        np.float32
    )
    for parity in (0, 1):
        chosen = np.flatnonzero(row_index % 2 == parity)
        if not len(chosen):
            continue
        shifted = rows + offset[chosen[0]]
        columns = (shifted / length).astype(int)
        levels[chosen] += tones[row_index[chosen]][:, columns]
        seams = np.flatnonzero(shifted % length < 1.6)
        levels[np.ix_(chosen, seams)] *= joint
    levels[rows % width < 1.6] *= joint
    return tinted(base, levels)


def grass(rng: np.random.Generator, size: int, base: Colour) -> ByteArray:
    """A lawn: patches, tufts and single blades, dry here and there."""
    half = size // 2
    patches = cv2.resize(fractal(rng, half, half, 130.0, 4), (size, size))
    levels = 1.0 + 0.13 * patches + 0.22 * tiled(rng, size, size, 4.0, 3)
    green = tinted(base, levels)
    dry_base = (max(base[0] - 10, 0), min(base[1] + 8, 255), min(base[2] + 30, 255))
    dry = cv2.resize(fractal(rng, half, half, 170.0, 3), (size, size))
    share = cv2.convertScaleAbs(np.clip(dry, 0.0, 1.0), alpha=255.0)
    weight = cv2.merge([share, share, share])
    dried = cv2.multiply(tinted(dry_base, levels), weight, scale=1.0 / 255.0)
    return np.asarray(
        cv2.add(cv2.multiply(green, cv2.bitwise_not(weight), scale=1.0 / 255.0), dried), np.uint8
    )


def planks(rng: np.random.Generator, size: int, scale: float, base: Colour) -> ByteArray:
    """A wooden floor."""
    stretched = cv2.resize(
        fractal(rng, size // 2, size // 16, 6.0, 2), (size, size), interpolation=cv2.INTER_LINEAR
    )
    image = paving(rng, size, scale, base, (1.8, 0.16), 0.75).astype(np.float32)
    return np.clip(image * (1.0 + 0.05 * stretched.T[..., None]), 0, 255).astype(np.uint8)


def carpet(rng: np.random.Generator, size: int, scale: float, base: Colour) -> ByteArray:
    """Carpet tiles with a pattern that alternates."""
    image = plain(rng, size, size, base, 0.06).astype(np.float32)
    tile = max(int(scale * 0.6), 4)
    index = np.arange(size) // tile
    chequer = ((index[:, None] + index[None, :]) % 2).astype(np.float32)
    return np.clip(image * (0.94 + 0.10 * chequer[..., None]), 0, 255).astype(np.uint8)


def _rectangle(
    image: ByteArray,
    scale: float,
    left: float,
    right: float,
    bottom: float,
    top: float,
    colour: tuple[float, float, float],
) -> None:
    """Fill a rectangle given in metres from the lower left corner."""
    height = image.shape[0]
    cv2.rectangle(
        image,
        (round(left * scale), height - round(top * scale)),
        (round(right * scale) - 1, height - round(bottom * scale) - 1),
        colour,
        -1,
    )


def _random_tone(rng: np.random.Generator, low: float, high: float) -> Tone:
    blue, green, red = rng.uniform(low, high, 3).tolist()
    return blue, green, red


def _window(
    image: ByteArray,
    rng: np.random.Generator,
    scale: float,
    left: float,
    right: float,
    bottom: float,
    top: float,
    style: Style,
    lit: bool,
) -> None:
    frame = scaled((70, 68, 66), float(rng.uniform(0.6, 2.4)))
    _rectangle(image, scale, left - 0.08, right + 0.08, bottom - 0.1, top + 0.08, frame)
    rows = max(round((top - bottom) * scale), 1)
    columns = max(round((right - left) * scale), 1)
    height = image.shape[0]
    low, high = np.asarray(style.sky_zenith, np.float32), np.asarray(style.sky_horizon, np.float32)
    ramp = np.linspace(0.0, 1.0, rows, dtype=np.float32)[:, None, None]
    glass = (0.30 + 0.15 * rng.random()) * (low * (1 - ramp) + high * ramp)
    glass = np.repeat(glass, columns, axis=1)
    slant = (np.arange(columns)[None, :] + np.arange(rows)[:, None]) % max(columns, 8)
    glass += (slant < 0.25 * columns)[..., None] * 18.0
    if lit:
        glass = 0.35 * glass + np.array([95.0, 160.0, 190.0], np.float32) * (
            0.6 + 0.4 * rng.random()
        )
    elif rng.random() < 0.3:
        blind = round(rows * rng.uniform(0.2, 0.8))
        glass[:blind] = 0.5 * glass[:blind] + 95.0
    begin_row, begin_column = height - round(top * scale), round(left * scale)
    part = image[max(begin_row, 0) : begin_row + rows, begin_column : begin_column + columns]
    part[:] = np.clip(glass[: part.shape[0], : part.shape[1]], 0, 255).astype(np.uint8)
    middle = 0.5 * (left + right)
    _rectangle(image, scale, middle - 0.03, middle + 0.03, bottom, top, frame)
    if top - bottom > 1.2:
        bar = bottom + 0.66 * (top - bottom)
        _rectangle(image, scale, left, right, bar - 0.025, bar + 0.025, frame)


def door_picture(
    image: ByteArray,
    rng: np.random.Generator,
    scale: float,
    centre: float,
    width: float,
    height: float,
) -> None:
    """A door with frame, leaf and handle in a wall's picture."""
    leaf = ((62, 84, 120), (96, 98, 100), (70, 90, 62), (58, 58, 120))[int(rng.integers(4))]
    _rectangle(
        image,
        scale,
        centre - width / 2 - 0.1,
        centre + width / 2 + 0.1,
        0.0,
        height + 0.1,
        (58, 58, 58),
    )
    _rectangle(image, scale, centre - width / 2, centre + width / 2, 0.0, height, leaf)
    darker = scaled(leaf, 0.78)
    for low, high in ((0.15, 0.95), (1.1, height - 0.15)):
        _rectangle(
            image, scale, centre - width / 2 + 0.14, centre + width / 2 - 0.14, low, high, darker
        )
    _rectangle(
        image,
        scale,
        centre + width / 2 - 0.22,
        centre + width / 2 - 0.08,
        0.98,
        1.06,
        (190, 196, 200),
    )


def facade(
    rng: np.random.Generator,
    style: Style,
    width: float,
    height: float,
    base: Colour,
    scale: float,
    doors: tuple[float, ...] = (),
    brick: bool = False,
    glass: bool = False,
) -> ByteArray:
    """The front of a building with rows of windows; ``doors`` are positions along it in metres."""
    rows, columns = max(round(height * scale), 2), max(round(width * scale), 2)
    levels = (
        1.0
        + 0.06 * fractal(rng, rows, columns, 160.0, 4)
        + 0.02 * fractal(rng, rows, columns, 2.0, 1)
    )
    up = np.linspace(height, 0.0, rows, dtype=np.float32)[:, None]
    levels *= 1.0 - 0.22 * np.exp(-up / 0.35) - 0.16 * np.exp(-(height - up) / 0.25)
    if brick:
        courses = (np.arange(rows) // 4) % 2
        joints = (np.arange(rows)[:, None] % 4 == 0) | (
            (np.arange(columns)[None, :] + 6 * courses[:, None]) % 12 == 0
        )
        tones = rng.normal(0.0, 0.06, (rows // 4 + 1, columns // 12 + 2)).astype(np.float32)
        levels += tones[
            np.arange(rows)[:, None] // 4,
            (np.arange(columns)[None, :] + 6 * courses[:, None]) // 12,
        ]
        levels = np.where(joints, levels * 1.10, levels)
    image = tinted(base, levels.astype(np.float32))
    storey = 3.3
    pitch = rng.uniform(2.4, 3.4) if not glass else 1.7
    window = rng.uniform(1.1, 1.7) if not glass else 1.55
    floor = 0.0
    while floor + 2.6 < height:
        left = 0.5 * (width % pitch)
        while left + window < width:
            middle = left + 0.5 * pitch
            near_door = floor == 0.0 and any(abs(middle - door) < 1.6 for door in doors)
            if not near_door:
                low = floor + (0.15 if glass else 0.95)
                _window(
                    image,
                    rng,
                    scale,
                    middle - window / 2,
                    middle + window / 2,
                    low,
                    floor + 2.5,
                    style,
                    lit=bool(rng.random() < 0.12),
                )
            left += pitch
        floor += storey
        if floor < height:
            _rectangle(image, scale, 0.0, width, floor - 0.14, floor, scaled(base, 0.86))
    for door in doors:
        door_picture(image, rng, scale, door, 1.3, 2.25)
        _rectangle(image, scale, door - 1.1, door + 1.1, 2.45, 2.62, (70, 70, 74))
    return image


def interior_wall(
    rng: np.random.Generator,
    width: float,
    height: float,
    base: Colour,
    scale: float,
    doors: tuple[float, ...] = (),
    windows: bool = False,
    style: Style | None = None,
) -> ByteArray:
    """An indoor wall: plaster, skirting, doors, posters, boards; windows if asked for."""
    rows, columns = max(round(height * scale), 2), max(round(width * scale), 2)
    levels = (
        1.0
        + 0.03 * fractal(rng, rows, columns, 220.0, 3)
        + 0.012 * fractal(rng, rows, columns, 2.0, 1)
    )
    up = np.linspace(height, 0.0, rows, dtype=np.float32)[:, None]
    levels *= 1.0 - 0.14 * np.exp(-up / 0.3) - 0.10 * np.exp(-(height - up) / 0.4)
    image = tinted(base, levels.astype(np.float32))
    accent = ((96, 120, 66), (120, 84, 58), (60, 84, 148), (128, 118, 104))[int(rng.integers(4))]
    _rectangle(image, scale, 0.0, width, 0.0, 0.12, (62, 64, 66))
    if rng.random() < 0.5:
        _rectangle(image, scale, 0.0, width, 1.02, 1.10, accent)
    position = rng.uniform(0.8, 2.0)
    while position + 1.6 < width:
        if any(abs(position + 0.7 - door) < 1.6 for door in doors):
            position += 0.7
            continue
        draw = rng.random()
        if windows and style is not None and draw < 0.62:
            _window(image, rng, scale, position, position + 1.9, 0.9, 2.5, style, lit=False)
            part = image[
                rows - round(2.5 * scale) : rows - round(0.9 * scale),
                round(position * scale) : round((position + 1.9) * scale),
            ]
            part[:] = np.clip(part.astype(np.float32) * 1.9 + 20.0, 0, 255).astype(np.uint8)
            position += 2.9
        elif draw < 0.80:
            tall = rng.uniform(0.6, 0.95)
            wide = tall * rng.uniform(0.65, 1.3)
            paper = _random_tone(rng, 60.0, 245.0)
            _rectangle(
                image,
                scale,
                position - 0.03,
                position + wide + 0.03,
                1.17,
                1.23 + tall,
                (70, 70, 70),
            )
            _rectangle(image, scale, position, position + wide, 1.2, 1.2 + tall, paper)
            ink = _random_tone(rng, 20.0, 235.0)
            _rectangle(
                image,
                scale,
                position + 0.08,
                position + wide - 0.08,
                1.2 + 0.55 * tall,
                1.1 + tall,
                ink,
            )
            for line in range(4):
                low = 1.27 + 0.09 * line
                _rectangle(
                    image,
                    scale,
                    position + 0.08,
                    position + wide * rng.uniform(0.6, 0.9),
                    low,
                    low + 0.03,
                    (90, 90, 90),
                )
            position += wide + rng.uniform(0.8, 2.6)
        else:
            position += rng.uniform(1.0, 2.5)
    for door in doors:
        door_picture(image, rng, scale, door, 1.0, 2.1)
    return image


def foliage(
    rng: np.random.Generator, style: Style, rows: int, columns: int, round_crown: bool
) -> ByteArray:
    """Leaves as BGRA: a crown (an uneven ball) or, otherwise, a hedge that fills the rectangle."""
    image = np.zeros((rows, columns, 4), np.uint8)
    base = np.asarray(style.foliage[int(rng.integers(len(style.foliage)))], np.float64)
    if round_crown:
        angle, radius = rng.uniform(0, 2 * np.pi, 11), rng.uniform(0.2, 1.0, 11)
        lobes = np.stack(
            [
                0.5 + 0.30 * np.cos(angle) * radius,
                0.5 + 0.30 * np.sin(angle) * radius,
                rng.uniform(0.18, 0.28, 11),
            ],
            axis=-1,
        )
        lobes = np.concatenate([lobes, [[0.5, 0.52, 0.32]]])
        for x_lobe, y_lobe, r_lobe in lobes.tolist():
            tone = tuple((0.50 * base).tolist())
            middle = (round(x_lobe * columns), round(y_lobe * rows))
            size_lobe = (round(0.80 * r_lobe * columns), round(0.80 * r_lobe * rows))
            cv2.ellipse(image, middle, size_lobe, 0, 0, 360, (*tone, 255.0), -1)
        count = int(rows * columns / 11)
        lobe = lobes[rng.integers(0, len(lobes), count)]
        angle, radius = rng.uniform(0, 2 * np.pi, count), np.sqrt(rng.random(count))
        x = lobe[:, 0] + lobe[:, 2] * radius * np.cos(angle)
        y = lobe[:, 1] + lobe[:, 2] * radius * np.sin(angle)
        level = 0.74 - 0.30 * radius * np.sin(angle) + 0.36 * (0.5 - y)
        order = np.argsort(level + 0.3 * rng.random(count), kind="stable")
    else:
        count = int(rows * columns / 8)
        x, y = rng.random(count), rng.random(count)
        y = np.where(rng.random(count) < 0.97, 0.04 + 0.96 * y, y)
        level = 0.98 - 0.42 * y + 0.10 * np.sin(9.0 * x)
        order = rng.permutation(count)
        image[round(0.06 * rows) :] = [*(0.5 * base), 255]
    tones = np.clip(base * (level * rng.uniform(0.8, 1.22, count))[:, None], 0, 255)
    sizes = rng.integers(2, 5 if round_crown else 4, count)
    turns = rng.uniform(0, 180, count)
    centres = np.stack([x * columns, y * rows], axis=-1).astype(int)
    for index in order.tolist():
        length = int(sizes[index])
        cv2.ellipse(
            image,
            (int(centres[index, 0]), int(centres[index, 1])),
            (length, max(length // 2, 1)),
            float(turns[index]),
            0,
            360,
            (*tones[index].tolist(), 255.0),
            -1,
        )
    return image


def trunk(rng: np.random.Generator, rows: int, columns: int) -> ByteArray:
    """Bark, round, as BGRA."""
    across = np.linspace(-1.0, 1.0, columns, dtype=np.float32)[None, :]
    levels = 0.55 + 0.5 * np.sqrt(np.clip(1.0 - (across + 0.25) ** 2 * 0.7, 0, 1))
    levels = levels + 0.16 * cv2.resize(
        fractal(rng, max(rows // 6, 2), columns, 3.0, 2), (columns, rows)
    )
    image = np.empty((rows, columns, 4), np.uint8)
    image[..., :3] = tinted((62, 78, 96), np.asarray(levels, np.float32))
    image[..., 3] = 255
    return image


def opaque(image: ByteArray) -> ByteArray:
    """BGR with an alpha of 255."""
    return np.asarray(np.dstack([image, np.full(image.shape[:2], 255, np.uint8)]), np.uint8)


def sky(rng: np.random.Generator, style: Style, width: int, rows: int, skyline: bool) -> ByteArray:
    """The sky down to the horizon over the whole circle, with hills and far buildings."""
    ramp = np.linspace(0.0, 1.0, rows, dtype=np.float32)[:, None, None] ** 1.4
    top, low = np.asarray(style.sky_zenith, np.float32), np.asarray(style.sky_horizon, np.float32)
    image = top * (1 - ramp) + low * ramp
    image = np.repeat(image, width, axis=1)
    noise = 2.0 * fractal(rng, rows, width, 130.0, 5, wrap=True)
    stretch = noise + (style.cloud_cover - 0.5) * 1.6
    cover = np.clip(stretch * 1.5, 0, 1)[..., None] * (0.35 + 0.65 * (1.0 - ramp))
    image = image * (1 - 0.85 * cover) + 0.85 * cover * np.asarray(style.cloud_colour, np.float32)
    if skyline:
        line = (
            rows
            - 1
            - np.abs(
                np.interp(
                    np.arange(width),
                    np.linspace(0, width, 49),
                    np.concatenate([h := rng.uniform(4, 26, 48), h[:1]]),
                )
            )
        )
        hills = np.arange(rows)[:, None] >= line[None, :]
        tone = 0.55 * low + 0.45 * np.asarray(style.foliage[0], np.float32)
        image = np.where(hills[..., None], tone, image)
        for _ in range(26):
            left, wide = int(rng.integers(0, width)), int(rng.integers(30, 130))
            tall = int(rng.integers(14, 62))
            colour = (
                0.6 * low
                + 0.4
                * np.asarray(style.facades[int(rng.integers(len(style.facades)))], np.float32)
                * 0.8
            )
            image[rows - tall :, left : left + wide] = colour
            for row in range(rows - tall + 4, rows - 6, 8):
                for column in range(left + 4, min(left + wide - 6, width - 6), 9):
                    image[row : row + 4, column : column + 5] = colour * 0.82
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def ceiling(rng: np.random.Generator, size: int, scale: float, base: Colour) -> ByteArray:
    """A suspended ceiling with a grid and rows of lamps."""
    image = plain(rng, size, size, base, 0.01)
    tile = max(round(0.6 * scale), 4)
    image[::tile] = (0.86 * image[::tile]).astype(np.uint8)
    image[:, ::tile] = (0.86 * image[:, ::tile]).astype(np.uint8)
    for row in range(2 * tile, size - tile, 5 * tile):
        for column in range(2 * tile, size - 2 * tile, 4 * tile):
            image[row : row + tile, column : column + 2 * tile] = (250, 253, 255)
    return image
