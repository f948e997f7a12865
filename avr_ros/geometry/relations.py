"""Spatial relations between people, as formulas.

Seen from the robot, with azimuths phi positive to the left, B is left of A if
wrap(phi_B - phi_A) lies in (5 deg, 90 deg], right of A if it lies in [-90 deg, -5 deg); the
nearest has the smallest such difference. Seen from a person with heading psi, with
beta = wrap(bearing - psi), B is in front if |beta| <= 45 deg, to the left if beta lies in
(45 deg, 135 deg], to the right if in [-135 deg, -45 deg), else behind; the nearest has the
smallest distance on the ground. Azimuths, headings and bearings are radians in the label frame,
counter-clockwise; positions are (x, y) in metres in the same frame.

A question may use a nearest person only where the choice is clear: see `Nearest.clear`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from avr_ros.geometry.errors import GeometryError
from avr_ros.geometry.panorama import FloatArray, wrap_angle

SIDE_MINIMUM = math.radians(5.0)
"""Difference of azimuth above which one person is beside another, radians."""

SIDE_MAXIMUM = math.radians(90.0)
"""Difference of azimuth up to which one person is beside another, radians."""

FRONT_LIMIT = math.radians(45.0)
"""Largest angle off a person's heading that is still in front, radians."""

SIDE_LIMIT = math.radians(135.0)
"""Largest angle off a person's heading that is still to a side, radians."""

NEAR_LIMIT = 1.5
"""Largest distance that is near, metres."""

MODERATE_LIMIT = 5.0
"""Largest distance that is moderate, metres; beyond it is far."""

ANGLE_MARGIN = math.radians(5.0)
"""Angle by which a runner-up, or the border of a sector, must be away in a question, radians."""

SIDE_MARGIN = math.radians(1.0)
"""Angle by which people must be off the borders of beside in a question, radians: whether somebody
just there is beside or not is more than a picture tells."""

DISTANCE_MARGIN = 0.3
"""Distance by which a runner-up must be farther away in a question, metres."""


class Side(Enum):
    """On which side of a person another one appears in the panorama."""

    LEFT = 1
    RIGHT = -1
    NEITHER = 0


class Sector(Enum):
    """Where another person is, from a person's own heading."""

    FRONT = 0
    LEFT = 1
    BEHIND = 2
    RIGHT = 3


class DistanceClass(Enum):
    """How far a person is."""

    NEAR = 0
    MODERATE = 1
    FAR = 2


@dataclass(frozen=True)
class Nearest:
    """The nearest person in a relation.

    ``index`` points into the candidates. ``value`` is the difference of azimuth in radians
    (left/right from the robot) or the distance in metres (from a heading). ``margin`` is by how
    much the closest rival loses, in the same unit, infinite without one and negative where a
    rival just outside the sector is nearer. ``border`` is the angle in radians by which the
    person lies inside the sector, or people are off the borders of beside. ``clear`` is whether
    a question may use this choice.
    """

    index: int
    value: float
    margin: float
    border: float
    clear: bool


def bearing(origin: ArrayLike, target: ArrayLike) -> FloatArray:
    """Direction in [-pi, pi) from positions (..., 2) to positions (..., 2)."""
    delta = np.asarray(target, dtype=np.float64) - np.asarray(origin, dtype=np.float64)
    return wrap_angle(np.arctan2(delta[..., 1], delta[..., 0]))


def ground_distance(origin: ArrayLike, target: ArrayLike) -> FloatArray:
    """Distance in metres between positions (..., 2)."""
    delta = np.asarray(target, dtype=np.float64) - np.asarray(origin, dtype=np.float64)
    return np.asarray(np.hypot(delta[..., 0], delta[..., 1]))[()]


def left_right_of(azimuth_a: ArrayLike, azimuth_b: ArrayLike) -> NDArray[np.int8]:
    """Side of A on which B appears: values of `Side` (1 left, -1 right, 0 neither)."""
    difference = wrap_angle(np.asarray(azimuth_b, np.float64) - np.asarray(azimuth_a, np.float64))
    left = (difference > SIDE_MINIMUM) & (difference <= SIDE_MAXIMUM)
    right = (difference < -SIDE_MINIMUM) & (difference >= -SIDE_MAXIMUM)
    return (left.astype(np.int8) - right.astype(np.int8))[()]


