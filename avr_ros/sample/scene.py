"""A place: its floor, walls, things that stand in it, and where people and the robot may go.

World coordinates are metres with z up and the floor at z = 0; a scene fills a square of
``SCENE_SIZE`` metres around the origin. Azimuths are against the clock from +x.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from avr_ros.sample.styles import Style

FloatArray = NDArray[np.float64]
ByteArray = NDArray[np.uint8]

SCENE_SIZE: Final = 48.0
GRID: Final = 0.1
"""Side of a cell of the occupancy grid, metres."""

WALL_PIXELS_PER_METRE: Final = 44


@dataclass
class Wall:
    """A vertical rectangle that closes the view, from floor to ``height``, with a picture whose
    first column lies at ``start``."""

    start: tuple[float, float]
    end: tuple[float, float]
    height: float
    texture: ByteArray


@dataclass
class Panel:
    """A textured vertical rectangle that people may stand before or behind.

    ``texture`` is BGRA; where ``billboard`` is set it turns towards the camera around its middle.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    bottom: float
    top: float
    texture: ByteArray
    billboard: bool = False
    two_sided: bool = True


@dataclass
class Solid:
    """A small plain box: centre (x, y, z), half sizes along its own axes, heading, colour.

    ``farther`` is added to its distance when things are put in drawing order, so that a seat
    comes before the one who sits on it.
    """

    centre: tuple[float, float, float]
    half: tuple[float, float, float]
    heading: float
    colour: tuple[float, float, float]
    farther: float = 0.0


@dataclass(frozen=True)
class Seat:
    """A place to sit: the point below the pelvis, where the sitter faces, whether a table is in
    front, and which group of seats it belongs to."""

    position: tuple[float, float]
    heading: float
    table: bool
    cluster: int


@dataclass(frozen=True)
class Door:
    """A door in a wall: where one stands to open it and which way one faces there."""

    position: tuple[float, float]
    heading: float


@dataclass(frozen=True)
class Stairs:
    """A flight of steps: foot and head on the floor plan, and the height it climbs.

    The path beyond the head stays at that height.
    """

    foot: tuple[float, float]
    head: tuple[float, float]
    rise: float
    landing: tuple[float, float]
    width: float


