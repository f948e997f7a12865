"""Stage ``judge_support``: whether the search through the pictures comes to the right answer.

It is the search that the local model answers with. Judging the local model's own answers is
therefore circular: what the answer missed, the judge misses too.
"""

from typing import Any

from avr_ros.reasoning.local.reference import read_answer, says_the_same
from avr_ros.reasoning.local.sight.question import ANY_FRAME, search
from avr_ros.reasoning.local.sight.seen import seen_views
from avr_ros.reasoning.local.sight.wanted import Solved
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.judge_support import JudgeInputs, JudgeReply


def answer(request: StageRequest[Any]) -> JudgeReply:
    """1 where the pictures alone give the right answer, 0.5 where they show the person, else 0.

    Raises CannotAnswerError where the right answer cannot be compared with the one found.
    """
    inputs = request.inputs
    assert isinstance(inputs, JudgeInputs)
    if not inputs.views:
        return JudgeReply(reason="there are no pictures", grade="0")
    views = seen_views(inputs.views, request.images)
    found = search(inputs.question, inputs.contract, views, ANY_FRAME, final=True)
    if isinstance(found.next, Solved) and found.next.evidence is not None:
        right = read_answer(inputs.reference_answer, inputs.contract)
        if says_the_same(found.next.answer, right, inputs.tolerance):
            return JudgeReply(reason=found.next.reason, grade="1")
        return JudgeReply(reason="the pictures lead to another answer", grade="0.5")
    if found.who is not None:
        return JudgeReply(reason="the person is seen, the answer is not", grade="0.5")
    return JudgeReply(reason="nobody who fits is seen", grade="0")
