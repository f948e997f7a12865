"""All checks of one candidate question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from avr_ros.benchmark.checks import NECESSITY_CHECKS, Check
from avr_ros.benchmark.families.family import QuestionFamily
from avr_ros.benchmark.recipe import Recipe, Truth
from avr_ros.benchmark.scene import Scene
from avr_ros.benchmark.tolerances import right_answer
from avr_ros.benchmark.validation.raw_people import is_recognisable, is_shown, people_meant
from avr_ros.benchmark.validation.raw_rows import RawRows

MINIMUM_EVIDENCE_FRAMES: Final = 3
"""Frames in which the person meant must be visible where evidence is asked for."""


def failed_checks(
    family: QuestionFamily, recipe: Recipe, truth: Truth, scene: Scene, rows: RawRows
) -> Iterator[Check]:
    """The checks that a question does not pass, in their order; nothing for a valid one.

    ``truth`` is the answer by the first route. Lazy: who asks for the first failure alone does not
    pay for the others.
    """
    way = people_meant(rows, recipe.reference)
    if way is None:
        yield Check.UNIQUENESS
    derived = family.rederive(rows, recipe, truth.target)
    other_person = way is not None and tuple(way) != truth.path
    if other_person or derived is None or derived != truth.answer:
        yield Check.REDERIVATION
    if not _visible(recipe, truth, rows):
        yield Check.VISIBILITY
    for check in NECESSITY_CHECKS:
        if check in family.checks and not _necessary(family, recipe, truth, scene, check):
            yield check


def _visible(recipe: Recipe, truth: Truth, rows: RawRows) -> bool:
    everybody = all(
        is_recognisable(rows.of(frame, track), rows.height) for frame, track in truth.seen
    )
    reference = recipe.reference
    acts = [(reference.frame, truth.path[0], action) for action in reference.actions]
    acts += [(frame, truth.target, action) for frame, action in truth.shown]
    everything = all(
        is_shown(rows.of(frame, track), action, rows.height) for frame, track, action in acts
    )
    shown = sum(
        is_recognisable(rows.of(frame, truth.target), rows.height) for frame in truth.evidence
    )
    return everybody and everything and shown >= MINIMUM_EVIDENCE_FRAMES


def _necessary(
    family: QuestionFamily, recipe: Recipe, truth: Truth, scene: Scene, check: Check
) -> bool:
    """Whether what a check takes away is needed: an answer other than the truth remains.

    The true answer always fits what is left, so one more makes two.
    """
    return any(
        not right_answer(recipe, answer, truth.answer)
        for answer in family.remaining(scene, recipe, truth, check)
    )
