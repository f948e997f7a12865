"""Choosing among valid candidates so that answers are balanced and nothing is asked twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from avr_ros.benchmark.answer_spread import AnswerSpread
from avr_ros.benchmark.candidate import Candidate

NEAR: Final = 4.0
"""What two answers weigh that one guess hits, beside one more question about the same person."""

SHARED: Final = 1.0
"""How much more they weigh for each feature that their texts share."""


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
    other answers would miss, the more so at those of questions with the same features, whose
    sequence and person have been used less, and, of these, a random one. What the family asks of
    the spread of features is halved, then dropped, where it leaves too few.
    """
    if not pool:
        return Selected([], 0)
    order = [pool[index] for index in rng.permutation(len(pool)).tolist()]
    share = order[0].family.feature_spread(order[0].recipe.mode)
    for least in (share, share / 2.0, 0.0):
        kept = spread_features(order, least)
        events: dict[str, set[tuple[object, ...]]] = defaultdict(set)
        for candidate in kept:
            events[candidate.stratum].add(candidate.same_event)
        supply = {name: len(found) for name, found in events.items()}
        drawn = balanced_quotas(supply, wanted, fewest_classes, rng)
        if sum(drawn.counts.values()) == wanted:
            break
    quotas = drawn.counts
    if not quotas:
        return Selected([], drawn.classes)
    chooser = _Chooser(kept, len(quotas))
    chosen: list[Candidate] = []
    # One of each class in turn, the scarcest first, because one event may serve several classes.
    scarcest_first = sorted(quotas, key=lambda name: (supply[name], name))
    for turn in range(max(quotas.values())):
        for name in scarcest_first:
            best = chooser.best(name) if turn < quotas[name] else None
            if best is not None:
                chooser.take(best)
                chosen.append(kept[best])
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
    """What choosing each candidate of a pool would repeat of what has been chosen; indices."""

    def __init__(self, pool: Sequence[Candidate], classes: int) -> None:
        self._classes = classes
        self._spread = AnswerSpread(pool)
        self._strata = np.array(_numbers([item.stratum for item in pool]))
        self._events = np.array(_numbers([item.same_event for item in pool]))
        self._sequences = np.array(_numbers([item.recipe.sequence for item in pool]))
        people = [(item.recipe.sequence, item.truth.target) for item in pool]
        self._people = np.array(_numbers(people))
        names = sorted({feature for item in pool for feature in item.features})
        columns = {name: column for column, name in enumerate(names)}
        self._features = np.zeros((len(pool), len(names)))
        for row, item in enumerate(pool):
            self._features[row, [columns[feature] for feature in item.features]] = 1.0
        self._classes_of = {item.stratum: self._strata[row] for row, item in enumerate(pool)}
        self._free = np.ones(len(pool), dtype=np.bool_)
        self._cost = np.zeros(len(pool))

    def best(self, stratum: str) -> int | None:
        """The candidate of one class to take next; none where all have been asked."""
        free = np.flatnonzero(self._free & (self._strata == self._classes_of[stratum]))
        return int(free[np.argmin(self._cost[free])]) if len(free) else None

    def take(self, index: int) -> None:
        """Count a candidate as chosen."""
        self._free &= self._events != self._events[index]
        shared = self._features @ self._features[index]
        self._cost += shared * ((self._strata == self._strata[index]) - 1.0 / self._classes)
        self._cost += NEAR * self._spread.to(index) * (1.0 + SHARED * shared)
        self._cost += self._people == self._people[index]
        self._cost += 0.2 * (self._sequences == self._sequences[index])


def _numbers(names: Sequence[Hashable]) -> list[int]:
    """A number for each name, the same for the same."""
    found: dict[Hashable, int] = {}
    return [found.setdefault(name, len(found)) for name in names]
