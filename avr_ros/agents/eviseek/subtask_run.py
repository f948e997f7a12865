"""Evidence-seeking interaction: one subtask, with the working memory that it alone has."""

from collections.abc import Sequence
from typing import Final

from avr_ros.agents.environments.actions import ActionName, action_text
from avr_ros.agents.environments.environment import Shot
from avr_ros.agents.environments.feedback import outcome_note, truncated
from avr_ros.agents.environments.intent import (
    Direction,
    Intent,
    IntentError,
    IntentName,
    IntentOutcome,
    execute_intent,
    intent_text,
)
from avr_ros.agents.eviseek.board import BoardItem
from avr_ros.agents.eviseek.coverage_check import CoverageCheck
from avr_ros.agents.eviseek.episode import EpisodeContext, shown
from avr_ros.agents.eviseek.state import Origin, SubtaskEnd, SubtaskProgress
from avr_ros.reasoning.stage import StageImage
from avr_ros.reasoning.stages.contract import ShownView, contract_of
from avr_ros.reasoning.stages.curate import CurateInputs, curate_request
from avr_ros.reasoning.stages.seek import BLOCKED, STOP, SeekInputs, SeekReply, seek_request
from avr_ros.schema.step import StepKind

MOST_ERRORS: Final = 2
"""Intents in a row that come to nothing, after which a subtask is blocked."""

MEMORY_LINES: Final = 40
"""Latest lines of the working memory that a stage is told."""

LONGEST_REASONING: Final = 2000
"""Characters of a note that go into the textual history."""


