"""Choosing among valid candidates so that answers are balanced and nothing is asked twice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from avr_ros.benchmark.candidate import Candidate


@dataclass(frozen=True)
class Quotas:
    """How many questions to take of each class, and how many classes the draw was among."""

    counts: dict[str, int]
    classes: int


def balanced_quotas(
    supply: dict[str, int], wanted: int, fewest: int, rng: np.random.Generator
) -> Quotas:
    """How many of each class to take, as equal as possible: counts differ by at most one.

    Classes with too few members are left out where the others would have to be cut down to them
    too far: the total is weighed with (classes - 1) / (classes + 1), because more classes are
    harder to guess. With fewer than ``fewest`` classes nothing is taken, because the answer could
    be guessed. Which classes get one more than others, or any at all where there are more classes
    than questions, is drawn.
    """
    names = sorted(name for name, count in supply.items() if count > 0)
    enough = -(-wanted // max(len(names), 1)) + 1
    drawn = [names[index] for index in rng.permutation(len(names)).tolist()]
    ordered = sorted(drawn, key=lambda name: -min(supply[name], enough))
    best = (0.0, Quotas({}, 0))
    for used in range(fewest, len(ordered) + 1):
        classes = ordered[:used]
        scarcest = min(supply[name] for name in classes)
        counts = dict.fromkeys(classes, min(wanted // used, scarcest))
        rest = wanted - sum(counts.values())
        for name in classes:
            if rest > 0 and supply[name] > counts[name]:
                counts[name] += 1
                rest -= 1
        value = sum(counts.values()) * (used - 1) / (used + 1)
        if value >= best[0] > 0.0 or value > best[0]:
            best = (value, Quotas({name: n for name, n in counts.items() if n}, used))
    return best[1]


@dataclass(frozen=True)
class Selected:
    """The chosen candidates, and how many classes of answers they were drawn from."""

    candidates: list[Candidate]
    classes: int


def select(
    pool: Sequence[Candidate], wanted: int, fewest_classes: int, rng: np.random.Generator
) -> Selected:
    """Choose up to ``wanted`` candidates of one family and mode, balanced over their strata.

    No two ask for the same thing of the same person. Within a class those are preferred whose
    text features have been seen less with this class than with others, whose answer a guess at
    other answers would miss, whose sequence and person have been used less, and, of these, a
    random one. What the family asks of the spread of features is halved, then dropped, where it
    leaves too few.
    """
    order = [pool[index] for index in rng.permutation(len(pool)).tolist()]
    share = order[0].family.feature_spread(order[0].recipe.mode) if order else 0.0
    for least in (share, share / 2.0, 0.0):
        by_class: dict[str, list[Candidate]] = defaultdict(list)
        for candidate in spread_features(order, least):
            by_class[candidate.stratum].append(candidate)
        supply = {
            name: len({item.same_event for item in items}) for name, items in by_class.items()
        }
        drawn = balanced_quotas(supply, wanted, fewest_classes, rng)
        if sum(drawn.counts.values()) == wanted:
            break
    quotas = drawn.counts
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
    return Selected(chosen, drawn.classes)


def spread_features(pool: Sequence[Candidate], share: float) -> list[Candidate]:
    """The candidates of whose features each is found with a share of the classes of answers.

    Somebody who sits is as far away as the seats are: where seats are few, who sits tells where.
    """
    kept = list(pool)
    while share > 0.0:
        found: dict[str, set[str]] = defaultdict(set)
        for item in kept:
            for feature in item.features:
                found[feature].add(item.stratum)
        least = share * len({item.stratum for item in kept})
        fit = [item for item in kept if all(len(found[name]) >= least for name in item.features)]
        if len(fit) == len(kept):
            break
        kept = fit
    return kept


class _Chooser:
    """Remembers what was chosen, to choose evenly."""

    def __init__(self, classes: list[str]) -> None:
        self._classes = classes
        self._asked: set[tuple[object, ...]] = set()
        self._features: dict[str, Counter[str]] = defaultdict(Counter)
        self._sequences: Counter[str] = Counter()
        self._people: Counter[tuple[str, int]] = Counter()
        self._positions: list[float] = []

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
        if candidate.position is not None:
            self._positions.append(candidate.position)
        self._people[candidate.recipe.sequence, candidate.truth.target] += 1

    def _cost(self, candidate: Candidate) -> float:
        skew = 0.0
        for feature in candidate.features:
            counts = self._features[feature]
            skew += counts[candidate.stratum] - sum(counts.values()) / len(self._classes)
        person = self._people[candidate.recipe.sequence, candidate.truth.target]
        place = candidate.position
        near = 0 if place is None else sum(abs(place - at) <= 0.5 for at in self._positions)
        return skew + near + person + 0.2 * self._sequences[candidate.recipe.sequence]
