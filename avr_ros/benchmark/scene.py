"""One annotated sequence as dense arrays, frame by person, for the search for questions.

Axis 0 is the position of a frame among the annotated ones, axis 1 that of a track among the
sequence's tracks; both are called indices here, and frame ids and track ids appear only at the
edges. Built from `avr_ros.annotations.scene_graph.TemporalSceneGraph`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avr_ros.annotations.scene_graph import TemporalSceneGraph
from avr_ros.benchmark.action_sight import ALSO_CALLED, is_detail
from avr_ros.benchmark.visibility import (
    HIDDEN_CODE,
    clearly_visible,
    details_visible,
    side_shows,
    turned_away,
)
from avr_ros.geometry.boxes import clip_rows
from avr_ros.geometry.panorama import Cylinder
from avr_ros.recordings.recording import NO_STAMP
from avr_ros.schema.vocabulary import ACTION_INDEX

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scene:
    """People of one sequence over time; every array is read-only by convention.

    ``frames`` (F): ids of the frames that have labels and an image; ``recorded``: ids of all that
    have an image; ``stamps_us`` (F): microseconds since the epoch, `NO_STAMP`
    where unknown; ``tracks`` (P): track ids. Of shape (F, P): ``present`` has any label;
    ``boxed`` has a box; ``boxes`` (F, P, 4) panorama boxes cut to the panorama's rows, NaN without
    one; ``clear`` visible enough to be recognised; ``details`` visible enough to tell gestures;
    ``hidden`` fully occluded; ``known`` actions are annotated; ``actions`` bits of the vocabulary;
    ``group`` id, -1 unknown; ``azimuth``, ``heading`` radians; ``away`` radians by which somebody
    is turned away from the robot; ``position`` (F, P, 2) and ``distance`` metres, NaN without a 3D
    label.
    """

    graph: TemporalSceneGraph
    frames: NDArray[np.int64]
    recorded: NDArray[np.int64]
    stamps_us: NDArray[np.int64]
    tracks: NDArray[np.int64]
    present: BoolArray
    boxed: BoolArray
    boxes: FloatArray
    clear: BoolArray
    details: BoolArray
    hidden: BoolArray
    known: BoolArray
    actions: NDArray[np.int32]
    group: NDArray[np.int32]
    azimuth: FloatArray
    heading: FloatArray
    away: FloatArray
    position: FloatArray
    distance: FloatArray
    cache: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def sequence(self) -> str:
        """Name of the sequence."""
        return self.graph.sequence

    @property
    def cylinder(self) -> Cylinder:
        """Geometry of the panorama."""
        return self.graph.cylinder

    @property
    def people(self) -> int:
        """Number of tracks."""
        return len(self.tracks)

    @cached_property
    def has_stamps(self) -> bool:
        """Whether the time of every annotated frame is known."""
        return not bool(np.any(self.stamps_us == NO_STAMP))

    def frame_index(self, frame_id: int) -> int | None:
        """Index of an annotated frame, none for another one."""
        index = int(np.searchsorted(self.frames, frame_id))
        found = index < len(self.frames) and int(self.frames[index]) == frame_id
        return index if found else None

    def track_index(self, track: int) -> int | None:
        """Index of a track, none for another one."""
        index = int(np.searchsorted(self.tracks, track))
        found = index < len(self.tracks) and int(self.tracks[index]) == track
        return index if found else None

    def does(self, action: str) -> BoolArray:
        """Where an action is annotated, (F, P); false where actions are unknown."""
        bits = self.cache.get(("does", action))
        if bits is None:
            bits = self.known & ((self.actions >> ACTION_INDEX[action] & 1) == 1)
            self.cache[("does", action)] = bits
        return np.asarray(bits, dtype=np.bool_)

    def shows(self, action: str) -> BoolArray:
        """Where somebody does an action and a picture shows it, (F, P)."""
        shown = self.cache.get(("shows", action))
        if shown is None:
            shown = self.does(action) & (self.details if is_detail(action) else self.clear)
            shown = shown & side_shows(action, self.away)
            self.cache[("shows", action)] = shown
        return np.asarray(shown, dtype=np.bool_)

    def shows_all(self, actions: tuple[str, ...]) -> BoolArray:
        """Where a picture shows several actions at once, (F, P)."""
        return _all(self.shows, actions)

    def resembles(self, action: str) -> BoolArray:
        """Where one may say that somebody does an action, whether so annotated or not, (F, P)."""
        alike = self.cache.get(("resembles", action))
        if alike is None:
            others = [self.does(other) for other in ALSO_CALLED.get(action, ())]
            alike = np.logical_or.reduce([self.does(action), *others])
            self.cache[("resembles", action)] = alike
        return np.asarray(alike, dtype=np.bool_)

    def resembles_all(self, actions: tuple[str, ...]) -> BoolArray:
        """Where one may say that somebody does several actions at once, (F, P)."""
        return _all(self.resembles, actions)

    def does_all(self, actions: tuple[str, ...]) -> BoolArray:
        """Where several actions are annotated at once, (F, P)."""
        return _all(self.does, actions)


def _all(where: Callable[[str], BoolArray], actions: tuple[str, ...]) -> BoolArray:
    return np.asarray(np.logical_and.reduce([where(action) for action in actions]))


def scene_of(graph: TemporalSceneGraph, recorded: NDArray[np.int64] | None = None) -> Scene:
    """The dense arrays of a scene graph.

    ``recorded`` are the frame ids that have an image, by default all annotated ones; labels of
    other frames (JRDB's 3D files hold some) are left out.
    """
    annotated = graph.frames.astype(np.int64)
    recorded = annotated if recorded is None else np.asarray(recorded, dtype=np.int64)
    kept = np.isin(annotated, recorded)
    frames = annotated[kept]
    tracks = graph.tracks.astype(np.int64)
    rows = np.isin(graph.frame, frames)
    at = np.searchsorted(frames, graph.frame[rows])
    of = np.searchsorted(tracks, graph.track_id[rows])
    shape = (len(frames), len(tracks))

    def spread(values: NDArray[Any], fill: float | bool) -> NDArray[Any]:
        dense = np.full((*shape, *values.shape[1:]), fill, dtype=values.dtype)
        dense[at, of] = values[rows]
        return dense

    boxes = clip_rows(graph.boxes, graph.cylinder.height)
    stamps = graph.stamps_us[kept] if graph.has_stamps else np.full(len(frames), NO_STAMP)
    return Scene(
        graph=graph,
        frames=frames,
        recorded=recorded,
        stamps_us=stamps,
        tracks=tracks,
        present=spread(np.ones(len(graph), dtype=np.bool_), False),
        boxed=spread(graph.has_box, False),
        boxes=spread(boxes, np.nan),
        clear=spread(clearly_visible(boxes, graph.occlusion), False),
        details=spread(details_visible(boxes, graph.occlusion), False),
        hidden=spread(graph.occlusion == HIDDEN_CODE, False),
        known=spread(graph.action_known, False),
        actions=spread(graph.action_mask, 0),
        group=spread(graph.group, -1),
        azimuth=spread(graph.azimuth, np.nan),
        heading=spread(graph.heading, np.nan),
        away=spread(turned_away(graph.azimuth, graph.heading), np.nan),
        position=spread(graph.position[:, :2].astype(np.float64), np.nan),
        distance=spread(graph.distance, np.nan),
    )
