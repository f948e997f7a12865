"""Stage ``act`` by the search that also answers ``react_step``: it observes or answers."""

from typing import Any

from avr_ros.reasoning.local.answers.react_step import answer as react_step
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.act import ActInputs, ActReply
from avr_ros.reasoning.stages.react_step import ReactInputs, react_request


def answer(request: StageRequest[Any]) -> ActReply:
    """The next view, or the answer; the notes in the history are all that it reads."""
    inputs = request.inputs
    assert isinstance(inputs, ActInputs)
    step = react_step(
        react_request(
            ReactInputs(
                question=inputs.question,
                contract=inputs.contract,
                first_frame=inputs.first_frame,
                last_frame=inputs.last_frame,
                history=inputs.history,
                views=inputs.views,
                remaining=inputs.remaining,
                step=len(inputs.history) + 1,
            ),
            request.images,
        )
    )
    return ActReply(
        thought=step.thought,
        action=step.action,
        frame_id=step.frame_id,
        azimuth_deg=step.azimuth_deg,
        answer=step.answer,
    )
