"""The simulation: where every body is at every frame, and what it does there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avr_ros.sample import poses
from avr_ros.sample.appearance import Appearance
from avr_ros.sample.body import REFERENCE_STATURE, FloatArray, place, skeleton
from avr_ros.sample.robot import Drive, plan_drive
from avr_ros.sample.scene import Scene
from avr_ros.sample.scenes import build_scene, scene_names
from avr_ros.sample.schedule import MOVING, ROBOT, PersonPlan, Planner, Segment
from avr_ros.sample.specification import SampleSpecification
from avr_ros.sample.styles import style_of_sequence
from avr_ros.schema.seeds import generator

BLEND: Final = 0.28
"""Seconds before and after a boundary between two actions in which the body changes over."""

FRAME_RATE: Final = 14.6
"""Mean frames a second, as measured in the real recordings."""

EPOCH_MICROSECONDS: Final = 1_709_283_600_000_000
"""Time of the first sequence's first frame."""


@dataclass
class Track:
    """One person over the frames of a sequence (F of them).

    ``joints`` (F, 24, 3) and ``directions`` (F, 4, 3) in the world; ``root`` (F, 3) the floor
    below the pelvis; ``segment`` (F,) the index of what is being done, -1 while absent.
    """

    index: int
    appearance: Appearance
    segments: list[Segment]
    segment: NDArray[np.int64]
    root: FloatArray
    heading: FloatArray
    joints: FloatArray
    directions: FloatArray
    phase: FloatArray

    def present(self, frame: int) -> bool:
        """Whether the person is in the scene."""
        return bool(self.segment[frame] >= 0)

    def doing(self, frame: int) -> Segment:
        """What the person does at a frame at which they are present."""
        return self.segments[int(self.segment[frame])]


@dataclass
class World:
    """One sequence before it is drawn.

    ``stamps`` (F,) whole microseconds since the epoch; ``robot`` (F, 3) x, y, yaw in the world.
    """

    name: str
    index: int
    seed: int
    scene: Scene
    drive: Drive
    stamps: NDArray[np.int64]
    robot: FloatArray
    tracks: list[Track]

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.stamps)

    def in_label_frame(self, points: FloatArray, frame: int) -> FloatArray:
        """World points (..., 3) in the label frame of a frame."""
        from avr_ros.geometry.panorama import GROUND_HEIGHT

        x, y, yaw = self.robot[frame]
        cosine, sine = np.cos(yaw), np.sin(yaw)
        dx, dy = points[..., 0] - x, points[..., 1] - y
        return np.stack(
            [cosine * dx + sine * dy, cosine * dy - sine * dx, points[..., 2] + GROUND_HEIGHT],
            axis=-1,
        )


def sequence_name(scene: str, index: int) -> str:
    """Name of a sequence in JRDB's manner: place, date, number."""
    return f"sample-{scene}-2024-03-{1 + index % 28:02d}_{index // 28}"


