"""Bisection in time with looks that may be wrong."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from avr_ros.agents.avr.change_search import ChangeSearch, Errors, Habits


@dataclass(frozen=True)
class Hard:
    """A look that tells one thing, wrongly as often as ``errors`` say and in ``other`` cases for
    another thing of the same kind."""

    thing: Hashable
    changed: bool
    errors: Errors
    other: float

    @property
    def kinds(self) -> Sequence[tuple[Hashable, bool]]:
        return ((self.thing, self.changed),)

    @property
    def speaks_for_change(self) -> bool:
        return self.changed

    def likelihood(self, kinds: Sequence[tuple[Hashable, bool]]) -> np.ndarray:
        shows = np.array([*(kind for _, kind in kinds), False, True])
        wrong = np.where(shows, self.errors.missed, self.errors.false)
        likely = np.where(shows == self.changed, self.other, wrong)
        told = list(kinds).index((self.thing, self.changed))
        likely[told] = 1.0 - wrong[told] - self.other
        return likely


def tell(
    search: ChangeSearch, position: int, changed: bool, thing: Hashable = None, sure: bool = False
) -> None:
    """Tell of a look, as seldom wrong as ``SURE`` or ``DOUBT`` say."""
    other = 1e-9 if sure else 0.02
    search.tell(position, Hard(thing, changed, SURE if sure else DOUBT, other))


LONG = Habits(typical=1e9, begins=0.5, goes_on=1.0)
"""Nothing is over once it has begun; the prior alone says when that is."""

SHORT = Habits(typical=50.0, begins=0.1, goes_on=0.1)
SURE = Errors(false=1e-9, missed=1e-9)
DOUBT = Errors(false=0.01, missed=0.02)


def even(positions: np.ndarray) -> np.ndarray:
    return np.ones(len(positions))


def run(search: ChangeSearch, things: list[str], most: int = 60) -> list[int]:
    """Look until the search is sure; what starts with "on" shows the changed state."""
    looked: list[int] = []
    while search.estimate.confidence < 0.95 and len(looked) < most:
        position = search.next_position(even)
        if position is None:
            break
        looked.append(position)
        tell(search, position, things[position].startswith("on"), things[position])
    return looked


def lasting(count: int, first: int) -> list[str]:
    return ["off"] * first + ["on"] * (count - first)


def test_two_looks_weigh_the_positions_as_worked_by_hand() -> None:
    """Ten positions, a look at 4 without change and one at 7 with change, never wrong.

    What lasts cannot have begun before 5. Of 5, 6 and 7 each is equally likely.
    """
    search = ChangeSearch(10, tolerance=1, errors=SURE, habits=LONG)
    tell(search, 4, False, sure=True)
    tell(search, 7, True, sure=True)
    assert search.weights[[5, 6, 7]] == pytest.approx([1 / 3] * 3, rel=1e-3)
    assert search.estimate.first == 6
    assert search.estimate.confidence == pytest.approx(1.0, abs=1e-3)


def test_without_looks_every_position_is_equally_likely() -> None:
    search = ChangeSearch(97, tolerance=0, errors=DOUBT, habits=SHORT)
    assert search.weights[:-1] == pytest.approx([0.97 / 97] * 97)
    assert search.weights[-1] == pytest.approx(0.03)


def test_a_state_may_be_over_before_a_far_look() -> None:
    """After a look without change, it is less likely before, the less the nearer; never never."""
    search = ChangeSearch(200, tolerance=0, errors=SURE, habits=SHORT)
    tell(search, 100, False, "another thing", sure=True)
    weights = search.weights
    assert weights[100] < 1e-6
    assert 0.0 < weights[95] < weights[80] < weights[40] < weights[150]


def test_there_is_less_room_for_a_hidden_stretch_between_looks_at_the_same_thing() -> None:
    def hidden(thing: str) -> float:
        search = ChangeSearch(200, tolerance=0, errors=SURE, habits=SHORT, thing="first")
        tell(search, 60, False, "first", sure=True)
        tell(search, 100, False, thing, sure=True)
        tell(search, 150, True, "on", sure=True)
        return float(search.weights[61:100].sum())

    assert hidden("another") > 1.5 * hidden("first")


def test_looks_at_one_later_stretch_do_not_rule_out_an_earlier_one() -> None:
    """Five looks at one stretch say no more than one of where the first stretch is."""
    few = ChangeSearch(200, tolerance=0, errors=DOUBT, habits=SHORT, thing="off")
    many = ChangeSearch(200, tolerance=0, errors=DOUBT, habits=SHORT, thing="off")
    for search, positions in ((few, [160]), (many, [152, 156, 160, 164, 168])):
        tell(search, 80, False, "another")
        tell(search, 140, False, "a third")
        for position in positions:
            tell(search, position, True, "on")
    assert many.weights[:80].sum() > 0.5 * few.weights[:80].sum() > 0.0


def test_a_change_that_was_seen_is_not_narrowed_down_before_it_is_the_first() -> None:
    often = Habits(typical=50.0, begins=0.4, goes_on=0.1)
    search = ChangeSearch(240, tolerance=4, errors=SURE, habits=often, thing="off")
    tell(search, 110, False, "another", sure=True)
    tell(search, 170, True, "on", sure=True)
    chosen = search.next_position(even)
    assert chosen is not None
    assert chosen < 110


def test_soon_is_likelier_than_late_where_it_is_said() -> None:
    search = ChangeSearch(120, tolerance=0, errors=DOUBT, habits=SHORT, soon=30.0)
    weights = search.weights
    assert weights[0] / weights[119] == pytest.approx(1.3 / (0.3 + 2 ** (-119 / 30)), rel=1e-6)


def test_there_is_no_change_before_the_earliest() -> None:
    search = ChangeSearch(120, tolerance=0, errors=DOUBT, habits=SHORT, earliest=50)
    assert search.weights[:50].sum() == 0.0
    assert search.weights[50] == pytest.approx(0.97 / 70)


def test_nothing_to_search_is_no_change() -> None:
    search = ChangeSearch(0, tolerance=5, errors=DOUBT, habits=SHORT)
    assert search.estimate.first is None
    assert search.next_position(even) is None


def test_no_change_is_found_out() -> None:
    search = ChangeSearch(60, tolerance=5, errors=DOUBT, habits=LONG, thing="off")
    run(search, ["off"] * 60)
    assert search.estimate.first is None


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 280), st.data())
def test_a_lasting_change_is_found_within_tolerance(count: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, count - 1))
    things = lasting(count, first)
    search = ChangeSearch(count, tolerance=5, errors=DOUBT, habits=LONG, thing="off")
    looked = run(search, things)
    assert search.estimate.first is not None
    assert abs(search.estimate.first - first) <= 5
    assert len(set(looked)) == len(looked)
    again = ChangeSearch(count, tolerance=5, errors=DOUBT, habits=LONG, thing="off")
    assert run(again, things) == looked


def test_a_long_list_takes_few_looks() -> None:
    """Of 1,500 positions: log2(1500 / 11) = 7.1 looks would be the least."""
    search = ChangeSearch(1500, tolerance=5, errors=SURE, habits=LONG, thing="off")
    looked = run(search, lasting(1500, 1234))
    assert abs((search.estimate.first or 0) - 1234) <= 5
    assert len(looked) <= 11


def test_a_short_stretch_is_found_in_time() -> None:
    """One thing of forty positions after another, of which the fourth is the one."""
    things = [name for name in ("a", "b", "c", "on", "d", "e", "f") for _ in range(40)]
    search = ChangeSearch(280, tolerance=4, errors=DOUBT, habits=SHORT, thing="a")
    looked = run(search, things)
    assert abs((search.estimate.first or 0) - 120) <= 4
    assert len(looked) <= 16


def test_one_wrong_look_is_outvoted() -> None:
    errors = Errors(false=0.05, missed=0.05)
    search = ChangeSearch(100, tolerance=5, errors=errors, habits=LONG, thing="off")
    looked = 0
    while search.estimate.confidence < 0.97 and looked < 60:
        position = search.next_position(even)
        if position is None:
            break
        shown = (position >= 50) != (looked == 2)
        search.tell(position, Hard("on" if shown else "off", shown, errors, 0.05))
        looked += 1
    assert search.estimate.first is not None
    assert abs(search.estimate.first - 50) <= 5


def test_costs_and_unseen_places_turn_the_search_elsewhere() -> None:
    search = ChangeSearch(100, tolerance=5, errors=DOUBT, habits=SHORT)
    free = search.next_position(even)
    assert free is not None
    dear = search.next_position(lambda positions: np.where(positions >= free - 10, 100.0, 1.0))
    assert dear is not None
    assert dear < free - 10
    search.tell_unseen(free)
    elsewhere = search.next_position(even)
    assert elsewhere is not None
    assert elsewhere != free
