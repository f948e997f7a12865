"""Choices of multiple-choice questions: how many, and where the right one stands."""

from __future__ import annotations

from collections.abc import Sequence
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


def arrange(
    right: str, wrong: Sequence[str], position: int, rng: np.random.Generator
) -> tuple[str, ...]:
    """The choices with the right one at a position and the others in random order."""
    others = [wrong[index] for index in rng.permutation(len(wrong)).tolist()]
    return (*others[:position], right, *others[position:])
