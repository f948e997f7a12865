"""Bisection in time with looks that may be wrong."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.agents.avr.change_search import ChangeSearch


def even(positions: np.ndarray) -> np.ndarray:
    return np.ones(len(positions))


def run(search: ChangeSearch, states: np.ndarray, confidence: float = 0.95) -> list[int]:
    """Look until the search is sure, at most 60 times; return the positions looked at."""
    looked: list[int] = []
    while search.estimate.confidence < confidence and len(looked) < 60:
        position = search.next_position(even)
        if position is None:
            break
        looked.append(position)
        search.tell(position, bool(states[position]))
    return looked


def test_two_looks_weigh_the_positions_as_worked_by_hand() -> None:
    """Ten positions, a look at 4 without change and one at 7 with change, never wrong.

    Nothing before 5 can be the first change but by a return, which a long dwell makes unlikely.
    Of 5, 6 and 7 each is equally likely up to the chance of having changed back and forth.
    """
    search = ChangeSearch(10, tolerance=1, error=1e-9, dwell=1e9)
    search.tell(4, False)
    search.tell(7, True)
    assert search.estimate.first == 6
    assert search.estimate.confidence == pytest.approx(1.0, abs=1e-6)


def test_a_state_may_have_changed_back_before_a_far_look() -> None:
    """One look 40 positions on, unchanged, with dwell 40.

    A change at the first position is still there with probability (1 + exp(-2)) / 2 = 0.5677, so
    the look leaves it 1 - 0.5677 = 0.4323 of its weight beside a change later than the look.
    """
    search = ChangeSearch(80, tolerance=0, error=1e-9, dwell=40.0)
    search.tell(40, False)
    first, later = search.weights[0], search.weights[60]
    assert first / later == pytest.approx(0.4323, abs=1e-3)


def test_nothing_to_search_is_no_change() -> None:
    search = ChangeSearch(0, tolerance=5, error=0.02, dwell=60.0)
    assert search.estimate.first is None
    assert search.next_position(even) is None


def test_no_change_is_found_out() -> None:
    search = ChangeSearch(60, tolerance=5, error=0.02, dwell=200.0)
    run(search, np.zeros(60, dtype=bool))
    assert search.estimate.first is None


@given(st.integers(1, 400), st.data())
def test_a_lasting_change_is_found_within_tolerance(count: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, count - 1))
    states = np.arange(count) >= first
    search = ChangeSearch(count, tolerance=5, error=0.01, dwell=300.0)
    looked = run(search, states)
    assert search.estimate.first is not None
    assert abs(search.estimate.first - first) <= 5
    assert len(set(looked)) == len(looked)
    again = ChangeSearch(count, tolerance=5, error=0.01, dwell=300.0)
    assert run(again, states) == looked


def test_a_long_stretch_takes_few_looks() -> None:
    """Of 1,600 positions: log2(1600 / 11) = 7.2 looks would be the least."""
    states = np.arange(1600) >= 1234
    search = ChangeSearch(1600, tolerance=5, error=0.005, dwell=5000.0)
    looked = run(search, states, confidence=0.9)
    assert abs((search.estimate.first or 0) - 1234) <= 5
    assert len(looked) <= 14


def test_one_wrong_look_is_outvoted() -> None:
    search = ChangeSearch(100, tolerance=5, error=0.05, dwell=300.0)
    states = np.arange(100) >= 50
    looked = 0
    while search.estimate.confidence < 0.97 and looked < 60:
        position = search.next_position(even)
        if position is None:
            break
        truth = bool(states[position])
        search.tell(position, not truth if looked == 2 else truth)
        looked += 1
    assert search.estimate.first is not None
    assert abs(search.estimate.first - 50) <= 5


def test_other_changes_between_two_looks_make_a_short_one_likelier() -> None:
    quiet = ChangeSearch(100, tolerance=5, error=0.02, dwell=60.0)
    busy = ChangeSearch(100, tolerance=5, error=0.02, dwell=60.0)
    for search in (quiet, busy):
        for position, changed in ((20, False), (40, False), (60, True)):
            search.tell(position, changed)
    busy.tell_busy([(20, 40)])

    def between(search: ChangeSearch) -> float:
        return float(search.weights[21:41].sum())

    assert between(busy) > 2 * between(quiet)
    position = busy.next_position(even)
    assert position is not None
    assert 20 < position <= 60


def test_costs_and_unseen_places_turn_the_search_elsewhere() -> None:
    search = ChangeSearch(100, tolerance=5, error=0.02, dwell=60.0)
    free = search.next_position(even)
    assert free is not None
    dear = search.next_position(lambda positions: np.where(positions >= free - 10, 100.0, 1.0))
    assert dear is not None
    assert dear < free - 10
    search.tell_unseen(free)
    elsewhere = search.next_position(even)
    assert elsewhere is not None
    assert elsewhere != free
