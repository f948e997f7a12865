"""Stage ``single_step``: one decision of the single-model agent (EviSeek, appendix D).

One model perceives, acts and answers: it is shown the whole textual history, the current view and
up to five before it, and returns an action, a tentative answer, a rationale and a confidence. The
confidence is part of the reply, neither a token probability nor calibrated.
"""

from typing import Any, Final

from pydantic import Field, create_model

from avr_ros.reasoning.stage import StageImage, StageRequest, limited
from avr_ros.reasoning.stages.answer_reply import AnswerReply, answer_reply_type
from avr_ros.reasoning.stages.contract import (
    AnswerContract,
    OfferedAction,
    ShownView,
    images_of,
)
from avr_ros.schema.model import Record

STAGE: Final = "single_step"

STOP: Final = "stop"
"""The action that ends the episode."""


class SingleStepInputs(Record):
    """All that the single model is told before a step.

    ``history`` has a line for each step: action, answer, confidence, result and reasoning.
    ``views`` are attached, the last one is the current view.
    """

    question: str
    contract: AnswerContract
    environment: str
    history: tuple[str, ...]
    views: tuple[ShownView, ...]
    current: str
    actions: tuple[OfferedAction, ...]
    step: int
    most_steps: int
    min_steps: int
    threshold: float


class SingleStepReply(Record):
    """What to do next, and what the answer seems to be; ``answer`` null: not sure.

    ``action`` is ``stop`` or an action; ``frame_id``, ``bearing_deg`` and ``objects`` are its
    parameters.
    """

    reasoning: str = ""
    action: str
    frame_id: int | None = Field(default=None, ge=0)
    bearing_deg: float | None = Field(default=None, ge=-360, le=360)
    objects: tuple[str, ...] = ()
    answer: AnswerReply | None = None
    confidence: float = Field(default=0.0, ge=0, le=1)


def single_step_request(
    inputs: SingleStepInputs, images: tuple[StageImage, ...], scope: str = ""
) -> StageRequest[SingleStepReply]:
    """Ask for one step."""
    answer: Any = answer_reply_type(inputs.contract, [view.name for view in inputs.views])
    reply = create_model(
        "SingleStepReply",
        __base__=limited(SingleStepReply, action=[STOP, *(item.name for item in inputs.actions)]),
        __doc__=SingleStepReply.__doc__,
        answer=(answer | None, None),
    )
    return StageRequest(STAGE, inputs, reply, images_of(inputs.views, images), scope)
