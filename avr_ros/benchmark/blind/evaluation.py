"""Blind baselines on question sets, fitted on half of them, and the test against chance.

Every second set makes one half; of a single set its first questions do. Baselines are fitted
on one half and tried on the other, both ways. Fitting on all sets but one, in turn, would be no
fair test: the fits hardly differ, so what is right by luck in one set is tried again and again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from scipy.stats import binomtest

from avr_ros.benchmark.blind.baselines import BASELINES
from avr_ros.benchmark.blind.points import Solved
from avr_ros.benchmark.scoring.answers import answer_is_right
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.schema.seeds import generator
from avr_ros.schema.vocabulary import AnswerMode, Family

SIGNIFICANCE: Final = 0.05
"""Level of the tests against chance, held over all families of one baseline by Holm's method."""

RANDOM_DRAWS: Final = 20
"""Times that the random baseline guesses: the luck of its guesses says nothing of questions."""

Group = tuple[Family, AnswerMode]


@dataclass(frozen=True)
class BlindSet:
    """Solved questions of one file, and their chance by family and mode."""

    solved: tuple[Solved, ...]
    chance: dict[Group, float]


@dataclass(frozen=True)
class GroupResult:
    """One family and mode: questions, mean chance, and right answers of each baseline."""

    family: Family
    mode: AnswerMode
    n: int
    chance: float
    right: dict[str, int]


@dataclass(frozen=True)
class FamilyTest:
    """One baseline on one family: one-sided binomial test against chance.

    ``adjusted`` is Holm's p value over all families of the baseline; ``above`` whether it is at
    most `SIGNIFICANCE`, which no baseline should reach.
    """

    baseline: str
    family: Family
    n: int
    right: int
    chance: float
    p_value: float
    adjusted: float

    @property
    def above(self) -> bool:
        """Whether the baseline is better than chance."""
        return self.adjusted <= SIGNIFICANCE


@dataclass(frozen=True)
class BlindResult:
    """All groups and tests."""

    groups: tuple[GroupResult, ...]
    tests: tuple[FamilyTest, ...]


def evaluate_blind(sets: Sequence[BlindSet], seed: int = 0) -> BlindResult:
    """Try every baseline on every question, and test each family against chance."""
    right: dict[Group, Counter[str]] = defaultdict(Counter)
    count: Counter[Group] = Counter()
    chance: dict[Group, float] = defaultdict(float)
    for half, (training, tested) in enumerate(_halves(sets)):
        for one in tested:
            for group, items in _by_group(one.solved).items():
                count[group] += len(items)
                chance[group] += one.chance[group] * len(items)
        known = _by_group([item for one in training for item in one.solved])
        asked = _by_group([item for one in tested for item in one.solved])
        for group in sorted(set(known) & set(asked), key=_position):
            for name, make in BASELINES.items():
                draws = RANDOM_DRAWS if name == "random" else 1
                for draw in range(draws):
                    labels = ("blind", name, half, draw, group[0].value, group[1].value)
                    baseline = make(known[group], generator(seed, *labels))
                    right[group][name] += sum(
                        answer_is_right(question, key, baseline(question), JRDB_CYLINDER)
                        for question, key in asked[group]
                    )
    groups = tuple(
        GroupResult(*group, count[group], chance[group] / count[group], _counts(right[group]))
        for group in sorted(count, key=_position)
    )
    return BlindResult(groups, tuple(_tests(groups)))


def _counts(right: Counter[str]) -> dict[str, int]:
    """Right answers of each baseline, those of the random one on average over its draws."""
    return {
        name: round(right[name] / RANDOM_DRAWS) if name == "random" else right[name]
        for name in BASELINES
    }


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p values, in the given order (Holm 1979)."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min((len(p_values) - rank) * p_values[index], 1.0))
        adjusted[index] = highest
    return adjusted


def _tests(groups: Sequence[GroupResult]) -> Iterator[FamilyTest]:
    families = list(dict.fromkeys(group.family for group in groups))
    for name in BASELINES:
        rows: list[tuple[Family, int, int, float]] = []
        for family in families:
            mine = [group for group in groups if group.family is family]
            n = sum(group.n for group in mine)
            mean = sum(group.chance * group.n for group in mine) / n
            rows.append((family, n, sum(group.right[name] for group in mine), mean))
        # Chances differ between questions; a binomial with their mean has the larger variance.
        values = [
            float(binomtest(hits, n, min(mean, 1.0), alternative="greater").pvalue)
            for _, n, hits, mean in rows
        ]
        for (family, n, hits, mean), value, adjusted in zip(
            rows, values, holm(values), strict=True
        ):
            yield FamilyTest(name, family, n, hits, mean, value, adjusted)


def _halves(
    sets: Sequence[BlindSet],
) -> Iterator[tuple[Sequence[BlindSet], Sequence[BlindSet]]]:
    """What is fitted and what is tried, both ways."""
    if len(sets) == 1:
        (one,) = sets
        middle = len(one.solved) // 2
        sets = [BlindSet(part, one.chance) for part in (one.solved[:middle], one.solved[middle:])]
    first, second = sets[0::2], sets[1::2]
    yield second, first
    yield first, second


def _by_group(solved: Sequence[Solved]) -> dict[Group, list[Solved]]:
    groups: dict[Group, list[Solved]] = defaultdict(list)
    for question, key in solved:
        if question.family is not None:
            groups[question.family, question.answer_mode].append((question, key))
    return groups


def _position(group: Group) -> tuple[int, int]:
    return list(Family).index(group[0]), list(AnswerMode).index(group[1])
