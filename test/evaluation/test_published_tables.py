"""EviSeek's published tables come out of their own components."""

import json

import numpy as np
import pytest
from published_eviseek import (
    ABLATIONS,
    CATEGORIES,
    COMPARISONS,
    OVERALL,
    PARTS,
    QUESTIONS,
    RESAMPLES,
    SEED,
    SUBCATEGORIES,
    SUPPORTED_OVERALL,
)

from avr_ros.evaluation.averages import macro_average, micro_average
from avr_ros.evaluation.holm import holm
from avr_ros.evaluation.paired import mcnemar_exact, wins_and_losses
from avr_ros.evaluation.resampling import difference_interval
from avr_ros.evaluation.visual_support import JudgedAnswer, VisualSupport, visual_support


def differences(n_plus: int, n_minus: int) -> np.ndarray:
    """Per-question differences in an arbitrary order."""
    values = np.zeros(QUESTIONS)
    values[:n_plus], values[n_plus : n_plus + n_minus] = 1, -1
    return np.random.default_rng(1).permutation(values)


@pytest.mark.parametrize("name", COMPARISONS)
def test_table_9(name: str) -> None:
    n_plus, n_minus, difference, low, high = COMPARISONS[name]
    values = differences(n_plus, n_minus)
    assert wins_and_losses(values) == (n_plus, n_minus)
    assert round(100 * values.mean(), 2) == difference
    interval = difference_interval(values, SEED, RESAMPLES)
    assert interval.low is not None and interval.high is not None
    assert (round(interval.low, 2), round(interval.high, 2)) == (low, high)


def test_table_9_p_values() -> None:
    exact = [mcnemar_exact(n_plus, n_minus) for n_plus, n_minus, *_ in COMPARISONS.values()]
    assert [f"{p:.2e}" for p in exact] == ["9.02e-36", "1.99e-13", "9.13e-45", "2.09e-05"]
    assert [f"{p:.2e}" for p in holm(exact)] == ["2.71e-35", "3.97e-13", "3.65e-44", "2.09e-05"]
    assert all(p < 0.001 for p in holm(exact))


@pytest.mark.parametrize("column", range(6))
def test_overall_accuracy_is_the_micro_average_of_either_table(column: int) -> None:
    sizes = [row[0] for row in CATEGORIES.values()]
    shown = [row[1 + column] for row in CATEGORIES.values()]
    counts = [
        100 * round(size * rate / 100) / size for size, rate in zip(sizes, shown, strict=True)
    ]
    assert sum(sizes) == QUESTIONS
    assert round(micro_average(counts, sizes) or 0, 1) == OVERALL[column]
    fine_sizes = [row[0] for row in SUBCATEGORIES.values()]
    fine = [
        100 * round(size * accuracies[column] / 100) / size
        for size, accuracies, _ in SUBCATEGORIES.values()
    ]
    assert micro_average(fine, fine_sizes) == pytest.approx(micro_average(counts, sizes))


def test_micro_and_macro_of_the_subcategories() -> None:
    sizes = [row[0] for row in SUBCATEGORIES.values()]
    accuracies = [row[1][2] for row in SUBCATEGORIES.values()]
    supported = [row[2][1] for row in SUBCATEGORIES.values()]
    assert len(sizes) == 29
    assert sum(sizes) == QUESTIONS
    assert round(micro_average(accuracies, sizes) or 0, 2) == 52.71
    assert round(macro_average(accuracies) or 0, 2) == 45.87
    assert round(micro_average(supported, sizes) or 0, 2) == 38.71


@pytest.mark.parametrize("column", range(4))
def test_table_6_and_figure_2(column: int) -> None:
    found = visual_support(judged(column))
    c, gw, p, n = PARTS[column]
    assert found.n == QUESTIONS
    assert round(found.supported_right, 2) == SUPPORTED_OVERALL[column] == c
    assert round(found.supported_wrong, 2) == gw
    assert round(found.unsupported_right, 2) == p
    assert round(found.unsupported_wrong, 2) == pytest.approx(n, abs=0.011)
    assert round(found.accuracy, 1) == OVERALL[(1, 2, 4, 5)[column]]
    assert found.unsupported_right == pytest.approx(found.accuracy - found.supported_right)
    assert parts_of(found) == pytest.approx(100.0, abs=1e-9)
    assert c + gw + p + n == pytest.approx(100.0, abs=0.02)


def test_table_3() -> None:
    # The reference of both tables, 52.7, less each ablation's accuracy.
    for accuracy, published in ABLATIONS.values():
        assert round(accuracy - OVERALL[2], 1) == published


def judged(column: int) -> list[JudgedAnswer]:
    """Graded answers with the published counts: of each subcategory the right ones with its
    support, and wrong ones with the support that figure 2 gives to all wrong answers."""
    answers: list[JudgedAnswer] = []
    wrong_halves = round(2 * QUESTIONS * PARTS[column][1] / 100)
    for name, (size, accuracies, supported) in SUBCATEGORIES.items():
        right = round(size * accuracies[(1, 2, 4, 5)[column]] / 100)
        halves = round(2 * size * supported[column] / 100)
        assert halves <= 2 * right
        for number in range(size):
            if number < right:
                given = min(2, halves)
                halves -= given
            else:
                given = min(2, wrong_halves)
                wrong_halves -= given
            answers.append(
                JudgedAnswer(
                    question_id=json.dumps([name, number]),
                    score=1.0 if number < right else 0.0,
                    support=given / 2,
                )
            )
    assert wrong_halves == 0
    return answers


def parts_of(found: VisualSupport) -> float:
    return (
        found.supported_right
        + found.supported_wrong
        + found.unsupported_right
        + found.unsupported_wrong
    )
