"""Stages ``acquisition_plan`` and ``decompose``: find the person, then watch them."""

from typing import Any, Final

from avr_ros.reasoning.local.sight.question import frame_of, limits_of, meaning_of
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.acquisition_plan import (
    DecomposeInputs,
    DecomposeReply,
    PlanInputs,
    PlannedSubtask,
    PlanReply,
)

FIND: Final = "Find"
"""How a goal begins that is reached once the person meant is seen."""


def answer(request: StageRequest[Any]) -> PlanReply:
    """A subtask for each demand; a second plan only watches."""
    inputs = request.inputs
    assert isinstance(inputs, PlanInputs)
    find, watch = _goals(inputs.question, inputs.environment)
    if inputs.missing:
        return PlanReply(subtasks=(PlannedSubtask(goal=watch, demand=len(inputs.demands)),))
    subtasks = (
        PlannedSubtask(goal=find, demand=1),
        PlannedSubtask(goal=watch, demand=len(inputs.demands)),
    )
    return PlanReply(subtasks=subtasks[: inputs.most])


def decompose(request: StageRequest[Any]) -> DecomposeReply:
    """The same goals, without demands."""
    inputs = request.inputs
    assert isinstance(inputs, DecomposeInputs)
    return DecomposeReply(goals=_goals(inputs.question, inputs.environment)[: inputs.most])


def _goals(question: str, environment: str) -> tuple[str, str]:
    frame = frame_of(meaning_of(question), limits_of(environment))
    return (
        f"{FIND} the person described at frame {frame}, looking all around where needed",
        "Watch this person at the frames that the question is about",
    )
