"""Percentile bootstrap of paired differences, by question and by cluster of questions.

Drawing n questions with replacement gives every distinct row of scores a multinomial count, so
the counts are drawn instead of the questions: the same distribution, and 200,000 resamples of
thousands of questions take about a second. Clusters (the sequences of a recording, the
trajectories of a data set) are drawn whole, each a row of its own. The interval lies between the
2.5 % and 97.5 % quantiles of the resampled differences (Efron and Tibshirani 1993, chapter 13;
clusters as in Davison and Hinkley 1997, section 3.8). Both systems are drawn together, so that
two systems that agree on every question differ by nothing in every resample.
"""

from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from avr_ros.evaluation.statistics import LEVEL
from avr_ros.schema.report import Interval

RESAMPLES: Final[int] = 20_000
"""Resamples of a comparison where no other number is asked for; EviSeek's tables use 200,000."""

_TAILS: Final[tuple[float, float]] = (50.0 * (1.0 - LEVEL), 50.0 * (1.0 + LEVEL))
_DRAWS_A_PIECE: Final[int] = 4_000_000
_UNDEFINED: Final[Interval] = Interval(low=None, high=None)

Floats = npt.NDArray[np.float64]


def difference_interval(
    differences: npt.ArrayLike, seed: int, resamples: int = RESAMPLES
) -> Interval:
    """Interval of the mean of per-question differences (n,), in percent; none where n is 0.

    With differences of 0 and ±1 the draws are those of
    ``default_rng(seed).multinomial(n, (n+/n, n−/n, rest/n))``.
    """
    values = np.asarray(differences, dtype=np.float64)
    if len(values) == 0:
        return _UNDEFINED
    distinct, counts = np.unique(values, return_counts=True)
    # Wins, losses, then ties: the order decides what a seed draws.
    order = np.lexsort((-distinct, -np.abs(distinct)))
    totals = _resampled_totals(distinct[order, None], counts[order], seed, resamples)
    return _percentiles(totals[:, 0] / len(values))


def cluster_difference_interval(
    differences: npt.ArrayLike,
    clusters: Sequence[Hashable],
    seed: int,
    resamples: int = RESAMPLES,
) -> Interval:
    """Interval of the mean of per-question differences (n,) over clusters that are drawn whole.

    In percent. None with fewer than two clusters: one says nothing of others.
    """
    values = np.asarray(differences, dtype=np.float64)
    totals = cluster_totals(np.column_stack([np.ones_like(values), values]), clusters)
    if len(totals) < 2:
        return _UNDEFINED
    drawn = _resampled_totals(totals, np.ones(len(totals), dtype=np.int64), seed, resamples)
    return _percentiles(drawn[:, 1] / drawn[:, 0])


def ratio_difference_interval(
    rows: npt.ArrayLike, seed: int, resamples: int = RESAMPLES
) -> Interval:
    """Interval of the difference of two ratios of sums, each computed anew in every resample.

    ``rows`` is (n, 4): numerator and denominator of the system, then of the reference. In
    percent; none where a denominator is 0 throughout. A resample without a denominator leaves the
    ratio undefined: it may then have any value from 0 to 1, so it counts as the worst case for
    either end.
    """
    values = np.asarray(rows, dtype=np.float64).reshape(-1, 4)
    if _lacks_denominator(values):
        return _UNDEFINED
    distinct, counts = np.unique(values, axis=0, return_counts=True)
    return _ratio_percentiles(_resampled_totals(distinct, counts, seed, resamples))


def cluster_ratio_difference_interval(
    rows: npt.ArrayLike,
    clusters: Sequence[Hashable],
    seed: int,
    resamples: int = RESAMPLES,
) -> Interval:
    """As :func:`ratio_difference_interval`, over clusters that are drawn whole."""
    values = np.asarray(rows, dtype=np.float64).reshape(-1, 4)
    totals = cluster_totals(values, clusters)
    if len(totals) < 2 or _lacks_denominator(values):
        return _UNDEFINED
    ones = np.ones(len(totals), dtype=np.int64)
    return _ratio_percentiles(_resampled_totals(totals, ones, seed, resamples))


def cluster_totals(rows: Floats, clusters: Sequence[Hashable]) -> Floats:
    """Sums of the rows of each cluster, in the order in which the clusters first appear."""
    position: dict[Hashable, int] = {}
    indices = [position.setdefault(cluster, len(position)) for cluster in clusters]
    totals = np.zeros((len(position), rows.shape[1]))
    np.add.at(totals, indices, rows)
    return totals


def _resampled_totals(
    rows: Floats, counts: npt.NDArray[np.int64], seed: int, resamples: int
) -> Floats:
    """Sums over as many drawn units as there are, (resamples, columns).

    ``rows`` (kinds, columns) are the kinds of unit, ``counts`` (kinds,) how many there are.
    """
    random = np.random.default_rng(seed)
    n = int(counts.sum())
    shares = counts / n
    totals = np.empty((resamples, rows.shape[1]))
    piece = max(1, _DRAWS_A_PIECE // len(rows))
    for start in range(0, resamples, piece):
        stop = min(start + piece, resamples)
        totals[start:stop] = random.multinomial(n, shares, size=stop - start) @ rows
    return totals


def _lacks_denominator(rows: Floats) -> bool:
    return bool((rows[:, (1, 3)].sum(axis=0) == 0).any())


def _ratio_percentiles(totals: Floats) -> Interval:
    low = _ratio(totals[:, 0], totals[:, 1], 0.0) - _ratio(totals[:, 2], totals[:, 3], 1.0)
    high = _ratio(totals[:, 0], totals[:, 1], 1.0) - _ratio(totals[:, 2], totals[:, 3], 0.0)
    return Interval(
        low=100.0 * float(np.percentile(low, _TAILS[0])),
        high=100.0 * float(np.percentile(high, _TAILS[1])),
    )


def _ratio(numerator: Floats, denominator: Floats, undefined: float) -> Floats:
    filled = np.full_like(numerator, undefined)
    return np.divide(numerator, denominator, out=filled, where=denominator > 0)


def _percentiles(means: Floats) -> Interval:
    low, high = np.percentile(means, _TAILS)
    return Interval(low=100.0 * float(low), high=100.0 * float(high))
