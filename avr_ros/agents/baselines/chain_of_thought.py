"""chain_of_thought: a short structured reasoning stage, then the answer (JRDB-AVR, section C.2).

The pictures are the given panoramas, as of monolithic; the answer is conditioned on the summary.
"""

from avr_ros.agents.agent import AgentTools
from avr_ros.agents.baselines.pictures import Pictures
from avr_ros.agents.toolbox import Toolbox
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.reasoning.stages.answer_from_history import HistoryInputs, history_request
from avr_ros.reasoning.stages.contract import contract_of
from avr_ros.reasoning.stages.reason import ReasonInputs, reason_request
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question


class ChainOfThoughtAgent:
    """Reasons over the given panoramas, then answers. Thread-safe: it keeps nothing."""

    def __init__(self, model: ModelBackend) -> None:
        """``model`` answers both stages."""
        self._model = model

    def answer(self, question: Question, tools: AgentTools) -> Prediction:
        """Reason, then answer; see :class:`avr_ros.agents.agent.Agent`."""
        toolbox = Toolbox(question, tools)
        pictures = Pictures(toolbox)
        pictures.add_given(question)
        contract = contract_of(question)
        thought = toolbox.ask(
            self._model,
            reason_request(
                ReasonInputs(question=question.text, contract=contract, views=pictures.shown()),
                pictures.images(),
                question.question_id,
            ),
        )
        inputs = HistoryInputs(
            question=question.text,
            contract=contract,
            history=thought.lines(),
            views=pictures.shown(),
        )
        request = history_request(inputs, pictures.images(), question.question_id)
        prediction = pictures.prediction(toolbox.ask(self._model, request))
        toolbox.conclude(prediction, "answered after reasoning")
        return prediction
