"""The robot's own motion, told from people who stay where they are."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.robot_path import Pose, RobotPath
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.geometry.crop import crop_window
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.schema.box import Box
from avr_ros.schema.detection import APPEARANCE_SIZE, Detection, GroundPosition
from avr_ros.schema.observation import Observation

PLACES = [(3.0, 1.0), (-2.0, 4.0), (5.0, -2.0), (-4.0, -3.0)]


def seconds(first: int, second: int) -> float:
    return (second - first) / 15


def seen(frame: int, x: float, y: float, action: str = "standing") -> Sighting:
    detection = Detection(
        Box(100.0, 100.0, 40.0, 150.0),
        0.9,
        {action: 0.9},
        np.zeros(APPEARANCE_SIZE, dtype=np.float32),
        GroundPosition(x, y, 0.05),
        1.0,
    )
    crop = crop_window(JRDB_CYLINDER, 0.0)
    return Sighting(detection, Observation(f"e/{frame}", "s", frame, 0, 0.0, 0.8, crop, jpeg=b""))


def moved(path: RobotPath, frame: int, pose: Pose, places: list[tuple[float, float]]) -> None:
    """Let the path learn a frame in which the robot has a pose and people stay in their places."""
    path.learn(frame, [([seen(0, *place)], seen(frame, *pose.inward(*place))) for place in places])


@given(st.floats(-1.5, 1.5), st.floats(-1.5, 1.5), st.floats(-1.2, 1.2))
def test_a_pose_is_found_from_people_who_stay(x: float, y: float, heading: float) -> None:
    path = RobotPath(0, seconds)
    moved(path, 60, Pose(x, y, heading), PLACES)
    found = path.pose(60)
    assert math.hypot(found.x - x, found.y - y) < 0.15
    assert abs(wrap(found.heading - heading)) < 0.05


def test_one_person_tells_a_turn() -> None:
    path = RobotPath(0, seconds)
    moved(path, 10, Pose(0.0, 0.0, 0.5), PLACES[:1])
    assert path.pose(10).heading == pytest.approx(0.5, abs=0.06)


def test_somebody_who_moved_after_all_is_held_down() -> None:
    path = RobotPath(0, seconds)
    pose = Pose(0.2, 0.0, 0.3)
    staying = [([seen(0, *place)], seen(30, *pose.inward(*place))) for place in PLACES]
    x, y = pose.inward(6.0, 6.0)
    path.learn(30, [*staying, ([seen(0, 3.0, 4.0)], seen(30, x, y))])
    assert path.pose(30).heading == pytest.approx(0.3, abs=0.06)


def test_between_two_poses_the_robot_goes_straight_and_beyond_it_is_uncertain() -> None:
    path = RobotPath(0, seconds)
    moved(path, 20, Pose(1.0, 0.0, 0.4), PLACES)
    between = path.pose(10)
    assert between.x == pytest.approx(0.5, abs=0.05)
    assert between.heading == pytest.approx(0.2, abs=0.03)
    assert path.pose(80).heading_sigma > path.pose(30).heading_sigma > path.pose(20).heading_sigma


@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(-3, 3), st.floats(-9, 9), st.floats(-9, 9))
def test_inward_undoes_outward(x: float, y: float, heading: float, a: float, b: float) -> None:
    pose = Pose(x, y, heading)
    assert pose.inward(*pose.outward(a, b)) == pytest.approx((a, b), abs=1e-9)


def test_people_who_go_on_walking_tell_a_turn() -> None:
    """They went 0.1 m a frame until frame 10; at frame 20 they are where that takes them."""
    path = RobotPath(0, seconds)
    pose = Pose(0.0, 0.0, 0.4)
    met = []
    for x, y in PLACES:
        first, second = seen(0, x, y, "walking"), seen(10, x + 1.0, y, "walking")
        path.learn(10, [([seen(0, *place)], seen(10, *place)) for place in PLACES])
        met.append(([first, second], seen(20, *pose.inward(x + 2.0, y), "walking")))
    path.learn(20, met)
    assert path.pose(20).heading == pytest.approx(0.4, abs=0.08)
