"""Choosing among valid candidates so that answers are balanced and nothing is asked twice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from avr_ros.benchmark.candidate import Candidate
from avr_ros.schema.vocabulary import AnswerMode


def balanced_quotas(
    supply: dict[str, int], wanted: int, rng: np.random.Generator
) -> dict[str, int]:
    """How many of each class to take, as equal as possible: counts differ by at most one.

    Classes with too few members are left out, rather than all others cut down to them, where that
    gives more questions; of equal totals the one with more classes is taken. Which classes get one
    more than others, or any at all where there are more classes than questions, is drawn.
    """
    names = sorted(name for name, count in supply.items() if count > 0)
    if not names or wanted < 1:
        return {}
    enough = -(-wanted // len(names)) + 1
    drawn = [names[index] for index in rng.permutation(len(names)).tolist()]
    ordered = sorted(drawn, key=lambda name: -min(supply[name], enough))
    best: tuple[int, int, dict[str, int]] = (0, 0, {})
    for used in range(1, min(len(ordered), wanted) + 1):
        classes = ordered[:used]
        level = min(wanted // used, supply[classes[-1]])
        quotas = dict.fromkeys(classes, level)
        rest = wanted - used * level
        for name in classes:
            if rest > 0 and supply[name] > level:
                quotas[name] += 1
                rest -= 1
        total = sum(quotas.values())
        best = max(best, (total, used, quotas), key=lambda item: item[:2])
    return {name: count for name, count in best[2].items() if count > 0}


def shares_of_modes(supply: dict[AnswerMode, int], wanted: int) -> dict[AnswerMode, int]:
    """How many questions to ask in each mode: equal shares, what one lacks going to the others."""
    shares = dict.fromkeys(supply, 0)
    for _ in range(wanted):
        open_modes = [mode for mode in supply if shares[mode] < supply[mode]]
        if not open_modes:
            break
        shares[min(open_modes, key=lambda mode: shares[mode])] += 1
    return shares


def select(pool: Sequence[Candidate], wanted: int, rng: np.random.Generator) -> list[Candidate]:
    """Choose up to ``wanted`` candidates of one family and mode, balanced over their strata.

    No two ask for the same thing of the same person. Within a class those are preferred whose
    text features have been seen less with this class than with others, whose sequence and person
    have been used less, and, of these, a random one.
    """
    order = [pool[index] for index in rng.permutation(len(pool)).tolist()]
    by_class: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in order:
        by_class[candidate.stratum].append(candidate)
    supply = {name: len({item.same_event for item in items}) for name, items in by_class.items()}
    quotas = balanced_quotas(supply, wanted, rng)
    chooser = _Chooser(sorted(quotas))
    chosen: list[Candidate] = []
    # One of each class in turn, the scarcest first, because one event may serve several classes.
    scarcest_first = sorted(quotas, key=lambda name: (supply[name], name))
    for turn in range(max(quotas.values(), default=0)):
        for name in scarcest_first:
            best = chooser.best(by_class[name]) if turn < quotas[name] else None
            if best is not None:
                chooser.take(best)
                chosen.append(best)
    return chosen


class _Chooser:
    """Remembers what was chosen, to choose evenly."""

    def __init__(self, classes: list[str]) -> None:
        self._classes = classes
        self._asked: set[tuple[object, ...]] = set()
        self._features: dict[str, Counter[str]] = defaultdict(Counter)
        self._sequences: Counter[str] = Counter()
        self._people: Counter[tuple[str, int]] = Counter()

    def best(self, candidates: list[Candidate]) -> Candidate | None:
        """The candidate of one class to take next; none where all have been asked."""
        free = [item for item in candidates if item.same_event not in self._asked]
        return min(free, key=self._cost, default=None)

    def take(self, candidate: Candidate) -> None:
        """Count a candidate as chosen."""
        self._asked.add(candidate.same_event)
        for feature in candidate.features:
            self._features[feature][candidate.stratum] += 1
        self._sequences[candidate.recipe.sequence] += 1
        self._people[candidate.recipe.sequence, candidate.truth.target] += 1

    def _cost(self, candidate: Candidate) -> float:
        skew = 0.0
        for feature in candidate.features:
            counts = self._features[feature]
            skew += counts[candidate.stratum] - sum(counts.values()) / len(self._classes)
        person = self._people[candidate.recipe.sequence, candidate.truth.target]
        return skew + person + 0.2 * self._sequences[candidate.recipe.sequence]
