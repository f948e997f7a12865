"""How much of what people may write the grammar understands, and that it never guesses."""

from collections.abc import Sequence

import pytest
from paraphrases import DEVELOPED_ON, KEPT_APART, PARAPHRASES, Paraphrase
from recipe_meaning import same

from avr_ros.reasoning.local.parser import understand
from avr_ros.reasoning.meaning import NotUnderstood, QuestionMeaning
from avr_ros.schema.vocabulary import AnswerMode, Family

FLOORS = {"developed on": (DEVELOPED_ON, 86), "kept apart": (KEPT_APART, 34)}
"""The numbers of right readings that were reached, of 86 and of 43."""


def test_the_list_covers_every_family_and_mode() -> None:
    assert len(PARAPHRASES) >= 120
    assert len({item.text for item in PARAPHRASES}) == len(PARAPHRASES)
    assert {item.family for item in PARAPHRASES} == set(Family)
    assert {item.mode for item in PARAPHRASES} == set(AnswerMode)


@pytest.mark.parametrize("name", FLOORS)
def test_right_readings_do_not_become_fewer(name: str) -> None:
    listed, floor = FLOORS[name]
    assert sum(_is_right(item) for item in listed) >= floor


def test_what_is_read_is_read_as_it_is_meant() -> None:
    """Whatever is not understood is said; no paraphrase is read as something else."""
    assert [item.text for item in _misread(PARAPHRASES)] == []


def _is_right(item: Paraphrase) -> bool:
    read = understand(item.text)
    return isinstance(read, QuestionMeaning) and same(read) == item.meaning


def _misread(listed: Sequence[Paraphrase]) -> list[Paraphrase]:
    return [
        item
        for item in listed
        if not isinstance(understand(item.text), NotUnderstood) and not _is_right(item)
    ]
