"""Choices of multiple-choice questions: distractors and positions, both balanced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

MOST_CHOICES: Final = 4
"""Number of choices, where there are enough surely wrong answers."""

FEWEST_CHOICES: Final = 3
"""Smallest number of choices where there are more than two answers at all."""


def balanced_positions(count: int, choices: int, rng: np.random.Generator) -> list[int]:
    """Positions of the right choices: each equally often (to within one), in random order."""
    extra = rng.permutation(choices)[: count % choices].tolist()
    positions = [index for index in range(choices) for _ in range(count // choices)] + extra
    return [positions[index] for index in rng.permutation(count).tolist()]


def balanced_distractors(
    answers: Sequence[str],
    classes: Sequence[str],
    allowed: Callable[[int, str], bool],
    rng: np.random.Generator,
) -> list[tuple[str, ...] | None]:
    """Wrong choices for each question, every class about equally often among them.

    Then a class that is offered is right with the same probability whichever it is.
    ``allowed(index, name)`` says whether a class is surely wrong for a question. Where only two
    classes exist, the other one is the wrong choice; else there are as many as `MOST_CHOICES` and
    `FEWEST_CHOICES` let. None for a question with too few wrong answers.
    """
    fewest = min(len(classes), FEWEST_CHOICES) - 1
    used: Counter[str] = Counter()
    result: list[tuple[str, ...] | None] = [None] * len(answers)
    for index in rng.permutation(len(answers)).tolist():
        wrong = [name for name in classes if name != answers[index] and allowed(index, name)]
        if len(wrong) < max(fewest, 1):
            continue
        drawn = [wrong[place] for place in rng.permutation(len(wrong)).tolist()]
        picked = sorted(drawn, key=lambda name: used[name])[: MOST_CHOICES - 1]
        used.update(picked)
        result[index] = tuple(picked)
    return result


def arrange(
    right: str, wrong: Sequence[str], position: int, rng: np.random.Generator
) -> tuple[str, ...]:
    """The choices with the right one at a position and the others in random order."""
    others = [wrong[index] for index in rng.permutation(len(wrong)).tolist()]
    return (*others[:position], right, *others[position:])
