"""Styles by name, the one that is kept out, and what a specification refuses."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from avr_ros.sample.defaults import DEFAULT_SEED, DEFAULT_STYLE
from avr_ros.sample.specification import SampleSpecification
from avr_ros.sample.styles import (
    HELD_OUT_STYLE,
    MIXED_STYLE,
    STYLES,
    TRAINED_STYLES,
    style_names,
    style_of_sequence,
)
from avr_ros.schema.errors import BadInputError


def test_at_least_four_styles_and_one_kept_out() -> None:
    assert len(TRAINED_STYLES) >= 4
    assert HELD_OUT_STYLE in STYLES
    assert HELD_OUT_STYLE not in TRAINED_STYLES
    assert set(style_names()) == {MIXED_STYLE, HELD_OUT_STYLE, *TRAINED_STYLES}


def test_the_default_is_never_the_style_kept_out() -> None:
    specification = SampleSpecification()
    assert specification.seed == DEFAULT_SEED
    assert DEFAULT_STYLE == MIXED_STYLE
    for index in range(20):
        assert style_of_sequence(specification.style, index).name in TRAINED_STYLES


def test_a_named_style_is_taken_for_every_sequence() -> None:
    assert [style_of_sequence(HELD_OUT_STYLE, k).name for k in range(3)] == [HELD_OUT_STYLE] * 3


def test_unknown_styles_are_refused() -> None:
    with pytest.raises(BadInputError, match="unknown sample style 'sepia'.*daylight"):
        style_of_sequence("sepia", 0)
    with pytest.raises(ValidationError, match="unknown style 'sepia'"):
        SampleSpecification(style="sepia")


@pytest.mark.parametrize(
    "wrong", [{"sequences": 0}, {"frames": 1}, {"people": 0}, {"seed": -1}, {"colour": "red"}]
)
def test_impossible_specifications_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        SampleSpecification(**wrong)  # type: ignore[arg-type]
