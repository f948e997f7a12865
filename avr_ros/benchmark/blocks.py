"""Blocks of choice questions that tell the same by their words and have different answers.

Each question of a block offers the answers of all of it, so whatever can be read from the words
that they share, each offered choice is right equally often. Blocks are also chosen so that this
holds over all of them for the words that only some questions of a block have.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from avr_ros.benchmark.candidate import Candidate

Block = tuple[Candidate, ...]
"""Candidates with the same features and different strata, each surely wrong for the others."""

ATTEMPTS: Final = 12
"""Times that the draw is made, of which the one with the most and largest blocks is used,
and of several the one whose features tell least."""

LUCK: Final = 3.0
"""How much chance decides which event is used, beside the number of texts that it fits."""

COMPARED: Final = 200
"""Blocks of which the least used one is taken; where more could be had, the next cells' turn comes
with the next block, so that time grows with the number of blocks alone."""

VARIANTS: Final = 3
"""Blocks of one cell that are compared at most."""

PER_ANSWER: Final = 4
"""Candidates of one cell with the same answer that are compared at most."""

SKEW: Final = 0.2
"""What a feature weighs that goes with one answer more than with others, squared."""

_Cell = dict[str, list[Candidate]]


def matched_blocks(
    pool: Sequence[Candidate],
    wanted: int,
    sizes: Sequence[int],
    rng: np.random.Generator,
    least: int = 0,
) -> list[Block]:
    """Blocks of up to ``wanted`` candidates in all; ``sizes`` are tried in their order.

    No two candidates ask for the same thing of the same person. Blocks are preferred whose answers,
    words, people and sequences have been used least, and whose other features have been seen less
    with their answers than with the others that they offer. Where fewer than ``least`` are found,
    candidates with different words make blocks too, up to that number.
    """
    cells: dict[tuple[str, ...], _Cell] = defaultdict(lambda: defaultdict(list))
    places: dict[tuple[object, ...], set[tuple[str, ...]]] = defaultdict(set)
    for index in rng.permutation(len(pool)).tolist():
        cells[pool[index].words][pool[index].stratum].append(pool[index])
        places[pool[index].same_event].add(pool[index].words)
    names = sorted(cells)
    drawn = [cells[names[index]] for index in rng.permutation(len(names)).tolist()]
    best: list[Block] = []
    most = (0, 0)
    used = _Use({})
    for _ in range(ATTEMPTS):
        luck = rng.random(len(places)).tolist()
        # What fits into few cells comes first.
        cost: dict[tuple[object, ...], float] = {
            event: len(found) + LUCK * draw
            for (event, found), draw in zip(places.items(), luck, strict=True)
        }
        use = _Use(cost)
        blocks = _attempt(drawn, wanted, sizes, use)
        worth = (_worth(blocks), -use.skew())
        if worth > most:
            most, best, used = worth, blocks, use
        full = all(len(block) == sizes[0] for block in blocks)
        if full and wanted - sum(map(len, blocks)) < min(sizes):
            break
    lacking = least - sum(map(len, best))
    if best and lacking > 0:
        together: _Cell = defaultdict(list)
        for candidate in pool:
            together[candidate.stratum].append(candidate)
        best = [*best, *_attempt([together], lacking, sizes, used)]
    return best


def _worth(blocks: Sequence[Block]) -> int:
    """Number of questions less those that chance answers."""
    return sum(len(block) - 1 for block in blocks)


def _attempt(cells: Sequence[_Cell], wanted: int, sizes: Sequence[int], use: _Use) -> list[Block]:
    blocks: list[Block] = []
    left = wanted
    for size in sizes:
        # Events are only ever used up: a cell without a block of this size never has one again.
        waiting = deque(cells)
        while size <= left:
            found: list[Block] = []
            for _ in range(len(waiting)):
                cell = waiting.popleft()
                fit = _blocks(cell, size, use)
                if fit:
                    found += fit
                    waiting.append(cell)
                if len(found) >= COMPARED:
                    break
            if not found:
                break
            best = min(found, key=use.of)
            use.take(best)
            blocks.append(best)
            left -= size
    return blocks


def _blocks(cell: _Cell, size: int, use: _Use) -> list[Block]:
    """About the least used blocks of some size in a cell, `VARIANTS` at most."""
    free: list[list[Candidate]] = []
    for items in cell.values():
        unasked = [item for item in items if item.same_event not in use.asked]
        if unasked:
            free.append(sorted(unasked, key=use.of_candidate)[:PER_ANSWER])
    free.sort(key=lambda items: use.of_candidate(items[0]))
    found: list[Block] = []
    for answers in combinations(free, size):
        block = next(_extended((), answers), None)
        if block is not None:
            found.append(block)
            if len(found) == VARIANTS:
                break
    return found


def _extended(block: Block, answers: Sequence[Sequence[Candidate]]) -> Iterator[Block]:
    """The blocks that hold ``block`` and one candidate of each of ``answers``, all apart."""
    if not answers:
        yield block
        return
    for item in answers[0]:
        if all(_apart(item, other) for other in block):
            yield from _extended((*block, item), answers[1:])


def _apart(one: Candidate, other: Candidate) -> bool:
    """Whether each answer is surely wrong for the other question, which asks for another thing."""
    wrong = one.stratum not in other.not_wrong and other.stratum not in one.not_wrong
    return wrong and one.same_event != other.same_event


class _Use:
    """How often answers, texts, people and sequences have been used; ``cost`` of each event."""

    def __init__(self, cost: Mapping[tuple[object, ...], float]) -> None:
        self._cost = cost
        self.asked: set[tuple[object, ...]] = set()
        self._strata: Counter[str] = Counter()
        self._words: Counter[tuple[str, ...]] = Counter()
        self._skew: Counter[tuple[str, str]] = Counter()
        self._people: Counter[tuple[str, int]] = Counter()
        self._sequences: Counter[str] = Counter()

    def of_candidate(self, candidate: Candidate) -> float:
        """How much a candidate repeats what has been chosen; its answer weighs most."""
        sequence = candidate.recipe.sequence
        person = self._people[sequence, candidate.truth.target]
        own = self._cost[candidate.same_event] + person + 0.2 * self._sequences[sequence]
        told = sum(self._skew[feature, candidate.stratum] for feature in candidate.features)
        return own + 2.0 * self._strata[candidate.stratum] + SKEW * told

    def of(self, block: Block) -> float:
        """The same of a block, on average."""
        own = sum(self.of_candidate(candidate) for candidate in block) / len(block)
        return own + self._words[block[0].words] + SKEW * self._skewed(block) / len(block)

    def take(self, block: Block) -> None:
        """Count a block as chosen."""
        self._words[block[0].words] += 1
        self._skew.update(_skew_of(block))
        for candidate in block:
            self.asked.add(candidate.same_event)
            self._strata[candidate.stratum] += 1
            self._people[candidate.recipe.sequence, candidate.truth.target] += 1
            self._sequences[candidate.recipe.sequence] += 1

    def skew(self) -> int:
        """How much features tell of answers, summed over both, squared."""
        return sum(value * value for value in self._skew.values())

    def _skewed(self, block: Block) -> int:
        """By how much a block raises the squares of what features tell of answers."""
        return sum(
            change * (change + 2 * self._skew[name]) for name, change in _skew_of(block).items()
        )


def _skew_of(block: Block) -> Counter[tuple[str, str]]:
    """How much more often features go with an answer than with each of the others offered.

    What all questions of a block share goes with all its answers alike.
    """
    common = set(block[0].features).intersection(*(item.features for item in block))
    skew: Counter[tuple[str, str]] = Counter()
    for item in block:
        for feature in item.features:
            if feature in common:
                continue
            skew[feature, item.stratum] += len(block)
            for other in block:
                skew[feature, other.stratum] -= 1
    return skew
