"""Paired tests and intervals: hand-worked values, the reference libraries, properties."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, bootstrap, wilcoxon

from avr_ros.evaluation.averages import macro_average, micro_average
from avr_ros.evaluation.holm import holm
from avr_ros.evaluation.paired import mcnemar_exact, sign_flip_test, wins_and_losses
from avr_ros.evaluation.resampling import (
    cluster_difference_interval,
    cluster_ratio_difference_interval,
    difference_interval,
    ratio_difference_interval,
)
from avr_ros.evaluation.statistics import wilson
from avr_ros.schema.report import Interval

UNDEFINED = Interval(low=None, high=None)


def ends(interval: Interval) -> tuple[float, float]:
    assert interval.low is not None and interval.high is not None
    return interval.low, interval.high


def test_mcnemar_by_hand() -> None:
    # 1 against 5 of 6: 2 (1 + 6) / 64.
    assert mcnemar_exact(1, 5) == pytest.approx(14 / 64)
    assert mcnemar_exact(3, 3) == 1.0
    assert mcnemar_exact(0, 0) == 1.0
    assert mcnemar_exact(10, 0) == pytest.approx(2 / 1024)


@given(st.integers(0, 60), st.integers(0, 60))
@settings(deadline=None)
def test_mcnemar_agrees_with_statsmodels(n_plus: int, n_minus: int) -> None:
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    reference = tables.mcnemar([[0, n_plus], [n_minus, 0]], exact=True).pvalue
    assert mcnemar_exact(n_plus, n_minus) == pytest.approx(reference, rel=1e-9)
    assert mcnemar_exact(n_plus, n_minus) == pytest.approx(mcnemar_exact(n_minus, n_plus))


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
@settings(deadline=None)
def test_holm_agrees_with_statsmodels(p_values: list[float]) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    reference = multitest.multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(list(reference))


@given(st.integers(0, 300), st.integers(1, 300))
@settings(deadline=None)
def test_wilson_agrees_with_scipy(successes: int, n: int) -> None:
    successes = min(successes, n)
    reference = binomtest(successes, n).proportion_ci(method="wilson")
    low, high = ends(wilson(successes, n))
    assert (low, high) == pytest.approx((100 * reference.low, 100 * reference.high), abs=1e-9)
    assert low < high


def test_sign_flips_by_hand() -> None:
    # 8 sign changes of (1, 1, 1) / 3; two are as far from 0 as the observed one.
    assert sign_flip_test([1, 1, 1], seed=0) == pytest.approx(2 / 8)
    assert sign_flip_test([1, 1, 1, 0, 0], seed=0) == pytest.approx(2 / 8)
    assert sign_flip_test([0.5, -0.5], seed=0) == 1.0
    assert sign_flip_test([0, 0, 0], seed=0) == 1.0
    assert sign_flip_test([], seed=0) == 1.0


@given(st.integers(0, 6), st.integers(0, 6))
@settings(deadline=None, max_examples=30)
def test_sign_flips_of_zeros_and_ones_are_mcnemars_test(n_plus: int, n_minus: int) -> None:
    values = [1.0] * n_plus + [-1.0] * n_minus
    assert sign_flip_test(values, seed=1) == pytest.approx(mcnemar_exact(n_plus, n_minus))


def test_random_sign_flips_are_near_the_rank_test_and_repeat() -> None:
    random = np.random.default_rng(5)
    values = random.choice([-1, -0.5, 0, 0.5, 1], size=200, p=[0.1, 0.15, 0.4, 0.2, 0.15])
    p = sign_flip_test(values, seed=1)
    assert p == sign_flip_test(values, seed=1)
    reference = wilcoxon(values, zero_method="pratt").pvalue
    assert p == pytest.approx(reference, abs=0.05)
    assert 0.0001 <= sign_flip_test(np.ones(300), seed=1) < 0.0002


def test_interval_agrees_with_scipys_paired_bootstrap() -> None:
    random = np.random.default_rng(2)
    system = random.choice([0, 1 / 3, 2 / 3, 1], size=300)
    reference = random.choice([0, 0.5, 1], size=300)
    expected = bootstrap(
        (system, reference),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=20_000,
        batch=1000,
        random_state=np.random.default_rng(3),
    ).confidence_interval
    found = difference_interval(system - reference, seed=3)
    assert ends(found) == pytest.approx((100 * expected.low, 100 * expected.high), abs=0.35)


def test_equal_systems_differ_by_nothing() -> None:
    assert ends(difference_interval(np.zeros(50), seed=0)) == (0.0, 0.0)
    clusters = [number % 5 for number in range(50)]
    assert ends(cluster_difference_interval(np.zeros(50), clusters, seed=0)) == (0.0, 0.0)
    rows = np.tile([1.0, 1.0, 1.0, 1.0], (50, 1))
    assert ends(ratio_difference_interval(rows, seed=0)) == (0.0, 0.0)


def test_nothing_can_be_said_of_no_question_or_one_cluster() -> None:
    assert difference_interval([], seed=0) == UNDEFINED
    assert cluster_difference_interval([1.0, 0.0], ["a", "a"], seed=0) == UNDEFINED
    assert cluster_ratio_difference_interval(np.ones((2, 4)), ["a", "a"], seed=0) == UNDEFINED


def test_clusters_are_drawn_whole() -> None:
    # Ten clusters of ten questions; the differences agree within a cluster.
    values = np.repeat([1.0, 0.0] * 5, 10)
    clusters = np.repeat(np.arange(10), 10).tolist()
    low, high = ends(cluster_difference_interval(values, clusters, seed=1))
    half = 100 * 1.96 * math.sqrt(0.25 / 10)
    assert (low, high) == pytest.approx((50 - half, 50 + half), abs=6)
    narrow = ends(difference_interval(values, seed=1))
    assert high - low > 2.5 * (narrow[1] - narrow[0])


def test_clusters_of_one_question_are_questions() -> None:
    random = np.random.default_rng(4)
    values = random.choice([-1.0, 0.0, 1.0], size=120)
    clusters = list(range(120))
    assert ends(cluster_difference_interval(values, clusters, seed=1)) == pytest.approx(
        ends(difference_interval(values, seed=1)), abs=0.9
    )


def test_unequal_clusters_weigh_by_their_questions() -> None:
    # Drawn twice, once each or the other way round: 100, 10 and 0 percent.
    values = [1.0] + [0.0] * 9
    found = cluster_difference_interval(values, ["a"] + ["b"] * 9, seed=1)
    assert ends(found) == (0.0, 100.0)


def test_ratio_is_computed_anew_in_each_resample() -> None:
    # Of 60 right answers 15 lack evidence against 30: the delta method's interval of independent
    # shares, since the right answers of the two systems do not overlap.
    rows = np.zeros((200, 4))
    rows[:60, 1], rows[:15, 0] = 1, 1
    rows[60:120, 3], rows[60:90, 2] = 1, 1
    low, high = ends(ratio_difference_interval(rows, seed=2))
    half = 100 * 1.96 * math.sqrt(0.25 * 0.75 / 60 + 0.25 / 60)
    assert (low, high) == pytest.approx((-25 - half, -25 + half), abs=1.5)


def test_ratio_without_denominator_is_undefined() -> None:
    rows = np.array([[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]])
    assert ratio_difference_interval(rows, seed=1) == UNDEFINED
    assert cluster_ratio_difference_interval(rows, ["a", "b"], seed=1) == UNDEFINED
    assert ratio_difference_interval(np.zeros((0, 4)), seed=1) == UNDEFINED


def test_rarely_defined_ratio_has_a_wide_interval() -> None:
    # A third of the resamples hold no right answer of the system: its ratio may be anything.
    rows = np.zeros((30, 4))
    rows[0, 1] = 1
    rows[:, 3] = 1
    assert ends(ratio_difference_interval(rows, seed=1)) == (0.0, 100.0)


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=1, max_size=40))
@settings(deadline=None, max_examples=40)
def test_intervals_hold_the_mean_and_turn_with_the_sign(values: list[float]) -> None:
    low, high = ends(difference_interval(values, seed=7, resamples=2000))
    mean = 100 * sum(values) / len(values)
    assert -100 <= low <= high <= 100
    if len(values) > 3:
        assert low - 1e-9 <= mean <= high + 1e-9
    n_plus, n_minus = wins_and_losses(values)
    assert wins_and_losses([-value for value in values]) == (n_minus, n_plus)
    shuffled = sorted(values)
    assert difference_interval(shuffled, 7, 2000) == difference_interval(values, 7, 2000)


def test_averages() -> None:
    assert micro_average([50.0, 100.0], [3, 1]) == 62.5
    assert macro_average([50.0, 100.0]) == 75.0
    assert micro_average([], []) is None
    assert macro_average([]) is None
    with pytest.raises(ValueError):
        micro_average([1.0], [1, 2])
