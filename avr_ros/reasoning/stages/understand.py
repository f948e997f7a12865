"""Stage ``understand``: from a question's text to what it means."""

from typing import Final

from avr_ros.reasoning.meaning import NotUnderstood, QuestionMeaning
from avr_ros.reasoning.stage import StageRequest
from avr_ros.schema.model import Record

STAGE: Final = "understand"


class UnderstandInputs(Record):
    """What is to be understood: the question's text, word for word."""

    question: str


class Understanding(Record):
    """The question's meaning, or why it has none."""

    meaning: QuestionMeaning | NotUnderstood


def understand_request(question: str, scope: str = "") -> StageRequest[Understanding]:
    """Ask what a question means; ``scope`` is the question's id."""
    return StageRequest(STAGE, UnderstandInputs(question=question), Understanding, scope=scope)
