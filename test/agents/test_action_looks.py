"""Looks at what somebody does, as likelihoods of things."""

import pytest

from avr_ros.agents.avr.action_looks import ActionLook, doing, doing_any, opposite

TOLD = ("standing", "walking", "reading")
"""Usual are 0.47, 0.33 and 0.04."""


def look(**actions: float) -> ActionLook:
    thing = frozenset(name for name, value in actions.items() if value >= 0.5)
    return ActionLook(actions, TOLD, doing("reading"), thing, 0.0)


def test_a_state_of_several_actions_holds_if_any_of_them_is_done() -> None:
    """Of two postures one holds: 0.3 + 0.2; and reading or not: 1 - 0.5 * 0.6 = 0.7."""
    seen = {"standing": 0.3, "walking": 0.2, "reading": 0.4}
    assert doing_any(TOLD)(seen) == pytest.approx(0.7)
    assert opposite(doing_any(TOLD))(seen) == pytest.approx(0.3)
    assert doing_any(("standing", "reading"))({}) == 0.0


def test_likelihoods_are_as_worked_by_hand() -> None:
    """The look says standing for sure enough, and reading with 0.5.

    Standing and reading: 0.8 * 0.5 beside 0.47 * 0.04; only standing: 0.8 * 0.5 beside 0.47 *
    0.96. Of the half that reads 0.1 are left for others, beside 0.04 - 0.0188.
    """
    seen = look(standing=0.8, walking=0.2, reading=0.5)
    both, alone = frozenset({"standing", "reading"}), frozenset({"standing"})
    likely = seen.likelihood([(both, True), (alone, False)])
    assert likely[0] == pytest.approx(0.4 / 0.0188)
    assert likely[1] == pytest.approx(0.4 / 0.4512)
    assert likely[2] == pytest.approx(0.1 / (0.96 - 0.4512))
    assert likely[3] == pytest.approx(0.1 / (0.04 - 0.0188))


def test_a_look_that_may_be_of_something_else_says_less() -> None:
    sure = look(standing=0.9, reading=0.0)
    doubtful = ActionLook(sure.actions, TOLD, sure.state, sure.thing, 0.5)
    kinds = [(frozenset({"standing"}), False)]
    assert doubtful.likelihood(kinds) == pytest.approx(0.5 * sure.likelihood(kinds) + 0.5)


def test_beside_what_is_most_probably_done_stands_the_nearest_thing_that_decides() -> None:
    seen = look(standing=0.8, walking=0.2, reading=0.3)
    assert seen.kinds == (
        (frozenset({"standing"}), False),
        (frozenset({"standing", "reading"}), True),
    )
    posture = ActionLook(seen.actions, TOLD, doing("standing"), seen.thing, 0.0)
    assert posture.kinds == (
        (frozenset({"standing"}), True),
        (frozenset({"walking"}), False),
    )


def test_what_is_seldom_told_speaks_for_a_change_though_it_is_not_probable() -> None:
    """0.2 is 6 times the usual odds of reading, 0.04 as many."""
    assert look(standing=0.9, reading=0.2).speaks_for_change
    assert not look(standing=0.9, reading=0.04).speaks_for_change
