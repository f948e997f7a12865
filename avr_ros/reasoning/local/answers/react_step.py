"""Stage ``react_step``: the next view that the search wants, or its answer.

It remembers what earlier views showed by the notes in the history alone, and can show evidence in
the latest view only; an answer that another moment shows is looked at once more first.
"""

from typing import Any

from avr_ros.reasoning.local.answers.single_step import answer as single_step
from avr_ros.reasoning.local.sight.question import frame_of, limits_of, meaning_of
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.contract import OfferedAction
from avr_ros.reasoning.stages.react_step import ANSWER, OBSERVE, ReactInputs, ReactReply
from avr_ros.reasoning.stages.single_step import STOP, SingleStepInputs, single_step_request


def answer(request: StageRequest[Any]) -> ReactReply:
    """Observe the described frame first, then search as the single model does."""
    inputs = request.inputs
    assert isinstance(inputs, ReactInputs)
    environment = f"Frames: {inputs.first_frame} to {inputs.last_frame}"
    if not inputs.views and not inputs.remaining:
        return ReactReply(thought="no view was granted", action=ANSWER)
    if not inputs.views:
        frame = frame_of(meaning_of(inputs.question), limits_of(environment))
        return ReactReply(action=OBSERVE, frame_id=frame, azimuth_deg=0.0)
    step = single_step(
        single_step_request(
            SingleStepInputs(
                question=inputs.question,
                contract=inputs.contract,
                environment=environment,
                history=inputs.history,
                views=inputs.views,
                current=inputs.views[-1].name,
                actions=(OfferedAction(name="look", description=""),) if inputs.remaining else (),
                step=inputs.step,
                most_steps=inputs.step + inputs.remaining,
                min_steps=0,
                threshold=1.0,
            ),
            request.images,
        )
    )
    if step.action == STOP:
        return ReactReply(thought=step.reasoning, action=ANSWER, answer=step.answer)
    return ReactReply(
        thought=step.reasoning,
        action=OBSERVE,
        frame_id=step.frame_id,
        azimuth_deg=step.bearing_deg,
    )
