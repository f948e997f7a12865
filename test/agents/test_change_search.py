"""Bisection in time with looks that may be wrong."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.agents.avr.change_search import ChangeSearch, Lasting

LONG = Lasting(shortest=1e6, typical=1e6)
SHORT = Lasting(shortest=20.0, typical=50.0)


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

    What lasts cannot have begun before 5. Of 5, 6 and 7 each is equally likely.
    """
    search = ChangeSearch(10, tolerance=1, error=1e-9, lasting=LONG)
    search.tell(4, False)
    search.tell(7, True)
    assert search.estimate.first == 6
    assert search.estimate.confidence == pytest.approx(1.0, abs=1e-6)


def test_a_state_may_be_over_before_a_far_look() -> None:
    """A look at 40, unchanged; what changes lasts exactly 20 positions and never comes again.

    So it cannot have begun from 21 on to 40, and anywhere else it is equally likely.
    """
    exactly = Lasting(shortest=20.0, typical=20.0, spread=1e-3, returns=0.0)
    search = ChangeSearch(80, tolerance=0, error=1e-9, lasting=exactly)
    search.tell(40, False)
    weights = search.weights
    assert weights[25] < 1e-6
    assert weights[40] < 1e-6
    assert weights[5] == pytest.approx(weights[60], rel=1e-3)


def test_soon_is_likelier_than_late_where_it_is_said() -> None:
    search = ChangeSearch(120, tolerance=0, error=0.01, lasting=SHORT, soon=30.0)
    weights = search.weights
    assert weights[0] / weights[119] == pytest.approx(1.3 / (0.3 + 2 ** (-119 / 30)), rel=1e-6)


def test_nothing_to_search_is_no_change() -> None:
    search = ChangeSearch(0, tolerance=5, error=0.02, lasting=SHORT)
    assert search.estimate.first is None
    assert search.next_position(even) is None


def test_no_change_is_found_out() -> None:
    search = ChangeSearch(60, tolerance=5, error=0.02, lasting=LONG)
    run(search, np.zeros(60, dtype=bool))
    assert search.estimate.first is None


@given(st.integers(1, 400), st.data())
def test_a_lasting_change_is_found_within_tolerance(count: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, count - 1))
    states = np.arange(count) >= first
    search = ChangeSearch(count, tolerance=5, error=0.01, lasting=LONG)
    looked = run(search, states)
    assert search.estimate.first is not None
    assert abs(search.estimate.first - first) <= 5
    assert len(set(looked)) == len(looked)
    again = ChangeSearch(count, tolerance=5, error=0.01, lasting=LONG)
    assert run(again, states) == looked


def test_a_long_stretch_takes_few_looks() -> None:
    """Of 1,600 positions: log2(1600 / 11) = 7.2 looks would be the least."""
    states = np.arange(1600) >= 1234
    search = ChangeSearch(1600, tolerance=5, error=0.005, lasting=LONG)
    looked = run(search, states, confidence=0.9)
    assert abs((search.estimate.first or 0) - 1234) <= 5
    assert len(looked) <= 14


def test_one_wrong_look_is_outvoted() -> None:
    search = ChangeSearch(100, tolerance=5, error=0.05, lasting=LONG)
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


def test_a_change_is_less_likely_between_looks_that_show_the_same() -> None:
    plain = ChangeSearch(100, tolerance=5, error=0.02, lasting=SHORT)
    calm = ChangeSearch(100, tolerance=5, error=0.02, lasting=SHORT)
    for search in (plain, calm):
        for position, changed in ((20, False), (40, False), (60, True)):
            search.tell(position, changed)
    calm.tell_calm([(20, 40)])

    def between(search: ChangeSearch) -> float:
        return float(search.weights[21:41].sum())

    assert between(plain) > 2 * between(calm)


def test_costs_and_unseen_places_turn_the_search_elsewhere() -> None:
    search = ChangeSearch(100, tolerance=5, error=0.02, lasting=SHORT)
    free = search.next_position(even)
    assert free is not None
    dear = search.next_position(lambda positions: np.where(positions >= free - 10, 100.0, 1.0))
    assert dear is not None
    assert dear < free - 10
    search.tell_unseen(free)
    elsewhere = search.next_position(even)
    assert elsewhere is not None
    assert elsewhere != free
