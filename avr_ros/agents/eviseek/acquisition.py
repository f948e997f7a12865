"""Demand planning, evidence seeking and retention in any environment (EviSeek, section 4)."""

from avr_ros.agents.environments.environment import Shot
from avr_ros.agents.eviseek.coverage_check import CoverageCheck
from avr_ros.agents.eviseek.episode import EpisodeContext
from avr_ros.agents.eviseek.planning import ask_demands, extend_plan
from avr_ros.agents.eviseek.state import STATUS_OF_END, SubtaskEnd, SubtaskStatus
from avr_ros.agents.eviseek.subtask_run import SubtaskRun
from avr_ros.schema.step import StepKind


def acquire(episode: EpisodeContext, first: Shot) -> None:
    """Plan from the first view, act and retain, until the plan or the budget is at its end.

    The plan's goals and demands stay as they are. With coverage checks, subtasks also end when
    their demand is covered, the episode when all are, and what is open at the plan's end is
    planned anew. Raises ToolFailedError.
    """
    state = episode.state
    state.shots.append(first)
    if episode.settings.demands:
        state.demands = ask_demands(episode, first)
    extend_plan(episode, first)
    coverage = CoverageCheck(episode)
    for revision in range(1, episode.settings.replans + 2):
        _execute(episode, coverage)
        if episode.spent or revision > episode.settings.replans:
            break
        missing = coverage.missing()
        if not missing:
            break
        extend_plan(episode, state.shots[-1], missing, revision)
    for item in state.plan:
        if item.status is SubtaskStatus.PLANNED:
            item.status = SubtaskStatus.NOT_REACHED


def _execute(episode: EpisodeContext, coverage: CoverageCheck) -> None:
    """Execute the planned subtasks one after the other."""
    for progress in episode.state.plan:
        if progress.status is not SubtaskStatus.PLANNED:
            continue
        if episode.spent:
            return
        progress.status = SubtaskStatus.ACTIVE
        progress.end = SubtaskRun(episode, progress, coverage).execute()
        progress.status = STATUS_OF_END[progress.end]
        number = progress.subtask.number
        text = f"subtask {number} ended: {progress.end.value}"
        with episode.toolbox.think(StepKind.PLAN, text) as note:
            note.details.update({"subtask": number, "end": progress.end.value})
        if progress.end is SubtaskEnd.COVERED and not coverage.missing():
            return
