"""The information state of an episode: demands, plan and board (EviSeek, section 4.1)."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from avr_ros.agents.environments.environment import Shot
from avr_ros.agents.eviseek.board import Board


class SubtaskStatus(str, Enum):
    """How far a subtask is. A blocked one is marked timed out before execution goes on (4.4)."""

    PLANNED = "planned"
    ACTIVE = "active"
    CLOSED = "closed"
    TIMED_OUT = "timed_out"
    NOT_REACHED = "not_reached"


class SubtaskEnd(str, Enum):
    """What ended a subtask."""

    STOP = "stop"
    BLOCK = "block"
    TIMEOUT = "timeout"
    COVERED = "covered"
    BUDGET = "budget"


STATUS_OF_END = {
    SubtaskEnd.STOP: SubtaskStatus.CLOSED,
    SubtaskEnd.COVERED: SubtaskStatus.CLOSED,
    SubtaskEnd.BLOCK: SubtaskStatus.TIMED_OUT,
    SubtaskEnd.TIMEOUT: SubtaskStatus.TIMED_OUT,
    SubtaskEnd.BUDGET: SubtaskStatus.TIMED_OUT,
}
"""The status that each end leaves."""


@dataclass(frozen=True)
class Subtask:
    """An acquisition goal, from 1, and the demand that it serves, none without demands.

    ``revision`` is 0 for the first plan and rises with each new one. Goal and demand are fixed.
    """

    number: int
    goal: str
    demand: int | None
    revision: int = 0


@dataclass
class SubtaskProgress:
    """Execution of one subtask."""

    subtask: Subtask
    status: SubtaskStatus = SubtaskStatus.PLANNED
    end: SubtaskEnd | None = None
    decisions: int = 0

    def details(self) -> dict[str, Any]:
        """The subtask and its execution as JSON values."""
        return {
            "number": self.subtask.number,
            "goal": self.subtask.goal,
            "demand": self.subtask.demand,
            "revision": self.subtask.revision,
            "status": self.status.value,
            "end": None if self.end is None else self.end.value,
            "decisions": self.decisions,
        }


@dataclass(frozen=True)
class Origin:
    """What brought a view: the intent in one line, and what came of it. Empty: the first view."""

    intent: str = ""
    outcome: str = ""


@dataclass
class EvidenceState:
    """Demands, plan, board and, apart from them, the trajectory: every view and what was done.

    ``origins`` are by a view's name, so that a view keeps its intent whichever subtask retains it.
    """

    demands: tuple[str, ...]
    plan: list[SubtaskProgress]
    board: Board
    shots: list[Shot] = field(default_factory=list)
    history: list[str] = field(default_factory=list)
    origins: dict[str, Origin] = field(default_factory=dict)

    def details(self) -> dict[str, Any]:
        """The state as JSON values, for the steps of a run."""
        return {
            "demands": list(self.demands),
            "plan": [item.details() for item in self.plan],
            "board": [item.details() for item in self.board.items],
            "displaced": [item.details() for item in self.board.displaced],
            "history": list(self.history),
        }
