"""Tolerances of answers, and when two answers count as different."""

from __future__ import annotations

from typing import Final

from avr_ros.benchmark.recipe import AnswerValue, DistanceAsked, Recipe
from avr_ros.benchmark.scoring.answers import frame_is_right, number_is_right, span_is_right
from avr_ros.schema.answer import SpanAnswer
from avr_ros.schema.vocabulary import AnswerMode

FRAME_TOLERANCE: Final = 5.0
"""Frames, for the modes frame and frame_view."""

SECONDS_TOLERANCE: Final = 1.0
"""Seconds, for times."""

METRES_TOLERANCE: Final = 0.5
"""Metres, for distances."""


def tolerance_of(recipe: Recipe) -> float | None:
    """The tolerance that a question states, in frames or its unit; none for choices and spans."""
    if recipe.mode in (AnswerMode.FRAME, AnswerMode.FRAME_VIEW):
        return FRAME_TOLERANCE
    if recipe.mode is AnswerMode.NUMBER:
        metres = isinstance(recipe.asked, DistanceAsked)
        return METRES_TOLERANCE if metres else SECONDS_TOLERANCE
    return None


NUMBER_STEP: Final = 0.1
"""Step of the numbers that are asked for: keys hold tenths of seconds and of metres."""


def guess_width(recipe: Recipe) -> float:
    """Length of the answers that one guess hits, in frames or the question's unit.

    Both tolerances and the answer in the middle: 11 frames, 2.1 seconds, 1.1 metres.
    """
    tolerance = tolerance_of(recipe)
    assert tolerance is not None
    step = NUMBER_STEP if recipe.mode is AnswerMode.NUMBER else 1.0
    return 2.0 * tolerance + step


def class_of_number(recipe: Recipe, answer: float, smallest: float) -> int:
    """The class of a number: how many widths of a guess fit between the smallest and it."""
    steps = round((answer - smallest) / NUMBER_STEP)
    return steps // round(guess_width(recipe) / NUMBER_STEP)


def right_answer(recipe: Recipe, answer: AnswerValue, truth: AnswerValue) -> bool:
    """Whether an answer would be scored right where ``truth`` is the key's, views aside."""
    tolerance = tolerance_of(recipe)
    if isinstance(answer, str) or isinstance(truth, str):
        return answer == truth
    if isinstance(answer, tuple) and isinstance(truth, tuple):
        return span_is_right(
            SpanAnswer(start_frame=answer[0], end_frame=answer[1]),
            SpanAnswer(start_frame=truth[0], end_frame=truth[1]),
        )
    if isinstance(answer, tuple) or isinstance(truth, tuple):
        return False
    assert tolerance is not None
    if recipe.mode is AnswerMode.NUMBER:
        return number_is_right(float(answer), float(truth), tolerance)
    return frame_is_right(int(answer), int(truth), tolerance)
