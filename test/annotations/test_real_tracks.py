"""Real tracks of four JRDB sequences, wrapped as 2D label files, against counts made by hand.

The counts come from awk over the files: rows, rows with x < 0 or x + w > 3760, rows with y < 0 or
y + h > 480, ids, stretches of missing frames inside a track, frames in them, and those stretches
longer than 15 frames.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from avr_ros.annotations.annotation_set import open_annotations
from avr_ros.annotations.oddities import Oddity
from avr_ros.annotations.scene_graph import TemporalSceneGraph
from avr_ros.geometry.relations import Side
from avr_ros.schema.box import Box

COUNTS = {
    "0000": (7728, 1079, 86, 43, 4, 65, 543, 13),
    "0005": (6832, 638, 93, 16, 19, 75, 750, 16),
    "0007": (2033, 425, 40, 13, 4, 27, 219, 5),
    "0022": (2971, 475, 40, 20, 7, 29, 249, 3),
}


def wrap(file: Path, dataset: Any, person: Any) -> tuple[TemporalSceneGraph, dict[str, int]]:
    """Write a track file as a label file and load it."""
    frames: dict[int, list[Any]] = {}
    for line in file.read_text().splitlines():
        fields = line.split()
        box = tuple(float(value) for value in fields[6:10])
        frames.setdefault(int(fields[0]), []).append(person(int(fields[1]), box))
    dataset.labels_2d(frames, file.stem)
    annotations = open_annotations(dataset.root)
    return annotations.scene_graph(file.stem), annotations.oddities(file.stem).as_dict()


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_counts(jrdb_files: Path, dataset: Any, person: Any, name: str) -> None:
    graph, oddities = wrap(jrdb_files / "tracks" / f"{name}.txt", dataset, person)
    rows, frames, tracks, seam, outside, gaps, missing, long_gaps = COUNTS[name]
    assert (len(graph), len(graph.frames), len(graph.tracks)) == (rows, frames, tracks)
    assert oddities == {
        "no_3d_file": 1,
        "no_stamps_file": 1,
        Oddity.SEAM_BOX.name.lower(): seam,
        Oddity.ROWS_OUTSIDE.name.lower(): outside,
    }
    short = [run for track in graph.tracks for run in graph.presence(int(track))]
    assert len(short) == tracks + long_gaps
    assert sum(len(run.gaps) for run in short) == gaps - long_gaps
    bridged = [run for track in graph.tracks for run in graph.presence(int(track), gap_limit=1000)]
    assert len(bridged) == tracks
    assert sum(last - first + 1 for run in bridged for first, last in run.gaps) == missing
    assert (graph.boxes[:, 0] >= 0).all() and (graph.boxes[:, 0] < 3760).all()


def test_relations_in_a_real_frame(jrdb_files: Path, dataset: Any, person: Any) -> None:
    """Frame 60 of stlc-111-2019-04-19_2, azimuths worked by hand from the middle columns.

    Person 1 at -1.38 degrees, 2 at -167.62, 5 at 176.49, 9 at 4.26, 10 at -178.37, 12 at 107.85,
    15 at 119.28: person 10 is 5.14 degrees left of person 5, across the seam, and 10.75 right
    of person 2. Beside begins at 5 degrees, so 10 beside 5 and 9 beside 1 are not clear: they are
    less than a degree inside that border.
    """
    graph, _ = wrap(jrdb_files / "tracks" / "0022.txt", dataset, person)
    rows = {int(graph.track_id[row]): int(row) for row in graph.people_at(60)}
    assert sorted(rows) == [1, 2, 5, 9, 10, 12, 15]
    expected = {1: -1.38, 2: -167.62, 5: 176.49, 9: 4.26, 10: -178.37, 12: 107.85, 15: 119.28}
    for track, degrees in expected.items():
        assert math.degrees(graph.azimuth[rows[track]]) == pytest.approx(degrees, abs=0.01)
    assert graph.box(rows[5]) == Box(0.0, 63.61, 73.36, 315.09)

    def nearest(track: int, side: Side) -> tuple[int, float, float, bool] | None:
        found = graph.nearest_beside(rows[track], side)
        if found is None:
            return None
        value, margin = (
            round(math.degrees(angle), 2) for angle in (found.nearest.value, found.nearest.margin)
        )
        return int(graph.track_id[found.row]), value, margin, found.nearest.clear

    assert nearest(2, Side.RIGHT) == (10, 10.75, 5.14, True)
    assert nearest(5, Side.LEFT) == (10, 5.14, 10.75, False)
    assert nearest(15, Side.LEFT) == (5, 57.21, 5.14, True)
    assert nearest(12, Side.LEFT) == (15, 11.43, 57.21, True)
    assert nearest(1, Side.LEFT) == (9, 5.65, 103.59, False)
    assert nearest(9, Side.LEFT) is None


def test_nobody_is_known_in_a_real_gap(jrdb_files: Path, dataset: Any, person: Any) -> None:
    """Runs of presence know exactly the frames of the file, in every track."""
    graph, _ = wrap(jrdb_files / "tracks" / "0007.txt", dataset, person)
    for track in graph.tracks.tolist():
        frames, _ = graph.track(track)
        runs = graph.presence(track)
        known = [frame for frame in graph.frames.tolist() if any(r.knows(frame) for r in runs)]
        assert known == frames.tolist()
