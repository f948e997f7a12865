"""Intervals and reports: published and hand-worked values."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_doubles import question, specification

from avr_ros.evaluation.build_report import build_report, running_seconds
from avr_ros.evaluation.journal import JournalEntry
from avr_ros.evaluation.observation_use import observation_use, reference_observations
from avr_ros.evaluation.statistics import intervals, wilson
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import FrameSpan
from avr_ros.schema.report import Interval, RateIntervals
from avr_ros.schema.result import Cost, EvidenceReason, SampleResult, Score
from avr_ros.schema.vocabulary import AnswerMode, Family


def result(
    number: int, answer: bool, evidence: bool, sequence: str = "s", observations: int = 4
) -> SampleResult:
    return SampleResult(
        question_id=f"q{number:03d}",
        family=Family.ACTION_BOUNDARY,
        answer_mode=AnswerMode.FRAME,
        sequence=sequence,
        attempt=1,
        prediction=Prediction(answer=FrameAnswer(frame_id=1)),
        score=Score(
            answer=answer,
            evidence=evidence,
            combined=answer and evidence,
            evidence_reason=EvidenceReason.SUPPORTED if evidence else EvidenceReason.LOW_IOU,
        ),
        cost=Cost(observations=observations, seconds=2.0),
    )


def test_wilson_agrees_with_published_values() -> None:
    # Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
    for successes, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        interval = wilson(successes, n)
        assert interval.low == pytest.approx(100 * low, abs=0.005)
        assert interval.high == pytest.approx(100 * high, abs=0.005)
    assert wilson(0, 0) == Interval(low=None, high=None)


def test_bootstrap_of_a_proportion_is_near_its_normal_interval() -> None:
    results = [result(number, number % 4 == 0, True) for number in range(400)]
    interval = intervals(results, seed=3).by_question.answer
    half = 100 * 1.96 * math.sqrt(0.25 * 0.75 / 400)
    assert interval.low == pytest.approx(25 - half, abs=0.8)
    assert interval.high == pytest.approx(25 + half, abs=0.8)


def test_questions_of_a_sequence_are_drawn_together() -> None:
    results = [
        result(10 * group + number, group % 2 == 0, True, f"s{group}")
        for group in range(10)
        for number in range(10)
    ]
    found = intervals(results, seed=3)
    half = 100 * 1.96 * math.sqrt(0.25 / 10)
    assert found.by_sequence.answer.low == pytest.approx(50 - half, abs=6)
    assert found.by_sequence.answer.high == pytest.approx(50 + half, abs=6)
    width = found.by_question.answer.high - found.by_question.answer.low  # type: ignore[operator]
    assert width == pytest.approx(2 * 100 * 1.96 * math.sqrt(0.25 / 100), abs=2)


def test_hallucination_is_a_ratio_in_each_resample() -> None:
    # Of 60 right answers 15 lack evidence; the interval of 25 % is that of 60 draws, not of 200.
    results = [result(number, number < 60, number >= 15) for number in range(200)]
    interval = intervals(results, seed=3).by_question.conditional_hallucination
    half = 100 * 1.96 * math.sqrt(0.25 * 0.75 / 60)
    assert interval.low == pytest.approx(25 - half, abs=1.5)
    assert interval.high == pytest.approx(25 + half, abs=1.5)


def test_agreeing_questions_get_wilsons_interval() -> None:
    results = [result(number, True, True, f"s{number % 4}") for number in range(40)]
    found = intervals(results, seed=1)
    assert found.by_question.combined == wilson(40, 40)
    assert found.by_question.conditional_hallucination == wilson(0, 40)
    assert found.by_sequence.combined == wilson(4, 4)


def test_no_right_answer_leaves_hallucination_undefined() -> None:
    results = [result(number, False, True) for number in range(10)]
    report = report_of(results)
    assert report.conditional_hallucination is None
    found = report.intervals.by_question.conditional_hallucination
    assert found == Interval(low=None, high=None)


def test_rarely_defined_ratio_has_a_wide_interval() -> None:
    # About 37 % of the resamples have no right answer, so nothing is known of the ratio.
    results = [result(number, number == 0, True) for number in range(30)]
    results[0] = result(0, True, True)
    results.append(result(30, True, False))
    found = intervals(results, seed=1).by_question.conditional_hallucination
    assert (found.low, found.high) == (0.0, 100.0)


def test_one_sequence_says_nothing_of_others() -> None:
    found = intervals([result(number, number < 5, True) for number in range(10)], seed=1)
    assert found.by_sequence.answer == Interval(low=None, high=None)
    assert found.by_question.answer != Interval(low=None, high=None)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 3)), min_size=1, max_size=30),
    st.randoms(use_true_random=False),
)
def test_intervals_hold_the_rate_and_ignore_the_order(
    rows: list[tuple[bool, bool, int]], random: object
) -> None:
    results = [result(n, a, e, f"s{s}") for n, (a, e, s) in enumerate(rows)]
    report = report_of(results)
    shuffled = list(results)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert intervals(shuffled, seed=1) == report.intervals
    for group in (report.intervals.by_question, report.intervals.by_sequence):
        for name in RateIntervals.model_fields:
            interval = getattr(group, name)
            rate = getattr(report, name)
            if interval.low is not None:
                assert 0 <= interval.low <= interval.high <= 100
                if name != "conditional_hallucination" and len(rows) > 8:
                    assert interval.low - 1e-9 <= rate <= interval.high + 1e-9


def report_of(results: list[SampleResult]):  # type: ignore[no-untyped-def]
    questions = {item.question_id: question(n) for n, item in enumerate(results)}
    return build_report(specification(), results, questions, {}, "2024", 1.0)


def test_report_counts_every_question() -> None:
    results = [
        result(0, True, True),
        result(1, True, False),
        result(2, False, True),
        result(3, False, False).model_copy(
            update={"prediction": Prediction(abstained=True, reason="no")}
        ),
    ]
    report = report_of(results)
    assert (report.n, report.answer, report.evidence, report.combined) == (4, 50.0, 50.0, 25.0)
    assert report.conditional_hallucination == 50.0
    assert report.failures == {"abstained": 1}
    assert report.cost.observations == 4.0
    assert report.cost.seconds == 2.0


def test_reference_observations() -> None:
    asked = question(0).model_copy(
        update={"legal_frames": (FrameSpan(first=0, last=199), FrameSpan(first=300, last=319))}
    )
    # 220 frames, windows of 11: 20 windows, 5 halvings.
    assert reference_observations(asked, 220) == 8 + 5 + 2
    assert reference_observations(asked, 11) == 8 + 0 + 2
    assert reference_observations(asked, None) is None
    for family, expected in (
        (Family.RELATION_CHAIN, 8 + 2),
        (Family.TEMPORAL_CHAIN, 8 + 8 + 2),
        (Family.UNIQUE_ANCHOR_STATE, 8 + 8 + 2),
        (Family.CHAIN_HYBRID, 8 + 5 + 2),
    ):
        other = asked.model_copy(update={"family": family})
        assert reference_observations(other, 220) == expected
    gap = asked.model_copy(update={"family": Family.LONG_RANGE, "unit": "s", "tolerance": 1.0})
    assert reference_observations(gap, 600) == 8 + 5 + 2  # 600 / 31 frames
    assert reference_observations(asked.model_copy(update={"family": None}), 220) is None
    use = observation_use([result(0, True, True, observations=7)], {"q000": asked}, {})
    assert use["action_boundary"].median == 7.0
    assert use["action_boundary"].reference == 15.0
    whole = question(0, "s")
    use = observation_use([result(0, True, True)], {"q000": whole}, {"s": 22})
    assert use["action_boundary"].reference == 8 + 1 + 2


def test_pauses_between_sessions_do_not_count() -> None:
    def entry(session: int, seconds: float) -> JournalEntry:
        return JournalEntry(
            **dict(result(1, True, True)),
            session=session,
            session_seconds=seconds,
            finished_at="2024",
        )

    assert running_seconds([entry(1, 3.0), entry(1, 2.0), entry(2, 4.0)]) == 7.0
    assert running_seconds([]) == 0.0
