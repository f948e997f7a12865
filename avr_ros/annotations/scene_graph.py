"""The temporal scene graph of one annotated sequence.

People per frame are rows of columns, in the order of (frame, track id); a *row* is an index into
every column. Relations are computed on demand for one frame, state changes for one track. All
azimuths, bearings and headings are radians in [-pi, pi), counter-clockwise; positions are metres
in the label frame (x forward, y left, z up, origin at the rig). Values that the files do not hold
are NaN, -1 or None, as each column says, and never guessed.

    graph = open_annotations(root).scene_graph("meyer-green-2019-03-16_0")
    graph.frames                      annotated frame ids, sorted
    rows = graph.people_at(12)        rows of one frame
    graph.box(row), graph.visibility(row), graph.actions(row), graph.group[row]
    graph.track_id[row], graph.distance[row], graph.azimuth[row], graph.heading[row]
    graph.rows_of(5), graph.row_at(12, 5)
    graph.nearest_beside(row, Side.LEFT), graph.nearest_from_heading(row, Sector.FRONT)
    graph.same_group(row), graph.interacting_with(row)
    graph.runs(5, "walking"), graph.presence(5), graph.visible_runs(5), graph.state_changes(5)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from avr_ros.annotations.activity import IMPOSSIBLE, NO_GROUP, action_names
from avr_ros.annotations.errors import (
    AnnotationError,
    MissingStampsError,
    UnknownFrameError,
    UnknownTrackError,
)
from avr_ros.annotations.labels_2d import OCCLUSIONS
from avr_ros.annotations.runs import FLICKER_LIMIT, GAP_LIMIT, Run, find_runs
from avr_ros.geometry.panorama import Cylinder
from avr_ros.geometry.relations import (
    Nearest,
    Sector,
    Side,
    nearest_beside,
    nearest_in_sector,
)
from avr_ros.recordings.recording import NO_STAMP
from avr_ros.schema.box import Box
from avr_ros.schema.vocabulary import ACTION_INDEX, ACTIONS, Occlusion


@dataclass(frozen=True)
class Relative:
    """The person that a relation picks: a row of the graph, and how clear the choice is."""

    row: int
    nearest: Nearest


@dataclass(frozen=True)
class Interaction:
    """A person (row) with whom another one interacts, and the kinds, sorted by name."""

    row: int
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class StateChange:
    """An action of a track begins or ends.

    ``frame`` is the first frame on, or the first known off again. ``exact`` says that the frame
    before it is known to differ; changes into or out of the unknown are
    not state changes and do not occur here.
    """

    frame: int
    track: int
    action: str
    begins: bool
    exact: bool


@dataclass(frozen=True)
class People:
    """The rows of a sequence as columns, one entry a person and frame.

    ``frame``, ``track_id``: ids. ``has_box``, ``has_position``: whether the 2D and the 3D file hold
    the person there. ``boxes`` (n, 4): panorama box with x in [0, W), NaN without one.
    ``occlusion``: index into `Occlusion`'s members, -1 if missing. ``truncated``,
    ``interpolated``, ``no_eval`` (of the 2D box): 1, 0, or -1 if missing.
    ``action_known``: whether actions are annotated; ``action_mask``: bit i is action i of the
    vocabulary; ``action_difficulty``: two bits an action; ``activity_mask``: the group's social
    activities that the person takes part in. ``group``: social group id, -1 if not annotated;
    ``group_difficulty``: 1 to 3, 0 if missing. ``position`` (n, 3): centre of the 3D box, metres;
    ``size`` (n, 3): its length, width, height; ``heading``: where it faces; ``distance``: from the
    rig along the ground, metres; ``bearing``: direction of the 3D centre; all NaN without one.
    ``azimuth``: direction of the middle of the panorama box, else the bearing.
    ``points``: lidar points in the 3D box, -1 if unknown.
    """

    frame: NDArray[np.int32]
    track_id: NDArray[np.int32]
    has_box: NDArray[np.bool_]
    has_position: NDArray[np.bool_]
    boxes: NDArray[np.float64]
    occlusion: NDArray[np.int8]
    truncated: NDArray[np.int8]
    interpolated: NDArray[np.int8]
    no_eval: NDArray[np.int8]
    action_known: NDArray[np.bool_]
    action_mask: NDArray[np.int32]
    action_difficulty: NDArray[np.int64]
    activity_mask: NDArray[np.int32]
    group: NDArray[np.int32]
    group_difficulty: NDArray[np.int8]
    position: NDArray[np.float64]
    size: NDArray[np.float32]
    heading: NDArray[np.float64]
    distance: NDArray[np.float64]
    bearing: NDArray[np.float64]
    azimuth: NDArray[np.float64]
    points: NDArray[np.int32]


class TemporalSceneGraph:
    """People, relations and state changes of one sequence; see the module for an overview.

    Every column of `People` is also an attribute of the graph. Columns are read-only.
    """

    def __init__(
        self,
        sequence: str,
        cylinder: Cylinder,
        frames: NDArray[np.int32],
        people: People,
        interactions: NDArray[np.int32],
        interaction_names: tuple[str, ...],
        stamps: NDArray[np.int64] | None,
        root: Path,
    ) -> None:
        self.sequence = sequence
        self.cylinder = cylinder
        self.frames = frames
        self.people = people
        self.interaction_names = interaction_names
        self._interactions = interactions
        self._stamps = stamps
        self._root = root
        self.frame = people.frame
        self.track_id = people.track_id
        self.has_box = people.has_box
        self.has_position = people.has_position
        self.boxes = people.boxes
        self.occlusion = people.occlusion
        self.truncated = people.truncated
        self.interpolated = people.interpolated
        self.no_eval = people.no_eval
        self.action_known = people.action_known
        self.action_mask = people.action_mask
        self.action_difficulty_bits = people.action_difficulty
        self.activity_mask = people.activity_mask
        self.group = people.group
        self.group_difficulty = people.group_difficulty
        self.position = people.position
        self.size = people.size
        self.heading = people.heading
        self.distance = people.distance
        self.bearing = people.bearing
        self.azimuth = people.azimuth
        self.points = people.points
        self._frame_start = np.searchsorted(people.frame, frames).astype(np.int64)
        self._frame_stop = np.searchsorted(people.frame, frames, side="right").astype(np.int64)
        by_track = np.lexsort((people.frame, people.track_id)).astype(np.int32)
        self.tracks: NDArray[np.int32]
        self.tracks, first, counts = np.unique(
            people.track_id[by_track], return_index=True, return_counts=True
        )
        self._by_track = by_track
        self._track_range = {
            int(track): (int(start), int(start + count))
            for track, start, count in zip(self.tracks, first, counts, strict=True)
        }
        for values in (*self._arrays(), self.tracks):
            values.flags.writeable = False

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.frame)

    @property
    def nbytes(self) -> int:
        """Memory held by the columns, in bytes."""
        return sum(values.nbytes for values in self._arrays())

    # Frames and stamps

    @property
    def has_stamps(self) -> bool:
        """Whether the sequence has a time stamps' file."""
        return self._stamps is not None

    @property
    def stamps_us(self) -> NDArray[np.int64]:
        """Stamps in microseconds since the epoch, one for each of ``frames``.

        `NO_STAMP` for a frame that the file leaves out; MissingStampsError without a file.
        """
        if self._stamps is None:
            raise MissingStampsError(self.sequence, self._root)
        return self._stamps

    def stamp_us(self, frame: int) -> int:
        """Stamp of one annotated frame in microseconds; MissingStampsError if it has none."""
        stamp = int(self.stamps_us[self.frame_index(frame)])
        if stamp == NO_STAMP:
            raise MissingStampsError(self.sequence, self._root)
        return stamp

    def frame_index(self, frame: int) -> int:
        """Position of a frame id in ``frames``; UnknownFrameError if it is not annotated."""
        index = int(np.searchsorted(self.frames, frame))
        if index == len(self.frames) or self.frames[index] != frame:
            first, last = (
                (int(self.frames[0]), int(self.frames[-1])) if len(self.frames) else (0, -1)
            )
            raise UnknownFrameError(self.sequence, frame, first, last)
        return index

    # People

    def people_at(self, frame: int) -> NDArray[np.int64]:
        """Rows of the people of an annotated frame, in the order of track ids."""
        index = self.frame_index(frame)
        return np.arange(self._frame_start[index], self._frame_stop[index])

    def rows_of(self, track: int) -> NDArray[np.int32]:
        """Rows of a track in the order of frames; UnknownTrackError if there is none."""
        try:
            start, stop = self._track_range[track]
        except KeyError:
            raise UnknownTrackError(self.sequence, track) from None
        return self._by_track[start:stop]

    def track(self, track: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Frames and rows of a track, both in the order of frames."""
        rows = self.rows_of(track)
        return self.frame[rows], rows

    def row_at(self, frame: int, track: int) -> int | None:
        """Row of a track at an annotated frame; None if it has no label there."""
        index = self.frame_index(frame)
        start, stop = int(self._frame_start[index]), int(self._frame_stop[index])
        row = start + int(np.searchsorted(self.track_id[start:stop], track))
        return row if row < stop and int(self.track_id[row]) == track else None

    def box(self, row: int) -> Box | None:
        """Panorama box, or None for a person known only from the 3D file."""
        if not self.has_box[row]:
            return None
        x, y, w, h = self.boxes[row].tolist()
        return Box(x, y, w, h)

    def visibility(self, row: int) -> Occlusion | None:
        """Occlusion class, or None where it is missing."""
        code = int(self.occlusion[row])
        return None if code < 0 else OCCLUSIONS[code]

    def actions(self, row: int) -> tuple[str, ...] | None:
        """Actions in the order of the vocabulary, or None where none are annotated."""
        return action_names(int(self.action_mask[row])) if self.action_known[row] else None

    def does(self, row: int, action: str) -> bool | None:
        """Whether a person does an action; None where actions are not annotated."""
        bit = _action_bit(action)
        return bool(self.action_mask[row] >> bit & 1) if self.action_known[row] else None

    def action_difficulty(self, row: int, action: str) -> int:
        """Annotation difficulty, 1 (clear) to 3, of an action; 0 if it is not annotated."""
        return int(self.action_difficulty_bits[row] >> 2 * _action_bit(action) & 3)

    def activities(self, row: int) -> tuple[str, ...]:
        """Social activities of the person's group that the person takes part in."""
        return action_names(int(self.activity_mask[row]))

    # Relations within a frame

    def neighbours(self, row: int) -> NDArray[np.int64]:
        """Rows of the other people of the same frame."""
        return _without(self.people_at(int(self.frame[row])), row)

    def nearest_beside(
        self, row: int, side: Side, among: ArrayLike | None = None
    ) -> Relative | None:
        """The nearest person to the left or right of a person, as seen from the robot.

        ``among`` restricts the rows that compete (default: everyone else in the frame). None if
        nobody is there.
        """
        rows = self._candidates(row, among)
        found = nearest_beside(float(self.azimuth[row]), self.azimuth[rows], side)
        return None if found is None else Relative(int(rows[found.index]), found)

    def nearest_from_heading(
        self, row: int, sector: Sector, among: ArrayLike | None = None
    ) -> Relative | None:
        """The nearest person in a sector of a person's own heading, by distance on the ground.

        None if nobody is there or the person's own position is unknown.
        """
        if not self.has_position[row]:
            return None
        rows = self._candidates(row, among)
        found = nearest_in_sector(
            self.position[row, :2], float(self.heading[row]), self.position[rows, :2], sector
        )
        return None if found is None else Relative(int(rows[found.index]), found)

    def same_group(self, row: int) -> NDArray[np.int64] | None:
        """Rows of the others of a person's social group in the frame; None if none is annotated."""
        group = int(self.group[row])
        if group == NO_GROUP:
            return None
        rows = self.neighbours(row)
        members: NDArray[np.int64] = rows[self.group[rows] == group]
        return members

    def interacting_with(self, row: int) -> tuple[Interaction, ...]:
        """The people of the frame with whom a person interacts, in the order of rows.

        An interaction counts for both, whichever of the two entries states it.
        """
        kinds: dict[int, set[str]] = {}
        frame, track = int(self.frame[row]), int(self.track_id[row])
        for own, partner, kind in self._stated(row, row + 1):
            other = self.row_at(frame, int(partner))
            if other is not None and other != own:
                kinds.setdefault(other, set()).add(self.interaction_names[kind])
        rows = self.people_at(frame)
        for other, partner, kind in self._stated(int(rows[0]), int(rows[-1]) + 1):
            if int(partner) == track and int(other) != row:
                kinds.setdefault(int(other), set()).add(self.interaction_names[kind])
        return tuple(
            Interaction(other, tuple(sorted(names))) for other, names in sorted(kinds.items())
        )

    # States over time

    def runs(
        self,
        track: int,
        action: str,
        flicker_limit: int = FLICKER_LIMIT,
        gap_limit: int = GAP_LIMIT,
    ) -> list[Run]:
        """The stretches in which a track does an action; see `avr_ros.annotations.runs`."""
        bit = _action_bit(action)
        rows = self.rows_of(track)
        rows = rows[self.action_known[rows]]
        on = (self.action_mask[rows] >> bit & 1).astype(bool)
        return self._runs(rows, on, flicker_limit, gap_limit)

    def presence(self, track: int, gap_limit: int = GAP_LIMIT) -> list[Run]:
        """The stretches in which a track has labels.

        Nothing is known of a person without a label, so no boundary of these is a seen one.
        """
        rows = self.rows_of(track)
        return self._runs(rows, np.ones(len(rows), dtype=bool), FLICKER_LIMIT, gap_limit)

    def visible_runs(
        self,
        track: int,
        worst: Occlusion = Occlusion.MOSTLY_VISIBLE,
        flicker_limit: int = FLICKER_LIMIT,
        gap_limit: int = GAP_LIMIT,
    ) -> list[Run]:
        """The stretches in which a track's occlusion is known and at most ``worst``."""
        rows = self.rows_of(track)
        rows = rows[self.occlusion[rows] >= 0]
        on = np.asarray(self.occlusion[rows] <= OCCLUSIONS.index(worst))
        return self._runs(rows, on, flicker_limit, gap_limit)

    def actions_of(self, track: int) -> tuple[str, ...]:
        """Every action that a track does at some time, in the order of the vocabulary."""
        return action_names(int(np.bitwise_or.reduce(self.action_mask[self.rows_of(track)])))

    def state_changes(
        self,
        track: int,
        actions: Iterable[str] | None = None,
        flicker_limit: int = FLICKER_LIMIT,
        gap_limit: int = GAP_LIMIT,
    ) -> list[StateChange]:
        """Beginnings and ends of a track's actions, in the order of frames, then of actions."""
        changes: list[StateChange] = []
        for action in self.actions_of(track) if actions is None else actions:
            for run in self.runs(track, action, flicker_limit, gap_limit):
                if run.off_before is not None:
                    changes.append(StateChange(run.start, track, action, True, run.start_seen))
                if run.off_after is not None:
                    changes.append(StateChange(run.off_after, track, action, False, run.end_seen))
        return sorted(changes, key=lambda change: (change.frame, ACTION_INDEX[change.action]))

    def _runs(
        self, rows: NDArray[np.int32], on: NDArray[np.bool_], flicker_limit: int, gap_limit: int
    ) -> list[Run]:
        return find_runs(self.frame[rows], on, flicker_limit, gap_limit)

    def _candidates(self, row: int, among: ArrayLike | None) -> NDArray[np.int64]:
        if among is None:
            return self.neighbours(row)
        rows = np.asarray(among, dtype=np.int64).reshape(-1)
        if np.any(self.frame[rows] != self.frame[row]):
            raise AnnotationError(
                f"people of other frames cannot be beside row {row} of {self.sequence}; "
                f"give rows of frame {self.frame[row]}"
            )
        return _without(rows, row)

    def _stated(self, first: int, stop: int) -> NDArray[np.int32]:
        start, end = np.searchsorted(self._interactions[:, 0], [first, stop])
        return self._interactions[start:end]

    def _arrays(self) -> list[NDArray[np.generic]]:
        columns = [getattr(self.people, field.name) for field in fields(self.people)]
        columns += [self.frames, self._interactions, self._frame_start, self._frame_stop]
        columns.append(self._by_track)
        return columns if self._stamps is None else [*columns, self._stamps]


def _without(rows: NDArray[np.int64], row: int) -> NDArray[np.int64]:
    others: NDArray[np.int64] = rows[rows != row]
    return others


def _action_bit(action: str) -> int:
    bit = ACTION_INDEX.get(action)
    if bit is None or bit == IMPOSSIBLE:
        raise AnnotationError(
            f"{action!r} is no action; give one of {', '.join(ACTIONS[IMPOSSIBLE + 1 :])}"
        )
    return bit