def frame_stamps(frames: int, index: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Irregular stamps in whole microseconds, 14.6 Hz on average, strictly rising."""
    gaps = rng.normal(1.0 / FRAME_RATE, 0.0016, frames)
    late = rng.random(frames) < 0.02
    gaps = np.where(late, gaps + rng.uniform(0.008, 0.03, frames), gaps)
    gaps = np.clip(gaps, 0.045, 0.12)
    offsets = np.round(np.cumsum(gaps) * 1e6).astype(np.int64)
    first = EPOCH_MICROSECONDS + index * 3_600_000_000
    return np.asarray(first + offsets - offsets[0], np.int64)


def simulate(specification: SampleSpecification, index: int) -> World:
    """Make sequence ``index`` of a data set."""
    style = style_of_sequence(specification.style, index)
    names = scene_names()
    start = int(generator(specification.seed, "scenes").integers(len(names)))
    kind = names[(start + index) % len(names)] if specification.sequences > 1 else names[start]
    scene = build_scene(kind, style, specification.seed, index)
    rng = generator(specification.seed, "world", index)
    stamps = frame_stamps(
        specification.frames, index, generator(specification.seed, "stamps", index)
    )
    time = (stamps - stamps[0]) / 1e6
    turn = index + int(generator(specification.seed, "drives").integers(4))
    drive = plan_drive(scene, rng, turn, float(time[-1]))
    planner = Planner(scene, style, drive, specification.people, float(time[-1]) + 0.5, rng)
    plans = planner.plan()
    robot = drive.at(time)
    tracks = _tracks(plans, time, robot, scene)
    return World(
        name=sequence_name(kind, index),
        index=index,
        seed=specification.seed,
        scene=scene,
        drive=drive,
        stamps=stamps,
        robot=robot,
        tracks=tracks,
    )


def _weights(segment: Segment, time: FloatArray, first: bool, last: bool) -> FloatArray:
    """How much a segment counts at each moment; neighbours add up to 1."""

    def ramp(value: FloatArray) -> FloatArray:
        share = np.clip(0.5 + value / (2.0 * BLEND), 0.0, 1.0)
        return share * share * (3.0 - 2.0 * share)

    rising = np.ones_like(time) if first else ramp(time - segment.start)
    falling = np.ones_like(time) if last else ramp(segment.end - time)
    return np.minimum(rising, falling)


def _along(segment: Segment, time: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Position (n, 3), heading (n,) and distance covered (n,) of a moving segment."""
    path = segment.path
    assert path is not None
    steps = np.linalg.norm(np.diff(path, axis=0), axis=-1)
    marks = np.concatenate([[0.0], np.cumsum(steps)])
    share = np.clip((time - segment.start) / max(segment.end - segment.start, 1e-6), 0.0, 1.0)
    distance = share * marks[-1]

    def at(where: FloatArray) -> FloatArray:
        return np.stack([np.interp(where, marks, path[:, axis]) for axis in (0, 1)], axis=-1)

    where = at(distance)
    ahead = at(np.minimum(distance + 0.45, marks[-1])) - at(np.maximum(distance - 0.45, 0.0))
    heading = np.arctan2(ahead[:, 1], ahead[:, 0])
    if segment.heights is not None:
        height = np.interp(distance, marks, segment.heights)
    else:
        height = np.full(len(time), segment.raised)
    return np.concatenate([where, height[:, None]], axis=-1), heading, distance


def _motion(
    segment: Segment, time: FloatArray, stature: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    if segment.posture in MOVING:
        position, heading, distance = _along(segment, time)
        stride = poses.METRES_PER_CYCLE[segment.posture] * stature / REFERENCE_STATURE
        return position, heading, segment.cycle + distance / stride
    position = np.empty((len(time), 3))
    position[:] = (*segment.position, segment.raised)
    return position, np.full(len(time), segment.heading), np.zeros(len(time))


def _pose(
    segment: Segment, time: FloatArray, phase: FloatArray, look: FloatArray | None
) -> FloatArray:
    """Poses of a segment; ``look`` is the azimuth of what is looked at, relative to the heading."""
    vigour = 0.8 + 0.4 * segment.variant
    posture = segment.posture
    if posture == "walking":
        pose = poses.walking(phase, vigour)
    elif posture == "running":
        pose = poses.running(phase, vigour)
    elif posture == "cycling":
        pose = poses.cycling(phase, vigour)
    elif posture == "scootering":
        pose = poses.scootering(phase, vigour)
    elif posture in ("going upstairs", "going downstairs"):
        pose = poses.stairs(phase, posture == "going upstairs")
    elif posture == "sitting":
        pose = poses.sitting(time, segment.variant)
    elif posture == "bending":
        pose = poses.bending(time, segment.variant)
    else:
        pose = poses.standing(time, segment.variant)
    if look is not None:
        poses.look_towards(pose, look)
    elif posture in ("standing", "sitting") and not segment.gestures:
        poses.look_towards(pose, 0.5 * np.sin(2.0 * np.pi * (0.07 * time + segment.variant)))
    for gesture in segment.gestures:
        if gesture == "talking on the phone":
            poses.phone_at_ear(pose, segment.side)
        elif gesture == "looking into sth":
            poses.phone_in_front(pose, segment.side)
        elif gesture == "reading":
            poses.reading(pose)
        elif gesture == "typing":
            poses.typing(pose, time, poses.TABLE_HEIGHT + 0.02 if segment.table else 0.66)
        elif gesture == "holding sth" and "box" in segment.things:
            poses.holding_box(pose)
        elif gesture == "holding sth":
            poses.holding_cup(pose, segment.side)
        elif gesture == "pointing at sth":
            angle = segment.point_at - segment.heading
            poses.pointing(pose, segment.side, np.full(len(time), angle))
        elif gesture == "greeting gestures":
            poses.greeting(pose, segment.side, time)
        elif gesture == "talking to someone":
            poses.talking(pose, time, segment.variant)
        elif gesture == "listening to someone" and "holding sth" not in segment.gestures:
            if posture != "walking":
                poses.listening(pose, segment.variant)
        elif gesture == "eating sth":
            poses.eating(pose, segment.side, time)
        elif gesture == "interaction with door":
            poses.at_door(pose, segment.side, time)
        elif gesture == "pushing":
            poses.pushing(pose)
    return pose


def _smooth(values: FloatArray, width: int) -> FloatArray:
    """Moving average along the first axis, applied twice, edges held."""
    kernel = np.ones(width) / width
    for _ in range(2):
        padded = np.concatenate(
            [np.repeat(values[:1], width // 2, 0), values, np.repeat(values[-1:], width // 2, 0)]
        )
        flat = padded.reshape(len(padded), -1)
        out = np.stack(
            [np.convolve(flat[:, c], kernel, "valid") for c in range(flat.shape[1])], axis=-1
        )
        values = out.reshape(len(out), *values.shape[1:])[: len(values)]
    return values


def _evade(
    position: FloatArray, present: NDArray[np.bool_], moving: NDArray[np.bool_], robot: FloatArray
) -> FloatArray:
    """Offsets (P, F, 2) by which walkers go around others and the robot."""
    people, frames = present.shape
    offset = np.zeros((people, frames, 2))
    for _ in range(3):
        here = position + offset
        push = np.zeros_like(offset)
        for person in range(people):
            if not np.any(moving[person]):
                continue
            away = here[person][None] - here
            gap = np.linalg.norm(away, axis=-1)
            gap[person] = np.inf
            gap = np.where(present, gap, np.inf)
            strength = np.clip(0.62 - gap, 0.0, 0.62)
            unit = away / np.maximum(gap, 1e-3)[..., None]
            unit = np.where(np.isfinite(unit), unit, 0.0)
            push[person] += np.sum(strength[..., None] * unit * 0.6, axis=0)
            from_robot = here[person] - robot
            gap_robot = np.linalg.norm(from_robot, axis=-1)
            near = np.clip(1.15 - gap_robot, 0.0, 1.15)
            push[person] += near[:, None] * from_robot / np.maximum(gap_robot, 1e-3)[:, None]
            push[person] *= moving[person][:, None]
        offset = offset + _smooth(np.swapaxes(push, 0, 1), 9).swapaxes(0, 1)
    return offset


def _tracks(
    plans: list[PersonPlan], time: FloatArray, robot: FloatArray, scene: Scene
) -> list[Track]:
    frames, count = len(time), len(plans)
    position = np.zeros((count, frames, 3))
    facing = np.zeros((count, frames, 2))
    phase = np.zeros((count, frames))
    active = np.full((count, frames), -1, dtype=np.int64)
    moving = np.zeros((count, frames), dtype=bool)
    for row, plan in enumerate(plans):
        total = np.zeros(frames)
        for index, segment in enumerate(plan.segments):
            inside = (time >= segment.start) & (time < segment.end)
            active[row, inside] = index
            if segment.posture in MOVING and segment.heights is None:
                moving[row, inside] = True
            weight = _weights(segment, time, index == 0, index == len(plan.segments) - 1)
            use = np.flatnonzero(weight > 0.0)
            if not len(use):
                continue
            where, heading, cycles = _motion(segment, time[use], plan.appearance.stature)
            position[row, use] += weight[use, None] * where
            facing[row, use] += weight[use, None] * np.stack(
                [np.cos(heading), np.sin(heading)], axis=-1
            )
            phase[row, inside] = cycles[np.isin(use, np.flatnonzero(inside))]
            total[use] += weight[use]
        position[row] /= np.maximum(total, 1e-6)[:, None]
    present = active >= 0
    position[..., :2] += _evade(position[..., :2], present, moving, robot[:, :2])
    heading = np.arctan2(facing[..., 1], facing[..., 0])

    tracks = []
    for row, plan in enumerate(plans):
        if not present[row].any():
            continue
        pose = np.zeros((frames, 24))
        total = np.zeros(frames)
        for index, segment in enumerate(plan.segments):
            weight = _weights(segment, time, index == 0, index == len(plan.segments) - 1)
            use = np.flatnonzero(weight > 0.0)
            if not len(use):
                continue
            look = None
            if segment.look_at is not None:
                other = (
                    robot[use, :2]
                    if segment.look_at == ROBOT
                    else position[segment.look_at, use, :2]
                )
                toward = other - position[row, use, :2]
                angle = np.arctan2(toward[:, 1], toward[:, 0]) - heading[row, use]
                look = np.arctan2(np.sin(angle), np.cos(angle))
            _, _, cycles = _motion(segment, time[use], plan.appearance.stature)
            pose[use] += weight[use, None] * _pose(segment, time[use], cycles, look)
            total[use] += weight[use]
        pose[total > 0] /= total[total > 0][:, None]
        pose[total <= 0] = poses.neutral(1)
        joints, directions = place(
            *skeleton(pose), position[row], heading[row], plan.appearance.stature
        )
        tracks.append(
            Track(
                index=plan.index,
                appearance=plan.appearance,
                segments=plan.segments,
                segment=active[row],
                root=position[row],
                heading=heading[row],
                joints=joints,
                directions=directions,
                phase=phase[row],
            )
        )
    del scene
    return tracks
