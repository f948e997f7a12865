"""The skeleton keeps its bones' lengths, stands on the floor and is as tall as it should be."""

from __future__ import annotations

import numpy as np
import pytest

from avr_ros.sample import poses
from avr_ros.sample.body import (
    ANKLE_HEIGHT,
    FOREARM,
    JOINT,
    SHIN,
    THIGH,
    UPPER_ARM,
    place,
    set_hands,
    skeleton,
    torso_axes,
)

TIME = np.linspace(0.0, 3.0, 31)
PHASE = np.linspace(0.0, 2.0, 31)

POSTURES = {
    "standing": poses.standing(TIME, 0.4),
    "walking": poses.walking(PHASE, 1.0),
    "running": poses.running(PHASE, 1.0),
    "sitting": poses.sitting(TIME, 0.3),
    "bending": poses.bending(TIME, 0.6),
    "cycling": poses.cycling(PHASE, 1.0),
    "scootering": poses.scootering(PHASE, 1.0),
    "going upstairs": poses.stairs(PHASE, True),
    "going downstairs": poses.stairs(PHASE, False),
}


def distance(joints: np.ndarray, first: str, second: str) -> np.ndarray:
    return np.linalg.norm(joints[:, JOINT[first]] - joints[:, JOINT[second]], axis=-1)


@pytest.mark.parametrize("posture", POSTURES)
def test_bones_keep_their_length(posture: str) -> None:
    joints, directions = skeleton(POSTURES[posture])
    for side in ("left", "right"):
        assert distance(joints, f"{side}_hip", f"{side}_knee") == pytest.approx(THIGH)
        assert distance(joints, f"{side}_knee", f"{side}_ankle") == pytest.approx(SHIN)
        assert distance(joints, f"{side}_shoulder", f"{side}_elbow") == pytest.approx(UPPER_ARM)
        assert distance(joints, f"{side}_elbow", f"{side}_wrist") == pytest.approx(FOREARM)
    assert np.linalg.norm(directions, axis=-1) == pytest.approx(1.0)


@pytest.mark.parametrize("posture", POSTURES)
def test_nobody_sinks_into_the_floor(posture: str) -> None:
    joints, _ = skeleton(POSTURES[posture])
    slope = 0.2 if "stairs" in posture else 0.0
    assert joints[..., 2].min() > -0.05 - slope


def test_a_standing_body_is_as_tall_as_its_reference() -> None:
    joints, _ = skeleton(POSTURES["standing"])
    top = joints[:, JOINT["head"], 2].max() + 0.122
    assert top == pytest.approx(1.75, abs=0.03)
    assert joints[:, JOINT["left_ankle"], 2] == pytest.approx(ANKLE_HEIGHT, abs=0.02)


def test_postures_differ_where_one_looks_for_it() -> None:
    height = {
        name: skeleton(pose)[0][:, JOINT["head"], 2].mean() for name, pose in POSTURES.items()
    }
    assert height["bending"] < 1.0 < height["sitting"] < 1.35 < height["standing"]
    knee = skeleton(POSTURES["sitting"])[0]
    thigh = knee[:, JOINT["left_knee"]] - knee[:, JOINT["left_hip"]]
    assert np.all(np.abs(thigh[:, 2]) < 0.5 * np.abs(thigh[:, 0]))


def test_feet_do_not_slide_while_they_carry() -> None:
    phase = np.linspace(0.05, 0.5, 10)
    joints, _ = skeleton(poses.walking(phase, 1.0))
    travelled = phase * poses.METRES_PER_CYCLE["walking"]
    # On the floor, the left foot stays where it is while the body moves on.
    foot = joints[:, JOINT["left_heel"], 0] + travelled
    assert np.ptp(foot) < 0.12


def test_a_wave_is_above_the_head_and_a_call_is_at_the_ear() -> None:
    pose = poses.standing(TIME, 0.5)
    poses.greeting(pose, 1.0, TIME)
    joints, _ = skeleton(pose)
    assert np.all(joints[:, JOINT["left_hand"], 2] > joints[:, JOINT["head"], 2] + 0.05)
    pose = poses.standing(TIME, 0.5)
    poses.phone_at_ear(pose, -1.0)
    joints, _ = skeleton(pose)
    assert np.all(distance(joints, "right_hand", "head") < 0.2)


def test_hands_go_where_they_are_put() -> None:
    pose = poses.bending(TIME, 0.5)
    set_hands(pose, np.array([0.3, 0.1, 0.5]), np.array([0.3, -0.1, 0.5]))
    joints, _ = skeleton(pose)
    assert joints[:, JOINT["left_wrist"]] == pytest.approx(
        np.broadcast_to([0.3, 0.1, 0.5], (len(TIME), 3)), abs=1e-6
    )


def test_axes_of_the_torso_are_perpendicular() -> None:
    _, forward, left, up = torso_axes(POSTURES["running"])
    for first, second in ((forward, left), (left, up), (up, forward)):
        assert np.sum(first * second, axis=-1) == pytest.approx(0.0, abs=1e-12)
    assert np.cross(forward, left) == pytest.approx(up)


def test_placing_turns_and_scales() -> None:
    joints, directions = skeleton(poses.neutral(1))
    moved, turned = place(
        joints, directions, np.array([[2.0, 3.0, 0.5]]), np.array([np.pi / 2]), 0.875
    )
    toe = joints[0, JOINT["left_toe"]] / 2.0
    assert moved[0, JOINT["left_toe"]] == pytest.approx([2.0 - toe[1], 3.0 + toe[0], 0.5 + toe[2]])
    assert turned[0, 2] == pytest.approx([0.0, 1.0, 0.0], abs=1e-9)
