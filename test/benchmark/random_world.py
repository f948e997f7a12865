"""A crowd that does random things, as a scene graph: cheap, and different for each seed."""

from __future__ import annotations

import math

from scene_builder import Label, SceneBuilder

from avr_ros.annotations.scene_graph import TemporalSceneGraph
from avr_ros.schema.seeds import generator
from avr_ros.schema.vocabulary import Occlusion

POSTURES = ("walking", "standing", "sitting", "bending", "cycling")
ACTIVITIES = ("reading", "talking on the phone", "typing", "eating sth", "pointing at sth")


def random_graph(seed: int, index: int, frames: int = 200, people: int = 15) -> TemporalSceneGraph:
    """A sequence of people who stand or move slowly and change what they do every few seconds."""
    return random_builder(seed, index, frames, people).graph(f"crowd-{index}")


def random_builder(seed: int, index: int, frames: int = 200, people: int = 15) -> SceneBuilder:
    """The labels of the same."""
    rng = generator(seed, "crowd", index)
    builder = SceneBuilder(frames)
    for track in range(people):
        azimuth = 2.0 * math.pi * (track + rng.uniform(0.2, 0.8)) / people - math.pi
        distance, heading = rng.uniform(2.0, 11.0), rng.uniform(-math.pi, math.pi)
        drift, turn = rng.normal(0.0, 0.01), rng.normal(0.0, 0.001)
        first = 0 if rng.random() < 0.7 else int(rng.integers(frames // 2))
        last = frames - 1 if rng.random() < 0.6 else int(rng.integers(frames // 2, frames))
        group = track // 2 if rng.random() < 0.4 else -1
        hidden = rng.random() < 0.3
        posture, activity, until = "", "", first
        for frame in range(first, last + 1):
            if frame >= until:
                change = rng.integers(3)
                if change != 1 or not posture:
                    posture = POSTURES[int(rng.integers(len(POSTURES)))]
                if change != 2:
                    none = rng.random() < 0.4
                    activity = "" if none else ACTIVITIES[int(rng.integers(len(ACTIVITIES)))]
                until = frame + int(rng.integers(15, 70))
            actions = frozenset(name for name in (posture, activity) if name)
            builder.labels.setdefault(frame, {})[track] = Label(
                azimuth + turn * (frame - first),
                max(distance + drift * (frame - first), 1.0),
                heading,
                actions,
                Occlusion.FULLY_OCCLUDED if hidden else Occlusion.FULLY_VISIBLE,
                group,
            )
    return builder
