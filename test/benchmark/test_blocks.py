"""Blocks of questions with the same words: what is offered is right equally often."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.benchmark.answer_spread import AnswerSpread, place_of
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
        (f"described {words}", f"at {frame // 50}"),
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
        assert len({item.words for item in block}) == 1
        assert len({item.stratum for item in block}) == len(block)
        assert not any(
            one.stratum in other.not_wrong for one in block for other in block if one is not other
        )
    right: Counter[Offer] = Counter()
    offered: dict[Offer, list[int]] = defaultdict(list)
    for pair in build_blocks(FAMILY, AnswerMode.CHOICE, blocks, 1, seed):
        choices, key = pair.question.choices, pair.key.answer
        for index, choice in enumerate(choices):
            name = (pair.candidate.words, frozenset(choices), choice)
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


def answered(mode: AnswerMode, answer: int | float | tuple[int, int]) -> Candidate:
    """A candidate of a mode whose described frame is 100."""
    asked = candidate("walking", "standing", 1, 100)
    return replace(
        asked,
        recipe=replace(asked.recipe, mode=mode),
        truth=replace(asked.truth, answer=answer),
        azimuth_deg=0.0,
    )


def test_how_close_two_answers_are_is_told_in_guesses() -> None:
    """A guess hits 11 frames or, of seconds to a tenth, 2.1."""
    assert place_of(answered(AnswerMode.FRAME, 122)) == pytest.approx(2.0)
    assert place_of(answered(AnswerMode.NUMBER, 6.3)) == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("mode", "answers", "near"),
    [
        (AnswerMode.FRAME, (111, 111, 122, 133), (1.0, 1.0, 0.0, 0.0)),
        (AnswerMode.NUMBER, (4.2, 6.3, 5.25), (1.0, 0.0, 0.5)),
        (AnswerMode.SPAN, ((111, 120), (111, 120), (121, 130)), (1.0, 1.0, 0.0)),
        (AnswerMode.FRAME_VIEW, (111, 122), (1.2, 0.1)),
    ],
)
def test_nearness_falls_to_nothing_where_no_guess_hits_both(
    mode: AnswerMode, answers: tuple[int | float | tuple[int, int], ...], near: tuple[float, ...]
) -> None:
    spread = AnswerSpread([answered(mode, answer) for answer in answers])
    assert spread.to(0).tolist() == pytest.approx(list(near))


def test_the_order_and_the_numbers_of_questions_tell_nothing_of_another_data_set() -> None:
    """Positions come from what was chosen too: they differ between data sets of one seed."""
    places = []
    for shift in (0, 1):
        people = [candidate("walking", answer, n, 15 * n) for n, answer in enumerate(ANSWERS * 8)]
        pool = [
            replace(item, truth=replace(item.truth, path=(n + shift,)))
            for n, item in enumerate(people)
        ]
        blocks = matched_blocks(pool, 40, (4, 3), np.random.default_rng(0))
        pairs = build_blocks(FAMILY, AnswerMode.CHOICE, blocks, 1, 0)
        places.append([pair.key.answer for pair in pairs])
        assert [pair.question.question_id[-4:] for pair in pairs] == [
            f"{number:04d}" for number in range(1, len(pairs) + 1)
        ]
    assert len(places[0]) == len(places[1])
    assert places[0] != places[1]


def test_questions_of_a_block_are_phrased_alike() -> None:
    pool = [candidate("walking", answer, n, 15 * n) for n, answer in enumerate(ANSWERS[:4], 1)]
    blocks = matched_blocks(pool, 4, (4, 3), np.random.default_rng(0))
    pairs = build_blocks(FAMILY, AnswerMode.CHOICE, blocks, 1, 0)
    texts = {
        pair.question.text.replace(str(pair.candidate.recipe.reference.frame), "N")
        for pair in pairs
    }
    assert len(pairs) == 4
    assert len(texts) == 1


def test_words_of_single_questions_are_spread_over_the_answers_too() -> None:
    """Two blocks of three: standing early twice would tell, so the one with it late is taken."""
    early = [candidate("walking", "standing", 1, 0), candidate("walking", "sitting", 2, 510)]
    same = [candidate("reading", "standing", 3, 0), candidate("reading", "sitting", 4, 510)]
    late = [candidate("bending", "standing", 5, 510), candidate("bending", "sitting", 6, 0)]
    for seed in range(5):
        rng = np.random.default_rng(seed)
        blocks = matched_blocks([*early, *same, *late], 4, (2,), rng)
        words = {item.words for block in blocks for item in block}
        assert len(words) == 2
        assert ("described bending",) in words
