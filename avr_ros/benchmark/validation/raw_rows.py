"""The second route to answers: label rows one by one, in plain Python.

Nothing here is shared with the search, which works on arrays and on the scene graph's runs and
relations. Formulas are written out again from their definitions.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from avr_ros.annotations.scene_graph import TemporalSceneGraph
from avr_ros.recordings.recording import NO_STAMP
from avr_ros.schema.box import Box
from avr_ros.schema.vocabulary import Occlusion


@dataclass(frozen=True)
class RawRow:
    """One person's label in one frame; none stands for what the label does not say."""

    track: int
    box: Box | None
    occlusion: Occlusion | None
    actions: frozenset[str] | None
    group: int | None
    azimuth: float
    place: tuple[float, float] | None
    heading: float | None


States = list[bool | None]
"""Whether an action is on, frame by frame; none where it is unknown."""


class RawRows:
    """Label rows of one sequence, read from the scene graph when they are asked for."""

    def __init__(self, graph: TemporalSceneGraph, recorded: Collection[int] | None = None) -> None:
        """Rows of the annotated frames, or of those of them that are ``recorded``."""
        self._graph = graph
        self._frames: dict[int, tuple[RawRow, ...]] = {}
        self._tracks: dict[int, dict[int, RawRow]] = {}
        self._actions: dict[tuple[str, ...], frozenset[str]] = {}
        self.observed_states: dict[tuple[int, str], States] = {}
        self.smooth_states: dict[tuple[int, str], States] = {}
        self.frame_ids: list[int] = [
            frame for frame in graph.frames.tolist() if recorded is None or frame in recorded
        ]
        self._places = {frame: place for place, frame in enumerate(self.frame_ids)}
        self.height = graph.cylinder.height

    def at(self, frame: int) -> tuple[RawRow, ...]:
        """The rows of an annotated frame."""
        rows = self._frames.get(frame)
        if rows is None:
            rows = tuple(self._row(int(row)) for row in self._graph.people_at(frame))
            self._frames[frame] = rows
        return rows

    def of(self, frame: int, track: int) -> RawRow | None:
        """The row of one person in one annotated frame."""
        rows = self._tracks.get(track)
        if rows is None:
            frames, indices = self._graph.track(track)
            rows = {int(at): self._row(int(row)) for at, row in zip(frames, indices, strict=True)}
            self._tracks[track] = rows
        return rows.get(frame)

    def place(self, frame: int) -> int:
        """Position of an annotated frame among ``frame_ids``."""
        return self._places[frame]

    def around(self, frame: int, reach: int) -> list[int]:
        """The annotated frames up to ``reach`` places before and after a frame, itself included."""
        place = self._places[frame]
        return self.frame_ids[max(place - reach, 0) : place + reach + 1]

    def seconds_between(self, first: int, second: int) -> float | None:
        """Seconds from one frame to another by their stamps; none where a stamp is unknown."""
        if not self._graph.has_stamps:
            return None
        stamps = self._graph.stamps_us
        start, end = (int(stamps[self._graph.frame_index(frame)]) for frame in (first, second))
        return None if NO_STAMP in (start, end) else (end - start) / 1e6

    def last_label(self, track: int) -> int:
        """The last frame that has a label of a person."""
        frames: list[int] = self._graph.track(track)[0].tolist()
        return max(frame for frame in frames if frame in self._places)

    def _row(self, row: int) -> RawRow:
        graph = self._graph
        actions = graph.actions(row)
        group = int(graph.group[row])
        placed = bool(graph.has_position[row])
        return RawRow(
            track=int(graph.track_id[row]),
            box=graph.box(row),
            occlusion=graph.visibility(row),
            actions=None
            if actions is None
            else self._actions.setdefault(actions, frozenset(actions)),
            group=None if group < 0 else group,
            azimuth=float(graph.azimuth[row]),
            place=(float(graph.position[row, 0]), float(graph.position[row, 1]))
            if placed
            else None,
            heading=float(graph.heading[row]) if placed else None,
        )
