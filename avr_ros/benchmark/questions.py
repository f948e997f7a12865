"""From selected candidates to questions and keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from avr_ros.benchmark.blocks import Block
from avr_ros.benchmark.candidate import Candidate
from avr_ros.benchmark.choices import (
    FEWEST_CHOICES,
    arrange,
    balanced_distractors,
    balanced_positions,
)
from avr_ros.benchmark.recipe import DistanceAsked
from avr_ros.benchmark.selection import select
from avr_ros.benchmark.tolerances import tolerance_of
from avr_ros.schema.answer import (
    Answer,
    ChoiceAnswer,
    FrameAnswer,
    FrameViewAnswer,
    NumberAnswer,
    SpanAnswer,
)
from avr_ros.schema.answer_key import AnswerKey
from avr_ros.schema.question import Question
from avr_ros.schema.seeds import generator
from avr_ros.schema.vocabulary import AnswerMode, Family

Option = tuple[tuple[str, ...], int]
"""The choices of a question, by stratum, and the index of the right one."""


@dataclass(frozen=True)
class Pair:
    """A question, its key, and the candidate that both were made from."""

    question: Question
    key: AnswerKey
    candidate: Candidate


def build_pairs(
    family: Family, mode: AnswerMode, chosen: Sequence[Candidate], first_number: int, seed: int
) -> list[Pair]:
    """Questions and keys of one family and mode, numbered from ``first_number``.

    A choice question for which there are too few surely wrong choices is left out.
    """
    rng = generator(seed, "choices", family.value, mode.value)
    options: list[Option | None] = [((), 0)] * len(chosen)
    if mode is AnswerMode.CHOICE:
        options = _choices(chosen, rng)
    return _pairs(family, chosen, options, first_number, seed)


def build_blocks(
    family: Family, mode: AnswerMode, blocks: Sequence[Block], first_number: int, seed: int
) -> list[Pair]:
    """The same for blocks of choice questions, each of which offers the answers of its block."""
    rng = generator(seed, "choices", family.value, mode.value)
    chosen = [candidate for block in blocks for candidate in block]
    wrong = [
        tuple(other.stratum for other in block if other is not candidate)
        for block in blocks
        for candidate in block
    ]
    options = _placed([candidate.stratum for candidate in chosen], wrong, rng)
    return _pairs(family, chosen, options, first_number, seed)


def _pairs(
    family: Family,
    chosen: Sequence[Candidate],
    options: Sequence[Option | None],
    first_number: int,
    seed: int,
) -> list[Pair]:
    pairs: list[Pair] = []
    for candidate, option in zip(chosen, options, strict=True):
        if option is not None:
            question_id = f"{family.value}-s{seed}-{first_number + len(pairs):04d}"
            words = generator(seed, "words", question_id)
            pairs.append(_pair(candidate, question_id, *option, words))
    return pairs


def answerable(
    pool: Sequence[Candidate], wanted: int, fewest_classes: int, rng: np.random.Generator
) -> list[Candidate]:
    """The candidates for which enough wrong choices exist among the classes that will be used."""
    kept = list(pool)
    while True:
        used = {item.stratum for item in select(kept, wanted, fewest_classes, rng).candidates}
        least = min(len(used), FEWEST_CHOICES) - 1
        fit = [item for item in kept if len(used - item.not_wrong - {item.stratum}) >= least]
        if len(fit) == len(kept):
            return kept
        kept = fit


def _pair(
    candidate: Candidate,
    question_id: str,
    choices: tuple[str, ...],
    position: int,
    rng: np.random.Generator,
) -> Pair:
    recipe = candidate.recipe
    question = Question(
        question_id=question_id,
        family=recipe.family,
        answer_mode=recipe.mode,
        text=candidate.family.text(recipe, rng),
        sequence=recipe.sequence,
        choices=tuple(candidate.family.choice_text(recipe, name) for name in choices),
        unit=_unit(candidate),
        tolerance=tolerance_of(recipe),
        legal_frames=candidate.legal_frames,
        given_frames=candidate.given_frames,
    )
    key = AnswerKey(
        question_id=question_id,
        answer=_answer(candidate, position),
        tolerance=tolerance_of(recipe),
        target=f"pedestrian:{candidate.truth.target}",
        evidence=candidate.evidence,
    )
    return Pair(question, key, candidate)


def _answer(candidate: Candidate, position: int) -> Answer:
    mode, answer = candidate.recipe.mode, candidate.truth.answer
    if mode is AnswerMode.CHOICE:
        return ChoiceAnswer(choice=position)
    if isinstance(answer, tuple):
        return SpanAnswer(start_frame=answer[0], end_frame=answer[1])
    assert not isinstance(answer, str)
    if mode is AnswerMode.NUMBER:
        return NumberAnswer(value=float(answer))
    if mode is AnswerMode.FRAME_VIEW:
        assert candidate.azimuth_deg is not None
        return FrameViewAnswer(frame_id=int(answer), azimuth_deg=candidate.azimuth_deg)
    return FrameAnswer(frame_id=int(answer))


def _unit(candidate: Candidate) -> Literal["", "s", "m"]:
    if candidate.recipe.mode is not AnswerMode.NUMBER:
        return ""
    return "m" if isinstance(candidate.recipe.asked, DistanceAsked) else "s"


def _choices(chosen: Sequence[Candidate], rng: np.random.Generator) -> list[Option | None]:
    """The choices of each question and the right one's position; none where there are too few."""
    classes = sorted({candidate.stratum for candidate in chosen})
    answers = [candidate.stratum for candidate in chosen]
    features = [candidate.features for candidate in chosen]
    wrong = balanced_distractors(
        answers, classes, lambda index, name: name not in chosen[index].not_wrong, features, rng
    )
    return _placed(answers, wrong, rng)


def _placed(
    answers: Sequence[str], wrong: Sequence[tuple[str, ...] | None], rng: np.random.Generator
) -> list[Option | None]:
    """Choices with the right one at each position equally often, by number of choices."""
    result: list[Option | None] = [None] * len(answers)
    for count in sorted({len(item) for item in wrong if item is not None}):
        same = [index for index, item in enumerate(wrong) if item and len(item) == count]
        places = balanced_positions(len(same), count + 1, rng)
        for index, place in zip(same, places, strict=True):
            result[index] = (arrange(answers[index], wrong[index] or (), place, rng), place)
    return result
