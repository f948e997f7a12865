"""Evidence-demand planning: demands from question and first view, subtasks from demands."""

from collections.abc import Sequence

from avr_ros.agents.environments.environment import Shot
from avr_ros.agents.eviseek.demand_check import demand_problem
from avr_ros.agents.eviseek.episode import EpisodeContext, shown
from avr_ros.agents.eviseek.state import Subtask, SubtaskProgress
from avr_ros.agents.tools import ToolFailedError
from avr_ros.reasoning.stages.acquisition_plan import (
    DecomposeInputs,
    PlanInputs,
    decompose_request,
    plan_request,
)
from avr_ros.reasoning.stages.contract import contract_of
from avr_ros.reasoning.stages.demands import DemandsInputs, demands_request
from avr_ros.schema.prediction import FailureKind
from avr_ros.schema.step import StepKind

ROUNDS = 2
"""Times that demands are asked for; the second one names what was refused."""


def ask_demands(episode: EpisodeContext, first: Shot) -> tuple[str, ...]:
    """Demands that stand the checks, of all rounds. Raises ToolFailedError where none does."""
    contract = contract_of(episode.question)
    good: list[str] = []
    refused: list[str] = []
    most = episode.settings.most_demands
    for _ in range(ROUNDS):
        inputs = DemandsInputs(
            question=episode.question.text,
            contract=contract,
            environment=episode.environment.description,
            view=shown(first),
            most=most,
            accepted=tuple(good),
            refused=tuple(refused),
        )
        reply = episode.ask(demands_request(inputs, first.image, episode.scope))
        refused = []
        for demand in dict.fromkeys(reply.demands):
            if demand in good:
                continue
            problem = demand_problem(demand, episode.question.text, contract)
            if not problem and len(good) == most:
                problem = f"{most} others stand already"
            if problem:
                refused.append(f"{demand} ({problem})")
            else:
                good.append(demand)
        if not refused:
            break
    with episode.toolbox.think(StepKind.PLAN, f"{len(good)} evidence demands") as note:
        note.details.update({"demands": good, "refused_demands": refused})
    if not good:
        raise ToolFailedError(
            FailureKind.MODEL_INVALID_REPLY, f"no demand stands the checks: {refused[0]}"
        )
    return tuple(good)


def extend_plan(
    episode: EpisodeContext, view: Shot, missing: Sequence[str] = (), revision: int = 0
) -> None:
    """Ask for subtasks and add them to the plan; ``missing`` is what a new plan must cover."""
    goals = (
        _from_demands(episode, view, missing) if episode.state.demands else _directly(episode, view)
    )
    plan = episode.state.plan
    for number, (goal, demand) in enumerate(goals, start=len(plan) + 1):
        plan.append(SubtaskProgress(Subtask(number, goal, demand, revision)))
    with episode.toolbox.think(StepKind.PLAN, f"{len(goals)} acquisition subtasks") as note:
        note.details["plan"] = [item.details() for item in plan]


def _from_demands(
    episode: EpisodeContext, view: Shot, missing: Sequence[str]
) -> list[tuple[str, int | None]]:
    inputs = PlanInputs(
        question=episode.question.text,
        environment=episode.environment.description,
        demands=episode.state.demands,
        view=shown(view),
        intents=episode.offered(view),
        most=episode.settings.most_subtasks,
        missing=tuple(missing),
    )
    reply = episode.ask(plan_request(inputs, view.image, episode.scope))
    return [(item.goal, item.demand) for item in reply.subtasks]


def _directly(episode: EpisodeContext, view: Shot) -> list[tuple[str, int | None]]:
    inputs = DecomposeInputs(
        question=episode.question.text,
        environment=episode.environment.description,
        view=shown(view),
        intents=episode.offered(view),
        most=episode.settings.most_subtasks,
    )
    reply = episode.ask(decompose_request(inputs, view.image, episode.scope))
    return [(goal, None) for goal in reply.goals]
