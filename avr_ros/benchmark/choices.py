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


ROUNDS: Final = 4
"""Times that every question's wrong choices are chosen anew, the others' being what they are."""


def balanced_positions(count: int, choices: int, rng: np.random.Generator) -> list[int]:
    """Positions of the right choices: each equally often (to within one), in random order."""
    extra = rng.permutation(choices)[: count % choices].tolist()
    positions = [index for index in range(choices) for _ in range(count // choices)] + extra
    return [positions[index] for index in rng.permutation(count).tolist()]


def balanced_distractors(
    answers: Sequence[str],
    classes: Sequence[str],
    allowed: Callable[[int, str], bool],
    features: Sequence[tuple[str, ...]],
    rng: np.random.Generator,
) -> list[tuple[str, ...] | None]:
    """Wrong choices for each question, each class as often as it is right times their number.

    Then a class that is offered is right with the same probability whichever it is, as far as
    ``allowed(index, name)``, whether a class is surely wrong for a question, lets. The same is
    sought among the questions that share a feature of ``features``, what their texts tell. Where
    only two classes exist, the other one is the wrong choice; else there are as many as
    `MOST_CHOICES` and `FEWEST_CHOICES` let. None for a question with too few wrong answers.
    """
    fewest = max(min(len(classes), FEWEST_CHOICES) - 1, 1)
    wrong = [
        [name for name in classes if name != answer and allowed(index, name)]
        for index, answer in enumerate(answers)
    ]
    askable = [index for index in range(len(answers)) if len(wrong[index]) >= fewest]
    balance = _Balance()
    for index in askable:
        balance.count(answers[index], features[index], MOST_CHOICES - 1)
    picked: dict[int, list[str]] = {}
    for _ in range(ROUNDS):
        for place in rng.permutation(len(askable)).tolist():
            index = askable[place]
            for name in picked.get(index, ()):
                balance.count(name, features[index], 1)
            drawn = [wrong[index][at] for at in rng.permutation(len(wrong[index])).tolist()]
            drawn.sort(key=lambda name: -balance.lack(name, features[index]))
            picked[index] = drawn[: MOST_CHOICES - 1]
            for name in picked[index]:
                balance.count(name, features[index], -1)
    return [tuple(picked[index]) if index in picked else None for index in range(len(answers))]


class _Balance:
    """How often each class still has to be offered as a wrong choice, overall and by feature."""

    def __init__(self) -> None:
        self._lack: Counter[tuple[str, str]] = Counter()

    def count(self, name: str, features: tuple[str, ...], times: int) -> None:
        """Add to what a class lacks."""
        for feature in ("", *features):
            self._lack[feature, name] += times

    def lack(self, name: str, features: tuple[str, ...]) -> int:
        """What a class lacks: overall, which weighs most, and for each feature."""
        own = sum(self._lack[feature, name] for feature in features)
        return (len(features) + 2) * self._lack["", name] + own


def arrange(
    right: str, wrong: Sequence[str], position: int, rng: np.random.Generator
) -> tuple[str, ...]:
    """The choices with the right one at a position and the others in random order."""
    others = [wrong[index] for index in rng.permutation(len(wrong)).tolist()]
    return (*others[:position], right, *others[position:])
