"""The robot's drive: a closed path at a gentle speed, a turn on the spot, or a stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from avr_ros.sample.scene import FloatArray, Scene


@dataclass(frozen=True)
class Drive:
    """The robot's pose in the scene as a function of time.

    ``loop`` (n, 2) is a closed path resampled at equal steps of ``step`` metres; a speed of 0
    stands at its start. ``yaw_rate`` turns on the spot, radians a second.
    """

    loop: FloatArray
    step: float
    speed: float
    yaw: float
    yaw_rate: float

    def at(self, time: FloatArray) -> FloatArray:
        """Poses (n, 3) as x, y, yaw (not wrapped) at times (n,) in seconds."""
        time = np.asarray(time, dtype=np.float64)
        if self.speed == 0.0:
            position = np.broadcast_to(self.loop[0], (*time.shape, 2))
            # A slow swing rather than a spin, as of a robot that looks around.
            yaw = self.yaw + self.yaw_rate * 5.0 * np.sin(time / 5.0)
            return np.concatenate([position, yaw[..., None]], axis=-1)
        count = len(self.loop)
        index = self.speed * time / self.step
        low = np.floor(index).astype(int)
        share = (index - low)[..., None]
        position = (1 - share) * self.loop[low % count] + share * self.loop[(low + 1) % count]
        tangent = np.roll(self.loop, -3, axis=0) - np.roll(self.loop, 3, axis=0)
        yaw = np.unwrap(np.arctan2(tangent[:, 1], tangent[:, 0]))
        turn = 2.0 * np.pi * np.round((yaw[-1] - yaw[0]) / (2.0 * np.pi))
        lap, rest = np.divmod(index, count)
        yaw_at = np.interp(rest, np.arange(count + 1), np.append(yaw, yaw[0] + turn)) + lap * turn
        return np.concatenate([position, yaw_at[..., None]], axis=-1)


def plan_drive(scene: Scene, rng: np.random.Generator, index: int) -> Drive:
    """A drive for a scene; sequences of one data set alternate between driving and standing."""
    waypoints = np.asarray(scene.robot_path)
    along = waypoints[-1] - waypoints[0]
    along = along / max(float(np.linalg.norm(along)), 1e-6)
    across = np.array([-along[1], along[0]])
    back = waypoints[::-1] + across * 0.55
    closed = np.concatenate([waypoints - across * 0.45, back])
    spline = _closed_spline(closed, 40)
    lengths = np.linalg.norm(np.roll(spline, -1, axis=0) - spline, axis=-1)
    total = float(lengths.sum())
    count = max(int(total / 0.05), 8)
    marks = np.concatenate([[0.0], np.cumsum(lengths)])
    ring = np.concatenate([spline, spline[:1]])
    at = np.arange(count) * total / count
    loop = np.stack([np.interp(at, marks, ring[:, 0]), np.interp(at, marks, ring[:, 1])], axis=-1)
    kind = (index + int(rng.integers(2))) % 4
    yaw = float(rng.uniform(-np.pi, np.pi))
    shifted = np.roll(loop, -int(rng.integers(count)), axis=0)
    if kind == 1:
        return Drive(shifted, total / count, 0.0, yaw, 0.0)
    if kind == 3:
        return Drive(shifted, total / count, 0.0, yaw, float(rng.uniform(0.05, 0.14)))
    return Drive(shifted, total / count, float(rng.uniform(0.35, 0.6)), yaw, 0.0)


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
