"""Tests of whether two systems that answered the same questions differ.

Right and wrong answers are compared by the exact McNemar test, graded scores and means of
repeated runs by a permutation test, since McNemar's is for 0 and 1 alone.
"""

from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest, permutation_test

PERMUTATIONS: Final[int] = 19_999
"""Random sign changes of a permutation test; its smallest p value is then 0.0001."""

_ENTRIES_A_PIECE: Final[int] = 2_000_000


def wins_and_losses(differences: npt.ArrayLike) -> tuple[int, int]:
    """n+ and n−: on how many questions the system scores above and below its reference.

    ``differences`` (n,) are scores of the system minus scores of the reference.
    """
    values = np.asarray(differences, dtype=np.float64)
    return int((values > 0).sum()), int((values < 0).sum())


def mcnemar_exact(n_plus: int, n_minus: int) -> float:
    """Two-sided p value of the exact McNemar test.

    ``n_plus`` and ``n_minus`` count the questions that one of two systems alone got right. Under
    the null hypothesis either is binomial with share one half (McNemar 1947). 1 where the systems
    agree on every question.
    """
    if n_plus + n_minus == 0:
        return 1.0
    return float(binomtest(n_plus, n_plus + n_minus, 0.5, alternative="two-sided").pvalue)


def sign_flip_test(
    differences: npt.ArrayLike, seed: int, permutations: int = PERMUTATIONS
) -> float:
    """Two-sided p value of the paired permutation test of a zero mean difference.

    ``differences`` (n,) are per question. Under the null hypothesis the two systems may be
    exchanged within each question, which changes the sign of its difference. All 2^n sign changes
    are tried where that is no more than ``permutations``, else so many random ones.
    1 where the systems differ on no question or on one alone.
    """
    values = np.asarray(differences, dtype=np.float64)
    values = values[values != 0]
    if len(values) < 2:
        return 1.0
    tested = permutation_test(
        (values,),
        _mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=permutations,
        batch=max(1, _ENTRIES_A_PIECE // len(values)),
        alternative="two-sided",
        random_state=np.random.default_rng(seed),
    )
    return float(tested.pvalue)


def _mean(values: npt.NDArray[np.float64], axis: int = -1) -> npt.NDArray[np.float64]:
    mean: npt.NDArray[np.float64] = np.mean(values, axis=axis)
    return mean
