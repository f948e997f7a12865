"""Stage ``seek``: the next acquisition intent, and whether the current view is kept (EviSeek, 4.3).

The seeker sees its goal, the current view and the subtask's working memory. It is shown what was
retained so far, so that it can recognise who was found; the plan and its other goals are not.
"""

from typing import Final, Literal

from pydantic import Field

from avr_ros.reasoning.stage import StageImage, StageRequest, limited
from avr_ros.reasoning.stages.contract import (
    AnswerContract,
    OfferedAction,
    ShownView,
    images_of,
)
from avr_ros.schema.model import Record

STAGE: Final = "seek"

STOP: Final = "STOP"
"""The seeker has what it came for, or all that can be had of it."""

BLOCKED: Final = "BLOCKED"
"""The seeker cannot go on with this goal."""


class SeekInputs(Record):
    """What the seeker knows.

    ``views`` are attached: retained ones, then the subtask's latest, last of all the current one,
    which ``current`` names. ``memory`` is the subtask's trail: intents, outcomes and notes.
    ``intents`` may be chosen now. ``remaining`` are atomic actions, ``decisions`` those that this
    subtask may still take.
    """

    question: str
    contract: AnswerContract
    environment: str
    goal: str
    demand: str = ""
    current: str
    views: tuple[ShownView, ...]
    memory: tuple[str, ...] = ()
    intents: tuple[OfferedAction, ...]
    remaining: int
    decisions: int


class SeekReply(Record):
    """A note of the current view, whether it is kept as evidence, and what to do next.

    ``action`` is STOP, BLOCKED or an intent; the other fields are the intent's parameters, null
    where it does not take them.
    """

    note: str = ""
    keep: bool
    action: str
    bearing_deg: float | None = Field(default=None, ge=-360, le=360)
    count: int | None = Field(default=None, ge=1, le=24)
    direction: Literal["left", "right"] | None = None
    frame_id: int | None = Field(default=None, ge=0)
    box: tuple[float, float, float, float] | None = None
    object_name: str | None = None
    atomic_action: str | None = None
    objects: tuple[str, ...] | None = None


def seek_request(
    inputs: SeekInputs, images: tuple[StageImage, ...], scope: str = ""
) -> StageRequest[SeekReply]:
    """Ask for the next intent; only what may be done now is legal."""
    offered = [intent.name for intent in inputs.intents] if inputs.remaining > 0 else []
    reply = limited(SeekReply, action=[STOP, BLOCKED, *offered])
    return StageRequest(STAGE, inputs, reply, images_of(inputs.views, images), scope)
