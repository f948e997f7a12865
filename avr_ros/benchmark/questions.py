"""From selected candidates to questions and keys."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from avr_ros.benchmark.blocks import Block
from avr_ros.benchmark.candidate import Candidate
from avr_ros.benchmark.choices import arrange, balanced_positions
from avr_ros.benchmark.recipe import DistanceAsked
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
    """Questions and keys of one family and mode without choices, numbered from ``first_number``."""
    return _pairs([[candidate] for candidate in chosen], family, mode, first_number, seed)


def build_blocks(
    family: Family, mode: AnswerMode, blocks: Sequence[Block], first_number: int, seed: int
) -> list[Pair]:
    """The same for blocks of choice questions, each of which offers the answers of its block."""
    return _pairs(blocks, family, mode, first_number, seed)


def _pairs(
    blocks: Sequence[Sequence[Candidate]],
    family: Family,
    mode: AnswerMode,
    first_number: int,
    seed: int,
) -> list[Pair]:
    """Questions in random order, so that neither number nor neighbours tell of an answer.

    Everything random also comes from what was chosen: positions that are known of one data set
    tell nothing of another one's with the same seed. Questions of a block are phrased alike.
    """
    chosen = [(number, item) for number, block in enumerate(blocks) for item in block]
    rng = generator(seed, "choices", family.value, mode.value, _fingerprint(chosen))
    phrasings = rng.integers(0, 2**31, size=len(blocks)).tolist()
    order = [chosen[index] for index in rng.permutation(len(chosen)).tolist()]
    options: list[Option] = [((), 0)] * len(order)
    if mode is AnswerMode.CHOICE:
        offered = [tuple(item.stratum for item in blocks[number]) for number, _ in order]
        options = _placed([item.stratum for _, item in order], offered, rng)
    return [
        _pair(
            item,
            f"{family.value}-s{seed}-{first_number + place:04d}",
            *options[place],
            generator(phrasings[number], "words"),
        )
        for place, (number, item) in enumerate(order)
    ]


def _fingerprint(chosen: Sequence[tuple[int, Candidate]]) -> str:
    """A text that only who knows the chosen candidates' answers can tell."""
    digest = hashlib.sha256()
    for _, item in chosen:
        frames = (item.recipe.reference.frame, item.truth.evidence[0], item.truth.evidence[-1])
        numbers = " ".join(str(int(number)) for number in (*frames, item.truth.target))
        digest.update(f"{item.recipe.sequence} {numbers}\n".encode())
    return digest.hexdigest()


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


def _placed(
    answers: Sequence[str], offered: Sequence[tuple[str, ...]], rng: np.random.Generator
) -> list[Option]:
    """Choices with the right one at each position equally often, by number of choices."""
    result: list[Option] = [((), 0)] * len(answers)
    for count in sorted({len(names) for names in offered}):
        same = [index for index, names in enumerate(offered) if len(names) == count]
        places = balanced_positions(len(same), count, rng)
        for index, place in zip(same, places, strict=True):
            wrong = [name for name in offered[index] if name != answers[index]]
            result[index] = (arrange(answers[index], wrong, place, rng), place)
    return result
