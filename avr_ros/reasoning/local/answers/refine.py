"""Stage ``refine``: the person in the crop whom the proposal fits best."""

from typing import Any, Final

from avr_ros.reasoning.local.answer import CannotAnswerError
from avr_ros.reasoning.local.sight.choose_look import picture_box
from avr_ros.reasoning.local.sight.seen import seen_views
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.answer_reply import PictureBox
from avr_ros.reasoning.stages.refine import RefineInputs, Refinement

LEAST_IOU: Final = 0.2
"""Overlap below which nobody in the crop is the one proposed."""


def answer(request: StageRequest[Any]) -> Refinement:
    """The best fitting box."""
    inputs = request.inputs
    assert isinstance(inputs, RefineInputs)
    views = seen_views(inputs.views, request.images)
    if len(views) != 1:
        raise CannotAnswerError("there is not one crop")
    boxes = [box for person in views[0].people if (box := picture_box(person, views[0]))]
    best = max(boxes, key=lambda box: overlap(box, inputs.proposal), default=None)
    if best is None or overlap(best, inputs.proposal) < LEAST_IOU:
        return Refinement(reason="nobody is seen there")
    return Refinement(box=best)


def overlap(first: PictureBox, second: PictureBox) -> float:
    """Intersection over union of two boxes in one picture."""
    width = min(first[0] + first[2], second[0] + second[2]) - max(first[0], second[0])
    height = min(first[1] + first[3], second[1] + second[3]) - max(first[1], second[1])
    common = max(0.0, width) * max(0.0, height)
    whole = first[2] * first[3] + second[2] * second[3] - common
    return common / whole if whole > 0.0 else 0.0
