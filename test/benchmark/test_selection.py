"""Balanced quotas, distractors and positions."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.benchmark.choices import arrange, balanced_positions
from avr_ros.benchmark.selection import balanced_quotas

supplies = st.dictionaries(
    st.text("abcdefgh", min_size=1, max_size=2), st.integers(0, 40), max_size=12
)


def rng(seed: int = 0) -> np.random.Generator:
    """A generator."""
    return np.random.default_rng(seed)


@given(supplies, st.integers(1, 100), st.integers(1, 5), st.integers(0, 5))
def test_quotas_are_equal_to_one_and_within_supply(
    supply: dict[str, int], wanted: int, fewest: int, seed: int
) -> None:
    drawn = balanced_quotas(supply, wanted, fewest, rng(seed))
    assert sum(drawn.counts.values()) <= wanted
    for name, count in drawn.counts.items():
        assert 0 < count <= supply[name]
    if drawn.counts:
        assert drawn.classes >= fewest
        counts = list(drawn.counts.values())
        assert max(counts) - min(counts) <= 1


def test_plenty_of_everything_is_shared_out_evenly() -> None:
    drawn = balanced_quotas(dict.fromkeys("abcd", 100), 40, 4, rng())
    assert drawn.counts == dict.fromkeys("abcd", 10)


def test_a_rare_class_is_left_out_rather_than_all_cut_down_to_it() -> None:
    drawn = balanced_quotas({**dict.fromkeys("abcdef", 20), "z": 1}, 60, 4, rng())
    assert drawn.counts == dict.fromkeys("abcdef", 10)


def test_too_few_classes_give_nothing() -> None:
    assert balanced_quotas({"a": 100, "b": 100, "c": 100}, 40, 4, rng()).counts == {}
    assert balanced_quotas({}, 40, 1, rng()).counts == {}


def test_more_classes_than_questions_draws_classes() -> None:
    supply = {f"{index:02d}": 3 for index in range(26)}
    seen: Counter[str] = Counter()
    for seed in range(200):
        drawn = balanced_quotas(supply, 10, 4, rng(seed))
        assert sum(drawn.counts.values()) == 10
        assert drawn.classes == 26
        seen.update(drawn.counts)
    assert len(seen) == 26
    assert max(seen.values()) < 2 * min(seen.values())


@given(st.integers(0, 60), st.integers(2, 4), st.integers(0, 3))
def test_positions_are_equally_often(count: int, choices: int, seed: int) -> None:
    positions = balanced_positions(count, choices, rng(seed))
    assert len(positions) == count
    counts = Counter(positions)
    values = [counts[index] for index in range(choices)]
    assert max(values) - min(values) <= 1


@pytest.mark.parametrize("position", [0, 1, 2, 3])
def test_the_right_choice_stands_where_it_should(position: int) -> None:
    choices = arrange("right", ("x", "y", "z"), position, rng())
    assert choices[position] == "right"
    assert sorted(choices) == ["right", "x", "y", "z"]
