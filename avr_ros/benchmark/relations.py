"""Relations between two people in one frame, as a question's chain follows them.

Of one person's relatives by a relation the question means the nearest, which must win clearly:
see `avr_ros.geometry.relations` for the formulas and margins. Here they are computed for all
people of a frame at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from avr_ros.benchmark.scene import BoolArray, FloatArray, Scene
from avr_ros.geometry.panorama import wrap_angle
from avr_ros.geometry.relations import (
    ANGLE_MARGIN,
    DISTANCE_MARGIN,
    SIDE_MARGIN,
    SIDE_MAXIMUM,
    SIDE_MINIMUM,
    Sector,
    Side,
    heading_sector,
    sector_depth,
)

NOBODY = -1
"""Index that stands for no person."""

MARGIN_ROUNDING = 1e-9
"""Radians or metres by which rounding may move a margin that is met exactly."""


class Relation(str, Enum):
    """How to get from one person to another.

    LEFT, RIGHT: the next person to that side as seen from the robot. FRONT, BEHIND, OWN_LEFT,
    OWN_RIGHT: the nearest person in that direction from the person's own heading. GROUP: the only
    other member of the person's social group.
    """

    LEFT = "left"
    RIGHT = "right"
    FRONT = "front"
    BEHIND = "behind"
    OWN_LEFT = "own_left"
    OWN_RIGHT = "own_right"
    GROUP = "group"


SIDES: dict[Relation, Side] = {Relation.LEFT: Side.LEFT, Relation.RIGHT: Side.RIGHT}
SECTORS: dict[Relation, Sector] = {
    Relation.FRONT: Sector.FRONT,
    Relation.BEHIND: Sector.BEHIND,
    Relation.OWN_LEFT: Sector.LEFT,
    Relation.OWN_RIGHT: Sector.RIGHT,
}


@dataclass(frozen=True, eq=False)
class Successors:
    """For each person index, whom a relation picks (`NOBODY` where nobody), and how clearly."""

    index: NDArray[np.int64]
    clear: BoolArray


def successors(scene: Scene, frame: int, relation: Relation) -> Successors:
    """Whom ``relation`` picks for every person of the frame with index ``frame``."""
    key = (frame, relation)
    found = scene.cache.get(key)
    if found is None:
        if relation in SIDES:
            found = _beside(scene, frame, SIDES[relation])
        elif relation in SECTORS:
            found = _in_sector(scene, frame, SECTORS[relation])
        else:
            found = _grouped(scene, frame)
        scene.cache[key] = found
    assert isinstance(found, Successors)
    return found


def _beside(scene: Scene, frame: int, side: Side) -> Successors:
    here = np.flatnonzero(scene.present[frame])
    azimuth = scene.azimuth[frame, here]
    difference = side.value * np.asarray(wrap_angle(azimuth[None, :] - azimuth[:, None]))
    inside = (difference > SIDE_MINIMUM) & (difference <= SIDE_MAXIMUM)
    picked, found = _nearest(np.where(inside, difference, np.inf))
    value = np.take_along_axis(difference, picked[:, None], axis=1)
    rivals = np.abs(difference - value)
    rivals = np.minimum(rivals, 2.0 * np.pi - rivals)
    _leave_out(rivals, picked)
    border = np.abs(difference - SIDE_MINIMUM)
    np.fill_diagonal(border, np.inf)
    nearest_border = np.minimum(np.min(border, axis=1, initial=np.inf), SIDE_MAXIMUM - value[:, 0])
    clear = (
        found
        & (np.min(rivals, axis=1, initial=np.inf) >= ANGLE_MARGIN - MARGIN_ROUNDING)
        & (nearest_border >= SIDE_MARGIN - MARGIN_ROUNDING)
    )
    return _spread(scene.people, here, picked, found, clear)


def _in_sector(scene: Scene, frame: int, sector: Sector) -> Successors:
    here = np.flatnonzero(scene.present[frame])
    places = scene.position[frame, here]
    delta = places[None, :, :] - places[:, None, :]
    distance = np.hypot(delta[..., 0], delta[..., 1])
    bearing = np.arctan2(delta[..., 1], delta[..., 0])
    heading = scene.heading[frame, here][:, None]
    beta = np.asarray(wrap_angle(bearing - heading))
    depth = sector_depth(beta, sector)
    known = np.isfinite(distance) & np.isfinite(beta)
    np.fill_diagonal(known, False)
    inside = known & (heading_sector(heading, bearing) == sector.value)
    picked, found = _nearest(np.where(inside, distance, np.inf))
    value = np.take_along_axis(distance, picked[:, None], axis=1)
    rivals = np.where(known & (depth >= -ANGLE_MARGIN), distance, np.inf)
    _leave_out(rivals, picked)
    margin = np.min(rivals, axis=1, initial=np.inf) - value[:, 0]
    border = np.take_along_axis(depth, picked[:, None], axis=1)[:, 0]
    # A visible person without a 3D label could be nearer than anybody whose place is known.
    unplaced = bool(np.any(np.isnan(places[:, 0]) & ~scene.hidden[frame, here]))
    with np.errstate(invalid="ignore"):
        clear = (
            found
            & (margin >= DISTANCE_MARGIN - MARGIN_ROUNDING)
            & (border >= ANGLE_MARGIN - MARGIN_ROUNDING)
        )
    return _spread(scene.people, here, picked, found, clear & (not unplaced))


def _grouped(scene: Scene, frame: int) -> Successors:
    here = np.flatnonzero(scene.present[frame])
    group = scene.group[frame, here]
    same = (group[None, :] == group[:, None]) & (group >= 0)[:, None]
    np.fill_diagonal(same, False)
    found = np.count_nonzero(same, axis=1) == 1
    picked = np.argmax(same, axis=1) if len(here) else np.zeros(0, dtype=np.int64)
    return _spread(scene.people, here, picked, found, found)


def _nearest(values: FloatArray) -> tuple[NDArray[np.int64], BoolArray]:
    if not values.shape[1]:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.bool_)
    return np.argmin(values, axis=1), np.isfinite(np.min(values, axis=1))


def _leave_out(rivals: FloatArray, picked: NDArray[np.int64]) -> None:
    """Take the person itself and the picked one out of the rivals."""
    np.fill_diagonal(rivals, np.inf)
    np.put_along_axis(rivals, picked[:, None], np.inf, axis=1)


def _spread(
    people: int,
    here: NDArray[np.int64],
    picked: NDArray[np.int64],
    found: BoolArray,
    clear: BoolArray,
) -> Successors:
    index = np.full(people, NOBODY, dtype=np.int64)
    index[here[found]] = here[picked[found]]
    clearly = np.zeros(people, dtype=np.bool_)
    clearly[here] = clear
    return Successors(index, clearly)
