"""Stage ``match_choice`` by the grammar's words for actions, for yes and for no."""

from typing import Any, Final

from avr_ros.reasoning.local.answer import CannotAnswerError
from avr_ros.reasoning.local.lexicon import read_lexemes
from avr_ros.reasoning.local.phrase import Kind
from avr_ros.reasoning.local.words import tokenise
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.match_choice import MatchChoiceInputs, MatchedChoice

LEAST_PROBABLE: Final = 0.2
"""Probability below which nothing was found out."""


def answer(request: StageRequest[Any]) -> MatchedChoice:
    """The choice that names the most probable action, or says whether somebody is there."""
    inputs = request.inputs
    assert isinstance(inputs, MatchChoiceInputs)
    if inputs.present is not None:
        return MatchedChoice(choice=_presence(inputs.choices, inputs.present))
    best, index = LEAST_PROBABLE, None
    for place, choice in enumerate(inputs.choices):
        probability = max(
            (inputs.actions.get(name, 0.0) for name in actions_in(choice)), default=0.0
        )
        if probability > best:
            best, index = probability, place
    if index is None:
        raise CannotAnswerError("none of the choices names what the person does")
    return MatchedChoice(choice=index)


def actions_in(text: str) -> tuple[str, ...]:
    """JRDB's names of the actions that a text names."""
    lexemes = read_lexemes(tokenise(text))
    return tuple(dict.fromkeys(item.name for item in lexemes if item.kind is Kind.ACTION))


def _presence(choices: tuple[str, ...], present: bool) -> int:
    wanted = "yes" if present else "no"
    fitting = [place for place, choice in enumerate(choices) if _first_word(choice) == wanted]
    if len(fitting) != 1:
        raise CannotAnswerError(f"{len(fitting)} choices begin with {wanted!r}")
    return fitting[0]


def _first_word(choice: str) -> str:
    tokens = tokenise(choice)
    return tokens[0].text if tokens else ""
