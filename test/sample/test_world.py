"""What happens in a sequence: times, people, schedules, motion."""

from __future__ import annotations

import numpy as np
import pytest

from avr_ros.geometry.panorama import GROUND_HEIGHT
from avr_ros.sample.schedule import MOVING
from avr_ros.sample.specification import SampleSpecification
from avr_ros.sample.world import World, frame_stamps, simulate
from avr_ros.schema.seeds import generator
from avr_ros.schema.vocabulary import ACTIONS, POSE_ACTIONS


@pytest.fixture(scope="module")
def long_world() -> World:
    return simulate(SampleSpecification(seed=3, sequences=6, frames=450, people=25), 1)


def test_stamps_are_whole_microseconds_at_14_6_hertz() -> None:
    stamps = frame_stamps(2000, 3, generator(1, "stamps"))
    gaps = np.diff(stamps) / 1e6
    assert stamps.dtype == np.int64
    assert np.all(gaps >= 0.045 - 1e-6) and np.all(gaps <= 0.12 + 1e-6)
    assert 1.0 / np.mean(gaps) == pytest.approx(14.6, abs=0.15)
    assert len(np.unique(gaps)) > 1500
    # JSON holds seconds as floats: rounding brings the microsecond back.
    assert all(round(stamp / 1_000_000 * 1e6) == stamp for stamp in stamps.tolist())


def test_a_person_does_one_thing_after_another_without_gaps(long_world: World) -> None:
    for track in long_world.tracks:
        for before, after in zip(track.segments, track.segments[1:], strict=False):
            assert after.start == pytest.approx(before.end)
        for segment in track.segments:
            assert segment.posture in POSE_ACTIONS
            assert set(segment.gestures) <= set(ACTIONS) - set(POSE_ACTIONS)
            assert (segment.path is not None) == (segment.posture in MOVING)


def test_about_as_many_are_present_as_asked_for(long_world: World) -> None:
    counts = [sum(t.present(f) for t in long_world.tracks) for f in range(long_world.frames)]
    assert min(counts) >= 20
    assert max(counts) <= 25
    assert len(long_world.tracks) > 25


def test_people_come_and_go_and_change_what_they_do(long_world: World) -> None:
    late = [t for t in long_world.tracks if not t.present(0)]
    gone = [t for t in long_world.tracks if not t.present(long_world.frames - 1)]
    assert late and gone
    changes = [len({int(s) for s in t.segment if s >= 0}) - 1 for t in long_world.tracks]
    assert np.mean(changes) > 2.0
    done = {
        name
        for t in long_world.tracks
        for f in range(0, long_world.frames, 10)
        if t.present(f)
        for name in (t.doing(f).posture, *t.doing(f).gestures)
    }
    assert {"walking", "standing", "sitting", "talking to someone"} <= done


def test_bodies_move_smoothly_and_at_a_human_pace(long_world: World) -> None:
    seconds = np.diff(long_world.stamps) / 1e6
    for track in long_world.tracks:
        both = (track.segment[1:] >= 0) & (track.segment[:-1] >= 0)
        speed = np.linalg.norm(np.diff(track.root[:, :2], axis=0), axis=-1) / seconds
        assert np.all(speed[both] < 6.0)


def test_walkers_face_where_they_go(long_world: World) -> None:
    agreement = []
    for track in long_world.tracks:
        for frame in range(2, long_world.frames - 2, 5):
            if not all(track.present(f) for f in range(frame - 2, frame + 3)):
                continue
            doings = {track.doing(f).posture for f in range(frame - 2, frame + 3)}
            step = track.root[frame + 2, :2] - track.root[frame - 2, :2]
            if doings == {"walking"} and np.hypot(*step) > 0.15:
                heading = track.heading[frame]
                unit = step / np.hypot(*step)
                agreement.append(unit @ [np.cos(heading), np.sin(heading)])
    assert np.mean(np.asarray(agreement) > 0.7) > 0.95


def test_talkers_in_a_group_face_each_other(long_world: World) -> None:
    checked = 0
    for track in long_world.tracks:
        frame = 40
        if not track.present(frame) or track.doing(frame).posture != "standing":
            continue
        doing = track.doing(frame)
        if "talking to someone" not in doing.gestures:
            continue
        others = [
            t.root[frame, :2]
            for t in long_world.tracks
            if t is not track and t.present(frame) and t.doing(frame).group == doing.group
        ]
        toward = np.mean(others, axis=0) - track.root[frame, :2]
        angle = np.arctan2(toward[1], toward[0]) - track.heading[frame]
        assert np.cos(angle) > 0.2
        checked += 1
    assert checked


def test_nobody_walks_through_the_robot(long_world: World) -> None:
    for track in long_world.tracks:
        here = track.segment >= 0
        gap = np.linalg.norm(track.root[here, :2] - long_world.robot[here, :2], axis=-1)
        assert np.all(gap > 0.5)


def test_the_robot_stops_and_goes_smoothly_and_hits_nothing() -> None:
    kinds = []
    for index in range(6):
        world = simulate(SampleSpecification(seed=6, sequences=6, frames=150, people=3), index)
        step = np.linalg.norm(np.diff(world.robot[:, :2], axis=0), axis=-1)
        turn = np.abs(np.diff(world.robot[:, 2]))
        assert step.max() < 0.1 and turn.max() < 0.16
        assert world.scene.clearance_at(world.robot[:, :2]).min() > 0.6
        kinds.append((bool(step.max() > 0.0), bool(turn.max() > 0.0)))
    # Of four sequences in a row two drive, one turns on the spot and one stands still.
    assert sorted(kinds[:4]) == [(False, False), (False, True), (True, True), (True, True)]


def test_the_label_frame_has_its_origin_at_the_rig(long_world: World) -> None:
    frame = 7
    x, y, yaw = long_world.robot[frame]
    point = np.array([x + 2.0 * np.cos(yaw), y + 2.0 * np.sin(yaw), 0.0])
    assert long_world.in_label_frame(point, frame) == pytest.approx([2.0, 0.0, GROUND_HEIGHT])


def test_the_same_specification_gives_the_same_world(worlds: list[World]) -> None:
    again = simulate(SampleSpecification(seed=11, sequences=2, frames=12, people=14, bags=True), 0)
    assert np.array_equal(again.stamps, worlds[0].stamps)
    assert np.array_equal(again.robot, worlds[0].robot)
    for mine, theirs in zip(again.tracks, worlds[0].tracks, strict=True):
        assert np.array_equal(mine.joints, theirs.joints)
        assert mine.appearance == theirs.appearance
