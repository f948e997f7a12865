"""The second route to answers: label rows one by one, in plain Python.

Nothing here is shared with the search, which works on arrays and on the scene graph's runs and
relations. Formulas are written out again from their definitions.
"""

from __future__ import annotations

from collections.abc import Iterator
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


class RawRows:
    """Label rows of one sequence, read from the scene graph when they are asked for."""

    def __init__(self, graph: TemporalSceneGraph) -> None:
        self._graph = graph
        self._frames: dict[int, tuple[RawRow, ...]] = {}
        self.frame_ids: list[int] = graph.frames.tolist()
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
        row = self._graph.row_at(frame, track)
        return None if row is None else self._row(row)

    def seconds_between(self, first: int, second: int) -> float | None:
        """Seconds from one frame to another by their stamps; none where a stamp is unknown."""
        if not self._graph.has_stamps:
            return None
        stamps = self._graph.stamps_us
        start = int(stamps[self.frame_ids.index(first)])
        end = int(stamps[self.frame_ids.index(second)])
        return None if NO_STAMP in (start, end) else (end - start) / 1e6

    def frames_from(self, first: int, last: int) -> Iterator[int]:
        """The annotated frames from ``first`` to ``last``."""
        return (frame for frame in self.frame_ids if first <= frame <= last)

    def last_label(self, track: int) -> int:
        """The last frame that has a label of a person."""
        return int(self._graph.track(track)[0][-1])

    def _row(self, row: int) -> RawRow:
        graph = self._graph
        actions = graph.actions(row)
        group = int(graph.group[row])
        placed = bool(graph.has_position[row])
        return RawRow(
            track=int(graph.track_id[row]),
            box=graph.box(row),
            occlusion=graph.visibility(row),
            actions=None if actions is None else frozenset(actions),
            group=None if group < 0 else group,
            azimuth=float(graph.azimuth[row]),
            place=(float(graph.position[row, 0]), float(graph.position[row, 1]))
            if placed
            else None,
            heading=float(graph.heading[row]) if placed else None,
        )
