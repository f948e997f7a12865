"""monolithic: one pass over the given panoramas (JRDB-AVR, section C.1).

"One structured generation step emits the routed answer and exactly one evidence box for the target
person"; there is no observation and no stage of reasoning.
"""

from avr_ros.agents.agent import AgentTools
from avr_ros.agents.baselines.pictures import Pictures
from avr_ros.agents.toolbox import Toolbox
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.reasoning.stages.answer import AnswerInputs, answer_request
from avr_ros.reasoning.stages.contract import contract_of
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question


class MonolithicAgent:
    """Answers from the given panoramas in one call. Thread-safe: it keeps nothing."""

    def __init__(self, model: ModelBackend) -> None:
        """``model`` answers the one stage there is."""
        self._model = model

    def answer(self, question: Question, tools: AgentTools) -> Prediction:
        """Answer at once; see :class:`avr_ros.agents.agent.Agent`."""
        toolbox = Toolbox(question, tools)
        pictures = Pictures(toolbox)
        pictures.add_given(question)
        inputs = AnswerInputs(
            question=question.text, contract=contract_of(question), views=pictures.shown()
        )
        request = answer_request(inputs, pictures.images(), question.question_id)
        prediction = pictures.prediction(toolbox.ask(self._model, request))
        toolbox.conclude(prediction, "answered in one pass")
        return prediction
