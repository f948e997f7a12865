"""Somebody of the simulated street who is known already, for tests of what comes after."""

import math

from simulated_street import Episode, Street

from avr_ros.agents.avr.case import Case
from avr_ros.agents.avr.people import Person
from avr_ros.agents.avr.scout import Scout
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.toolbox import Toolbox
from avr_ros.schema.question import Question


def case_of(street: Street, track: str, question: Question, frame: int = 0) -> Case:
    """The case of a person who has been seen all around in a frame; everybody else has been too."""
    episode = Episode(street, question)
    scout = Scout(Toolbox(question, episode.tools), AvrSettings(), ())
    for number in range(8):
        scout.look(frame, number * math.tau / 8 - math.pi)
    scout.watch(person_of(scout, street, track, frame))
    return Case(
        question,
        scout,
        person_of(scout, street, track, frame),
        frame,
        episode.times.frame_ids,
        scout.settings,
    )


def person_of(scout: Scout, street: Street, track: str, frame: int) -> Person:
    """The person whom the agent takes a track for in a frame that it has seen."""
    place = street.label(frame, track).position
    assert place is not None
    direction = math.atan2(place[1], place[0])
    return min(
        (person for person in scout.people if person.at(frame)),
        key=lambda person: abs(math.remainder(person.azimuth_at(frame) - direction, math.tau)),
    )
