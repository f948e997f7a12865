"""Odds of actions over looks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.agents.avr.action_evidence import (
    LEAST_DOUBT,
    LEAST_RATIO,
    SUREST,
    doubt,
    gathered,
    likeness,
    logit,
    probability,
    reckoned,
    shares,
    speaks_for,
    told,
)
from avr_ros.agents.avr.action_rates import rate
from avr_ros.schema.vocabulary import ACTIONS

PHONE = "talking on the phone"


def test_what_a_look_adds_is_the_ratio_of_odds_as_worked_by_hand() -> None:
    """Nine of a hundred are on the phone: odds 9 / 91. A look that says 0.5 has odds 1."""
    assert rate(PHONE) == 0.09
    assert told({PHONE: 0.5}, PHONE) == pytest.approx(logit(91 / 100), abs=1e-9)
    assert told({PHONE: 0.09}, PHONE) == pytest.approx(0.0, abs=1e-9)


def test_an_overlooked_gesture_costs_little_and_a_seen_one_counts_much() -> None:
    assert -1.0 < told({PHONE: 0.04}, PHONE) < 0.0
    assert told({PHONE: 0.8}, PHONE) > 3.0


def test_an_action_that_is_not_named_speaks_against_it_within_bounds() -> None:
    assert told({"standing": 0.9}, PHONE) == told({"standing": 0.9, PHONE: 0.0}, PHONE) < -3.0


def test_a_look_is_as_sure_as_what_it_tells() -> None:
    """The least sure action counts: one at 0.7 is 0.3 from certain."""
    assert doubt({"standing": 0.7, PHONE: 0.01}) == pytest.approx(0.3)
    assert doubt({"standing": 1.0, "walking": 0.0}) == doubt({}) == 0.0


def test_a_certain_look_is_taken_at_its_word_and_an_unsure_one_within_bounds() -> None:
    sure, unsure = {"standing": 1.0, "walking": 0.0}, {"standing": 0.999, "walking": 0.3}
    assert reckoned(sure, "standing") == 1.0 - LEAST_DOUBT
    assert reckoned(sure, "walking") == reckoned(sure, PHONE) == LEAST_DOUBT
    assert reckoned(unsure, "standing") == SUREST
    assert reckoned(unsure, PHONE) == LEAST_RATIO * rate(PHONE)
    assert reckoned({"standing": 0.995, "walking": 0.005}, "standing") == pytest.approx(0.995)


@given(st.sampled_from(ACTIONS), st.floats(0.03, 0.97))
def test_one_look_leaves_what_it_says(action: str, value: float) -> None:
    assert likeness([{action: value}], (action,)) == pytest.approx(value)


def test_looks_add_up_the_less_the_more_they_are_alike() -> None:
    """Half alike: two looks count 2 / 1.5 times as much as one, three 3 / 2 times."""
    look = {PHONE: 0.5}
    one = told(look, PHONE)
    assert gathered([look, look], PHONE) == pytest.approx(one * 4 / 3)
    assert gathered([look, look, look, {}], PHONE) == pytest.approx(one * 3 / 2)


def test_what_is_certain_does_not_get_surer_by_a_second_look() -> None:
    """Else who was seen twice would be the only one to do what two people certainly do."""
    look = {"standing": 1.0, "walking": 0.0}
    for action in look:
        assert gathered([look, look], action) == pytest.approx(gathered([look], action))


def test_without_a_look_that_tells_actions_nobody_fits() -> None:
    assert likeness([], ("standing",)) == likeness([{}], ("standing",)) == 0.0
    assert likeness([{"standing": 0.5}], ()) == 1.0


def test_all_actions_of_a_description_count() -> None:
    look = {"standing": 0.8, PHONE: 0.5}
    assert likeness([look], ("standing", PHONE)) == pytest.approx(0.4)


def test_among_choices_the_rare_action_needs_less() -> None:
    """0.3 is 4.3 times the usual odds of a call, and less than half of those of standing."""
    found = speaks_for([{PHONE: 0.3, "standing": 0.3}])
    assert found[PHONE] == pytest.approx((0.3 / 0.7) / (0.3 / 0.7 + 0.09 / 0.91))
    assert found["standing"] < 0.5 < found[PHONE]


@given(st.floats(-30.0, 30.0))
def test_odds_and_probabilities_are_each_others_inverse(odds: float) -> None:
    value = probability(odds)
    assert 0.0 < value < 1.0
    assert logit(value) == pytest.approx(odds, abs=1e-2)


def test_of_some_actions_one_is_taken_by_its_share_of_the_odds() -> None:
    """Typing is done by 2 %, reading by 4 %: a look that says so much tells nothing.

    One that says 20 % of typing has odds of 1/4 against 1/49: 12.25 to 1.
    """
    assert shares([], ("reading", "typing")) == {}
    assert shares([{}], ("reading", "typing")) == {}
    usual = {"reading": rate("reading"), "typing": rate("typing")}
    assert shares([usual], ("reading", "typing")) == pytest.approx({"reading": 0.5, "typing": 0.5})
    plain = shares([usual | {"typing": 0.2}], ("typing", "reading"))
    assert plain == pytest.approx({"reading": 1.0 / 13.25, "typing": 12.25 / 13.25})
    nothing = shares([{"walking": 0.98}], ("reading", "typing", "eating sth"))
    assert nothing == pytest.approx(dict.fromkeys(nothing, 1.0 / 3.0), abs=0.02)
