"""What an agent is, and the tools that it is handed for one question."""

from dataclasses import dataclass
from typing import Protocol

from avr_ros.agents.tools import Observer, Perceiver, StepSink, WorldModelClient
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question


@dataclass(frozen=True)
class AgentTools:
    """The tools of one episode.

    ``record_step`` receives every step as it ends; ``episode_id`` is written into the steps.
    """

    observer: Observer
    perceiver: Perceiver
    world_model: WorldModelClient
    record_step: StepSink
    episode_id: str = ""


class Agent(Protocol):
    """Answers questions, one episode each. May be used by several threads at once."""

    def answer(self, question: Question, tools: AgentTools) -> Prediction:
        """Look, reason and answer, or abstain with a reason.

        Raises EpisodeCancelledError when the episode ends early and ToolFailedError when a tool
        does not work; the caller turns both into failures of their kind.
        """
