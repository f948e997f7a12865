"""Graded scores of any benchmark compared by question id."""

import numpy as np
import pytest

from avr_ros.evaluation.external.llm_match import mark_score
from avr_ros.evaluation.paired import mcnemar_exact, sign_flip_test
from avr_ros.evaluation.score_difference import averaged_runs, compare_scores, scores_by_id
from avr_ros.evaluation.visual_support import JudgedAnswer, supported_score
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.report import Interval

UNDEFINED = Interval(low=None, high=None)


def named(values: list[float]) -> dict[str, float]:
    return {f"q{number}": value for number, value in enumerate(values)}


def test_marks_are_tested_by_permutation() -> None:
    system = named([mark_score(mark) for mark in (5, 4, 4, 3, 2, 5, 1, None)])
    reference = named([mark_score(mark) for mark in (3, 4, 2, 2, 3, 3, 1, 1)])
    found = compare_scores("llm_match", system, reference, seed=2)
    assert found.difference == pytest.approx(100 * (0.5 + 0.5 + 0.25 - 0.25 + 0.5) / 8)
    assert (found.n_plus, found.n_minus) == (4, 1)
    assert found.test == "sign_flip_permutation"
    # 32 sign changes of (2, 2, 1, 1, 2): sums of at least 6 are 8, once, and 6, twice.
    assert found.p == pytest.approx(2 * 3 / 32)
    assert found.by_sequence == UNDEFINED


def test_right_and_wrong_are_tested_exactly() -> None:
    system, reference = named([1, 1, 1, 0, 1]), named([0, 0, 1, 0, 0])
    found = compare_scores("answer", system, reference)
    assert (found.test, found.p) == ("exact_mcnemar", mcnemar_exact(3, 0))


def test_ids_are_joined_whatever_their_order() -> None:
    random = np.random.default_rng(1)
    values = random.choice([0, 0.5, 1], size=40)
    system = named(list(values))
    reference = {name: system[name] for name in reversed(system)}
    found = compare_scores("c", system, reference)
    assert (found.difference, found.p) == (0.0, 1.0)
    assert found.by_question == Interval(low=0.0, high=0.0)


def test_clusters_widen_the_interval() -> None:
    system = named([float(number // 10 % 2) for number in range(100)])
    reference = dict.fromkeys(system, 0.0)
    clusters = {name: number // 10 for number, name in enumerate(system)}
    found = compare_scores("answer", system, reference, clusters)
    narrow, wide = found.by_question, found.by_sequence
    assert narrow.low is not None and narrow.high is not None
    assert wide.low is not None and wide.high is not None
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)
    del clusters["q3"]
    with pytest.raises(BadInputError, match=r"no cluster is given for 1 question \(q3\)"):
        compare_scores("answer", system, reference, clusters)


def test_supported_accuracy_is_a_graded_score() -> None:
    answers = [
        JudgedAnswer(question_id=f"q{number}", score=score, support=support)
        for number, (score, support) in enumerate([(1, 1), (1, 0.5), (0, 1), (1, None)])
    ]
    scores = scores_by_id((answer.question_id, supported_score(answer)) for answer in answers)
    assert scores == {"q0": 1.0, "q1": 0.5, "q2": 0.0, "q3": 0.0}
    found = compare_scores("c", scores, dict.fromkeys(scores, 0.0))
    assert found.p == sign_flip_test([1.0, 0.5], seed=0)


def test_repeated_runs_are_averaged_within_a_question() -> None:
    assert averaged_runs([named([1, 0]), named([1, 1]), named([0, 0])]) == pytest.approx(
        named([2 / 3, 1 / 3])
    )
    with pytest.raises(BadInputError, match="no run"):
        averaged_runs([])
    with pytest.raises(BadInputError, match=r"lacks 1 question \(q1\)"):
        averaged_runs([named([1, 0]), named([1])])


def test_other_sets_and_repeats_are_refused() -> None:
    with pytest.raises(BadInputError, match=r"lacks 1 question \(a\) and has besides 1 question"):
        compare_scores("answer", {"a": 1.0}, {"b": 1.0})
    with pytest.raises(BadInputError, match="no question"):
        compare_scores("answer", {}, {})
    with pytest.raises(BadInputError, match="a is scored 2 times"):
        scores_by_id([("a", 1.0), ("a", 0.0)])
