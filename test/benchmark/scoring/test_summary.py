"""Tables of scores, and the published scores under our definitions."""

import pytest

from avr_ros.benchmark.scoring.summary import conditional_hallucination, rates, summarise
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.prediction import FailureKind, Prediction
from avr_ros.schema.result import Cost, EvidenceReason, SampleResult, Score
from avr_ros.schema.vocabulary import AnswerMode, Family

ANSWERED = Prediction(answer=FrameAnswer(frame_id=1))


def result(
    answer: bool,
    evidence: bool,
    prediction: Prediction = ANSWERED,
    family: Family | None = Family.ACTION_BOUNDARY,
    mode: AnswerMode = AnswerMode.FRAME,
) -> SampleResult:
    """A scored question."""
    return SampleResult(
        question_id="q",
        family=family,
        answer_mode=mode,
        sequence="s",
        attempt=1,
        prediction=prediction,
        score=Score(
            answer=answer,
            evidence=evidence,
            combined=answer and evidence,
            evidence_reason=EvidenceReason.SUPPORTED if evidence else EvidenceReason.NO_EVIDENCE,
        ),
        cost=Cost(),
    )


def test_rates_are_percent_of_all_questions() -> None:
    rows = [result(True, True), result(True, False), result(True, False), result(False, True)]
    table = rates(rows)
    assert (table.n, table.answer, table.evidence, table.combined) == (4, 75.0, 50.0, 25.0)
    assert table.conditional_hallucination == pytest.approx(100 * 2 / 3)


def test_no_right_answer_leaves_hallucination_undefined() -> None:
    table = rates([result(False, True), result(False, False)])
    assert (table.answer, table.combined) == (0.0, 0.0)
    assert table.conditional_hallucination is None


def test_every_right_answer_supported_is_no_hallucination() -> None:
    assert rates([result(True, True), result(False, False)]).conditional_hallucination == 0.0


def test_no_question_at_all() -> None:
    table = rates([])
    assert (table.n, table.answer, table.conditional_hallucination) == (0, 0.0, None)


def test_tables_by_family_and_mode_hold_what_occurs() -> None:
    summary = summarise(
        [
            result(True, True, family=Family.LONG_RANGE, mode=AnswerMode.NUMBER),
            result(False, False),
            result(True, False),
            result(True, True, family=None, mode=AnswerMode.CHOICE),
        ]
    )
    assert list(summary.by_family) == ["action_boundary", "long_range", "none"]
    assert summary.by_family["action_boundary"].answer == 50.0
    assert list(summary.by_answer_mode) == ["choice", "frame", "number"]
    assert sum(table.n for table in summary.by_family.values()) == summary.overall.n == 4
    assert summary.evidence_reasons == {"supported": 2, "no_evidence": 2}


def test_failures_are_counted_by_kind_and_stay_in_the_denominator() -> None:
    summary = summarise(
        [
            result(True, True),
            result(False, False, Prediction(abstained=True)),
            result(False, False, Prediction(abstained=True)),
            result(False, False, Prediction(failure=FailureKind.PARSE_FAILURE)),
            result(False, False, Prediction(failure=FailureKind.MODEL_TIMEOUT)),
        ]
    )
    assert summary.failures == {"abstained": 2, "model_timeout": 1, "parse_failure": 1}
    assert summary.overall.n == 5
    assert summary.overall.answer == 20.0


def test_published_scores_agree_with_the_definition() -> None:
    # JRDB-AVR, section 5.1: the agent has 38.51 answer and 14.54 combined.
    agent = conditional_hallucination(14.54, 38.51)
    assert agent is not None
    assert round(agent, 1) == 62.2
    # ReAct with Qwen3.5 9B has the best baseline's 5.96 combined, and no baseline answers more
    # than 33.65; 81.22 is the smallest hallucination published for a baseline.
    most = conditional_hallucination(5.96, 33.65)
    assert most is not None
    assert round(most, 2) == 82.29
    assert most >= 81.22
    # So it answers at least what gives 81.22.
    least = 5.96 / (1 - 81.22 / 100)
    assert round(least, 1) == 31.7
    assert conditional_hallucination(5.96, least) == pytest.approx(81.22)
