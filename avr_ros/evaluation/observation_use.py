"""Observations used, beside what a search that wastes none would use."""

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Final

from avr_ros.benchmark.scoring.summary import NO_FAMILY
from avr_ros.geometry.full_turn import FULL_TURN
from avr_ros.schema.question import Question
from avr_ros.schema.report import ObservationUse
from avr_ros.schema.result import SampleResult
from avr_ros.schema.vocabulary import Family

_CONFIRMING: Final[int] = 2

SEARCHED: Final = frozenset(
    {Family.ACTION_BOUNDARY, Family.CHAIN_HYBRID, Family.UNIQUE_ANCHOR_ACTION, Family.LONG_RANGE}
)
"""Families whose answer depends on a moment that has to be found."""

NAMES_A_LATER_FRAME: Final = frozenset({Family.TEMPORAL_CHAIN, Family.UNIQUE_ANCHOR_STATE})
"""Families whose questions name a second frame."""

FRAMES_PER_SECOND: Final[float] = 15.0
"""Usual rate of JRDB's panoramas, for the reference alone: no answer is told from it."""


def searched_frames(question: Question) -> int | None:
    """Frames in which the answer may lie, none where the question allows every frame."""
    if not question.legal_frames:
        return None
    return sum(span.last - span.first + 1 for span in question.legal_frames)


def reference_observations(question: Question, frames: int | None) -> float | None:
    """Observations that answering takes where nothing is wasted and nobody is hidden.

    A full turn to find the person; a bisection of the searched frames down to the tolerance, where
    the answer is a moment that has to be found; a full turn for a further frame that the question
    names; and two views that confirm: 8 + ceil(log2(frames / (2 tolerance + 1))) + 8 + 2 with the
    parts that apply. A tolerance in seconds counts as `FRAMES_PER_SECOND` frames each. None for a
    question of no family, and where ``frames`` is needed and not known.
    """
    family = question.family
    if family is None:
        return None
    views = float(FULL_TURN + _CONFIRMING)
    if family in SEARCHED:
        if frames is None or frames < 1:
            return None
        tolerance = question.tolerance or 0.0
        if question.unit == "s":
            tolerance *= FRAMES_PER_SECOND
        views += max(0, math.ceil(math.log2(frames / (2 * tolerance + 1))))
    if family in NAMES_A_LATER_FRAME:
        views += FULL_TURN
    return views


def observation_use(
    results: Sequence[SampleResult],
    questions: Mapping[str, Question],
    sequence_frames: Mapping[str, int],
) -> dict[str, ObservationUse]:
    """Median observations, and the median of the reference, of each family that occurs.

    ``questions`` are by question id, ``sequence_frames`` the number of frames of each sequence,
    for questions that allow them all.
    """
    used: dict[str, list[int]] = {}
    references: dict[str, list[float | None]] = {}
    for result in results:
        family = NO_FAMILY if result.family is None else result.family.value
        question = questions[result.question_id]
        frames = searched_frames(question) or sequence_frames.get(question.sequence)
        used.setdefault(family, []).append(result.cost.observations)
        references.setdefault(family, []).append(reference_observations(question, frames))
    return {
        family: ObservationUse(
            median=float(median(used[family])), reference=_median(references[family])
        )
        for family in sorted(used)
    }


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(median(known)) if known and len(known) == len(values) else None
