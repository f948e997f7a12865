"""Intervals of the scores of one run.

The bootstrap draws questions, or whole sequences (the questions of a sequence share its people
and pictures, so that they are no independent draws), with replacement and takes the 2.5 % and
97.5 % quantiles of the rates over the resamples (the percentile bootstrap; Efron and Tibshirani
1993, chapter 13; clusters as in Davison and Hinkley 1997, section 3.8). Conditional
hallucination is computed anew in each resample as the ratio that it is.

Where all questions agree every resample is the same and the bootstrap would say that the rate is
known exactly. Wilson's score interval (Wilson 1927) over the questions, or over the sequences,
is given there.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from avr_ros.schema.report import Interval, Intervals, RateIntervals
from avr_ros.schema.result import SampleResult
from avr_ros.schema.seeds import generator

RESAMPLES: Final[int] = 2000
"""Bootstrap resamples of a report."""

LEVEL: Final[float] = 0.95
"""Level of every interval."""

_Z: Final[float] = 1.959963984540054
_RESAMPLES_A_PIECE: Final[int] = 250
_UNDEFINED: Final[Interval] = Interval(low=None, high=None)

Counts = npt.NDArray[np.float64]


def wilson(successes: int, n: int) -> Interval:
    """Wilson's 95 % score interval of a proportion, in percent; none where ``n`` is 0.

    Wilson 1927, "Probable inference, the law of succession, and statistical inference".
    """
    if n == 0:
        return _UNDEFINED
    share = successes / n
    square = _Z * _Z
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = _Z / (1 + square / n) * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Interval(low=100.0 * low, high=100.0 * high)


def intervals(results: Sequence[SampleResult], seed: int, resamples: int = RESAMPLES) -> Intervals:
    """The intervals of a run's rates; they do not depend on the order of the results."""
    ordered = sorted(results, key=lambda result: result.question_id)
    by_question = np.array([_counts_of(result) for result in ordered], dtype=np.float64)
    names = sorted({result.sequence for result in ordered})
    position = {name: index for index, name in enumerate(names)}
    by_sequence = np.zeros((len(names), 4))
    for result, counts in zip(ordered, by_question, strict=True):
        by_sequence[position[result.sequence]] += counts
    return Intervals(
        by_question=_intervals(by_question, seed, "question", resamples),
        by_sequence=_intervals(by_sequence, seed, "sequence", resamples),
        resamples=resamples,
        seed=seed,
    )


def _counts_of(result: SampleResult) -> tuple[int, bool, bool, bool]:
    score = result.score
    return 1, score.answer, score.evidence, score.combined


def _intervals(units: Counts, seed: int, unit: str, resamples: int) -> RateIntervals:
    """Intervals over units that are drawn whole.

    ``units`` is (units, 4): questions, right answers, right evidence, both right. With fewer than
    two units nothing can be said.
    """
    if len(units) < 2:
        return RateIntervals(
            answer=_UNDEFINED,
            evidence=_UNDEFINED,
            combined=_UNDEFINED,
            conditional_hallucination=_UNDEFINED,
        )
    totals = _resampled_totals(units, generator(seed, "bootstrap", unit), resamples)
    n, answer, evidence, combined = totals.T
    return RateIntervals(
        answer=_rate_interval(units[:, 1], units[:, 0], answer, n),
        evidence=_rate_interval(units[:, 2], units[:, 0], evidence, n),
        combined=_rate_interval(units[:, 3], units[:, 0], combined, n),
        conditional_hallucination=_rate_interval(
            units[:, 1] - units[:, 3], units[:, 1], answer - combined, answer
        ),
    )


def _resampled_totals(units: Counts, random: np.random.Generator, resamples: int) -> Counts:
    """Sums over the drawn units, (resamples, 4)."""
    totals = np.empty((resamples, units.shape[1]))
    for start in range(0, resamples, _RESAMPLES_A_PIECE):
        stop = min(start + _RESAMPLES_A_PIECE, resamples)
        drawn = random.integers(0, len(units), size=(stop - start, len(units)))
        for row, indices in enumerate(drawn, start=start):
            weights = np.bincount(indices, minlength=len(units))
            totals[row] = weights @ units
    return totals


def _rate_interval(
    successes: Counts, trials: Counts, drawn_successes: Counts, drawn_trials: Counts
) -> Interval:
    """The interval of successes / trials, in percent; none where there is no trial at all.

    A resample without a trial leaves the rate undefined. It may then have any value, so it
    counts as 0 for the lower end and as 100 for the upper one.
    """
    if trials.sum() == 0:
        return _UNDEFINED
    if successes.sum() in (0, trials.sum()):
        units = int((trials > 0).sum())
        return wilson(units if successes.sum() else 0, units)
    defined = drawn_trials > 0
    rate = np.divide(drawn_successes, drawn_trials, out=np.zeros_like(drawn_trials), where=defined)
    tail = (1.0 - LEVEL) / 2
    low = np.quantile(np.where(defined, rate, 0.0), tail)
    high = np.quantile(np.where(defined, rate, 1.0), 1.0 - tail)
    return Interval(low=100.0 * float(low), high=100.0 * float(high))
