"""Baselines that do not interact: passive sees the first view alone, blind none."""

from avr_ros.agents.agent import AgentTools
from avr_ros.agents.answer_prediction import prediction_of
from avr_ros.agents.environments.environment import Shot
from avr_ros.agents.environments.recording import RecordingEnvironment, first_look
from avr_ros.agents.toolbox import Toolbox
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.reasoning.stages.answer import AnswerInputs, answer_request
from avr_ros.reasoning.stages.contract import ShownView, contract_of
from avr_ros.schema.model import Record
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question


class NoSettings(Record):
    """There is nothing to set."""


class PassiveAgent:
    """Answers from the question and the first view (passive) or the question alone (blind)."""

    def __init__(self, model: ModelBackend, *, blind: bool = False) -> None:
        """``model`` answers the one stage there is."""
        self._model = model
        self._blind = blind

    def answer(self, question: Question, tools: AgentTools) -> Prediction:
        """Answer at once; see :class:`avr_ros.agents.agent.Agent`."""
        toolbox = Toolbox(question, tools)
        environment = RecordingEnvironment(question, toolbox)
        look = None if self._blind else first_look(question, environment)
        shot: Shot | None = None if look is None else environment.execute(look).shot
        shots = () if shot is None else (shot,)
        inputs = AnswerInputs(
            question=question.text,
            contract=contract_of(question),
            views=tuple(ShownView(name=item.name, caption=item.caption) for item in shots),
        )
        images = tuple(item.image for item in shots)
        request = answer_request(inputs, images, question.question_id)
        prediction = prediction_of(toolbox.ask(self._model, request), environment)
        toolbox.conclude(
            prediction,
            "answered without looking further",
            answer_views=[item.observation_id for item in shots],
        )
        return prediction
