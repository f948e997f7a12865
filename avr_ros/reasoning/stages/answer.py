"""Stage ``answer``: the answer from question, demands and retained evidence alone (EviSeek, 4.4).

Neither plan, goals, history nor coverage labels are among its inputs. With one view and no demands
it is the passive baseline's answer, with none the blind one's.
"""

from typing import Final

from avr_ros.reasoning.stage import StageImage, StageRequest
from avr_ros.reasoning.stages.answer_reply import AnswerReply, answer_reply_type
from avr_ros.reasoning.stages.contract import AnswerContract, ShownView, images_of
from avr_ros.schema.model import Record

STAGE: Final = "answer"


class AnswerInputs(Record):
    """The question and its answer's form, the demands, and the evidence with notes and outcomes."""

    question: str
    contract: AnswerContract
    demands: tuple[str, ...] = ()
    views: tuple[ShownView, ...] = ()


def answer_request(
    inputs: AnswerInputs, images: tuple[StageImage, ...], scope: str = ""
) -> StageRequest[AnswerReply]:
    """Ask for the answer."""
    names = [view.name for view in inputs.views]
    reply = answer_reply_type(inputs.contract, names)
    return StageRequest(STAGE, inputs, reply, images_of(inputs.views, images), scope)
