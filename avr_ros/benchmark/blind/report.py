"""Results of blind baselines as they stand in files."""

from __future__ import annotations

from avr_ros.benchmark.blind.evaluation import BlindResult
from avr_ros.schema.model import Record


class BlindGroup(Record):
    """One family and mode: questions, chance, and right answers of each baseline, in percent."""

    family: str
    mode: str
    n: int
    chance: float
    right: dict[str, float]


class BlindTest(Record):
    """One baseline on one family against chance; ``adjusted`` is Holm's p value."""

    baseline: str
    family: str
    n: int
    right: int
    chance: float
    p_value: float
    adjusted: float
    above_chance: bool


class BlindReport(Record):
    """All of it; ``passed`` where no baseline is better than chance in any family."""

    questions: int
    passed: bool
    groups: tuple[BlindGroup, ...]
    tests: tuple[BlindTest, ...]


def blind_report(result: BlindResult) -> BlindReport:
    """A result as a record, rates in percent."""
    return BlindReport(
        questions=sum(group.n for group in result.groups),
        passed=not any(test.above for test in result.tests),
        groups=tuple(
            BlindGroup(
                family=group.family.value,
                mode=group.mode.value,
                n=group.n,
                chance=100.0 * group.chance,
                right={name: 100.0 * right / group.n for name, right in group.right.items()},
            )
            for group in result.groups
        ),
        tests=tuple(
            BlindTest(
                baseline=test.baseline,
                family=test.family.value,
                n=test.n,
                right=test.right,
                chance=100.0 * test.chance,
                p_value=test.p_value,
                adjusted=test.adjusted,
                above_chance=test.above,
            )
            for test in result.tests
        ),
    )
