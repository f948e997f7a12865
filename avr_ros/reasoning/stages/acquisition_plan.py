"""Stage ``acquisition_plan``: subtasks that acquire what the demands ask for (EviSeek, 4.2).

A subtask says what evidence should be obtained, not by which actions. Without demands (an
ablation) the question is taken apart directly, by the stage ``decompose``.
"""

from typing import Final

from pydantic import Field, create_model

from avr_ros.reasoning.stage import StageImage, StageRequest, limited
from avr_ros.reasoning.stages.contract import OfferedAction, ShownView
from avr_ros.schema.model import Record

STAGE: Final = "acquisition_plan"
DECOMPOSE: Final = "decompose"


class PlanInputs(Record):
    """The question, the demands in their order, the first view and what the seeker can do.

    ``missing`` says, when a plan is made anew, what of which demand was not covered.
    """

    question: str
    environment: str
    demands: tuple[str, ...]
    view: ShownView
    intents: tuple[OfferedAction, ...]
    most: int
    missing: tuple[str, ...] = ()


class DecomposeInputs(Record):
    """As for a plan, without demands."""

    question: str
    environment: str
    view: ShownView
    intents: tuple[OfferedAction, ...]
    most: int


class PlannedSubtask(Record):
    """An observable acquisition goal and the number, from 1, of the demand that it serves."""

    goal: str = Field(min_length=1)
    demand: int = Field(ge=1)


class PlanReply(Record):
    """The subtasks in the order of their execution."""

    subtasks: tuple[PlannedSubtask, ...] = Field(min_length=1)


class DecomposeReply(Record):
    """The goals in the order of their execution."""

    goals: tuple[str, ...] = Field(min_length=1)


def plan_request(inputs: PlanInputs, image: StageImage, scope: str = "") -> StageRequest[PlanReply]:
    """Ask for a plan; its subtasks serve demands that exist."""
    subtask = limited(PlannedSubtask, demand=range(1, len(inputs.demands) + 1))
    reply = create_model(
        "PlanReply",
        __base__=PlanReply,
        __doc__=PlanReply.__doc__,
        subtasks=(tuple[subtask, ...], Field(min_length=1, max_length=inputs.most)),  # type: ignore[valid-type]
    )
    return StageRequest(STAGE, inputs, reply, (image,), scope)


def decompose_request(
    inputs: DecomposeInputs, image: StageImage, scope: str = ""
) -> StageRequest[DecomposeReply]:
    """Ask for goals without demands."""
    reply = create_model(
        "DecomposeReply",
        __base__=DecomposeReply,
        __doc__=DecomposeReply.__doc__,
        goals=(tuple[str, ...], Field(min_length=1, max_length=inputs.most)),
    )
    return StageRequest(DECOMPOSE, inputs, reply, (image,), scope)
