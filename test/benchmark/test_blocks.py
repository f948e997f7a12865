"""Blocks of questions with the same words: what is offered is right equally often."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.benchmark.blocks import matched_blocks
from avr_ros.benchmark.candidate import Candidate
from avr_ros.benchmark.families.registry import FAMILIES
from avr_ros.benchmark.questions import build_blocks
from avr_ros.benchmark.recipe import NextActionAsked, Recipe, Reference, Truth
from avr_ros.benchmark.selection import spread_features
from avr_ros.schema.answer_key import EvidenceFrame
from avr_ros.schema.box import Box
from avr_ros.schema.vocabulary import AnswerMode, Family

FAMILY = Family.UNIQUE_ANCHOR_ACTION
WORDS = ("walking", "reading", "bending")
Offer = tuple[tuple[str, ...], frozenset[str], str]
"""What the text tells, all that is offered, and one of it."""

ANSWERS = ("standing", "sitting", "typing", "eating sth", "running")


def candidate(
    words: str, answer: str, person: int, frame: int, not_wrong: tuple[str, ...] = ()
) -> Candidate:
    """What a described person starts next at a frame."""
    recipe = Recipe(
        FAMILY, AnswerMode.CHOICE, "s", Reference(frame, (words,)), NextActionAsked(), None
    )
    truth = Truth(answer, (person,), (frame,), ())
    family = FAMILIES[FAMILY]
    return Candidate(
        family,
        recipe,
        truth,
        answer,
        (f"described {words}",),
        frozenset(not_wrong),
        (EvidenceFrame(frame_id=frame, box=Box(10.0, 10.0, 50.0, 100.0)),),
        (),
        (0,),
        None,
    )


candidates = st.builds(
    candidate,
    st.sampled_from(WORDS),
    st.sampled_from(ANSWERS),
    st.integers(1, 12),
    st.integers(0, 20).map(lambda number: number * 15),
    st.lists(st.sampled_from(ANSWERS), max_size=2).map(tuple),
)


@given(st.lists(candidates, max_size=60), st.integers(0, 30), st.integers(0, 3))
def test_each_answer_is_right_once_where_it_is_offered(
    pool: list[Candidate], wanted: int, seed: int
) -> None:
    blocks = matched_blocks(pool, wanted, (4, 3), np.random.default_rng(seed))
    taken = [item for block in blocks for item in block]
    assert len(taken) <= wanted
    assert len({item.same_event for item in taken}) == len(taken)
    for block in blocks:
        assert len(block) in (3, 4)
        assert len({item.features for item in block}) == 1
        assert len({item.stratum for item in block}) == len(block)
        assert not any(
            one.stratum in other.not_wrong for one in block for other in block if one is not other
        )
    right: Counter[Offer] = Counter()
    offered: dict[Offer, list[int]] = defaultdict(list)
    for pair in build_blocks(FAMILY, AnswerMode.CHOICE, blocks, 1, seed):
        choices, key = pair.question.choices, pair.key.answer
        for index, choice in enumerate(choices):
            name = (pair.candidate.features, frozenset(choices), choice)
            offered[name].append(len(choices))
            right[name] += int(index == getattr(key, "choice", None))
    for name, sizes in offered.items():
        assert right[name] * sizes[0] == len(sizes)


def test_nothing_is_asked_where_the_words_go_with_too_few_answers() -> None:
    pool = [candidate("walking", "standing", person, 0) for person in range(1, 9)]
    pool += [candidate("walking", "sitting", person, 0) for person in range(11, 19)]
    pool += [candidate("reading", "typing", 20, 0)]
    assert matched_blocks(pool, 40, (4, 3), np.random.default_rng(0)) == []


def test_an_event_with_one_text_is_not_lost_to_one_with_many() -> None:
    """Person 1 fits both texts, and each text needs it or another: both blocks are found."""
    pool = [candidate("walking", answer, person, 0) for person, answer in enumerate(ANSWERS[:3], 2)]
    pool += [candidate("reading", "standing", 1, 0), candidate("walking", "standing", 1, 0)]
    pool += [candidate("reading", answer, 10 + n, 0) for n, answer in enumerate(ANSWERS[1:3])]
    blocks = matched_blocks(pool, 6, (4, 3), np.random.default_rng(1))
    assert sorted(len(block) for block in blocks) == [3, 3]


@pytest.mark.parametrize(("share", "left"), [(0.0, 6), (0.4, 6), (0.5, 4), (1.0, 0)])
def test_words_that_go_with_few_answers_are_left_out(share: float, left: int) -> None:
    """Walking goes with four of five answers, bending with two; without bending one is gone."""
    pool = [candidate("walking", answer, 1, 0) for answer in ANSWERS[:4]]
    pool += [candidate("bending", answer, 2, 0) for answer in ANSWERS[3:]]
    kept = spread_features(pool, share)
    assert len(kept) == left


def test_how_close_two_answers_are_is_told_in_guesses() -> None:
    asked = candidate("walking", "standing", 1, 100)
    assert asked.position is None
    frame = replace(
        asked,
        recipe=replace(asked.recipe, mode=AnswerMode.FRAME_VIEW),
        truth=replace(asked.truth, answer=122),
    )
    assert frame.position == pytest.approx(2.0)
    number = replace(
        asked,
        recipe=replace(asked.recipe, mode=AnswerMode.NUMBER),
        truth=replace(asked.truth, answer=7.0),
    )
    assert number.position == pytest.approx(3.5)
