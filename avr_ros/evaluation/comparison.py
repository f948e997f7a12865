"""Compares systems that answered the same questions, pair by pair.

Measures of a question are right or wrong: answer, evidence, combined. Repeated runs of a system
are first averaged within each question, so that they add no questions. Differences come with
paired percentile-bootstrap intervals over questions and over sequences; they are tested by the
exact McNemar test, and by a sign-flip permutation test where runs were averaged. All tests of a
comparison are one family, fixed by what was asked for, and are corrected by Holm's method.
Conditional hallucination is a ratio over right answers: no question has one, so it gets intervals
from resampled ratios and no test.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from avr_ros.evaluation.asked_question import AskedQuestion, by_family
from avr_ros.evaluation.compared_questions import common_questions
from avr_ros.evaluation.compared_system import ComparedSystem
from avr_ros.evaluation.comparison_notices import comparison_notices
from avr_ros.evaluation.comparison_result import (
    ComparedFiles,
    Comparison,
    Difference,
    FamilyOfTests,
    GroupDifference,
    PairComparison,
)
from avr_ros.evaluation.holm import holm
from avr_ros.evaluation.measures import MEASURES, RATIO
from avr_ros.evaluation.paired import PERMUTATIONS, wins_and_losses
from avr_ros.evaluation.resampling import (
    RESAMPLES,
    cluster_ratio_difference_interval,
    difference_interval,
    ratio_difference_interval,
)
from avr_ros.evaluation.score_difference import score_difference
from avr_ros.evaluation.statistics import LEVEL
from avr_ros.evaluation.system_summary import summarise_system
from avr_ros.schema.errors import BadInputError

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ComparisonSettings:
    """How systems are compared; ``measures`` are those that are tested and shown."""

    measures: tuple[str, ...] = tuple(MEASURES)
    resamples: int = RESAMPLES
    permutations: int = PERMUTATIONS
    seed: int = 0
    missing_as_wrong: bool = False


def compare(
    systems: Sequence[ComparedSystem],
    pairs: Sequence[tuple[int, int]],
    settings: ComparisonSettings,
) -> Comparison:
    """Compare systems by pairs of (system, reference), positions in ``systems`` from 0.

    Questions of several files count together. Raises BadInputError where there is nothing to
    compare or the systems' questions differ.
    """
    questions = common_questions(systems, settings.missing_as_wrong)
    if len(systems) < 2 or not pairs:
        raise BadInputError(
            "there are no two systems to compare: give runs of at least two; runs that differ in "
            "seeds and questions alone are one system (--separate keeps repeated ones apart)"
        )
    table = _Scores(systems, questions)
    files = _files(systems[0], questions)
    compared = [
        PairComparison(
            system=systems[left].name,
            reference=systems[right].name,
            differences=(
                *(
                    score_difference(
                        name,
                        table.of(left, name),
                        table.of(right, name),
                        table.sequences,
                        seed=settings.seed,
                        resamples=settings.resamples,
                        permutations=settings.permutations,
                    )
                    for name in settings.measures
                ),
                _ratio_difference(table, left, right, settings),
            ),
            by_family=tuple(_by_family(table, left, right, settings)),
        )
        for left, right in pairs
    ]
    corrected = _corrected(compared)
    return Comparison(
        n=len(questions),
        sequences=len(set(table.sequences)),
        systems=tuple(summarise_system(system, questions) for system in systems),
        pairs=corrected,
        family_of_tests=FamilyOfTests(
            measures=settings.measures, tests=len(pairs) * len(settings.measures)
        ),
        level=LEVEL,
        resamples=settings.resamples,
        permutations=settings.permutations,
        seed=settings.seed,
        hashes={
            name: value
            for name, value in files[0].hashes.items()
            if all(item.hashes.get(name) == value for item in files)
        },
        files=files,
        notices=comparison_notices(systems, len(set(table.sequences))),
        oracle_perception=any(system.oracle_perception for system in systems),
        stand_in_model=any(system.stand_in_model for system in systems),
    )


class _Scores:
    """The scores of every system, aligned by question."""

    def __init__(
        self, systems: Sequence[ComparedSystem], questions: Sequence[AskedQuestion]
    ) -> None:
        self.systems = systems
        self.sequences = [asked.sequence for asked in questions]
        self.families = {
            family: np.array(places) for family, places in by_family(questions).items()
        }
        self._values = [
            {name: system.scores(questions, value_of) for name, value_of in MEASURES.items()}
            for system in systems
        ]

    def of(self, system: int, measure: str) -> Floats:
        """Scores of a system by one measure (n,)."""
        return self._values[system][measure]


def _ratio_difference(
    table: _Scores, left: int, right: int, settings: ComparisonSettings
) -> Difference:
    columns = []
    for system in (left, right):
        answer, combined = table.of(system, "answer"), table.of(system, "combined")
        columns += [answer - combined, answer]
    rows = np.column_stack(columns)
    unsupported, answered = rows.sum(axis=0)[0::2], rows.sum(axis=0)[1::2]
    values = [
        100.0 * float(part / whole) if whole > 0 else None
        for part, whole in zip(unsupported, answered, strict=True)
    ]
    lacking = [
        table.systems[index].name
        for index, value in zip((left, right), values, strict=True)
        if value is None
    ]
    first, second = values
    return Difference(
        measure=RATIO,
        system=values[0],
        reference=values[1],
        difference=None if first is None or second is None else first - second,
        by_question=ratio_difference_interval(rows, settings.seed, settings.resamples),
        by_sequence=cluster_ratio_difference_interval(
            rows, table.sequences, settings.seed, settings.resamples
        ),
        note=f"undefined: no right answer of {' and '.join(lacking)}" if lacking else "",
    )


def _by_family(
    table: _Scores, left: int, right: int, settings: ComparisonSettings
) -> list[GroupDifference]:
    found = []
    for measure in settings.measures:
        for name, inside in table.families.items():
            system, reference = table.of(left, measure)[inside], table.of(right, measure)[inside]
            n_plus, n_minus = wins_and_losses(system - reference)
            found.append(
                GroupDifference(
                    family=name,
                    n=len(inside),
                    measure=measure,
                    system=_percent(system),
                    reference=_percent(reference),
                    difference=_percent(system - reference),
                    by_question=difference_interval(
                        system - reference, settings.seed, settings.resamples
                    ),
                    n_plus=n_plus,
                    n_minus=n_minus,
                )
            )
    return found


def _files(system: ComparedSystem, questions: Sequence[AskedQuestion]) -> tuple[ComparedFiles, ...]:
    """The question files in the questions' order; every system was asked each of them."""
    counts = Counter(asked.files for asked in questions)
    hashes = {run.files: run.hashes for run in reversed(system.runs)}
    return tuple(
        ComparedFiles(questions=count, hashes=dict(hashes[files]))
        for files, count in counts.items()
    )


def _corrected(pairs: Sequence[PairComparison]) -> tuple[PairComparison, ...]:
    """The pairs with the p values of all their tests corrected together."""
    tested = [item.p for pair in pairs for item in pair.differences if item.p is not None]
    corrected = iter(holm(tested))
    return tuple(
        pair.model_copy(
            update={
                "differences": tuple(
                    item if item.p is None else item.model_copy(update={"p_holm": next(corrected)})
                    for item in pair.differences
                )
            }
        )
        for pair in pairs
    )


def _percent(scores: Floats) -> float:
    return 100.0 * float(scores.mean())
