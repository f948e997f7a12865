"""Where the local model expects people: the robot's motion, ways, hidden people, lost people."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_sight import person, view

from avr_ros.reasoning.local.sight.identity import Track
from avr_ros.reasoning.local.sight.robot_motion import Motion, RobotMotion
from avr_ros.reasoning.local.sight.scene import Scene
from avr_ros.reasoning.local.sight.seen import SeenPerson
from avr_ros.reasoning.local.sight.wanted import LookAt
from avr_ros.reasoning.local.sight.whereabouts import LITTLE, Whereabouts

motions = st.builds(
    Motion, st.floats(-2, 2), st.floats(-2, 2), st.floats(-1, 1), sure=st.just(True)
)


def seen_at(frame: int, x: float, y: float, heading: float, robot: Motion, *doing: str) -> Track:
    """A track with somebody at a place in the world, as a robot sees them."""
    track = Track()
    add_sighting(track, frame, x, y, heading, robot, *doing)
    return track


def add_sighting(
    track: Track, frame: int, x: float, y: float, heading: float, robot: Motion, *doing: str
) -> None:
    cosine, sine = math.cos(robot.turn), math.sin(robot.turn)
    dx, dy = x - robot.x, y - robot.y
    place = (cosine * dx + sine * dy, cosine * dy - sine * dx)
    azimuth = math.atan2(place[1], place[0])
    facing = math.remainder(heading - robot.turn, math.tau)
    track.add(SeenPerson(frame, azimuth, place, facing, dict.fromkeys(doing, 0.9), visibility=1.0))


def near(motion: Motion, other: Motion) -> None:
    assert (motion.x, motion.y) == pytest.approx((other.x, other.y), abs=1e-6)
    assert math.remainder(motion.turn - other.turn, math.tau) == pytest.approx(0.0, abs=1e-6)


@given(motions, motions)
def test_motions_lead_there_and_back(first: Motion, second: Motion) -> None:
    near(first.then(first.back()), Motion())
    near(first.then(second).then(second.back()), first)


@given(motions)
def test_those_who_stay_tell_the_robots_motion(robot: Motion) -> None:
    tracks = []
    for x, y, heading, doing in ((4, 1, 0.3, "sitting"), (2, -3, 2.0, "standing")):
        track = seen_at(0, x, y, heading, Motion(), doing)
        add_sighting(track, 60, x, y, heading, robot, doing)
        tracks.append(track)
    walker = seen_at(0, 3, 3, 0.0, Motion(), "walking")
    add_sighting(walker, 60, 6, 3, 0.0, robot, "walking")
    told = RobotMotion([*tracks, walker], {0: 0.0, 60: 4.0}).motion(0, 60)
    near(told, robot)
    assert told.sure


def test_motion_is_shared_out_between_and_carried_on_beyond() -> None:
    track = seen_at(0, 5, 0, 1.0, Motion(), "sitting")
    add_sighting(track, 30, 5, 0, 1.0, Motion(0.6, 0.0, 0.0), "sitting")
    robot = RobotMotion([track], {0: 0.0, 30: 2.0})
    near(robot.motion(0, 10), Motion(0.2, 0.0, 0.0))
    assert robot.motion(0, 10).sure
    near(robot.motion(0, 45), Motion(0.9, 0.0, 0.0))
    assert not robot.motion(0, 45).sure
    alone = RobotMotion([], {0: 0.0})
    near(alone.motion(0, 99), Motion())
    assert not alone.motion(0, 99).sure


def test_a_jump_is_nobodys_rest() -> None:
    track = seen_at(0, 5, 0, 1.0, Motion(), "sitting")
    add_sighting(track, 15, 5, 0, 1.0, Motion(6.0, 0.0, 0.0), "sitting")
    assert not RobotMotion([track], {0: 0.0, 15: 1.0}).motion(0, 15).sure


def scene(*views: object) -> Scene:
    return Scene(list(views))  # type: ignore[arg-type]


def test_who_stays_is_expected_where_they_were_and_counts_as_hidden() -> None:
    first = view(0, 0, person(0, 10, 1, "sitting"), person(0, -10, 2, "sitting"), name="view 1")
    alone = Whereabouts(scene(first))
    who = alone._scene.tracks[0]
    assert math.degrees(alone.expected(who, 20)) == pytest.approx(10, abs=3)
    # The other one, still where they were, tells that the robot did not move.
    empty = view(20, 10, person(20, -10, 2, "sitting"), name="view 2")
    looked = Whereabouts(scene(first, empty))
    who = looked._scene.tracks[0]
    assert looked.chance(who, 20) < LITTLE and looked.given_up(who, 20)
    assert looked.pursue(who) is None


def test_who_walks_is_expected_on_their_way() -> None:
    walker = SeenPerson(0, 0.0, (3.0, 0.0), math.pi / 2, {"walking": 1.0}, 1.0)
    stays = person(0, -10, 2, "sitting")
    then = person(15, -10, 2, "sitting")
    looked = Whereabouts(scene(view(0, 0, walker, stays), view(15, -20, then)))
    who = looked._scene.tracks[0]
    # One second at 1.2 m/s to the left of 3 m ahead.
    assert math.degrees(looked.expected(who, 15)) == pytest.approx(20, abs=8)
    assert 0.3 < looked.chance(who, 15) < 1.0


def test_who_was_lost_is_looked_for_elsewhere_and_never_twice_in_one_direction() -> None:
    walker = SeenPerson(0, 0.0, (2.0, 0.0), math.pi / 2, {"walking": 1.0}, 1.0)
    views = [view(0, 0, walker)]
    for _ in range(6):
        looked = Whereabouts(scene(*views))
        wanted = looked.pursue(looked._scene.tracks[0]) if len(views) > 1 else LookAt(30, 0.0, None)  # type: ignore[arg-type]
        if not isinstance(wanted, LookAt):
            break
        directions = [item.azimuth for item in views if item.frame == wanted.frame]
        assert all(
            abs(math.remainder(wanted.azimuth - item, math.tau)) > 0.2 for item in directions
        )
        views.append(view(wanted.frame, math.degrees(wanted.azimuth)))
    assert len(views) > 3


def test_between_two_sightings_the_way_is_straight() -> None:
    looked = Whereabouts(scene(view(0, 0, person(0, 0, 1)), view(20, 40, person(20, 40, 1))))
    who = looked._scene.tracks[0]
    assert math.degrees(looked.expected(who, 10)) == pytest.approx(20, abs=3)
    assert looked.expected(who, 20) == pytest.approx(math.radians(40))
