"""Stage ``match_choice``: which of a question's choices says what was found out."""

from typing import Final

from pydantic import Field

from avr_ros.reasoning.stage import StageRequest, limited
from avr_ros.schema.model import Record

STAGE: Final = "match_choice"


class MatchChoiceInputs(Record):
    """The question with its choices, and what was found out about the person.

    ``actions`` are JRDB's names of what the person does or starts, with probabilities; ``present``
    is whether they are there, none where that was not looked for.
    """

    question: str
    choices: tuple[str, ...]
    actions: dict[str, float] = Field(default_factory=dict)
    present: bool | None = None


class MatchedChoice(Record):
    """The index, from 0, of the choice."""

    choice: int


def match_choice_request(
    question: str,
    choices: tuple[str, ...],
    actions: dict[str, float],
    present: bool | None = None,
    scope: str = "",
) -> StageRequest[MatchedChoice]:
    """Ask which choice fits; ``scope`` is the question's id."""
    return StageRequest(
        STAGE,
        MatchChoiceInputs(question=question, choices=choices, actions=actions, present=present),
        limited(MatchedChoice, choice=range(len(choices))),
        scope=scope,
    )