def heading_sector(heading: ArrayLike, bearing_to_other: ArrayLike) -> NDArray[np.int8]:
    """Sector, as values of `Sector`, of a bearing from a person with a heading."""
    beta = wrap_angle(np.asarray(bearing_to_other, np.float64) - np.asarray(heading, np.float64))
    sector = np.where(
        np.abs(beta) <= FRONT_LIMIT,
        Sector.FRONT.value,
        np.where(
            np.abs(beta) > SIDE_LIMIT,
            Sector.BEHIND.value,
            np.where(beta > 0.0, Sector.LEFT.value, Sector.RIGHT.value),
        ),
    )
    return sector.astype(np.int8)[()]


def distance_class(distance: ArrayLike) -> NDArray[np.int8]:
    """Class, as values of `DistanceClass`, of distances in metres."""
    metres = np.asarray(distance, dtype=np.float64)
    if np.any(~(metres >= 0.0)):
        raise GeometryError("a distance is negative or not a number")
    return ((metres > NEAR_LIMIT).astype(np.int8) + (metres > MODERATE_LIMIT).astype(np.int8))[()]


def nearest_beside(azimuth: float, others: ArrayLike, side: Side) -> Nearest | None:
    """The nearest of the azimuths ``others`` (n,) on a side of ``azimuth``, or None.

    ``others`` does not hold the person itself. Every other person is a rival, also one a little
    outside the relation's limits, and the choice is clear if none is within `ANGLE_MARGIN` of it,
    nobody within `SIDE_MARGIN` of where beside begins, and the choice not that near to its end.
    Of equally near ones the first is returned, with margin 0. NaN azimuths take no part.
    """
    if side is Side.NEITHER:
        raise GeometryError("a side is left or right")
    difference = side.value * np.asarray(
        wrap_angle(np.asarray(others, np.float64).reshape(-1) - azimuth)
    )
    inside = (difference > SIDE_MINIMUM) & (difference <= SIDE_MAXIMUM)
    if not np.any(inside):
        return None
    index = int(np.argmin(np.where(inside, difference, np.inf)))
    value = float(difference[index])
    rivals = np.abs(np.delete(difference, index) - value)
    rivals = np.minimum(rivals, 2.0 * math.pi - rivals)
    margin = float(np.nanmin(rivals)) if np.any(np.isfinite(rivals)) else math.inf
    border = min(float(np.nanmin(np.abs(difference - SIDE_MINIMUM))), SIDE_MAXIMUM - value)
    clear = margin >= ANGLE_MARGIN and border >= SIDE_MARGIN
    return Nearest(index, value, margin, border, clear)


def nearest_in_sector(
    position: ArrayLike, heading: float, others: ArrayLike, sector: Sector
) -> Nearest | None:
    """The nearest of the positions ``others`` (n, 2) in a sector of a person's heading, or None.

    ``others`` does not hold the person itself. Rivals are the people in the sector widened by
    `ANGLE_MARGIN`. The choice is clear if every rival is `DISTANCE_MARGIN` farther away and the
    person itself lies `ANGLE_MARGIN` inside the sector. NaN positions take no part.
    """
    places = np.asarray(others, dtype=np.float64).reshape(-1, 2)
    bearings = np.asarray(bearing(position, places))
    distances = np.asarray(ground_distance(position, places))
    inside = np.asarray(heading_sector(heading, bearings)) == sector.value
    inside &= np.isfinite(distances) & math.isfinite(heading)
    if not np.any(inside):
        return None
    index = int(np.argmin(np.where(inside, distances, np.inf)))
    depth = sector_depth(np.asarray(wrap_angle(bearings - heading)), sector)
    rival = np.isfinite(distances) & (depth >= -ANGLE_MARGIN)
    rival[index] = False
    value = float(distances[index])
    margin = float(np.min(distances[rival])) - value if np.any(rival) else math.inf
    border = float(depth[index])
    clear = margin >= DISTANCE_MARGIN and border >= ANGLE_MARGIN
    return Nearest(index, value, margin, border, clear)


def sector_depth(beta: FloatArray, sector: Sector) -> FloatArray:
    """Angle by which bearings ``beta`` from a heading lie inside a sector, negative outside.

    Radians, ``beta`` wrapped to [-pi, pi).
    """
    if sector is Sector.FRONT:
        return np.asarray(FRONT_LIMIT - np.abs(beta))
    if sector is Sector.BEHIND:
        return np.asarray(np.abs(beta) - SIDE_LIMIT)
    middle = (FRONT_LIMIT + SIDE_LIMIT) / 2 * (1.0 if sector is Sector.LEFT else -1.0)
    return np.asarray((SIDE_LIMIT - FRONT_LIMIT) / 2 - np.abs(wrap_angle(beta - middle)))
