"""Blind baselines find what leaks, and find nothing where nothing leaks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from avr_ros.benchmark.blind.chance import mode_chance, view_chance
from avr_ros.benchmark.blind.evaluation import BlindSet, evaluate_blind, holm
from avr_ros.benchmark.blind.report import blind_report
from avr_ros.benchmark.blind.text_prior import tokens
from avr_ros.benchmark.scoring.views import shows_enough
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.schema.answer import (
    Answer,
    ChoiceAnswer,
    FrameAnswer,
    FrameViewAnswer,
    NumberAnswer,
    SpanAnswer,
)
from avr_ros.schema.answer_key import AnswerKey, EvidenceFrame
from avr_ros.schema.box import Box
from avr_ros.schema.question import DEFAULT_FIELD_OF_VIEW_DEG, FrameSpan, Question
from avr_ros.schema.vocabulary import AnswerMode, Family

ACTIONS = ("walking", "sitting", "reading", "typing", "standing", "bending over")
Solved = tuple[Question, AnswerKey]


def solved(number: int, text: str, mode: AnswerMode, answer: Answer, **more: object) -> Solved:
    """A question with its key."""
    name = f"q-{number}"
    question = Question.model_validate(
        {
            "question_id": name,
            "family": Family.RELATION_CHAIN,
            "answer_mode": mode,
            "text": text,
            "sequence": "s",
            "tolerance": 5.0 if mode in (AnswerMode.FRAME, AnswerMode.FRAME_VIEW) else None,
            **more,
        }
    )
    key = AnswerKey(
        question_id=name,
        answer=answer,
        tolerance=question.tolerance,
        target="pedestrian:1",
        evidence=(EvidenceFrame(frame_id=100, box=Box(1840.0, 100.0, 80.0, 200.0)),),
    )
    return question, key


def choices(
    rng: np.random.Generator, text_of: Callable[[str], str], place_of: Callable[[], int]
) -> list[Solved]:
    """Two hundred choice questions with equally frequent answers."""
    items: list[Solved] = []
    for number in range(198):
        right = ACTIONS[number % len(ACTIONS)]
        wrong = [name for name in ACTIONS if name != right]
        offered = [wrong[index] for index in rng.permutation(5)[:3].tolist()]
        place = place_of()
        offered.insert(place, right)
        answer = ChoiceAnswer(choice=place)
        items.append(
            solved(number, text_of(right), AnswerMode.CHOICE, answer, choices=tuple(offered))
        )
    return items


def above(sets: list[BlindSet]) -> set[str]:
    """The baselines that are better than chance."""
    return {test.baseline for test in evaluate_blind(sets).tests if test.above}


CHANCE = {(Family.RELATION_CHAIN, AnswerMode.CHOICE): 0.25}


def test_nothing_is_found_where_nothing_leaks() -> None:
    rng = np.random.default_rng(1)
    sets = [
        BlindSet(tuple(choices(rng, lambda right: "What?", lambda: int(rng.integers(4)))), CHANCE)
        for _ in range(3)
    ]
    assert above(sets) == set()


def test_a_fixed_position_is_found() -> None:
    rng = np.random.default_rng(2)
    sets = [
        BlindSet(tuple(choices(rng, lambda right: "What?", lambda: 2)), CHANCE) for _ in range(2)
    ]
    assert "constant_position" in above(sets)


def test_words_that_give_the_answer_away_are_found_in_one_set_and_in_two() -> None:
    rng = np.random.default_rng(3)
    hints = dict(zip(ACTIONS, ("red", "blue", "green", "black", "white", "pink"), strict=True))

    def text(right: str) -> str:
        return f"Who wears {hints[right]}?" if rng.random() < 0.6 else "Who is that?"

    sets = [
        BlindSet(tuple(choices(rng, text, lambda: int(rng.integers(4)))), CHANCE) for _ in range(2)
    ]
    assert "text_prior" in above(sets)
    assert "text_prior" in above(sets[:1])


def test_an_answer_that_is_right_too_often_is_found() -> None:
    rng = np.random.default_rng(4)
    items = []
    for number in range(200):
        right = "walking" if number % 2 else ACTIONS[1 + number % 5]
        wrong = [name for name in ACTIONS if name != right][:3]
        place = int(rng.integers(4))
        answer = ChoiceAnswer(choice=place)
        offered = (*wrong[:place], right, *wrong[place:])
        items.append(solved(number, "What?", AnswerMode.CHOICE, answer, choices=offered))
    assert "majority" in above([BlindSet(tuple(items), CHANCE)])


def frames(offset_of: Callable[[], int]) -> BlindSet:
    """Frame questions in windows of 100 frames that begin anywhere."""
    items = []
    for number in range(200):
        first = 7 * number
        answer = FrameAnswer(frame_id=first + offset_of())
        legal = (FrameSpan(first=first, last=first + 100),)
        items.append(solved(number, "When?", AnswerMode.FRAME, answer, legal_frames=legal))
    return BlindSet(tuple(items), {(Family.RELATION_CHAIN, AnswerMode.FRAME): 1 / 8})


def test_events_that_come_at_the_same_time_are_found_and_spread_ones_are_not() -> None:
    rng = np.random.default_rng(5)
    assert above([frames(lambda: int(rng.integers(11, 99))) for _ in range(2)]) == set()
    bunched = [frames(lambda: int(rng.normal(50, 8))) for _ in range(2)]
    assert {"constant_position", "majority", "text_prior"} <= above(bunched)


@pytest.mark.parametrize(
    ("mode", "answer", "more"),
    [
        (AnswerMode.SPAN, SpanAnswer(start_frame=40, end_frame=60), {}),
        (AnswerMode.NUMBER, NumberAnswer(value=7.0), {"unit": "s", "tolerance": 1.0}),
        (AnswerMode.FRAME_VIEW, FrameViewAnswer(frame_id=100, azimuth_deg=0.0), {}),
    ],
)
def test_a_constant_answer_of_any_mode_is_found(
    mode: AnswerMode, answer: Answer, more: dict[str, object]
) -> None:
    items = tuple(solved(number, "What?", mode, answer, **more) for number in range(60))
    found = above([BlindSet(items, {(Family.RELATION_CHAIN, mode): 0.2})])
    assert found == {"constant_position", "majority", "random", "text_prior"}


def test_holm_by_hand() -> None:
    # Holm 1979: the smallest of four is multiplied by 4, the next by 3, and never falls.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_the_report_says_whether_it_passed() -> None:
    rng = np.random.default_rng(6)
    leaky = BlindSet(tuple(choices(rng, lambda right: "What?", lambda: 0)), CHANCE)
    report = blind_report(evaluate_blind([leaky]))
    assert not report.passed
    assert report.questions == 198
    assert report.groups[0].chance == 25.0
    assert report.groups[0].right["constant_position"] > 90.0


def test_the_same_seed_gives_the_same_result() -> None:
    sets = [frames(lambda: 50), frames(lambda: 60)]
    assert evaluate_blind(sets, 1) == evaluate_blind(sets, 1)


def test_chance_by_mode() -> None:
    box = Box(1840.0, 100.0, 80.0, 200.0)
    assert mode_chance(AnswerMode.CHOICE, [4, 4, 2], 0, [], 3760) == pytest.approx(1 / 3)
    assert mode_chance(AnswerMode.FRAME, [], 8, [], 3760) == 1 / 8
    assert mode_chance(AnswerMode.NUMBER, [], 0, [], 3760) is None
    assert mode_chance(AnswerMode.FRAME_VIEW, [], 8, [box], 3760) == view_chance(box, 3760) / 8


@pytest.mark.parametrize("width", [20.0, 80.0, 300.0, 480.0, 600.0])
def test_view_chance_is_the_share_of_directions_that_show_enough(width: float) -> None:
    box = Box(1000.0, 100.0, width, 200.0)
    shown = sum(
        shows_enough(
            box, left * 360.0 / 3760.0 - 180.0, (DEFAULT_FIELD_OF_VIEW_DEG,), JRDB_CYLINDER
        )
        for left in range(3760)
    )
    assert view_chance(box, 3760) == pytest.approx(shown / 3760, abs=2 / 3760)


def test_numbers_count_by_their_size_only() -> None:
    assert tokens("At frame 120 go") == tokens("At frame 149 go")
    assert tokens("At frame 120") != tokens("At frame 151")
