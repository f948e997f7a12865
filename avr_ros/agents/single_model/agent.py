"""The single-model agent on recordings."""

from avr_ros.agents.agent import AgentTools
from avr_ros.agents.answer_prediction import prediction_of
from avr_ros.agents.environments.recording import RecordingEnvironment, first_look
from avr_ros.agents.environments.recording_intents import recording_intents
from avr_ros.agents.single_model.loop import SingleModelLoop
from avr_ros.agents.single_model.settings import SingleModelSettings
from avr_ros.agents.toolbox import Toolbox
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.step import StepKind


class SingleModelAgent:
    """Lets one model look and answer, step by step. Thread-safe."""

    def __init__(self, settings: SingleModelSettings, model: ModelBackend) -> None:
        """``model`` answers every stage."""
        self._settings = settings
        self._model = model

    def answer(self, question: Question, tools: AgentTools) -> Prediction:
        """Look and answer; see :class:`avr_ros.agents.agent.Agent`."""
        toolbox = Toolbox(question, tools)
        environment = RecordingEnvironment(question, toolbox)
        look = first_look(question, environment)
        first = None if look is None else environment.execute(look).shot
        if first is None:
            prediction = Prediction(abstained=True, reason="the first view was refused")
            with toolbox.think(StepKind.ANSWER, prediction.reason):
                return prediction
        actions = recording_intents(environment.limits, atomic=True)
        loop = SingleModelLoop(question, environment, actions, toolbox, self._model, self._settings)
        episode = loop.run(first)
        prediction = prediction_of(episode.answer, environment)
        names = {shot.name: shot.observation_id for shot in episode.shots}
        with toolbox.think(StepKind.ANSWER, f"ended by {episode.stopped_by}") as note:
            note.details.update(
                {
                    "stopped_by": episode.stopped_by,
                    "history": episode.history,
                    "prediction": prediction.model_dump(mode="json", exclude_none=True),
                    "answer_views": [names[name] for name in episode.attached],
                }
            )
        return prediction
