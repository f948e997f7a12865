"""Judging a finished run's open answers: what is asked, lenient marks, failures, going on."""

from pathlib import Path

import pytest
from rich.console import Console
from test_judge_run import finished

from avr_ros.benchmark.question_files import read_keys
from avr_ros.evaluation.match_run import MATCH_NAME, Matched, match_run, read_matches
from avr_ros.evaluation.stored_run import load_run
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.reasoning.backends.local import LocalBackend
from avr_ros.reasoning.backends.scripted import ScriptedBackend
from avr_ros.report.answer_text import answer_text
from avr_ros.report.match_table import match_table
from avr_ros.schema.errors import BadInputError


def matched(run: Path, keys: Path, judge: ModelBackend) -> Matched:
    stored = load_run(run)
    return match_run(stored, read_keys(keys, stored.question_set), judge, answer_text)


def test_given_answers_are_marked_and_missing_ones_score_nothing(tmp_path: Path) -> None:
    run, keys = finished(tmp_path)
    judge = ScriptedBackend({"judge_match": ["**Your mark: 5**", '{"mark": 3}']})
    found = matched(run, keys, judge)
    # (5 - 1) / 4 and (3 - 1) / 4 of four questions; one abstained, one failed.
    assert (found.match.n, found.match.score) == (4, 37.5)
    assert (found.unanswered, found.judge_failures) == (2, 0)
    said = judge.requests[1].inputs.model_dump()
    assert (said["reference_answer"], said["given_answer"]) == ("frame 10", "frame 77777")
    assert judge.requests[1].images == ()
    assert [line.mark for line in read_matches(run / MATCH_NAME)] == [5, 3]


def test_failures_keep_their_question_and_only_a_judge_out_of_reach_is_asked_again(
    tmp_path: Path,
) -> None:
    run, keys = finished(tmp_path)
    first = matched(run, keys, ScriptedBackend({"judge_match": ["who knows"]}))
    assert (first.match.n, first.match.score, first.judge_failures) == (4, 0.0, 2)
    back = ScriptedBackend({"judge_match": ['{"mark": "5"}']})
    second = matched(run, keys, back)
    assert [request.scope for request in back.requests] == ["q001"]
    assert (second.match.score, second.judge_failures) == (25.0, 1)
    (run / MATCH_NAME).write_text("nonsense\n")
    with pytest.raises(BadInputError, match="1: no mark of an answer"):
        matched(run, keys, back)


def test_a_stand_in_judge_is_named_on_the_table(tmp_path: Path) -> None:
    run, keys = finished(tmp_path)
    found = matched(run, keys, LocalBackend())
    assert (found.match.score, found.judge_failures) == (25.0, 0)
    assert "Stand-in judge" in _printed(found)
    other = found.model_copy(update={"stand_in_judge": False, "oracle_perception": True})
    assert "Stand-in judge" not in _printed(other) and "Oracle perception" in _printed(other)


def _printed(found: Matched) -> str:
    console = Console(width=200)
    with console.capture() as capture:
        console.print(match_table(found))
    return " ".join(capture.get().split())
