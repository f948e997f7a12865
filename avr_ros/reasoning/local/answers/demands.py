"""Stage ``demands``: who is meant, and what about them, without saying what it will be."""

from typing import Any

from avr_ros.reasoning.local.sight.question import frame_of, limits_of, meaning_of
from avr_ros.reasoning.meaning import PersonMeaning, QuestionMeaning
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.demands import DemandsInputs, DemandsReply


def answer(request: StageRequest[Any]) -> DemandsReply:
    """Two demands: the person, and the moment or change that is asked about."""
    assert isinstance(request.inputs, DemandsInputs)
    meaning = meaning_of(request.inputs.question)
    frame = frame_of(meaning, limits_of(request.inputs.environment))
    who = f"Where the person described at frame {frame} is: {describe(meaning.person)}"
    return DemandsReply(demands=(who, asked_text(meaning))[: request.inputs.most])


def describe(person: PersonMeaning) -> str:
    """A person in words."""
    text = "the person"
    if person.closest:
        text += " closest to the robot"
    if person.actions:
        text += f" {' and '.join(person.actions)}"
    if person.relation is not None:
        relation = person.relation
        text += f" {relation.kind.value.replace('_', ' ')} {describe(relation.other)}"
    return text


def asked_text(meaning: QuestionMeaning) -> str:
    """What is to be seen of the person, whatever it will be."""
    asked = meaning.asked
    time = getattr(asked, "time", None)
    when = "" if time is None or time.frame_id is None else f" at frame {time.frame_id}"
    action = getattr(asked, "action", "")
    edge = getattr(asked, "edge", None)
    does = "" if edge is None else edge.value
    words = {
        "boundary": f"This person before and after they {does} {action}",
        "span": f"This person before, while and after they are {action}",
        "action": f"What this person is doing{when or ' then'}",
        "next_action": "What this person starts doing after the described moment",
        "presence": f"Whether this person is there{when}, and where they are seen last",
        "distance": f"The distance of this person{when} along the ground",
        "first_view": f"This person before and after they start {action}, and in which direction",
        "gap": "This person around both of the moments that are asked about",
    }
    return words[asked.kind]
