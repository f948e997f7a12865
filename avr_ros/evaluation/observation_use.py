"""Observations used, beside what a search that wastes none would use."""

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Final

from avr_ros.benchmark.scoring.summary import NO_FAMILY
from avr_ros.schema.question import Question
from avr_ros.schema.report import ObservationUse
from avr_ros.schema.result import SampleResult
from avr_ros.schema.vocabulary import Family

FULL_TURN: Final[int] = 8
"""Views of the default field of view (45.96 degrees) that see all around: 360 / 45.96 = 7.83."""

_CONFIRMING: Final[int] = 2


def searched_frames(question: Question) -> int | None:
    """Frames in which the answer may lie, none where the question allows every frame."""
    if not question.legal_frames:
        return None
    return sum(span.last - span.first + 1 for span in question.legal_frames)


def reference_observations(question: Question, frames: int | None) -> float | None:
    """Observations that finding a boundary in time takes: a full turn to find the person, a
    bisection of the searched frames down to the tolerance, and two views that confirm it.

    8 + ceil(log2(frames / (2 tolerance + 1))) + 2, for action_boundary with a tolerance; none
    for families where it is not defined, and where ``frames`` is not known.
    """
    if question.family is not Family.ACTION_BOUNDARY or frames is None or frames < 1:
        return None
    tolerance = question.tolerance or 0.0
    halvings = max(0, math.ceil(math.log2(frames / (2 * tolerance + 1))))
    return float(FULL_TURN + halvings + _CONFIRMING)


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
