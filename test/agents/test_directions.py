"""In which directions a followed person may be."""

import math

import pytest

from avr_ros.agents.avr.directions import Directions
from avr_ros.agents.avr.motion import Expectation


def degrees(view: float | None) -> float:
    assert view is not None
    return math.degrees(view)


def directions(
    looked: tuple[float, ...] = (),
    missed: tuple[float, ...] = (),
    middle: float = 30.0,
    sigma: float = 10.0,
    setting_off: float = 0.0,
) -> Directions:
    return Directions(
        Expectation(math.radians(middle), math.radians(sigma)),
        [math.radians(item) for item in missed],
        [math.radians(item) for item in looked],
        math.radians(setting_off),
    )


def test_the_first_view_is_where_the_person_is_expected() -> None:
    assert degrees(directions().best_view()) == pytest.approx(30.0)
    assert degrees(directions(middle=180.0).best_view()) == pytest.approx(-180.0)


def test_the_next_view_shows_what_lies_beside_the_first() -> None:
    assert abs(degrees(directions((30.0,), sigma=40.0).best_view()) - 30.0) == pytest.approx(
        45.0, abs=6.0
    )


def test_after_a_full_turn_there_is_no_further_view() -> None:
    assert directions(tuple(45.0 * step for step in range(8))).best_view() is None


def test_somebody_missed_where_they_must_be_is_hidden() -> None:
    assert directions((30.0, 74.0, -14.0), sigma=5.0).hidden
    assert not directions((30.0,), sigma=60.0).hidden


def test_somebody_missed_before_is_sought_elsewhere_first() -> None:
    beside = degrees(directions((30.0,), sigma=30.0, setting_off=100.0).best_view())
    again = directions((30.0,), (0.0, 45.0, -45.0), sigma=30.0, setting_off=100.0)
    assert abs(beside - 30.0) < 50.0
    assert abs(degrees(again.best_view()) - 30.0) > 75.0
