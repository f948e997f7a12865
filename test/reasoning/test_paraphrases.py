"""How much of what people may write the grammar understands, and that it never guesses."""

from collections.abc import Sequence

import pytest
from later_paraphrases import FOURTH, SECOND, THIRD
from paraphrases import DEVELOPED_ON, KEPT_APART, PARAPHRASES, Paraphrase
from recipe_meaning import same

from avr_ros.reasoning.local.parser import understand
from avr_ros.reasoning.meaning import NotUnderstood, QuestionMeaning
from avr_ros.schema.vocabulary import AnswerMode, Family

Pairs = Sequence[tuple[str, QuestionMeaning]]


def _pairs(listed: Sequence[Paraphrase]) -> Pairs:
    return [(item.text, item.meaning) for item in listed]


FLOORS: dict[str, tuple[Pairs, int]] = {
    "developed on": (_pairs(DEVELOPED_ON), 86),
    "kept apart": (_pairs(KEPT_APART), 36),
    "second list": (SECOND, 38),
    "third list": (THIRD, 27),
    "fourth list": (FOURTH, 22),
}
"""The lists and the numbers of right readings that were reached, of 86, 43, 41, 30 and 30."""


def test_the_list_covers_every_family_and_mode() -> None:
    assert len(PARAPHRASES) >= 120
    assert len({item.text for item in PARAPHRASES}) == len(PARAPHRASES)
    assert {item.family for item in PARAPHRASES} == set(Family)
    assert {item.mode for item in PARAPHRASES} == set(AnswerMode)


@pytest.mark.parametrize("name", FLOORS)
def test_right_readings_do_not_become_fewer(name: str) -> None:
    listed, floor = FLOORS[name]
    assert sum(_is_right(*pair) for pair in listed) >= floor


@pytest.mark.parametrize("name", FLOORS)
def test_what_is_read_is_read_as_it_is_meant(name: str) -> None:
    """Whatever is not understood is said; no paraphrase is read as something else."""
    listed, _ = FLOORS[name]
    understood = [pair for pair in listed if not isinstance(understand(pair[0]), NotUnderstood)]
    assert [text for text, meaning in understood if not _is_right(text, meaning)] == []


def _is_right(text: str, meaning: QuestionMeaning) -> bool:
    read = understand(text)
    return isinstance(read, QuestionMeaning) and same(read) == same(meaning)
