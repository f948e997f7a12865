"""OpenEQA's files and LLM-Match."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_data import shared_data

from avr_ros.evaluation.external.llm_match import llm_match, mark_score, parse_mark
from avr_ros.evaluation.external.openeqa import (
    OpenEqaQuestion,
    exact_match,
    exact_match_rates,
    llm_match_rates,
    read_metrics,
    read_predictions,
    read_questions,
    read_subset,
)
from avr_ros.schema.errors import BadInputError


def content(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "question": f"Where is lamp {number}?",
        "answer": "On the table",
        "category": ("object localization", "world knowledge")[number % 2],
        "question_id": f"id-{number}",
        "episode_history": "hm3d-v0/000",
        **changes,
    }


def written(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


@pytest.fixture
def questions(tmp_path: Path) -> tuple[OpenEqaQuestion, ...]:
    rows = [content(0, extra_answers=["by the sofa"]), content(1), content(2)]
    return read_questions(written(tmp_path / "questions.json", rows))


def test_llm_match_by_hand() -> None:
    found = llm_match([5, 3, 1, None])
    assert (found.n, found.score, found.without_mark) == (4, 37.5, 1)
    assert [mark_score(mark) for mark in (1, 2, 3, 4, 5, None)] == [0, 0.25, 0.5, 0.75, 1, 0]
    assert llm_match([None, None]).score == 0.0
    with pytest.raises(BadInputError, match="no question"):
        llm_match([])
    with pytest.raises(BadInputError, match="mark 6"):
        llm_match([6])


@pytest.mark.parametrize(
    ("reply", "mark"),
    [
        ("4", 4),
        ("Your mark: 3", 3),
        ("Your mark: 3.", 3),
        ("**5**", 5),
        ("4/5", 4),
        ('{"mark": 2}', 2),
        ("Score: 1\nThe answer is about another room.", 1),
        ("14", None),
        ("7", None),
        ("0", None),
        ("3.5", None),
        ("3 or 4", None),
        ("Your mark: 5\nYour mark: 2", None),
        ("", None),
    ],
)
def test_replies(reply: str, mark: int | None) -> None:
    assert parse_mark(reply) == mark


@given(st.text(max_size=60))
def test_no_reply_ends_the_evaluation(reply: str) -> None:
    assert parse_mark(reply) in (1, 2, 3, 4, 5, None)


def test_exact_match_takes_every_accepted_answer_whole(
    questions: tuple[OpenEqaQuestion, ...],
) -> None:
    asked = questions[0]
    for answer in ("On the table", "on the table.", '"On the table"', "By the sofa"):
        assert exact_match(asked, answer)
    # Upstream cuts what stands behind the last full stop; here the whole answer counts.
    for answer in ("table", "On the table by the sofa", "On the table. Not", "", "unknown", None):
        assert not exact_match(asked, answer)


def test_missing_predictions_count(questions: tuple[OpenEqaQuestion, ...], tmp_path: Path) -> None:
    path = written(
        tmp_path / "predictions.json",
        [
            {"question_id": "id-0", "answer": "by the sofa"},
            {"question_id": "id-1", "answer": None},
        ],
    )
    answers = read_predictions(path, questions)
    assert answers == {"id-0": "by the sofa", "id-1": None, "id-2": None}
    found = exact_match_rates(questions, answers)
    assert found.overall.score == pytest.approx(100 / 3)
    assert found.overall.without_mark == 2
    assert found.by_category["object localization"].score == 50.0
    assert found.by_category["world knowledge"].score == 0.0


def test_metrics_files(questions: tuple[OpenEqaQuestion, ...], tmp_path: Path) -> None:
    path = written(tmp_path / "metrics.json", {"id-0": 5, "id-1": 0})
    marks = read_metrics(path, questions)
    assert marks == {"id-0": 5, "id-1": None, "id-2": None}
    assert llm_match_rates(questions, marks).overall.score == pytest.approx(100 / 3)
    with pytest.raises(BadInputError, match="mark 9"):
        read_metrics(written(path, {"id-0": 9}), questions)
    with pytest.raises(BadInputError, match="no question, first id-7"):
        read_metrics(written(path, {"id-7": 1}), questions)


def test_bad_files_are_refused(questions: tuple[OpenEqaQuestion, ...], tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    with pytest.raises(BadInputError, match="id-1 is there 2 times"):
        read_questions(written(path, [content(1), content(1)]))
    with pytest.raises(BadInputError, match="0.answer"):
        read_questions(written(path, [content(1, answer=3)]))
    with pytest.raises(BadInputError, match="cannot be read"):
        read_questions(tmp_path / "absent.json")
    path.write_text("[{")
    with pytest.raises(BadInputError, match="JSON"):
        read_questions(path)
    with pytest.raises(BadInputError, match="no question, first id-9"):
        read_subset(written(path, ["id-9"]), questions)
    with pytest.raises(BadInputError, match="id-0 is there 2 times"):
        read_predictions(written(path, [{"question_id": "id-0", "answer": "a"}] * 2), questions)


def test_the_published_questions() -> None:
    questions = read_questions(shared_data("openeqa/open-eqa-v0.json"))
    assert len(questions) == 1636
    assert sum(bool(question.extra_answers) for question in questions) == 263
    assert len({question.episode_history for question in questions}) == 152
    answers = {question.question_id: question.answer for question in questions}
    rates = exact_match_rates(questions, answers)
    assert rates.overall.score == 100.0
    assert len(rates.by_category) == 7
    assert all(exact_match(question, text) for question in questions for text in question.accepted)
    marks = {question.question_id: 5 for question in questions}
    assert llm_match_rates(questions, marks).overall.score == 100.0
    subset = read_subset(shared_data("openeqa/open-eqa-v0-184-questions.json"), questions)
    assert len(subset) == 184
