"""Stage ``understand`` by the grammar."""

from typing import Any

from avr_ros.reasoning.local.parser import understand
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.understand import Understanding, UnderstandInputs


def answer(request: StageRequest[Any]) -> Understanding:
    """Read the question; what the grammar does not know is part of the reply, with the words."""
    assert isinstance(request.inputs, UnderstandInputs)
    return Understanding(meaning=understand(request.inputs.question))
