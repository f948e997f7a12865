"""Blind baselines on question sets, each fitted on the other sets, and the test against chance.

With a single set, baselines are fitted on four fifths of it and tried on the last fifth, in turn.
"""

from __future__ import annotations

from collections import defaultdict
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

FOLDS: Final = 5
"""Parts into which a single set is cut."""

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
    right: dict[Group, dict[str, int]] = defaultdict(lambda: dict.fromkeys(BASELINES, 0))
    count: dict[Group, int] = defaultdict(int)
    chance: dict[Group, float] = defaultdict(float)
    for fold, (training, tested, chances) in enumerate(_folds(sets)):
        for group, items in _by_group(tested).items():
            count[group] += len(items)
            chance[group] += chances[group] * len(items)
            known = _by_group(training).get(group, [])
            if not known:
                continue
            for name, make in BASELINES.items():
                rng = generator(seed, "blind", name, fold, group[0].value, group[1].value)
                baseline = make(known, rng)
                right[group][name] += sum(
                    answer_is_right(question, key, baseline(question), JRDB_CYLINDER)
                    for question, key in items
                )
    groups = tuple(
        GroupResult(*group, count[group], chance[group] / count[group], dict(right[group]))
        for group in sorted(count, key=_position)
    )
    return BlindResult(groups, tuple(_tests(groups)))


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


def _folds(
    sets: Sequence[BlindSet],
) -> Iterator[tuple[list[Solved], list[Solved], dict[Group, float]]]:
    if len(sets) > 1:
        for index, one in enumerate(sets):
            others = [*sets[:index], *sets[index + 1 :]]
            training = [item for other in others for item in other.solved]
            yield training, list(one.solved), one.chance
        return
    for one in sets:
        for fold in range(FOLDS):
            inside = [place % FOLDS == fold for place in range(len(one.solved))]
            training = [item for item, out in zip(one.solved, inside, strict=True) if not out]
            tested = [item for item, out in zip(one.solved, inside, strict=True) if out]
            yield training, tested, one.chance


def _by_group(solved: Sequence[Solved]) -> dict[Group, list[Solved]]:
    groups: dict[Group, list[Solved]] = defaultdict(list)
    for question, key in solved:
        if question.family is not None:
            groups[question.family, question.answer_mode].append((question, key))
    return groups


def _position(group: Group) -> tuple[int, int]:
    return list(Family).index(group[0]), list(AnswerMode).index(group[1])
