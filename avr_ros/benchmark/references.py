"""Finding people who can be described uniquely, and following relations from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avr_ros.benchmark.recipe import Reference
from avr_ros.benchmark.relations import MARGIN_ROUNDING, NOBODY, Relation, successors
from avr_ros.benchmark.scene import BoolArray, Scene
from avr_ros.benchmark.wording import VISIBLE_ACTIONS
from avr_ros.geometry.relations import DISTANCE_MARGIN
from avr_ros.schema.vocabulary import POSE_ACTIONS

STABLE_FRAMES: Final = 2
"""Annotated frames before and after the described one in which a description must fit as well, so
that an action annotated a frame early or late changes nothing."""


@dataclass(frozen=True)
class Description:
    """What tells a person from everybody else: what they do, alone or closest to the robot."""

    actions: tuple[str, ...]
    closest: bool = False


def described_person(scene: Scene, description: Description) -> NDArray[np.int64]:
    """For each frame, the index of the person whom a description fits, or `NOBODY`.

    Everybody with a label counts of whom one may say that it fits them, visible or not, and
    nobody's actions may be unknown who can be seen clearly. The same must hold `STABLE_FRAMES`
    before and after.
    """
    found = scene.cache.get(description)
    if found is None:
        find = _closest if description.closest else _only
        found = _stable(find(scene, description.actions))
        scene.cache[description] = found
    return np.asarray(found, dtype=np.int64)


def descriptions(scene: Scene) -> list[Description]:
    """The descriptions that fit exactly one person in some frame who is seen doing so.

    Single actions come first, then pairs, which are tried only where they occur together.
    """
    found = scene.cache.get("descriptions")
    if found is None:
        present = [action for action in VISIBLE_ACTIONS if np.any(scene.does(action))]
        singles = [(action,) for action in present]
        pairs = [
            pair
            for pair in combinations(present, 2)
            if not set(pair) <= set(POSE_ACTIONS) and np.any(scene.does_all(pair))
        ]
        every = [Description(actions) for actions in (*singles, *pairs)]
        every += [Description(actions, closest=True) for actions in (*singles, *pairs)]
        found = [description for description in every if _ever_clear(scene, description)]
        scene.cache["descriptions"] = found
    return list(found)


def described_people(scene: Scene, frame: int, closest: bool) -> list[tuple[Description, int]]:
    """Descriptions and the one person each fits who is seen doing so, at a frame index.

    Two actions are given only for people whom neither of them describes alone. ``closest`` allows
    descriptions by closeness, for people who have no other.
    """
    key = ("described people", frame, closest)
    held = scene.cache.get(key)
    if held is not None:
        return list(held)
    result: list[tuple[Description, int]] = []
    alone: set[str] = set()
    described: set[int] = set()
    for description in descriptions(scene):
        person = int(described_person(scene, description)[frame])
        actions = description.actions
        if person == NOBODY or not scene.shows_all(actions)[frame, person]:
            continue
        if description.closest:
            if not closest or person in described:
                continue
        elif len(actions) == 1:
            alone.add(actions[0])
        elif alone & set(actions):
            continue
        described.add(person)
        result.append((description, person))
    scene.cache[key] = tuple(result)
    return result


def follow(scene: Scene, reference: Reference) -> tuple[int, ...] | None:
    """Indices of the people from the anchor to the person meant.

    None where the description fits nobody or several, where a relation leads to nobody, not
    clearly, or back to somebody on the way.
    """
    frame = scene.frame_index(reference.frame)
    if frame is None:
        return None
    description = Description(reference.actions, reference.closest)
    anchor = int(described_person(scene, description)[frame])
    return None if anchor == NOBODY else follow_from(scene, frame, anchor, reference.relations)


def follow_from(
    scene: Scene, frame: int, person: int, relations: tuple[Relation, ...]
) -> tuple[int, ...] | None:
    """As `follow`, from a person index at a frame index."""
    path = [person]
    for relation in relations:
        step = successors(scene, frame, relation)
        following = int(step.index[path[-1]])
        if following == NOBODY or not step.clear[path[-1]] or following in path:
            return None
        path.append(following)
    return tuple(path)


def bindings(
    scene: Scene,
    frame: int,
    starts: NDArray[np.int64],
    relations: tuple[Relation, ...],
    excluded: frozenset[int] = frozenset(),
) -> Iterator[int]:
    """The people reached from each of ``starts`` by relations, whether clearly or not.

    For necessity checks: what is left of a question may be bound to anybody who fits. Nobody is
    visited twice on one way, and ways through ``excluded`` are left out.
    """
    steps = [successors(scene, frame, relation) for relation in relations]
    for start in starts.tolist():
        path = [start]
        for step in steps:
            following = int(step.index[path[-1]])
            if following == NOBODY or following in path:
                break
            path.append(following)
        else:
            if not excluded & set(path):
                yield path[-1]


def _only(scene: Scene, actions: tuple[str, ...]) -> NDArray[np.int64]:
    does, alike = scene.does_all(actions), scene.resembles_all(actions)
    one = (np.count_nonzero(alike, axis=1) == 1) & np.any(does, axis=1) & ~_unsure(scene)
    if not does.shape[1]:
        return np.full(len(one), NOBODY, dtype=np.int64)
    return np.where(one, np.argmax(does, axis=1), NOBODY)


def _closest(scene: Scene, actions: tuple[str, ...]) -> NDArray[np.int64]:
    does, alike = scene.does_all(actions), scene.resembles_all(actions)
    placed = alike & ~np.isnan(scene.distance)
    unplaced = np.any(alike & ~placed & ~scene.hidden, axis=1)
    nobody = np.full(len(does), NOBODY, dtype=np.int64)
    if does.shape[1] < 2:
        return nobody
    distance = np.where(placed, scene.distance, np.inf)
    nearest = np.argmin(distance, axis=1)
    first, second = np.partition(distance, 1, axis=1)[:, :2].T
    with np.errstate(invalid="ignore"):
        wins = np.isfinite(second) & (second - first >= DISTANCE_MARGIN - MARGIN_ROUNDING)
    wins &= np.take_along_axis(does, nearest[:, None], axis=1)[:, 0]
    return np.where(wins & ~unplaced & ~_unsure(scene), nearest, nobody)


def _unsure(scene: Scene) -> BoolArray:
    """Frames in which somebody who can be seen clearly does nobody knows what."""
    return np.asarray(np.any(scene.clear & ~scene.known, axis=1))


def _stable(index: NDArray[np.int64]) -> NDArray[np.int64]:
    result = index.copy()
    for shift in range(1, STABLE_FRAMES + 1):
        result[shift:][index[:-shift] != index[shift:]] = NOBODY
        result[:-shift][index[:-shift] != index[shift:]] = NOBODY
    return result


def _ever_clear(scene: Scene, description: Description) -> bool:
    index = described_person(scene, description)
    fits = np.flatnonzero(index != NOBODY)
    return bool(np.any(scene.shows_all(description.actions)[fits, index[fits]]))
