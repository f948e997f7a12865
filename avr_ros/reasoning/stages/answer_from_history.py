"""Stage ``answer_from_history``: the answer from a textual history and the latest views.

This is the memory of the single-model agent: all of the text, the current view and up to five
before it. It serves that agent's forced choice and the ablation without an evidence board.
"""

from typing import Final

from avr_ros.reasoning.stage import StageImage, StageRequest
from avr_ros.reasoning.stages.answer_reply import AnswerReply, answer_reply_type
from avr_ros.reasoning.stages.contract import AnswerContract, ShownView, images_of
from avr_ros.schema.model import Record

STAGE: Final = "answer_from_history"


class HistoryInputs(Record):
    """The question, its answer's form, every step in words and the latest views."""

    question: str
    contract: AnswerContract
    history: tuple[str, ...]
    views: tuple[ShownView, ...]


def history_request(
    inputs: HistoryInputs, images: tuple[StageImage, ...], scope: str = ""
) -> StageRequest[AnswerReply]:
    """Ask for the answer."""
    names = [view.name for view in inputs.views]
    reply = answer_reply_type(inputs.contract, names)
    return StageRequest(STAGE, inputs, reply, images_of(inputs.views, images), scope)
