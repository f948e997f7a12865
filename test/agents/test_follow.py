"""Following somebody through frames: steps on the way, and taking two people for one."""

import math

import pytest
from simulated_street import Street, Walker
from street_case import case_of
from test_avr_agent import ask
from test_next_action_finding import TRACK, still_street

from avr_ros.agents.avr import follow
from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.case import Case
from avr_ros.schema.vocabulary import Occlusion


def case_in(street: Street) -> Case:
    return case_of(street, TRACK, ask("When?", 0, max_observations=32))


def seen_frames(case: Case) -> list[int]:
    return sorted({item.frame_id for item in case.person.sightings})


def test_who_is_far_off_in_time_is_looked_for_on_the_way() -> None:
    """100 frames of 68 ms are 6.8 s: four steps of at most 2.2 s, so 25 frames each."""
    case = case_in(still_street())
    assert case.follower.find(100) is not None
    assert seen_frames(case) == [0, 25, 50, 75, 100]


def test_who_is_gone_is_not_stepped_after_any_longer() -> None:
    street = still_street()
    for frame in range(20, street.frames):
        street.people[0].occlusion[frame] = Occlusion.FULLY_OCCLUDED
    case = case_in(street)
    assert case.follower.find(100, claim=False) is None
    assert seen_frames(case) == [0]
    missed = {frame for frame, _ in case.person.missed}
    assert missed == {25, 100}


def test_two_who_are_one_are_merged_with_all_that_is_known_of_them() -> None:
    case = case_in(still_street())
    other = next(
        person
        for person in case.scout.people
        if person is not case.person and person.at(0)[0].detection.ground is not None
    )
    moved = list(other.sightings)
    before = len(case.person.sightings)
    case.scout.merge(other, case.person)
    assert other not in list(case.scout.people)
    assert case.person.sightings[before:] == moved


def test_who_must_be_there_is_the_only_one_left_once_all_directions_were_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From frame 40 on the person looks quite another way, as somebody else would in their place.

    Everybody else was seen beside them before, so nobody else can be them.
    """
    monkeypatch.setattr(follow, "CLAIM", 50.0)
    street = still_street()
    person = street.people[0]
    other = Walker(
        "pedestrian:99",
        person.places,
        list(person.actions),
        [Occlusion.FULLY_OCCLUDED] * 40 + [Occlusion.FULLY_VISIBLE] * (street.frames - 40),
    )
    for frame in range(40, street.frames):
        person.occlusion[frame] = Occlusion.FULLY_OCCLUDED
    street.people.append(other)
    case = case_in(street)
    assert case.follower.find(45, 2) is None
    assert case.follower.find(45, 10, claim=False) is None
    assert case.scout.seen_all_around(45)
    found = case.follower.find(45, 1)
    assert found is not None and found.frame_id == 45
    direction = math.atan2(*reversed(street.label(45, "pedestrian:99").position or (0.0, 0.0)))
    assert abs(wrap(found.azimuth - direction)) < 0.05
