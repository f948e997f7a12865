"""How two systems differ by one score of each question, of whatever benchmark.

Scores are from 0 to 1: right or wrong, δ s of visual support, LLM-Match's (mark − 1)/4,
EXPRESS-Bench's δσ/5. Systems are joined by question id and must have the same ones.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from avr_ros.evaluation.comparison_result import Difference
from avr_ros.evaluation.paired import (
    PERMUTATIONS,
    mcnemar_exact,
    sign_flip_test,
    wins_and_losses,
)
from avr_ros.evaluation.resampling import (
    RESAMPLES,
    cluster_difference_interval,
    difference_interval,
)
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.report import Interval

_SHOWN = 3


def scores_by_id(pairs: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Scores by question id. Raises BadInputError for an id that is there twice."""
    listed = list(pairs)
    for name, count in Counter(name for name, _ in listed).items():
        if count > 1:
            raise BadInputError(f"question {name} is scored {count} times; give every score once")
    return dict(listed)


def averaged_runs(runs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Mean score of each question over repeated runs of one system.

    Averaging comes first, so that repetitions add no questions. Raises BadInputError without
    runs and where two have other questions.
    """
    if not runs:
        raise BadInputError("no run is given; give at least one")
    for run in runs[1:]:
        refuse_other_ids(runs[0], run)
    return {name: sum(run[name] for run in runs) / len(runs) for name in runs[0]}


def refuse_other_ids(first: Iterable[str], other: Iterable[str]) -> None:
    """Raise BadInputError, saying what differs, where two sets of question ids are not the same."""
    text = other_ids(first, other)
    if text:
        raise BadInputError(f"the second set of questions {text}; compare scores of the same ones")


def other_ids(first: Iterable[str], other: Iterable[str]) -> str:
    """What the other set of ids lacks and what it has besides the first; empty where the same."""
    here, there = list(first), list(other)
    parts = []
    for what, names, others in (("lacks", here, there), ("has besides", there, here)):
        known = set(others)
        missing = [name for name in names if name not in known]
        if missing:
            parts.append(f"{what} {listed_questions(missing)}")
    return " and ".join(parts)


def listed_questions(names: Sequence[str]) -> str:
    """How many questions, with the first few ids."""
    shown = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
    return f"{len(names)} question{'s' if len(names) > 1 else ''} ({shown})"


def compare_scores(
    measure: str,
    system: Mapping[str, float],
    reference: Mapping[str, float],
    clusters: Mapping[str, Hashable] | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
    permutations: int = PERMUTATIONS,
) -> Difference:
    """The difference of two systems' scores by question id, with intervals and a test.

    ``clusters`` names what questions share (sequence, trajectory, episode history); without them
    the interval by cluster, ``by_sequence``, is undefined. Raises BadInputError where the
    questions differ, there are none, or a cluster is missing.
    """
    refuse_other_ids(system, reference)
    names = list(system)
    if not names:
        raise BadInputError("there is no question to compare; give scores of at least one")
    if clusters is not None and (unknown := [name for name in names if name not in clusters]):
        raise BadInputError(f"no cluster is given for {listed_questions(unknown)}")
    return score_difference(
        measure,
        np.array([system[name] for name in names]),
        np.array([reference[name] for name in names]),
        None if clusters is None else [clusters[name] for name in names],
        seed=seed,
        resamples=resamples,
        permutations=permutations,
    )


def score_difference(
    measure: str,
    system: npt.NDArray[np.float64],
    reference: npt.NDArray[np.float64],
    clusters: Sequence[Hashable] | None,
    *,
    seed: int,
    resamples: int,
    permutations: int,
) -> Difference:
    """As :func:`compare_scores`, of scores (n,) that are aligned by question.

    Scores of 0 and 1 are tested by the exact McNemar test, others by sign-flip permutations.
    """
    differences = system - reference
    n_plus, n_minus = wins_and_losses(differences)
    graded = not np.isin(np.concatenate([system, reference]), (0.0, 1.0)).all()
    return Difference(
        measure=measure,
        system=100.0 * float(system.mean()),
        reference=100.0 * float(reference.mean()),
        difference=100.0 * float(differences.mean()),
        by_question=difference_interval(differences, seed, resamples),
        by_sequence=Interval(low=None, high=None)
        if clusters is None
        else cluster_difference_interval(differences, clusters, seed, resamples),
        n_plus=n_plus,
        n_minus=n_minus,
        test="sign_flip_permutation" if graded else "exact_mcnemar",
        p=sign_flip_test(differences, seed, permutations)
        if graded
        else mcnemar_exact(n_plus, n_minus),
    )
