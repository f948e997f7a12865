"""search_recognize: a proposal, one observation, refinement, the answer (JRDB-AVR, section C.3).

The model proposes on a given panorama where the target person is; one view is asked for there; in
the crop alone the person's box is refined; the answer comes from that panorama and the crop.
"""

import math

from avr_ros.agents.agent import AgentTools
from avr_ros.agents.baselines.pictures import Pictures
from avr_ros.agents.refused_view import NO_SUCH_VIEW
from avr_ros.agents.toolbox import BudgetSpentError, Toolbox
from avr_ros.agents.tools import ObservationRefusedError
from avr_ros.geometry import boxes
from avr_ros.geometry.panorama import Cylinder
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.reasoning.picture_boxes import to_picture
from avr_ros.reasoning.stages.answer import AnswerInputs, answer_request
from avr_ros.reasoning.stages.answer_reply import PictureBox
from avr_ros.reasoning.stages.contract import contract_of
from avr_ros.reasoning.stages.propose import ProposeInputs, propose_request
from avr_ros.reasoning.stages.refine import RefineInputs, refine_request
from avr_ros.schema.box import Box
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question


class SearchRecognizeAgent:
    """Proposes, looks once, refines and answers. Thread-safe: it keeps nothing."""

    def __init__(self, model: ModelBackend) -> None:
        """``model`` answers all stages."""
        self._model = model

    def answer(self, question: Question, tools: AgentTools) -> Prediction:
        """Go through the stages; see :class:`avr_ros.agents.agent.Agent`."""
        toolbox = Toolbox(question, tools)
        prediction = self._stages(question, toolbox)
        toolbox.conclude(prediction, "answered from a panorama and a crop")
        return prediction

    def _stages(self, question: Question, toolbox: Toolbox) -> Prediction:
        pictures = Pictures(toolbox)
        pictures.add_given(question)
        if not pictures.names:
            return Prediction(abstained=True, reason="no panorama is given to propose on")
        contract = contract_of(question)
        proposal = toolbox.ask(
            self._model,
            propose_request(
                ProposeInputs(question=question.text, contract=contract, views=pictures.shown()),
                pictures.images(),
                question.question_id,
            ),
        )
        panorama = proposal.view
        proposed = pictures.box(panorama, proposal.box)
        if proposed is None:
            return Prediction(abstained=True, reason=proposal.reason or "nobody was proposed")
        cylinder = Cylinder(width=pictures.window(panorama).panorama_width)
        azimuth = float(boxes.centre_azimuth(proposed, cylinder))
        try:
            crop = pictures.add(
                toolbox.observe(pictures.frame_id(panorama), math.remainder(azimuth, math.tau))
            )
        except BudgetSpentError as error:
            return Prediction(abstained=True, reason=str(error))
        except ObservationRefusedError as error:
            if error.status not in NO_SUCH_VIEW:
                raise
            return Prediction(abstained=True, reason=str(error))
        refined = toolbox.ask(
            self._model,
            refine_request(
                RefineInputs(
                    question=question.text,
                    views=pictures.shown(crop),
                    proposal=_units(to_picture(proposed, pictures.window(crop))),
                ),
                pictures.images(crop),
                question.question_id,
            ),
        )
        box: Box | None = pictures.box(crop, refined.box)
        inputs = AnswerInputs(
            question=question.text, contract=contract, views=pictures.shown(panorama, crop)
        )
        request = answer_request(inputs, pictures.images(panorama, crop), question.question_id)
        reply = toolbox.ask(self._model, request)
        evidence = None if box is None else pictures.evidence(crop, box)
        return pictures.prediction(reply, evidence)


def _units(box: Box) -> PictureBox:
    return box.x, box.y, box.w, box.h
