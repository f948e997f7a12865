"""LLM-Match, OpenEQA's score of free-text answers.

A judge model marks an answer from 1 to 5; the score is the mean of (mark − 1) / 4 in percent
(Majumdar et al. 2024, section 5; open-eqa, openeqa/evaluation). As there, a missing answer scores
0. Unlike there, a reply that gives no mark does not end the evaluation: it is counted and scores
0, and questions without an answer are never left out of the mean.
"""

from collections.abc import Iterable
from typing import Final

from avr_ros.evaluation.judge_reply import single_mark
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record

MARKS: Final[tuple[int, ...]] = (1, 2, 3, 4, 5)
"""The marks a judge may give."""

_NAMES = ("your mark", "mark", "score", "rating")


class LlmMatch(Record):
    """LLM-Match in percent over ``n`` questions.

    ``without_mark`` counts those without an answer or whose judge failed; they score 0.
    """

    n: int
    score: float
    without_mark: int


def parse_mark(reply: str) -> int | None:
    """The mark in a judge's reply, none where there is no clear one from 1 to 5."""
    mark = single_mark(reply, _NAMES, MARKS, 5.0)
    return None if mark is None else int(mark)


def mark_score(mark: int | None) -> float:
    """One question's score from 0 to 1; without a mark 0. Raises BadInputError off the scale."""
    if mark is None:
        return 0.0
    if mark not in MARKS:
        raise BadInputError(f"mark {mark} is not on the scale from 1 to 5; judge the answer again")
    return (mark - 1) / 4


def llm_match(marks: Iterable[int | None]) -> LlmMatch:
    """LLM-Match of the marks of all questions, none for those without one.

    Raises BadInputError without questions.
    """
    listed = list(marks)
    if not listed:
        raise BadInputError("there is no question to score; give at least one mark")
    return LlmMatch(
        n=len(listed),
        score=100.0 * sum(map(mark_score, listed)) / len(listed),
        without_mark=sum(mark is None for mark in listed),
    )
