"""Judges a run's open answers against the right ones (LLM-Match), and keeps the marks.

Open are answers that are not picked from choices. The judge is asked once for each that was
given; one that is missing or whose judge gave no clear mark scores 0 and stays in the mean.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from avr_ros.evaluation.external.llm_match import LlmMatch, llm_match, parse_mark
from avr_ros.evaluation.judge_lines import read_lines
from avr_ros.evaluation.judging import Judging, LineFacts
from avr_ros.evaluation.stored_run import StoredRun
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.reasoning.backends.local import LocalBackend
from avr_ros.reasoning.call import CallOutcome, ModelCallError
from avr_ros.reasoning.stages.contract import contract_of
from avr_ros.reasoning.stages.judge_match import MatchInputs, match_request
from avr_ros.schema.answer import Answer
from avr_ros.schema.answer_key import AnswerKey
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record
from avr_ros.schema.question import Question
from avr_ros.schema.result import SampleResult
from avr_ros.schema.vocabulary import AnswerMode

MATCH_NAME: Final = "match.jsonl"
"""The file of a run folder that holds marks, one a line."""


WHAT: Final = "mark of an answer"
"""What a line of it is."""


class MatchLine(Record):
    """One mark from 1 to 5, none where the judge gave no clear one; how the call ended."""

    format: Literal["avr_ros/match"] = "avr_ros/match"
    version: Literal[1] = 1
    judge: str
    question_id: str
    attempt: int = Field(ge=1)
    mark: int | None = Field(ge=1, le=5)
    reason: str = ""
    outcome: CallOutcome
    problem: str = ""
    tokens_in: int = Field(default=0, ge=0)
    tokens_out: int = Field(default=0, ge=0)


class Matched(Record):
    """LLM-Match of a run's open answers by one judge.

    ``unanswered`` were abstentions and failures, ``judge_failures`` answers without a clear mark;
    both score 0. ``stand_in_judge`` and ``oracle_perception`` as in visual support.
    """

    judge: str
    stand_in_judge: bool
    oracle_perception: bool
    match: LlmMatch
    unanswered: int
    judge_failures: int
    tokens_in: int
    tokens_out: int


def match_run(
    run: StoredRun,
    keys: Mapping[str, AnswerKey],
    judge: ModelBackend,
    answer_text: Callable[[Answer, Question], str],
) -> Matched:
    """Mark every open answer that this judge has not marked, and sum up.

    A judge that was out of reach is asked again; one that refused or gave no clear mark is not.
    ``answer_text`` puts an answer into words. Raises BadInputError for a run without results of
    open questions, and JudgeSilentError where the judge stays out of reach.
    """
    results = [item for item in run.results if item.answer_mode is not AnswerMode.CHOICE]
    if not results:
        raise BadInputError(
            f"{run.folder} has no results of open questions; "
            "choices need no judge, and support is judged with --what support"
        )
    questions = {question.question_id: question for question in run.questions}

    def ask(result: SampleResult, given: Answer) -> MatchLine:
        question = questions[result.question_id]
        key = keys[result.question_id]
        inputs = MatchInputs(
            question=question.text,
            reference_answer=answer_text(key.answer, question),
            given_answer=answer_text(given, question),
            contract=contract_of(question),
            tolerance=key.tolerance,
        )
        return _mark(inputs, result.question_id, result.attempt, judge)

    wanted = [
        (result.question_id, result.attempt, partial(ask, result, given))
        for result in results
        if (given := result.prediction.answer) is not None
    ]
    lines = _judging(run.folder / MATCH_NAME).lines(judge.name, wanted)
    unanswered = len(results) - len(lines)
    return Matched(
        judge=judge.name,
        stand_in_judge=judge.name == LocalBackend.NAME,
        oracle_perception=run.specification.oracle_perception,
        match=llm_match([*(line.mark for line in lines), *[None] * unanswered]),
        unanswered=unanswered,
        judge_failures=sum(line.mark is None for line in lines),
        tokens_in=sum(line.tokens_in for line in lines),
        tokens_out=sum(line.tokens_out for line in lines),
    )


def read_matches(path: Path) -> Iterator[MatchLine]:
    """The marks of a file, none where there is no file. Raises BadInputError with the line."""
    return read_lines(path, MatchLine, WHAT)


def _judging(path: Path) -> Judging[MatchLine]:
    return Judging(
        path,
        MatchLine,
        WHAT,
        lambda line: LineFacts(line.judge, line.question_id, line.attempt, line.mark, line.outcome),
    )


def _mark(inputs: MatchInputs, question_id: str, attempt: int, judge: ModelBackend) -> MatchLine:
    """Ask the judge about one answer."""
    reason = ""
    try:
        reply = judge.ask(match_request(inputs, question_id))
    except ModelCallError as error:
        record = error.record
        mark = parse_mark(record.text) if record.outcome is CallOutcome.INVALID_REPLY else None
    else:
        record, mark, reason = reply.record, int(reply.value.mark), reply.value.reason
    return MatchLine(
        judge=judge.name,
        question_id=question_id,
        attempt=attempt,
        mark=mark,
        reason=reason,
        outcome=record.outcome,
        problem=record.problem,
        tokens_in=record.tokens_in,
        tokens_out=record.tokens_out,
    )
