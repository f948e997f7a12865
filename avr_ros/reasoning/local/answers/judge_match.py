"""Stage ``judge_match`` by the values of two answers, and only where values can tell.

Answers that say the same after normalising get 5. Answers of a known form are read and compared
within what counts as right. Of free texts, those that differ in nothing but their numbers, and yes
against no, get 1. Whether other words mean the same is not for a comparison of
texts to say: such a pair is refused.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Any, Final

from avr_ros.reasoning.local.answer import CannotAnswerError
from avr_ros.reasoning.local.reference import read_answer, says_the_same
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.contract import AnswerContract
from avr_ros.reasoning.stages.judge_match import MatchInputs, MatchReply

_PART = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?|\w+|[%/$€£]")
_SPELLED: Final = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_ARTICLES: Final = frozenset({"a", "an", "the"})
_PLACE: Final = "#"


@dataclass(frozen=True)
class _Said:
    """An answer's words, with ``#`` where a number stands, and its numbers in their order."""

    words: tuple[str, ...]
    numbers: tuple[float, ...]


def answer(request: StageRequest[Any]) -> MatchReply:
    """5 for the same as an accepted answer, 1 for another value; else it cannot be compared."""
    inputs = request.inputs
    assert isinstance(inputs, MatchInputs)
    given = _said(inputs.given_answer)
    accepted = (inputs.reference_answer, *inputs.accepted)
    for text in accepted:
        if _said(text) == given:
            return MatchReply(reason=f"says the same as {text!r}", mark="5")
    if inputs.contract is not None:
        return _of_a_form(inputs, inputs.contract)
    for text in accepted:
        if not _is_other_value(given, _said(text)):
            raise CannotAnswerError(
                f"{inputs.given_answer!r} and {text!r} differ in their words; "
                "whether they mean the same cannot be told from their values"
            )
    return MatchReply(reason=f"is another value than {inputs.reference_answer!r}", mark="1")


def _of_a_form(inputs: MatchInputs, contract: AnswerContract) -> MatchReply:
    given = read_answer(inputs.given_answer, contract)
    for text in (inputs.reference_answer, *inputs.accepted):
        if says_the_same(given, read_answer(text, contract), inputs.tolerance):
            return MatchReply(reason=f"counts as {text!r}", mark="5")
    return MatchReply(reason=f"does not count as {inputs.reference_answer!r}", mark="1")


def _is_other_value(given: _Said, other: _Said) -> bool:
    """Whether two unequal answers have the same form, so that their values contradict."""
    if given.numbers and other.numbers:
        return given.words == other.words
    return {given.words, other.words} == {("yes",), ("no",)}


def _said(text: str) -> _Said:
    plain = unicodedata.normalize("NFKC", text).casefold().replace("_", " ").replace("−", "-")
    words: list[str] = []
    numbers: list[float] = []
    for part in _PART.findall(plain):
        if part in _SPELLED:
            part = str(_SPELLED.index(part))
        if part.lstrip("+-").replace(".", "", 1).isdecimal():
            numbers.append(float(part))
            words.append(_PLACE)
        elif part not in _ARTICLES:
            words.append(part)
    return _Said(tuple(words), tuple(numbers))
