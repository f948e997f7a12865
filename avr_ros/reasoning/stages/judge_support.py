"""Stage ``judge_support``: how far pictures support a known answer (EviSeek, appendix B).

The judge is told the question, the options and the right answer, and shown the numbered pictures
of the call that answered. What was predicted is kept from it.
"""

from typing import Final

from avr_ros.reasoning.stage import StageImage, StageRequest, limited
from avr_ros.reasoning.stages.contract import AnswerContract, ShownView, images_of
from avr_ros.schema.model import Record

STAGE: Final = "judge_support"


class JudgeInputs(Record):
    """The question, its answer's form, the right answer in words, and the numbered pictures.

    ``tolerance`` is how far from a frame (in frames) or a number (in its unit) answers still count
    as right, none where only the right answer does. ``views`` name and place the pictures; they
    hold neither notes nor outcomes.
    """

    question: str
    contract: AnswerContract
    reference_answer: str
    tolerance: float | None = None
    views: tuple[ShownView, ...]


class JudgeReply(Record):
    """The grade: ``1``, ``0.5`` or ``0``."""

    reason: str = ""
    grade: str


def judge_request(
    inputs: JudgeInputs, images: tuple[StageImage, ...], scope: str = ""
) -> StageRequest[JudgeReply]:
    """Ask for the grade."""
    shown = images_of(inputs.views, images)
    return StageRequest(STAGE, inputs, limited(JudgeReply, grade=["0", "0.5", "1"]), shown, scope)
