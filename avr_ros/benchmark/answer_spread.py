"""How near the answers of candidates are to each other: how likely one guess hits both.

Nearness is 1 for the same answer and 0 for answers that no single guess can hit. Between them it
falls linearly with the distance, as the number of guesses does that hit both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avr_ros.benchmark.candidate import Candidate
from avr_ros.benchmark.tolerances import guess_width
from avr_ros.schema.vocabulary import AnswerMode

VIEW_WIDTH_DEG: Final = 42.0
"""Degrees of the directions that show somebody well enough: a view less a person's width."""

SIDE_SHARE: Final = 0.1
"""What directions alone count for beside frame and direction together."""

FloatArray = NDArray[np.float64]


class AnswerSpread:
    """Nearness of the answers of a pool of candidates of one family and mode."""

    def __init__(self, pool: Sequence[Candidate]) -> None:
        self._mode = pool[0].recipe.mode
        self._size = len(pool)
        if self._mode is AnswerMode.CHOICE:
            return
        if self._mode is AnswerMode.SPAN:
            self._spans = np.array([_span(item) for item in pool], dtype=np.float64)
            return
        self._places = np.array([place_of(item) for item in pool])
        if self._mode is AnswerMode.FRAME_VIEW:
            self._azimuths = np.array([item.azimuth_deg for item in pool], dtype=np.float64)

    def to(self, index: int) -> FloatArray:
        """Nearness of every candidate's answer to that of one; for choices there is none."""
        if self._mode is AnswerMode.CHOICE:
            return np.zeros(self._size)
        if self._mode is AnswerMode.SPAN:
            return self._to_span(index)
        near = np.clip(1.0 - np.abs(self._places - self._places[index]), 0.0, None)
        if self._mode is not AnswerMode.FRAME_VIEW:
            return np.asarray(near)
        turn = np.abs((self._azimuths - self._azimuths[index] + 180.0) % 360.0 - 180.0)
        beside = np.clip(1.0 - turn / VIEW_WIDTH_DEG, 0.0, None)
        return np.asarray(near * beside + SIDE_SHARE * (near + beside))

    def _to_span(self, index: int) -> FloatArray:
        """Two spans can both be met by a guess of IoU 1/2 with each from an IoU of 1/4 on."""
        start, end = self._spans[index]
        common = np.minimum(self._spans[:, 1], end) - np.maximum(self._spans[:, 0], start) + 1.0
        common = np.clip(common, 0.0, None)
        lengths = self._spans[:, 1] - self._spans[:, 0] + 1.0
        iou = common / (lengths + (end - start + 1.0) - common)
        return np.asarray(np.clip((iou - 0.25) / 0.75, 0.0, None))


def place_of(candidate: Candidate) -> float:
    """Where a frame or number lies among possible answers; one guess covers a length of 1."""
    answer = candidate.truth.answer
    assert isinstance(answer, int | float)
    width = guess_width(candidate.recipe)
    if candidate.recipe.mode is AnswerMode.NUMBER:
        return answer / width
    return (answer - candidate.recipe.reference.frame) / width


def _span(candidate: Candidate) -> tuple[int, int]:
    answer = candidate.truth.answer
    assert isinstance(answer, tuple)
    first = candidate.recipe.reference.frame
    return answer[0] - first, answer[1] - first
