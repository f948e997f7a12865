"""Stage match_choice by the local model."""

import pytest

from avr_ros.reasoning.backends.local import LocalBackend
from avr_ros.reasoning.call import ModelCallError
from avr_ros.reasoning.stages.match_choice import match_choice_request
from avr_ros.reasoning.stages.read_choices import read_choices_request

CHOICES = ("sitting", "talking on the phone", "opening or holding a door", "bending over")


def choose(actions: dict[str, float]) -> int:
    request = match_choice_request("What is C doing?", CHOICES, actions)
    return LocalBackend().ask(request).value.choice


def test_the_most_probable_action_that_is_offered_is_chosen() -> None:
    assert choose({"standing": 0.99, "interaction with door": 0.8, "sitting": 0.3}) == 2
    assert choose({"talking on the phone": 0.6}) == 1


def test_nothing_that_was_found_out_is_refused() -> None:
    with pytest.raises(ModelCallError, match="none of the choices"):
        choose({"walking": 0.9, "sitting": 0.1})


@pytest.mark.parametrize(("present", "expected"), [(True, 1), (False, 0)])
def test_presence_is_yes_or_no(present: bool, expected: int) -> None:
    request = match_choice_request("Is she there?", ("no, has left", "yes, still"), {}, present)
    assert LocalBackend().ask(request).value.choice == expected


def test_choices_are_read_as_actions_or_as_none() -> None:
    choices = (*CHOICES, "yes, still there")
    request = read_choices_request("What next?", choices, ("sitting", "bending", "standing"))
    read = LocalBackend().ask(request).value
    assert read.actions == ("sitting", None, None, "bending", None)
