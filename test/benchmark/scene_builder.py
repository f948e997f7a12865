"""Small scenes written by hand, as temporal scene graphs."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from avr_ros.annotations.activity import NO_GROUP
from avr_ros.annotations.labels_2d import OCCLUSIONS
from avr_ros.annotations.scene_graph import People, TemporalSceneGraph
from avr_ros.geometry.boxes import centre_azimuth
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.schema.vocabulary import ACTION_INDEX, Occlusion

STEP_US = 68_493
"""Microseconds between two frames."""


@dataclass
class Label:
    """One person in one frame."""

    azimuth: float
    distance: float
    heading: float
    actions: frozenset[str] | None
    occlusion: Occlusion | None = Occlusion.FULLY_VISIBLE
    group: int = NO_GROUP
    height: float = 160.0
    top: float = 150.0
    boxed: bool = True
    placed: bool = True

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The panorama box: 60 px wide around the azimuth."""
        column = float(JRDB_CYLINDER.azimuth_to_column(self.azimuth))
        return ((column - 30.0) % 3760.0, self.top, 60.0, self.height)


@dataclass
class SceneBuilder:
    """Labels by frame and track; degrees in the calls, radians inside."""

    frames: int
    labels: dict[int, dict[int, Label]] = field(default_factory=dict)
    step_us: int = STEP_US

    def person(
        self,
        track: int,
        azimuth_deg: float,
        *actions: str,
        distance: float = 5.0,
        heading_deg: float = 180.0,
        first: int = 0,
        last: int | None = None,
        group: int = NO_GROUP,
    ) -> SceneBuilder:
        """A person who does the same all the time from ``first`` to ``last``."""
        for frame in range(first, self.frames if last is None else last + 1):
            self.labels.setdefault(frame, {})[track] = Label(
                math.radians(azimuth_deg),
                distance,
                math.radians(heading_deg),
                frozenset(actions),
                group=group,
            )
        return self

    def doing(self, track: int, first: int, last: int, *actions: str) -> SceneBuilder:
        """Change what a person does from ``first`` to ``last``, both included."""
        for frame in range(first, last + 1):
            self.labels[frame][track].actions = frozenset(actions)
        return self

    def change(self, track: int, first: int, last: int, **values: object) -> SceneBuilder:
        """Change fields of a person's labels."""
        for frame in range(first, last + 1):
            for name, value in values.items():
                setattr(self.labels[frame][track], name, value)
        return self

    def leave_out(self, track: int, first: int, last: int) -> SceneBuilder:
        """Remove a person's labels."""
        for frame in range(first, last + 1):
            self.labels[frame].pop(track, None)
        return self

    def copy(self) -> SceneBuilder:
        """An independent copy."""
        return copy.deepcopy(self)

    def graph(self, sequence: str = "scene") -> TemporalSceneGraph:
        """The scene graph of the labels."""
        rows = [
            (frame, track, self.labels[frame][track])
            for frame in sorted(self.labels)
            for track in sorted(self.labels[frame])
        ]
        n = len(rows)
        items = [label for _, _, label in rows]
        boxed = np.array([item.boxed for item in items], dtype=np.bool_)
        placed = np.array([item.placed for item in items], dtype=np.bool_)
        boxes = np.array([item.box if item.boxed else (math.nan,) * 4 for item in items])
        bearing = np.array([item.azimuth for item in items])
        distance = np.array([item.distance for item in items])
        position = np.stack(
            [distance * np.cos(bearing), distance * np.sin(bearing), np.zeros(n)], axis=1
        )
        position[~placed] = math.nan
        masks = [
            0 if item.actions is None else sum(1 << ACTION_INDEX[name] for name in item.actions)
            for item in items
        ]
        occlusion = [
            -1 if item.occlusion is None or not item.boxed else OCCLUSIONS.index(item.occlusion)
            for item in items
        ]
        people = People(
            frame=np.array([frame for frame, _, _ in rows], dtype=np.int32),
            track_id=np.array([track for _, track, _ in rows], dtype=np.int32),
            has_box=boxed,
            has_position=placed,
            boxes=boxes,
            occlusion=np.array(occlusion, dtype=np.int8),
            truncated=np.zeros(n, dtype=np.int8),
            interpolated=np.zeros(n, dtype=np.int8),
            no_eval=np.zeros(n, dtype=np.int8),
            action_known=np.array([item.actions is not None for item in items], dtype=np.bool_),
            action_mask=np.array(masks, dtype=np.int32),
            action_difficulty=np.zeros(n, dtype=np.int64),
            activity_mask=np.zeros(n, dtype=np.int32),
            group=np.array([item.group for item in items], dtype=np.int32),
            group_difficulty=np.ones(n, dtype=np.int8),
            position=position,
            size=np.full((n, 3), (1.0, 0.55, 1.8), dtype=np.float32),
            heading=np.where(placed, np.array([item.heading for item in items]), math.nan),
            distance=np.where(placed, distance, math.nan),
            bearing=np.where(placed, bearing, math.nan),
            azimuth=np.where(boxed, centre_azimuth(boxes, JRDB_CYLINDER), bearing),
            points=np.full(n, 100, dtype=np.int32),
        )
        frames = np.arange(self.frames, dtype=np.int32)
        stamps = 1_550_000_000_000_000 + frames.astype(np.int64) * self.step_us
        return TemporalSceneGraph(
            sequence,
            JRDB_CYLINDER,
            frames,
            people,
            np.zeros((0, 3), dtype=np.int32),
            (),
            stamps,
            Path("nowhere"),
        )
