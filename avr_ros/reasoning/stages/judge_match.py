"""Stage ``judge_match``: how well an answer in words matches the right one (LLM-Match).

OpenEQA (Majumdar et al. 2024, section 5): the judge is told question, right answer and the answer
that was given, sees no picture, and marks from 1 to 5.
"""

from typing import Final

from avr_ros.reasoning.stage import StageRequest, limited
from avr_ros.reasoning.stages.contract import AnswerContract
from avr_ros.schema.model import Record

STAGE: Final = "judge_match"


class MatchInputs(Record):
    """The question, the right answer, others that are accepted too, and the one that was given.

    Where the answer has a form, ``contract`` says it, and ``tolerance`` how far from a frame (in
    frames) or a number (in its unit) an answer still counts as right. Free texts have neither.
    """

    question: str
    reference_answer: str
    accepted: tuple[str, ...] = ()
    given_answer: str
    contract: AnswerContract | None = None
    tolerance: float | None = None


class MatchReply(Record):
    """The mark, ``1`` (another answer) to ``5`` (the same)."""

    reason: str = ""
    mark: str


def match_request(inputs: MatchInputs, scope: str = "") -> StageRequest[MatchReply]:
    """Ask for the mark; ``scope`` is the question's id."""
    marks = limited(MatchReply, mark=["1", "2", "3", "4", "5"])
    return StageRequest(STAGE, inputs, marks, scope=scope)
