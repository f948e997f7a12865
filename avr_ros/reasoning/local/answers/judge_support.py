"""Stage ``judge_support``: whether the search finds an answer, or at least the person, in them."""

from typing import Any

from avr_ros.reasoning.local.sight.question import ANY_FRAME, search
from avr_ros.reasoning.local.sight.seen import seen_views
from avr_ros.reasoning.local.sight.wanted import Solved
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.judge_support import JudgeInputs, JudgeReply


def answer(request: StageRequest[Any]) -> JudgeReply:
    """1 where the pictures alone give an answer, 0.5 where they show the person, else 0."""
    inputs = request.inputs
    assert isinstance(inputs, JudgeInputs)
    if not inputs.views:
        return JudgeReply(reason="there are no pictures", grade="0")
    views = seen_views(inputs.views, request.images)
    found = search(inputs.question, inputs.contract, views, ANY_FRAME, final=True)
    if isinstance(found.next, Solved) and found.next.evidence is not None:
        return JudgeReply(reason=found.next.reason, grade="1")
    if found.who is not None:
        return JudgeReply(reason="the person is seen, the answer is not", grade="0.5")
    return JudgeReply(reason="nobody who fits is seen", grade="0")
