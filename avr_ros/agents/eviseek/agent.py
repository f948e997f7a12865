"""EviSeek on recordings."""

from avr_ros.agents.agent import AgentTools
from avr_ros.agents.answer_prediction import prediction_of
from avr_ros.agents.environments.recording import RecordingEnvironment, first_look
from avr_ros.agents.environments.recording_intents import recording_intents
from avr_ros.agents.eviseek.acquisition import acquire
from avr_ros.agents.eviseek.answering import Trajectory, answer_call
from avr_ros.agents.eviseek.board import Board
from avr_ros.agents.eviseek.episode import EpisodeContext
from avr_ros.agents.eviseek.settings import EviseekSettings
from avr_ros.agents.eviseek.state import EvidenceState
from avr_ros.agents.toolbox import Toolbox
from avr_ros.agents.tools import ObservationRefusedError, ToolFailedError
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.step import StepKind

LONGEST = 500
"""Characters of the summary of a step."""

NOTHING_TO_SEE = "the first view was refused"


class EviseekAgent:
    """Asks what must be seen, looks for it, keeps it, answers from it. Thread-safe."""

    def __init__(self, settings: EviseekSettings, model: ModelBackend) -> None:
        """``model`` answers every stage."""
        self._settings = settings
        self._model = model

    def answer(self, question: Question, tools: AgentTools) -> Prediction:
        """Acquire evidence and answer; see :class:`avr_ros.agents.agent.Agent`."""
        toolbox = Toolbox(question, tools)
        environment = RecordingEnvironment(question, toolbox)
        state = EvidenceState((), [], Board(self._settings.board_capacity))
        look = first_look(question, environment)
        first = None if look is None else environment.execute(look).shot
        if first is None:
            prediction = Prediction(abstained=True, reason=NOTHING_TO_SEE)
            record_answer(toolbox, prediction, state, ())
            return prediction
        intents = recording_intents(environment.limits, atomic=not self._settings.intents)
        episode = EpisodeContext(
            question, environment, intents, toolbox, self._model, self._settings, state
        )
        try:
            acquire(episode, first)
            trajectory = Trajectory(
                state.demands, state.board.items, tuple(state.shots), tuple(state.history)
            )
            request = answer_call(
                question, trajectory, self._settings.memory, self._settings.board_capacity
            )
            prediction = prediction_of(episode.ask(request), environment)
        except (ToolFailedError, ObservationRefusedError) as error:
            record_end(toolbox, state, str(error))
            raise
        record_answer(toolbox, prediction, state, tuple(image.name for image in request.images))
        return prediction


def record_end(toolbox: Toolbox, state: EvidenceState, reason: str) -> None:
    """Write how far demands, plan and board had come in an episode that gives no answer."""
    with toolbox.think(StepKind.ANSWER, f"ended without an answer: {reason}"[:LONGEST]) as note:
        note.details.update(state.details())


def record_answer(
    toolbox: Toolbox, prediction: Prediction, state: EvidenceState, attached: tuple[str, ...]
) -> None:
    """Write the answer with demands, plan, board and the views of the answering call."""
    summary = f"abstained: {prediction.reason}" if prediction.abstained else "answered"
    observations = {shot.name: shot.observation_id for shot in state.shots}
    with toolbox.think(StepKind.ANSWER, summary) as note:
        note.details.update(state.details())
        note.details["prediction"] = prediction.model_dump(mode="json", exclude_none=True)
        note.details["answer_views"] = [observations[name] for name in attached]
