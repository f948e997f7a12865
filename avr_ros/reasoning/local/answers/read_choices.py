"""Stage ``read_choices`` by the grammar's words for actions."""

from typing import Any

from avr_ros.reasoning.local.answers.match_choice import actions_in
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.read_choices import ReadChoices, ReadChoicesInputs


def answer(request: StageRequest[Any]) -> ReadChoices:
    """The first action that each choice names, none where it names none of those listed."""
    inputs = request.inputs
    assert isinstance(inputs, ReadChoicesInputs)
    named = [
        next((name for name in actions_in(choice) if name in inputs.actions), None)
        for choice in inputs.choices
    ]
    return ReadChoices(actions=tuple(named))
