"""Demands that assume an answer, say nothing, or are about something else."""

import pytest

from avr_ros.agents.eviseek.demand_check import demand_problem
from avr_ros.reasoning.stages.contract import AnswerContract
from avr_ros.schema.vocabulary import AnswerMode

QUESTION = "At frame 120, exactly one person is sitting. What does this person start doing next?"
CHOICE = AnswerContract(mode=AnswerMode.CHOICE, form="", choices=("reading", "typing", "walking"))
FRAME = AnswerContract(mode=AnswerMode.FRAME, form="")


@pytest.mark.parametrize(
    ("demand", "words"),
    [
        ("Where the person who is sitting is at frame 120", ""),
        ("What the sitting person does after frame 120", ""),
        ("The sitting person starts reading", "assumes the answer 'reading'"),
        ("Whether the sitting person starts reading", ""),
        ("The outcome of trying reading with the sitting person", ""),
        ("If reading, typing or walking starts after sitting", ""),
        ("...", "says nothing"),
        ("The colour of the sky", "not about the question"),
        ("See the person in the view", "not about the question"),
    ],
)
def test_choices(demand: str, words: str) -> None:
    problem = demand_problem(demand, QUESTION, CHOICE)
    assert problem == "" if not words else words in problem


def test_numbers_that_the_question_does_not_name_are_answers() -> None:
    assert demand_problem("The person sitting at frame 120", QUESTION, FRAME) == ""
    assert "the number 180" in demand_problem("The person sitting at frame 180", QUESTION, FRAME)
    # All choices may be named: that assumes none of them.
    every = "Signs of reading, typing and walking of the person sitting"
    assert demand_problem(every, QUESTION, CHOICE) == ""
