"""Ways through a scene: a roadmap of free points and shortest paths on it."""

from __future__ import annotations

import heapq

import numpy as np

from avr_ros.sample.scene import SCENE_SIZE, FloatArray, Scene

CLEARANCE = 0.42
"""Free space in metres that a walker keeps to obstacles."""


class Roadmap:
    """Points of the free floor joined by straight free lines."""

    def __init__(self, scene: Scene, rng: np.random.Generator, keep_clear: FloatArray) -> None:
        """``keep_clear`` (n, 2): where the robot drives; paths prefer to stay off it."""
        self.scene = scene
        self._robot = keep_clear
        fixed = np.asarray([*scene.gather, *scene.portals], dtype=np.float64).reshape(-1, 2)
        candidates = rng.uniform(-SCENE_SIZE / 2.4, SCENE_SIZE / 2.4, (900, 2))
        good = scene.clearance_at(candidates) > CLEARANCE + 0.15
        away = np.min(np.linalg.norm(candidates[:, None] - keep_clear[None], axis=-1), axis=1) > 1.3
        candidates = candidates[good & away]
        kept: list[FloatArray] = []
        for point in candidates:
            if all(float(np.hypot(*(point - other))) > 1.6 for other in kept):
                kept.append(point)
            if len(kept) >= 120:
                break
        self.nodes = np.concatenate([fixed, np.asarray(kept).reshape(-1, 2)])
        self.edges: list[list[tuple[int, float]]] = [[] for _ in self.nodes]
        distance = np.linalg.norm(self.nodes[:, None] - self.nodes[None], axis=-1)
        order = np.argsort(distance, axis=1, kind="stable")
        for first in range(len(self.nodes)):
            for second in order[first, 1:10]:
                if self.visible(self.nodes[first], self.nodes[second], CLEARANCE - 0.1):
                    cost = float(distance[first, second]) * self._penalty(first, int(second))
                    self.edges[first].append((int(second), cost))
                    self.edges[int(second)].append((first, cost))

    def _penalty(self, first: int, second: int) -> float:
        middle = 0.5 * (self.nodes[first] + self.nodes[second])
        near = float(np.min(np.linalg.norm(self._robot - middle, axis=-1)))
        return 3.0 if near < 1.2 else 1.0

    def visible(self, start: FloatArray, end: FloatArray, clearance: float) -> bool:
        """Whether a straight line keeps ``clearance`` metres from every obstacle."""
        length = float(np.hypot(*(end - start)))
        share = np.linspace(0.0, 1.0, max(int(length / 0.15), 2))[:, None]
        points = start + share * (end - start)
        return bool(np.all(self.scene.clearance_at(points) > clearance))

    def _entries(self, point: FloatArray) -> list[tuple[int, float]]:
        distance = np.linalg.norm(self.nodes - point, axis=-1)
        near = np.argsort(distance, kind="stable")[:14]
        found = [
            (int(node), float(distance[node]))
            for node in near
            if self.visible(point + 0.25 * (self.nodes[node] - point), self.nodes[node], 0.2)
        ]
        return found[:5] if found else [(int(near[0]), float(distance[near[0]]))]

    def path(self, start: FloatArray, goal: FloatArray) -> FloatArray:
        """A smooth path (n, 2) with points about 0.25 m apart."""
        start, goal = np.asarray(start, np.float64), np.asarray(goal, np.float64)
        if self.visible(start, goal, 0.3):
            return smooth_path(np.stack([start, goal]))
        ends = dict(self._entries(goal))
        queue = [(cost, node, -1) for node, cost in self._entries(start)]
        heapq.heapify(queue)
        parent: dict[int, int] = {}
        best = np.inf
        last = -1
        while queue:
            cost, node, origin = heapq.heappop(queue)
            if node in parent:
                continue
            if cost >= best:
                break
            parent[node] = origin
            if node in ends and cost + ends[node] < best:
                best, last = cost + ends[node], node
            for neighbour, length in self.edges[node]:
                if neighbour not in parent:
                    heapq.heappush(queue, (cost + length, neighbour, node))
        if last < 0:
            return smooth_path(np.stack([start, goal]))
        chain = [goal]
        while last >= 0:
            chain.append(self.nodes[last])
            last = parent[last]
        chain.append(start)
        return smooth_path(self._shortened(np.asarray(chain[::-1])))

    def _shortened(self, points: FloatArray) -> FloatArray:
        """Leave out corners that a straight line can skip, except near the robot."""
        kept = [0]
        while kept[-1] < len(points) - 1:
            here = kept[-1]
            following = here + 1
            for candidate in range(min(here + 3, len(points) - 1), here + 1, -1):
                middle = 0.5 * (points[here] + points[candidate])
                clear = float(np.min(np.linalg.norm(self._robot - middle, axis=-1))) > 1.3
                if clear and self.visible(points[here], points[candidate], CLEARANCE - 0.1):
                    following = candidate
                    break
            kept.append(following)
        return points[kept]


def smooth_path(points: FloatArray, step: float = 0.25) -> FloatArray:
    """Resample a polyline at about ``step`` metres with rounded corners; ends stay."""
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=-1)
    marks = np.concatenate([[0.0], np.cumsum(lengths)])
    count = max(int(marks[-1] / step) + 1, 2)
    at = np.linspace(0.0, marks[-1], count)
    path = np.stack([np.interp(at, marks, points[:, axis]) for axis in (0, 1)], axis=-1)
    for _ in range(4):
        if len(path) > 4:
            inner = 0.25 * path[:-2] + 0.5 * path[1:-1] + 0.25 * path[2:]
            path = np.concatenate([path[:1], inner, path[-1:]])
    return path


def path_length(path: FloatArray) -> float:
    """Length in metres."""
    return float(np.linalg.norm(np.diff(path, axis=0), axis=-1).sum())
