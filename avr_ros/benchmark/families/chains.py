"""What the families that follow two relations share: bindings, arcs, and wording."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations, product
from typing import Final

import numpy as np

from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.choices import FEWEST_CHOICES, MOST_CHOICES
from avr_ros.benchmark.families.search import WHEN_STEP, people_there
from avr_ros.benchmark.families.states import not_surely_wrong
from avr_ros.benchmark.recipe import Recipe, Reference
from avr_ros.benchmark.references import bindings, described_people, follow_from
from avr_ros.benchmark.relations import Relation
from avr_ros.benchmark.scene import Scene
from avr_ros.benchmark.wording import pick, the_person
from avr_ros.geometry.crop import crop_window

TWO_HOPS: Final[tuple[tuple[Relation, ...], ...]] = tuple(product(Relation, Relation))
"""Every pair of relations; those that lead back are never followed."""

FRAMES_PER_CELL: Final = 50
"""Frames of a stretch of `WHEN_STEP` that are searched for people reached by the same relations."""

PER_ANSWER: Final = 3
"""Most candidates with the same relations at the same time and the same answer.

They begin with different descriptions, because what these name is not offered to the others."""

_OF_LETTER: Final[dict[Relation, str]] = {
    Relation.LEFT: "the person nearest to the left of {x} as seen from the robot",
    Relation.RIGHT: "the person nearest to the right of {x} as seen from the robot",
    Relation.FRONT: "the person closest to {x} in the direction in which {x} is facing",
    Relation.BEHIND: "the person closest to {x} behind {x}'s back",
    Relation.OWN_LEFT: "the person closest to {x} on {x}'s own left-hand side",
    Relation.OWN_RIGHT: "the person closest to {x} on {x}'s own right-hand side",
    Relation.GROUP: "the person who forms a group of two with {x}",
}
_OF_THEM: Final[dict[Relation, str]] = {
    Relation.LEFT: "the person nearest to their left as seen from the robot",
    Relation.RIGHT: "the person nearest to their right as seen from the robot",
    Relation.FRONT: "the person closest to them in the direction they are facing",
    Relation.BEHIND: "the person closest to them behind their back",
    Relation.OWN_LEFT: "the person closest to them on their own left-hand side",
    Relation.OWN_RIGHT: "the person closest to them on their own right-hand side",
    Relation.GROUP: "the person who forms a group of two with them",
}
_LETTERS: Final = (
    "At frame {frame}, {anchor} is A. B is {first}, and C is {second}.",
    "Let A be {anchor} at frame {frame}, let B be {first}, and let C be {second}, all at that"
    " frame.",
)
_STEPS: Final = (
    "At frame {frame}, start from {anchor}. Go from there to {first}, and then to {second}.",
    "Look at frame {frame} and find {anchor}. From them go on to {first}. From that second person"
    " go on to {second}.",
)


def chain_cells(
    scene: Scene, rng: np.random.Generator
) -> Iterator[list[tuple[int, Reference, tuple[int, ...]]]]:
    """Who is reached by the same two relations at about the same time, in random order of these.

    For each, the frame index, the reference and the people on the way, all of them clearly seen.
    """
    times = scene.frames // WHEN_STEP
    cells = list(product(np.unique(times).tolist(), TWO_HOPS))
    for place in rng.permutation(len(cells)).tolist():
        time, chain = cells[place]
        frames = rng.permutation(np.flatnonzero(times == time))[:FRAMES_PER_CELL]
        found: list[tuple[int, Reference, tuple[int, ...]]] = []
        for frame in frames.tolist():
            for description, person in described_people(scene, frame, closest=True):
                path = follow_from(scene, frame, person, chain)
                if path is None or not all(scene.clear[frame, seen] for seen in path):
                    continue
                frame_id = int(scene.frames[frame])
                actions, nearest = description.actions, description.closest
                found.append((frame, Reference(frame_id, actions, chain, nearest), path))
        yield found


def recipes_for_blocks(cells: Iterable[Sequence[tuple[str, Recipe]]]) -> Iterator[Recipe]:
    """Recipes of each cell whose different answers make a whole block, then of the smaller ones.

    A cell holds recipes with their answers.
    """
    smaller: list[Sequence[tuple[str, Recipe]]] = []
    for found in cells:
        recipes = _different_answers(found, MOST_CHOICES)
        yield from recipes
        if not recipes:
            smaller.append(found)
    for found in smaller:
        yield from _different_answers(found, FEWEST_CHOICES)


def _different_answers(found: Sequence[tuple[str, Recipe]], fewest: int) -> list[Recipe]:
    """Recipes of one cell with their answers, each answer's first ones before the second ones.

    None where there are not so many answers of which none is taken for another one.
    """
    by_answer: dict[str, list[Recipe]] = defaultdict(list)
    described: set[tuple[str, tuple[str, ...]]] = set()
    for answer, recipe in found:
        words = (answer, recipe.reference.actions)
        if len(by_answer[answer]) < PER_ANSWER and words not in described:
            by_answer[answer].append(recipe)
            described.add(words)
    if not any(_apart(answers) for answers in combinations(by_answer, fewest)):
        return []
    return [
        recipes[turn]
        for turn in range(PER_ANSWER)
        for recipes in by_answer.values()
        if turn < len(recipes)
    ]


def _apart(answers: tuple[str, ...]) -> bool:
    """Whether none of some answers is taken for another one."""
    pairs = permutations(answers, 2)
    return not any(two in not_surely_wrong(frozenset({one})) for one, two in pairs)


def bound_people(
    scene: Scene, frame: int, path: Sequence[int], relations: tuple[Relation, ...], check: Check
) -> Iterator[int]:
    """Who may be meant, at a frame index, without the description or without one relation.

    ``path`` are the indices of the three people. A relation links two people, so without the first
    one the second person is anybody but the anchor, and without the second one the person meant is
    anybody but the two before.
    """
    there = people_there(scene, frame)
    anchor, middle, _ = path
    if check is Check.ANCHOR:
        yield from bindings(scene, frame, there, relations)
    elif check is Check.FIRST_HOP:
        starts = there[there != anchor]
        yield from bindings(scene, frame, starts, relations[1:], frozenset({anchor}))
    else:
        assert check is Check.SECOND_HOP
        yield from (person for person in there.tolist() if person not in (anchor, middle))


def fit_one_view(scene: Scene, places: Sequence[tuple[int, int]]) -> bool:
    """Whether one direction of view shows the middle of everybody's box.

    ``places`` are (frame index, person index). A view that shows a box's middle shows half of it.
    """
    width = scene.cylinder.width
    columns = sorted(
        float((scene.boxes[frame, person, 0] + scene.boxes[frame, person, 2] / 2) % width)
        for frame, person in places
    )
    gaps = np.diff([*columns, columns[0] + width])
    return bool(width - np.max(gaps) <= crop_window(scene.cylinder, 0.0).width)


def chain_text(reference: Reference, rng: np.random.Generator) -> tuple[str, str]:
    """Sentences that lead to a person by two relations, and what to call that person then."""
    first, second = reference.relations
    words = {"frame": reference.frame, "anchor": the_person(reference.actions, reference.closest)}
    if rng.integers(2):
        named = {
            "first": _OF_LETTER[first].format(x="A"),
            "second": _OF_LETTER[second].format(x="B"),
        }
        return pick(_LETTERS, rng).format(**words, **named), "C"
    named = {"first": _OF_THEM[first], "second": _OF_THEM[second]}
    return pick(_STEPS, rng).format(**words, **named), "this last person"
