"""Chance of a right answer without looking, by answer mode.

choice: one of the choices. frame, span and number: answers are spread evenly over classes of which
one guess covers one, so one in the number of classes; a class is as wide as the tolerance on both
sides (or, for spans, at least as wide as what a guess of the right length covers). frame_view: the
chance of the frame times the share of directions that show the person well enough.
"""

from __future__ import annotations

from collections.abc import Iterable

from avr_ros.benchmark.scoring.thresholds import VIEW_SHARE
from avr_ros.geometry.crop import CROP_SIZE
from avr_ros.schema.box import Box
from avr_ros.schema.vocabulary import AnswerMode


def view_chance(box: Box, panorama_width: int) -> float:
    """Share of all directions in which the default view shows `VIEW_SHARE` of a box's columns."""
    covered = min(box.w, float(CROP_SIZE))
    return max(CROP_SIZE + box.w - 2.0 * VIEW_SHARE * covered, 1.0) / panorama_width


def mode_chance(
    mode: AnswerMode, choices: Iterable[int], classes: int, boxes: Iterable[Box], width: int
) -> float | None:
    """Mean chance of the questions of one family and mode; none where there are none.

    ``choices`` are the numbers of choices of choice questions, ``classes`` the number of classes
    of the others, ``boxes`` the people's boxes at the answered frame of frame and view questions.
    """
    if mode is AnswerMode.CHOICE:
        return _mean(1.0 / count for count in choices)
    if classes < 1:
        return None
    if mode is AnswerMode.FRAME_VIEW:
        share = _mean(view_chance(box, width) for box in boxes)
        return None if share is None else share / classes
    return 1.0 / classes


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return sum(found) / len(found) if found else None
