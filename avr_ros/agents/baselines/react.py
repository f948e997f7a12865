"""react: observe or answer, in turns (JRDB-AVR, section C.4).

It begins with the question alone. Every step is one view or the answer, with an evidence box on the
latest view; an answer before the first view is not taken, and the last step can only answer.
"""

import math

from avr_ros.agents.agent import AgentTools
from avr_ros.agents.answer_prediction import CANNOT_TELL
from avr_ros.agents.baselines.pictures import Pictures
from avr_ros.agents.baselines.settings import ReactSettings
from avr_ros.agents.refused_view import NO_SUCH_VIEW
from avr_ros.agents.toolbox import Toolbox
from avr_ros.agents.tools import ObservationRefusedError
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.reasoning.stages.contract import contract_of
from avr_ros.reasoning.stages.react_step import (
    OBSERVE,
    ReactInputs,
    ReactReply,
    react_request,
)
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question


class ReactAgent:
    """Reasons and acts in turns. Thread-safe: it keeps nothing."""

    def __init__(self, settings: ReactSettings, model: ModelBackend) -> None:
        """``model`` answers every step."""
        self._settings = settings
        self._model = model

    def answer(self, question: Question, tools: AgentTools) -> Prediction:
        """Observe until the model answers; see :class:`avr_ros.agents.agent.Agent`."""
        toolbox = Toolbox(question, tools)
        pictures = Pictures(toolbox)
        prediction = self._loop(question, toolbox, pictures)
        toolbox.conclude(prediction, "answered after observing")
        return prediction

    def _loop(self, question: Question, toolbox: Toolbox, pictures: Pictures) -> Prediction:
        frames = toolbox.times.frame_ids
        if len(frames) == 0:
            return Prediction(abstained=True, reason="no frame may be observed")
        history: list[str] = []
        last = question.max_observations + 1
        for step in range(1, last + 1):
            # Refused views cost no observation, but steps.
            left = toolbox.observations_left if step < last else 0
            latest = pictures.names[-1:]
            inputs = ReactInputs(
                question=question.text,
                contract=contract_of(question),
                first_frame=int(frames[0]),
                last_frame=int(frames[-1]),
                history=tuple(history[-self._settings.history_steps :]),
                views=pictures.shown(*latest) if latest else (),
                remaining=left,
                step=step,
            )
            request = react_request(
                inputs, pictures.images(*latest) if latest else (), question.question_id
            )
            reply = toolbox.ask(self._model, request)
            if reply.action != OBSERVE:
                if reply.answer is None:
                    return Prediction(abstained=True, reason=reply.thought or CANNOT_TELL)
                return pictures.prediction(reply.answer)
            history.append(self._observe(step, reply, toolbox, pictures, int(frames[0])))
        raise AssertionError("the last step can only answer")

    def _observe(
        self,
        step: int,
        reply: ReactReply,
        toolbox: Toolbox,
        pictures: Pictures,
        first: int,
    ) -> str:
        """Look once; returns the step in words."""
        frame = first if reply.frame_id is None else reply.frame_id
        azimuth = math.remainder(math.radians(reply.azimuth_deg or 0.0), math.tau)
        asked = f"step {step}: {reply.thought} observe frame {frame}, {math.degrees(azimuth):.1f}"
        try:
            name = pictures.add(toolbox.observe(frame, azimuth))
        except ObservationRefusedError as error:
            if error.status not in NO_SUCH_VIEW:
                raise
            return f"{asked}: refused, {error.status.name.lower()}"
        return f"{asked}: {name}"
