"""From a model's answering reply to a prediction with evidence in a granted view."""

import math
from typing import Protocol

from avr_ros.agents.tools import View
from avr_ros.reasoning.picture_boxes import to_panorama
from avr_ros.reasoning.stages.answer_reply import AnswerReply
from avr_ros.schema.box import Box
from avr_ros.schema.prediction import Evidence, Prediction

CANNOT_TELL = "the model cannot tell"


class Views(Protocol):
    """Knows the views of an episode by the names that models call them."""

    def view(self, name: str) -> View | None:
        """The view of a name, none for a name that no view has."""


def prediction_of(reply: AnswerReply, views: Views) -> Prediction:
    """The prediction that a reply makes; without an answer an abstention with its reason.

    Evidence that names no view, or a box outside of it, is left out: the answer stands without.
    """
    answer = reply.answer
    if answer is None:
        return Prediction(abstained=True, reason=reply.reason or CANNOT_TELL)
    return Prediction(answer=answer, evidence=_evidence(reply, views), reason=reply.reason)


def _evidence(reply: AnswerReply, views: Views) -> Evidence | None:
    view = None if reply.evidence_view is None else views.view(reply.evidence_view)
    if view is None:
        return None
    seen = view.observation
    box = None if reply.evidence_box is None else to_panorama(Box(*reply.evidence_box), seen.crop)
    return Evidence(
        observation_id=seen.observation_id,
        frame_id=seen.frame_id,
        azimuth_deg=math.degrees(seen.azimuth),
        box=box,
    )
