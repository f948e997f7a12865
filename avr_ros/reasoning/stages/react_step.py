"""Stage ``react_step``: observe once more, or answer (JRDB-AVR, C.4)."""

from typing import Any, Final

from pydantic import Field, create_model

from avr_ros.reasoning.stage import StageImage, StageRequest, limited
from avr_ros.reasoning.stages.answer_reply import AnswerReply, answer_reply_type
from avr_ros.reasoning.stages.contract import AnswerContract, ShownView, images_of
from avr_ros.schema.model import Record

STAGE: Final = "react_step"

OBSERVE: Final = "observe"
"""Ask for one view."""

ANSWER: Final = "answer"
"""End with the answer."""


class ReactInputs(Record):
    """All that the model is told before a step.

    ``history`` has a line for each step; ``views`` is the latest view, none before the first one;
    frames from ``first_frame`` to ``last_frame`` may be asked for, ``remaining`` times.
    """

    question: str
    contract: AnswerContract
    first_frame: int
    last_frame: int
    history: tuple[str, ...]
    views: tuple[ShownView, ...]
    remaining: int
    step: int


class ReactReply(Record):
    """A thought and an action: a view's frame and azimuth, or the answer with its evidence."""

    thought: str = ""
    action: str
    frame_id: int | None = Field(default=None, ge=0)
    azimuth_deg: float | None = Field(default=None, ge=-360, le=360)
    answer: AnswerReply | None = None


def react_request(
    inputs: ReactInputs, images: tuple[StageImage, ...], scope: str = ""
) -> StageRequest[ReactReply]:
    """Ask for one step. Before the first view nothing can be answered, without budget only that."""
    legal = [OBSERVE] if inputs.remaining > 0 else []
    legal += [ANSWER] if inputs.views or not legal else []
    answer: Any = answer_reply_type(inputs.contract, [view.name for view in inputs.views])
    reply = create_model(
        "ReactReply",
        __base__=limited(ReactReply, action=legal),
        __doc__=ReactReply.__doc__,
        answer=(answer | None, None),
    )
    return StageRequest(STAGE, inputs, reply, images_of(inputs.views, images), scope)
