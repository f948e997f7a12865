"""Stage ``demands``: what must be seen to answer a question (EviSeek, section 4.2).

Each demand is an observable acquisition target that the question depends on. It says what to
observe, never what will be seen: it must not assume that a candidate answer is right.
"""

from typing import Final

from pydantic import Field, create_model

from avr_ros.reasoning.stage import StageImage, StageRequest
from avr_ros.reasoning.stages.contract import AnswerContract, ShownView
from avr_ros.schema.model import Record

STAGE: Final = "demands"


class DemandsInputs(Record):
    """The question, its answer's form, the environment and the first view.

    ``refused`` holds demands of an earlier reply that were refused, with the reasons; ``accepted``
    those of it that stand, whatever the next reply is.
    """

    question: str
    contract: AnswerContract
    environment: str
    view: ShownView
    most: int
    accepted: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


class DemandsReply(Record):
    """The demands, one sentence each."""

    demands: tuple[str, ...] = Field(min_length=1)


def demands_request(
    inputs: DemandsInputs, image: StageImage, scope: str = ""
) -> StageRequest[DemandsReply]:
    """Ask for a question's demands."""
    reply = create_model(
        "DemandsReply",
        __base__=DemandsReply,
        __doc__=DemandsReply.__doc__,
        demands=(tuple[str, ...], Field(min_length=1, max_length=inputs.most)),
    )
    return StageRequest(STAGE, inputs, reply, (image,), scope)
