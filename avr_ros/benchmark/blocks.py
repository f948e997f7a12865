"""Blocks of choice questions that tell the same by their words and have different answers.

Each question of a block offers the answers of all of it, so whatever can be read from the text,
each offered choice is right equally often.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from avr_ros.benchmark.candidate import Candidate

Block = tuple[Candidate, ...]
"""Candidates with the same features and different strata, each surely wrong for the others."""

ATTEMPTS: Final = 12
"""Times that the draw is made at most, to find enough questions."""

LUCK: Final = 3.0
"""How much chance decides which event is used, beside the number of texts that it fits."""

_Cell = dict[str, list[Candidate]]


def matched_blocks(
    pool: Sequence[Candidate], wanted: int, sizes: Sequence[int], rng: np.random.Generator
) -> list[Block]:
    """Blocks of up to ``wanted`` candidates in all; ``sizes`` are tried in their order.

    No two candidates ask for the same thing of the same person. Blocks are preferred whose answers,
    words, people and sequences have been used least.
    """
    cells: dict[tuple[str, ...], _Cell] = defaultdict(lambda: defaultdict(list))
    places: dict[tuple[object, ...], set[tuple[str, ...]]] = defaultdict(set)
    for index in rng.permutation(len(pool)).tolist():
        cells[pool[index].features][pool[index].stratum].append(pool[index])
        places[pool[index].same_event].add(pool[index].features)
    names = sorted(cells)
    drawn = [cells[names[index]] for index in rng.permutation(len(names)).tolist()]
    best: list[Block] = []
    for _ in range(ATTEMPTS):
        luck = rng.random(len(places)).tolist()
        # What fits into few cells comes first.
        cost = {
            event: len(found) + LUCK * draw
            for (event, found), draw in zip(places.items(), luck, strict=True)
        }
        blocks = _attempt(drawn, wanted, sizes, _Use(cost))
        if sum(map(len, blocks)) > sum(map(len, best)):
            best = blocks
        if wanted - sum(map(len, best)) < min(sizes):
            break
    return best


def _attempt(cells: Sequence[_Cell], wanted: int, sizes: Sequence[int], use: _Use) -> list[Block]:
    blocks: list[Block] = []
    left = wanted
    for size in sizes:
        while size <= left:
            found = [block for cell in cells if (block := _block(cell, size, use)) is not None]
            if not found:
                break
            best = min(found, key=use.of)
            use.take(best)
            blocks.append(best)
            left -= size
    return blocks


def _block(cell: _Cell, size: int, use: _Use) -> Block | None:
    """About the least used block of some size in a cell, none where there is none."""
    free = {
        name: min(unasked, key=use.of_candidate)
        for name, items in cell.items()
        if (unasked := [item for item in items if item.same_event not in use.asked])
    }
    ordered = sorted(free.values(), key=use.of_candidate)
    return next((block for block in combinations(ordered, size) if _apart(block)), None)


def _apart(block: Block) -> bool:
    """Whether every answer is surely wrong for the other questions, which ask for other things."""
    wrong = all(
        one.stratum not in other.not_wrong and other.stratum not in one.not_wrong
        for one, other in combinations(block, 2)
    )
    return wrong and len({item.same_event for item in block}) == len(block)


class _Use:
    """How often answers, texts, people and sequences have been used; ``cost`` of each event."""

    def __init__(self, cost: Mapping[tuple[object, ...], float]) -> None:
        self._cost = cost
        self.asked: set[tuple[object, ...]] = set()
        self._strata: Counter[str] = Counter()
        self._features: Counter[tuple[str, ...]] = Counter()
        self._people: Counter[tuple[str, int]] = Counter()
        self._sequences: Counter[str] = Counter()

    def of_candidate(self, candidate: Candidate) -> float:
        """How much a candidate repeats what has been chosen; its answer weighs most."""
        sequence = candidate.recipe.sequence
        person = self._people[sequence, candidate.truth.target]
        own = self._cost[candidate.same_event] + person + 0.2 * self._sequences[sequence]
        return own + 2.0 * self._strata[candidate.stratum]

    def of(self, block: Block) -> float:
        """The same of a block, on average."""
        own = sum(self.of_candidate(candidate) for candidate in block) / len(block)
        return own + self._features[block[0].features]

    def take(self, block: Block) -> None:
        """Count a block as chosen."""
        self._features[block[0].features] += 1
        for candidate in block:
            self.asked.add(candidate.same_event)
            self._strata[candidate.stratum] += 1
            self._people[candidate.recipe.sequence, candidate.truth.target] += 1
            self._sequences[candidate.recipe.sequence] += 1
