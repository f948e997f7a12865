"""Stage ``act``: one tool call of the graph agent's model-driven policy (JRDB-AVR, section 4)."""

from typing import Any, Final

from pydantic import Field, create_model

from avr_ros.reasoning.stage import StageImage, StageRequest, limited
from avr_ros.reasoning.stages.answer_reply import AnswerReply, answer_reply_type
from avr_ros.reasoning.stages.contract import AnswerContract, ShownView, images_of
from avr_ros.schema.model import Record

STAGE: Final = "act"

OBSERVE: Final = "observe"
"""Ask for one view; who is in it is written into the graph."""

READ: Final = "read"
"""Read what the graph holds of one person."""

ANSWER: Final = "answer"
"""Propose the answer; it is legal only where the graph supports it."""


class ActInputs(Record):
    """All that the model is told before a tool call.

    ``plan`` is the graph plan as JSON; ``missing`` and ``conflicts`` are what the solver says of
    it; ``people`` are the entities of the graph; ``history`` has a line for each call; ``views``
    is the latest view. Frames from ``first_frame`` to ``last_frame`` may be asked for,
    ``remaining`` times; ``calls`` tool calls are left.
    """

    question: str
    contract: AnswerContract
    plan: str
    missing: tuple[str, ...]
    conflicts: tuple[str, ...]
    people: tuple[str, ...]
    history: tuple[str, ...]
    views: tuple[ShownView, ...]
    first_frame: int
    last_frame: int
    remaining: int
    calls: int


class ActReply(Record):
    """A thought and a tool call: a view's frame and azimuth, a person to read, or the answer."""

    thought: str = ""
    action: str
    frame_id: int | None = Field(default=None, ge=0)
    azimuth_deg: float | None = Field(default=None, ge=-360, le=360)
    person: str | None = None
    answer: AnswerReply | None = None


def act_request(
    inputs: ActInputs, images: tuple[StageImage, ...], scope: str = ""
) -> StageRequest[ActReply]:
    """Ask for one tool call; the reply lists what is legal now."""
    legal = [OBSERVE] if inputs.remaining > 0 else []
    legal += [READ] if inputs.people else []
    legal += [ANSWER] if inputs.views or not legal else []
    answer: Any = answer_reply_type(inputs.contract, [view.name for view in inputs.views])
    reply = create_model(
        "ActReply",
        __base__=limited(ActReply, action=legal, person=[*inputs.people, None]),
        __doc__=ActReply.__doc__,
        answer=(answer | None, None),
    )
    return StageRequest(STAGE, inputs, reply, images_of(inputs.views, images), scope)
