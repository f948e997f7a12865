"""What looks and places speak for a person."""

import math

import pytest
from test_people import ahead, look, met, seconds, sighting

from avr_ros.agents.avr.binding import by_looks, by_place
from avr_ros.agents.avr.motion import Expectation, Motion
from avr_ros.agents.avr.robot_path import RobotPath


def test_likeness_speaks_for_and_against_within_bounds() -> None:
    assert by_looks(0.4, 0.4) == 0.0
    assert by_looks(0.6, 0.4) == pytest.approx(0.2 * 11)
    assert by_looks(0.2, 0.4) == pytest.approx(-0.2 * 15)
    assert by_looks(1.0, 0.4) == 5.0
    assert by_looks(-1.0, 0.4) == -6.0


def test_the_expected_direction_and_distance_speak_for_somebody() -> None:
    seen = sighting(5, 0.0, ahead(1880), look(1), (4.0, 0.0))
    there = Expectation(0.0, 0.1, distance=4.0)
    assert by_place(seen, there) > 3.0
    assert by_place(seen, Expectation(0.5, 0.1, distance=4.0)) < by_place(seen, there)
    assert by_place(seen, Expectation(0.0, 0.1, distance=8.0)) < by_place(seen, there) - 2.0
    assert by_place(seen, Expectation(0.0, 0.1)) < by_place(seen, there)


def test_nobody_is_ruled_out_by_a_direction_alone() -> None:
    """One of twenty is anywhere: the logarithm of 0.05 is -3."""
    seen = sighting(5, 0.0, ahead(1880), look(1), (4.0, 0.0))
    assert by_place(seen, Expectation(-math.pi, 0.05)) >= math.log(0.05) - 1e-9


def test_how_far_off_somebody_is_expected_is_told() -> None:
    seen = sighting(0, 0.0, ahead(1880), look(1), (4.0, 3.0))
    found = Motion([seen], seconds, RobotPath(0, seconds)).expect(10)
    assert found.distance == pytest.approx(5.0)
    assert 0.0 < found.distance_spread < 0.2


def test_a_part_at_a_views_edge_makes_nobody_new_in_another_frame() -> None:
    people = met()
    people.bind([sighting(0, 0.0, ahead(1880), look(1), (4.0, 0.0))])
    cut = sighting(5, 0.0, ahead(2110, 20.0), look(2), (3.0, -1.5))
    assert cut.cut_off
    assert people.bind([cut], parts=False) == [None]
    assert len(list(people)) == 1
    assert people.bind([cut]) != [None]


def test_two_who_are_one_are_put_together_and_numbers_are_never_given_twice() -> None:
    people = met()
    one, two = people.bind(
        [
            sighting(0, 0.0, ahead(1780), look(1), (4.0, 1.0)),
            sighting(0, 0.0, ahead(1980), look(2), (4.0, -1.0)),
        ]
    )
    assert one is not None and two is not None
    people.merge(two, one)
    assert list(people) == [one]
    assert [item.frame_id for item in one.sightings] == [0, 0]
    (three,) = people.bind([sighting(0, 90.0, ahead(940), look(3), (0.0, 4.0))])
    assert three is not None and three.name == "person 3"
