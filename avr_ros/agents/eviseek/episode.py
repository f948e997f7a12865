"""What the parts of one episode's acquisition share."""

from dataclasses import dataclass

from avr_ros.agents.environments.environment import Environment, Shot
from avr_ros.agents.environments.intent import IntentSet
from avr_ros.agents.eviseek.settings import EviseekSettings
from avr_ros.agents.eviseek.state import EvidenceState
from avr_ros.agents.toolbox import Toolbox
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.reasoning.stage import Reply, StageRequest
from avr_ros.reasoning.stages.contract import OfferedAction, ShownView
from avr_ros.schema.question import Question


@dataclass(frozen=True)
class EpisodeContext:
    """The question, the environment with its intents, the model, and the state that grows."""

    question: Question
    environment: Environment
    intents: IntentSet
    toolbox: Toolbox
    model: ModelBackend
    settings: EviseekSettings
    state: EvidenceState

    @property
    def scope(self) -> str:
        """What the calls of this episode belong to."""
        return self.question.question_id

    @property
    def spent(self) -> bool:
        """Whether no action is left."""
        return self.environment.remaining <= 0

    @property
    def checks_coverage(self) -> bool:
        """Whether coverage is checked; without demands there is nothing to cover."""
        return self.settings.coverage and bool(self.state.demands)

    def ask(self, request: StageRequest[Reply]) -> Reply:
        """Ask the model. Raises ToolFailedError."""
        return self.toolbox.ask(self.model, request)

    def offered(self, current: Shot) -> tuple[OfferedAction, ...]:
        """The intents that may be chosen from a view."""
        return tuple(
            OfferedAction(name=kind.name.value, description=kind.description)
            for kind in self.intents.offered(current)
        )


def shown(shot: Shot) -> ShownView:
    """A view without note."""
    return ShownView(name=shot.name, caption=shot.caption)
