"""Which views are still missing."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.coverage import HALF_VIEW, Coverage
from avr_ros.geometry.full_turn import FULL_TURN
from avr_ros.geometry.panorama import TWO_PI


def turn(coverage: Coverage, start: float, direction: int, length: float) -> list[float]:
    views = []
    while (azimuth := coverage.next_view(start, direction, length)) is not None:
        coverage.add(azimuth)
        views.append(azimuth)
        assert len(views) <= 20
    return views


def test_a_full_turn_takes_eight_views_ahead_first() -> None:
    views = turn(Coverage(), -HALF_VIEW, 1, TWO_PI)
    assert FULL_TURN == len(views) == 8
    assert [round(math.degrees(view)) % 360 for view in views] == [
        0,
        45,
        90,
        135,
        180,
        225,
        270,
        315,
    ]


def test_a_side_takes_what_is_missing() -> None:
    coverage = Coverage()
    coverage.add(0.0)
    views = turn(coverage, math.radians(10), 1, math.radians(90))
    assert [round(math.degrees(view)) for view in views] == [45, 90]
    assert turn(coverage, math.radians(10), 1, math.radians(90)) == []
    right = turn(coverage, math.radians(-10), -1, math.radians(50))
    assert [round(math.degrees(view)) for view in right] == [-45]


@given(
    st.lists(st.floats(-math.pi, math.pi), max_size=6),
    st.floats(-math.pi, math.pi),
    st.sampled_from([1, -1]),
    st.floats(0.0, TWO_PI),
)
def test_what_is_asked_for_is_covered_in_the_end(
    seen: list[float], start: float, direction: int, length: float
) -> None:
    coverage = Coverage()
    for azimuth in seen:
        coverage.add(azimuth)
    views = turn(coverage, start, direction, length)
    assert len(views) <= math.ceil(length / (2 * HALF_VIEW)) + 1
    for step in range(50):
        at = start + direction * length * step / 50
        nearest = min((abs(wrap(at - azimuth)) for azimuth in [*seen, *views]), default=9.0)
        assert nearest <= HALF_VIEW + 1e-5 or length == pytest.approx(0.0, abs=1e-5)


def test_a_turn_is_whole_only_with_its_last_view() -> None:
    coverage = Coverage()
    assert not coverage.whole
    for number in range(FULL_TURN):
        assert not coverage.whole
        coverage.add(number * 2 * math.pi / FULL_TURN - math.pi)
    assert coverage.whole
