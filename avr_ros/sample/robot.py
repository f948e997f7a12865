"""The robot's drive: a closed path at a gentle speed, a turn on the spot, or a stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from avr_ros.sample.scene import FloatArray, Scene


@dataclass(frozen=True)
class Drive:
    """The robot's pose in the scene as a function of time.

    ``loop`` (n, 2) is a closed path resampled at equal steps of ``step`` metres. ``times`` (s)
    and ``travelled`` say how far along it the robot has come (m), ``turned`` how far it has turned
    on the spot from ``yaw`` (rad); between the times both are interpolated, and where they stay
    the same the robot stands.
    """

    loop: FloatArray
    step: float
    times: FloatArray
    travelled: FloatArray
    turned: FloatArray
    yaw: float
    drives: bool

    def at(self, time: FloatArray) -> FloatArray:
        """Poses (n, 3) as x, y, yaw (not wrapped) at times (n,) in seconds."""
        time = np.asarray(time, dtype=np.float64)
        count = len(self.loop)
        index = np.interp(time, self.times, self.travelled) / self.step
        low = np.floor(index).astype(int)
        share = (index - low)[..., None]
        position = (1 - share) * self.loop[low % count] + share * self.loop[(low + 1) % count]
        if not self.drives:
            yaw_at = self.yaw + np.interp(time, self.times, self.turned)
            return np.concatenate([position, yaw_at[..., None]], axis=-1)
        tangent = np.roll(self.loop, -3, axis=0) - np.roll(self.loop, 3, axis=0)
        yaw = np.unwrap(np.arctan2(tangent[:, 1], tangent[:, 0]))
        turn = 2.0 * np.pi * np.round((yaw[-1] - yaw[0]) / (2.0 * np.pi))
        lap, rest = np.divmod(index, count)
        yaw_at = np.interp(rest, np.arange(count + 1), np.append(yaw, yaw[0] + turn)) + lap * turn
        return np.concatenate([position, yaw_at[..., None]], axis=-1)


def _stop_and_go(
    rng: np.random.Generator, duration: float, speed: float, both_ways: bool
) -> tuple[FloatArray, FloatArray]:
    """Times and what has been covered by then: moves of some seconds with rests between."""
    times, covered = [0.0], [0.0]
    time, place, way = float(rng.uniform(0.3, 2.0)), 0.0, 1.0
    while time < duration:
        length = float(rng.uniform(2.5, 5.0))
        share = np.linspace(0.0, 1.0, 26)
        # Eased in and out; the mean speed over the move is ``speed``.
        eased = share * share * (3.0 - 2.0 * share)
        times.extend((time + length * share).tolist())
        covered.extend((place + way * speed * length * eased).tolist())
        place += way * speed * length
        time += length + float(rng.uniform(2.0, 4.5))
        way = -way if both_ways and rng.random() < 0.6 else way
    times.append(max(time, duration) + 1.0)
    covered.append(place)
    return np.asarray(times), np.asarray(covered)


def plan_drive(scene: Scene, rng: np.random.Generator, turn: int, duration: float) -> Drive:
    """A drive of ``duration`` seconds; of four ``turn`` in a row two drive, one turns on the spot
    and one stands still."""
    waypoints = np.asarray(scene.robot_path)
    along = waypoints[-1] - waypoints[0]
    along = along / max(float(np.linalg.norm(along)), 1e-6)
    across = np.array([-along[1], along[0]])
    back = waypoints[::-1] + across * 0.65
    closed = np.concatenate([waypoints - across * 0.55, back])
    spline = _closed_spline(closed, 40)
    lengths = np.linalg.norm(np.roll(spline, -1, axis=0) - spline, axis=-1)
    total = float(lengths.sum())
    count = max(int(total / 0.05), 8)
    marks = np.concatenate([[0.0], np.cumsum(lengths)])
    ring = np.concatenate([spline, spline[:1]])
    at = np.arange(count) * total / count
    loop = np.stack([np.interp(at, marks, ring[:, 0]), np.interp(at, marks, ring[:, 1])], axis=-1)
    loop = _rounded(loop)
    yaw = float(rng.uniform(-np.pi, np.pi))
    shifted = np.roll(loop, -int(rng.integers(count)), axis=0)
    standing = np.zeros(2)
    ends = np.array([0.0, duration + 1.0])
    spacing = total / count
    if turn % 4 == 1:
        return Drive(shifted, spacing, ends, standing, standing, yaw, drives=False)
    if turn % 4 == 3:
        times, turned = _stop_and_go(rng, duration, float(rng.uniform(0.10, 0.25)), both_ways=True)
        return Drive(shifted, spacing, times, np.zeros_like(times), turned, yaw, drives=False)
    times, travelled = _stop_and_go(rng, duration, float(rng.uniform(0.35, 0.5)), both_ways=False)
    return Drive(shifted, spacing, times, travelled, np.zeros_like(times), yaw, drives=True)


def _rounded(loop: FloatArray) -> FloatArray:
    """A closed path with gentler corners: each point the mean of its neighbourhood, three times."""
    reach = 7
    for _ in range(3):
        loop = np.mean([np.roll(loop, shift, axis=0) for shift in range(-reach, reach + 1)], axis=0)
    return loop


def _closed_spline(points: FloatArray, samples: int) -> FloatArray:
    """A closed Catmull-Rom curve through points (n, 2)."""
    before, after, further = np.roll(points, 1, 0), np.roll(points, -1, 0), np.roll(points, -2, 0)
    share = np.arange(samples)[:, None, None] / samples
    curve = 0.5 * (
        2 * points
        + (after - before) * share
        + (2 * before - 5 * points + 4 * after - further) * share**2
        + (3 * points - before - 3 * after + further) * share**3
    )
    return np.swapaxes(curve, 0, 1).reshape(-1, 2)
