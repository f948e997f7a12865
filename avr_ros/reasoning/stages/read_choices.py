"""Stage ``read_choices``: which action each of a question's choices says."""

from typing import Final

from avr_ros.reasoning.stage import StageRequest
from avr_ros.schema.model import Record

STAGE: Final = "read_choices"


class ReadChoicesInputs(Record):
    """The question with its choices, and the names that actions have."""

    question: str
    choices: tuple[str, ...]
    actions: tuple[str, ...]


class ReadChoices(Record):
    """For each choice, in order, the name of the action that it says, none for anything else."""

    actions: tuple[str | None, ...]


def read_choices_request(
    question: str, choices: tuple[str, ...], actions: tuple[str, ...], scope: str = ""
) -> StageRequest[ReadChoices]:
    """Ask which of ``actions`` each choice says; ``scope`` is the question's id."""
    return StageRequest(
        STAGE,
        ReadChoicesInputs(question=question, choices=choices, actions=actions),
        ReadChoices,
        scope=scope,
    )
