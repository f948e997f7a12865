"""Validation: the cases pass, and a single change to the labels fails exactly one check."""

from __future__ import annotations

import pytest
from family_cases import CASES, Case, Mutation
from scene_builder import SceneBuilder

from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.families.registry import FAMILIES
from avr_ros.benchmark.recipe import Recipe, Truth
from avr_ros.benchmark.scene import scene_of
from avr_ros.benchmark.validation.raw_rows import RawRows
from avr_ros.benchmark.validation.validate import failed_checks

MUTATIONS = [(case, mutation) for case in CASES for mutation in case.mutations]


def truth_of(builder: SceneBuilder, recipe: Recipe) -> Truth:
    """The answer by the first route."""
    truth = FAMILIES[recipe.family].truth(scene_of(builder.graph()), recipe)
    assert truth is not None
    return truth


def failures(builder: SceneBuilder, recipe: Recipe, truth: Truth) -> list[Check]:
    """The checks that fail."""
    graph = builder.graph()
    family = FAMILIES[recipe.family]
    return list(failed_checks(family, recipe, truth, scene_of(graph), RawRows(graph)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_question_is_valid_before_any_change(case: Case) -> None:
    builder = case.scene()
    truth = truth_of(builder, case.recipe)
    if case.answer is not None:
        assert truth.answer == case.answer
    assert failures(builder, case.recipe, truth) == []


@pytest.mark.parametrize(
    ("case", "mutation"),
    MUTATIONS,
    ids=lambda item: item.name if isinstance(item, Case) else item.check.value,
)
def test_one_change_fails_exactly_one_check(case: Case, mutation: Mutation) -> None:
    before = case.scene()
    truth = truth_of(before, case.recipe)
    changed = before.copy()
    mutation.change(changed)
    if mutation.rebound:
        truth = truth_of(changed, case.recipe)
    assert failures(changed, case.recipe, truth) == [mutation.check]


def test_every_check_that_applies_to_a_family_has_a_change() -> None:
    always = {Check.UNIQUENESS, Check.REDERIVATION, Check.VISIBILITY}
    for name, family in FAMILIES.items():
        tried = {mutation.check for case, mutation in MUTATIONS if case.recipe.family is name}
        assert tried == always | set(family.checks), name