class SubtaskRun:
    """The execution of one subtask."""

    def __init__(
        self, episode: EpisodeContext, progress: SubtaskProgress, coverage: CoverageCheck
    ) -> None:
        """Start from the latest view."""
        self._episode = episode
        self._progress = progress
        self._coverage = coverage
        self._memory: list[str] = []
        self._current = episode.state.shots[-1]
        self._views: list[Shot] = [self._current]
        self._undecided = True

    def execute(self) -> SubtaskEnd:
        """Seek, act and retain until the subtask ends.

        A view that the last action of the budget brought is still judged: the seeker may keep it.
        """
        errors = 0
        while self._progress.decisions < self._episode.settings.decisions_per_subtask:
            spent = self._episode.spent
            if spent and not self._undecided:
                return SubtaskEnd.BUDGET
            reply = self._seek()
            if reply.action == STOP:
                return SubtaskEnd.BUDGET if spent else SubtaskEnd.STOP
            if reply.action == BLOCKED:
                return SubtaskEnd.BLOCK
            errors = 0 if self._act(reply) else errors + 1
            if errors >= MOST_ERRORS:
                return SubtaskEnd.BLOCK
            if self._coverage.covered(self._progress.subtask.demand):
                return SubtaskEnd.COVERED
        return SubtaskEnd.TIMEOUT

    def _seek(self) -> SeekReply:
        """Ask for the next intent, note what the current view shows, and keep it if it is kept."""
        views, images = self._shown_views()
        inputs = SeekInputs(
            question=self._episode.question.text,
            contract=contract_of(self._episode.question),
            environment=self._episode.environment.description,
            goal=self._progress.subtask.goal,
            demand=self._demand,
            current=self._current.name,
            views=views,
            memory=tuple(self._memory[-MEMORY_LINES:]),
            intents=self._episode.offered(self._current),
            remaining=self._episode.environment.remaining,
            decisions=self._episode.settings.decisions_per_subtask - self._progress.decisions,
        )
        reply = self._episode.ask(seek_request(inputs, images, self._episode.scope))
        self._progress.decisions += 1
        self._undecided = False
        if reply.note:
            self._memory.append(f"{self._current.caption}: {reply.note}")
        if reply.keep:
            self._keep([(self._current, reply.note)])
        return reply

    def _act(self, reply: SeekReply) -> bool:
        """Execute an intent; whether anything was done."""
        try:
            intent = _intent(reply)
            outcome = execute_intent(
                intent, self._episode.intents, self._episode.environment, self._current
            )
        except IntentError as error:
            self._memory.append(f"{reply.action} was not executed: {error}")
            return False
        text = truncated(outcome.text)
        self._memory.append(f"{intent_text(intent)}: {text}")
        self._add_history(outcome, text, reply.note)
        if not outcome.shots:
            return False
        before = self._current
        self._views.extend(outcome.shots)
        self._episode.state.shots.extend(outcome.shots)
        self._current = outcome.shots[-1]
        origin = Origin(intent_text(intent), outcome_note(outcome.feedback) or text)
        self._episode.state.origins.update((shot.name, origin) for shot in outcome.shots)
        self._undecided = len(outcome.shots) == 1
        if len(outcome.shots) > 1:
            self._curate(outcome, before)
        return True

    def _add_history(self, outcome: IntentOutcome, text: str, note: str) -> None:
        """A line of the trajectory in words, as the single-model agent's memory has it."""
        history = self._episode.state.history
        actions = ", ".join(action_text(action) for action in outcome.executed) or "none"
        history.append(
            f"Step {len(history) + 1}: action={actions} answer=not sure conf=0.0 result={text} "
            f"reasoning={truncated(note, LONGEST_REASONING)}"
        )

    def _curate(self, outcome: IntentOutcome, before: Shot) -> None:
        """Let the frames along a sequence of actions be chosen from."""
        items = self._recent_items()
        known = {item.shot.name: item.shown() for item in items}
        known.setdefault(before.name, shown(before))
        inputs = CurateInputs(
            question=self._episode.question.text,
            contract=contract_of(self._episode.question),
            environment=self._episode.environment.description,
            goal=self._progress.subtask.goal,
            demand=self._demand,
            intent=intent_text(outcome.intent),
            outcome=truncated(outcome.text),
            views=tuple(known.values()),
            frames=tuple(shown(shot) for shot in outcome.shots),
            memory=tuple(self._memory[-MEMORY_LINES:]),
        )
        images = [item.shot.image for item in items]
        images += [before.image, *(shot.image for shot in outcome.shots)]
        reply = self._episode.ask(curate_request(inputs, tuple(images), self._episode.scope))
        if reply.summary:
            self._memory.append(reply.summary)
            self._episode.state.history[-1] += f" {truncated(reply.summary, LONGEST_REASONING)}"
        shots = {shot.name: shot for shot in (before, *outcome.shots)}
        shots.update((item.shot.name, item.shot) for item in items)
        self._keep([(shots[kept.view], kept.note) for kept in reply.kept])

    def _keep(self, chosen: Sequence[tuple[Shot, str]]) -> None:
        """Put views on the board, bound to this subtask and its demand."""
        subtask = self._progress.subtask
        board = self._episode.state.board
        kept = []
        for shot, note in chosen:
            origin = self._episode.state.origins.get(shot.name, Origin())
            item = BoardItem(
                shot, note, origin.outcome, origin.intent, subtask.number, subtask.demand
            )
            if board.keep(item):
                kept.append(item.details())
        if kept:
            with self._episode.toolbox.think(StepKind.CURATE, f"kept {len(kept)} views") as step:
                step.details.update({"kept": kept, "board": len(board.items)})

    @property
    def _demand(self) -> str:
        number = self._progress.subtask.demand
        return "" if number is None else self._episode.state.demands[number - 1]

    def _recent_items(self) -> tuple[BoardItem, ...]:
        return self._episode.state.board.latest(self._episode.settings.board_views)

    def _shown_views(self) -> tuple[tuple[ShownView, ...], tuple[StageImage, ...]]:
        """Retained views, then the subtask's latest ones, the current one last."""
        views: dict[str, ShownView] = {}
        images: dict[str, StageImage] = {}
        for item in self._recent_items():
            views[item.shot.name] = item.shown()
            images[item.shot.name] = item.shot.image
        count = self._episode.settings.working_views
        latest = self._views[:-1][-count:] if count else []
        for shot in [*latest, self._current]:
            views.setdefault(shot.name, shown(shot))
            images.setdefault(shot.name, shot.image)
        name = self._current.name
        views[name], images[name] = views.pop(name), images.pop(name)
        return tuple(views.values()), tuple(images.values())


def _intent(reply: SeekReply) -> Intent:
    """The intent that a seeker chose. Raises IntentError for an action that does not exist."""
    atomic: ActionName | None = None
    if reply.atomic_action:
        try:
            atomic = ActionName(reply.atomic_action)
        except ValueError as error:
            raise IntentError(f"there is no action {reply.atomic_action!r}") from error
    return Intent(
        name=IntentName(reply.action),
        bearing_deg=reply.bearing_deg,
        count=reply.count,
        direction=Direction(reply.direction or Direction.LEFT),
        frame_id=reply.frame_id,
        box=reply.box,
        object_name=reply.object_name or "",
        action=atomic,
        objects=reply.objects or (),
    )