@dataclass
class Scene:
    """Everything about a place that does not move."""

    name: str
    venue: str
    indoor: bool
    style: Style
    sun: FloatArray
    ground: ByteArray
    ground_scale: float
    walls: list[Wall]
    panels: list[Panel]
    solids: list[Solid]
    sky: ByteArray | None
    ceiling: ByteArray | None
    ceiling_height: float
    free: ByteArray
    clearance: FloatArray
    shaded: ByteArray
    seats: list[Seat]
    doors: list[Door]
    stairs: list[Stairs]
    portals: list[tuple[float, float]]
    gather: list[tuple[float, float]]
    hidden: list[tuple[float, float]]
    lanes: list[list[tuple[float, float]]]
    robot_path: list[tuple[float, float]]
    ground_kind: str

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Row and column of the occupancy grid at a point."""
        half = SCENE_SIZE / 2.0
        size = self.clearance.shape[0]
        row = int(np.clip((y + half) / GRID, 0, size - 1))
        column = int(np.clip((x + half) / GRID, 0, size - 1))
        return row, column

    def clearance_at(self, points: FloatArray) -> FloatArray:
        """Distance in metres from points (n, 2) to the nearest obstacle; 0 outside the scene."""
        half = SCENE_SIZE / 2.0
        size = self.clearance.shape[0]
        cells = np.floor((points + half) / GRID).astype(int)
        inside = np.all((cells >= 0) & (cells < size), axis=-1)
        cells = np.clip(cells, 0, size - 1)
        return np.where(inside, self.clearance[cells[:, 1], cells[:, 0]], 0.0)

    def lit_at(self, x: float, y: float) -> float:
        """Share of direct light at a point of the floor, 0 in full shade to 1."""
        row, column = self.cell(x, y)
        return float(self.shaded[row, column]) / 255.0


@dataclass
class Plan:
    """A scene while it is being built: what is added, and the floor plan of obstacles."""

    style: Style
    indoor: bool
    sun: FloatArray
    walls: list[Wall] = field(default_factory=list)
    panels: list[Panel] = field(default_factory=list)
    solids: list[Solid] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)
    doors: list[Door] = field(default_factory=list)
    stairs: list[Stairs] = field(default_factory=list)
    portals: list[tuple[float, float]] = field(default_factory=list)
    gather: list[tuple[float, float]] = field(default_factory=list)
    hidden: list[tuple[float, float]] = field(default_factory=list)
    lanes: list[list[tuple[float, float]]] = field(default_factory=list)
    robot_path: list[tuple[float, float]] = field(default_factory=list)
    blocked: ByteArray = field(init=False)
    contact: ByteArray = field(init=False)
    shadow: ByteArray = field(init=False)
    clusters: int = 0
    crowns: list[ByteArray] = field(default_factory=list)

    def __post_init__(self) -> None:
        size = round(SCENE_SIZE / GRID)
        self.blocked = np.zeros((size, size), np.uint8)
        self.contact = np.zeros((size, size), np.uint8)
        self.shadow = np.zeros((size, size), np.uint8)

    def _raster(self, target: ByteArray, points: FloatArray) -> None:
        pixels = np.round((points + SCENE_SIZE / 2.0) / GRID * 16.0).astype(np.int32)
        cv2.fillPoly(target, [pixels], (255,), cv2.LINE_8, 4)

    def obstacle(self, points: FloatArray, height: float, walkable: bool = False) -> None:
        """A footprint (n, 2) that blocks the way and casts a shadow from ``height``."""
        if not walkable:
            self._raster(self.blocked, points)
        self._raster(self.contact, points)
        if not self.indoor and height > 0.0:
            drop = -self.sun[:2] / max(float(self.sun[2]), 0.2) * height
            both = np.concatenate([points, points + drop]).astype(np.float32)
            outline = cv2.convexHull(both).reshape(-1, 2).astype(np.float64)
            self._raster(self.shadow, outline)

    def crown(self, x: float, y: float, height: float, radius: float) -> None:
        """The shadow of a tree's crown at ``height``."""
        if self.indoor:
            return
        drop = -self.sun[:2] / max(float(self.sun[2]), 0.2) * height
        angles = 2.0 * np.pi * np.arange(24) / 24
        ragged = radius * (1.0 + 0.16 * np.sin(5.0 * angles) + 0.1 * np.sin(9.0 * angles + 1.0))
        points = np.stack(
            [x + drop[0] + ragged * np.cos(angles), y + drop[1] + ragged * np.sin(angles)], -1
        )
        self._raster(self.shadow, points)

    def wall(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        height: float,
        texture: ByteArray,
    ) -> None:
        """A wall that closes the view and blocks the way."""
        self.walls.append(Wall(start, end, height, texture))
        first, last = np.asarray(start), np.asarray(end)
        along = (last - first) / max(float(np.linalg.norm(last - first)), 1e-6)
        across = 0.15 * np.array([-along[1], along[0]])
        self.obstacle(
            np.stack([first + across, last + across, last - across, first - across]), height
        )

    def solid(
        self,
        x: float,
        y: float,
        z: float,
        half: tuple[float, float, float],
        heading: float,
        colour: tuple[float, float, float],
        farther: float = 0.0,
    ) -> None:
        """A plain box that does not block the way by itself."""
        self.solids.append(Solid((x, y, z), half, heading, colour, farther))

    def footprint(
        self,
        x: float,
        y: float,
        half_length: float,
        half_width: float,
        heading: float,
        height: float,
    ) -> FloatArray:
        """Block a rectangle and return its corners."""
        corners = rectangle(x, y, half_length, half_width, heading)
        self.obstacle(corners, height)
        return corners

    def boxed(
        self,
        x: float,
        y: float,
        half_length: float,
        half_width: float,
        heading: float,
        bottom: float,
        top: float,
        textures: tuple[ByteArray, ByteArray],
    ) -> None:
        """A large box as four textured panels: ``textures`` for its long and its short sides."""
        corners = self.footprint(x, y, half_length, half_width, heading, top)
        for index in range(4):
            # With the clock: the outside is on the left, where panels show their front.
            start, end = corners[(index + 1) % 4], corners[index]
            texture = textures[0] if index % 2 == 0 else textures[1]
            self.panels.append(
                Panel(
                    (float(start[0]), float(start[1])),
                    (float(end[0]), float(end[1])),
                    bottom,
                    top,
                    texture,
                    two_sided=False,
                )
            )


def rectangle(
    x: float, y: float, half_length: float, half_width: float, heading: float
) -> FloatArray:
    """Corners (4, 2), against the clock, the first two along the long side on the right."""
    cosine, sine = np.cos(heading), np.sin(heading)
    signs = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    local = signs * np.array([half_length, half_width])
    return np.stack(
        [
            x + cosine * local[:, 0] - sine * local[:, 1],
            y + sine * local[:, 0] + cosine * local[:, 1],
        ],
        axis=-1,
    )
