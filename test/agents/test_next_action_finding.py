"""What somebody starts doing next, of what the choices name."""

import pytest
from simulated_street import Street, make_street
from street_case import case_of
from test_avr_agent import ask

from avr_ros.agents.avr.case import CannotAnswerError, Case
from avr_ros.agents.avr.next_action_finding import SETTLED_FRAMES, next_action
from avr_ros.schema.vocabulary import AnswerMode

TRACK = "pedestrian:0"


def still_street() -> Street:
    """A street in which everybody stands where they are."""
    street = make_street(3, hidden=0.0)
    for walker in street.people:
        walker.places[:] = walker.places[0]
        walker.actions[:] = [frozenset({"standing"})] * street.frames
    return street


def does(street: Street, action: str, first: int, last: int) -> None:
    walker = street.people[0]
    for frame in range(first, last + 1):
        walker.actions[frame] = walker.actions[frame] | {action}


def case_in(street: Street) -> Case:
    question = ask("What next?", 0, AnswerMode.CHOICE, choices=("a", "b"), max_observations=32)
    return case_of(street, TRACK, question)


def test_the_first_of_the_offered_actions_is_found_and_shown_once_it_has_surely_begun() -> None:
    street = still_street()
    does(street, "reading", 40, 75)
    does(street, "typing", 90, 119)
    case = case_in(street)
    finding = next_action(case, 0, frozenset({"reading", "typing"}))
    told = finding.actions
    assert max(told, key=lambda name: told[name]) == "reading"
    assert finding.frames
    assert all(40 + SETTLED_FRAMES - 1 <= frame <= 75 for frame in finding.frames)


def test_what_is_done_from_the_beginning_does_not_start() -> None:
    street = still_street()
    does(street, "reading", 0, 60)
    does(street, "typing", 30, 119)
    finding = next_action(case_in(street), 0, frozenset({"reading", "typing"}))
    assert set(finding.actions) == {"typing"}
    with pytest.raises(CannotAnswerError, match="done from the beginning"):
        next_action(case_in(street), 0, frozenset({"reading"}))


def test_nothing_new_is_no_answer() -> None:
    with pytest.raises(CannotAnswerError, match="nothing new"):
        next_action(case_in(still_street()), 0, frozenset({"reading"}))


def test_somebody_who_is_not_there_cannot_be_told() -> None:
    case = case_in(still_street())
    with pytest.raises(CannotAnswerError, match="may not be observed"):
        next_action(case, 500, frozenset({"reading"}))
