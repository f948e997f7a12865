"""The scene graph: joined people, relations within a frame, states over time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from avr_ros.annotations.annotation_set import open_annotations
from avr_ros.annotations.errors import (
    AnnotationError,
    MissingStampsError,
    UnknownFrameError,
    UnknownTrackError,
)
from avr_ros.annotations.oddities import Oddity
from avr_ros.annotations.scene_graph import StateChange, TemporalSceneGraph
from avr_ros.geometry.labels_frame import rot_z_from_heading
from avr_ros.geometry.relations import Sector, Side
from avr_ros.schema.box import Box
from avr_ros.schema.vocabulary import Occlusion

SEQUENCE = "stlc-111-2019-04-19_0"


def graph_of(dataset: Any) -> TemporalSceneGraph:
    return open_annotations(dataset.root).scene_graph(SEQUENCE)


def at(azimuth_deg: float, width: float = 40.0) -> tuple[float, float, float, float]:
    """A box whose middle column is at an azimuth."""
    column = 3760 * (0.5 - azimuth_deg / 360.0)
    return (column - width / 2, 100.0, width, 200.0)


def test_people_of_both_files(dataset: Any, person: Any, person_3d: Any) -> None:
    dataset.labels_2d({0: [person(1, at(90.0)), person(2, at(0.0))], 1: []})
    dataset.labels_3d({0: [person_3d(2, 3.0, 4.0, 0.0), person_3d(5, 0.0, -2.0, math.pi)]})
    graph = graph_of(dataset)
    assert graph.frames.tolist() == [0, 1]
    assert graph.people_at(0).tolist() == [0, 1, 2]
    assert graph.people_at(1).tolist() == []
    assert graph.track_id.tolist() == [1, 2, 5]
    assert graph.has_box.tolist() == [True, True, False]
    assert graph.has_position.tolist() == [False, True, True]
    assert graph.box(0) == Box(*at(90.0))
    assert graph.box(2) is None
    assert np.isnan(graph.boxes[2]).all()
    assert np.degrees(graph.azimuth) == pytest.approx([90.0, 0.0, -90.0])
    assert math.isnan(graph.bearing[0])
    assert math.degrees(graph.bearing[1]) == pytest.approx(53.1301)
    assert graph.distance[1:].tolist() == [5.0, 2.0]
    assert math.isnan(graph.distance[0]) and math.isnan(graph.heading[0])
    assert graph.heading[1:].tolist() == [-math.pi, 0.0]
    assert graph.position[1].tolist() == [3.0, 4.0, 0.0]
    assert graph.points.tolist() == [-1, 50, 50]
    assert (graph.visibility(0), graph.visibility(2)) == (Occlusion.FULLY_VISIBLE, None)


def test_one_sided_people_and_frames_are_counted(dataset: Any, person: Any, person_3d: Any) -> None:
    dataset.labels_2d({0: [person(1), person(2)], 1: [person(1)], 3: []})
    dataset.labels_3d({0: [person_3d(2), person_3d(3), person_3d(4)], 2: [person_3d(9)], 3: []})
    annotations = open_annotations(dataset.root)
    graph = annotations.scene_graph(SEQUENCE)
    assert graph.frames.tolist() == [0, 1, 2, 3]
    assert annotations.oddities(SEQUENCE).as_dict() == {
        "no_stamps_file": 1,
        "frame_without_2d": 1,
        "frame_without_3d": 1,
        "person_only_2d": 1,
        "person_only_3d": 2,
    }


def test_tracks_and_rows(dataset: Any, person: Any) -> None:
    dataset.labels_2d({9: [person(4), person(2)], 5: [person(4)], 7: [person(2)]})
    graph = graph_of(dataset)
    assert graph.tracks.tolist() == [2, 4]
    frames, rows = graph.track(4)
    assert (frames.tolist(), rows.tolist()) == ([5, 9], [0, 3])
    assert graph.row_at(9, 2) == 2
    assert graph.row_at(7, 4) is None
    assert len(graph) == 4
    for frame in (4, 6, 10):
        with pytest.raises(UnknownFrameError, match="5 to 9"):
            graph.people_at(frame)
    with pytest.raises(UnknownTrackError):
        graph.rows_of(3)
    with pytest.raises(UnknownFrameError):
        graph.row_at(8, 2)


def test_columns_cannot_be_changed(dataset: Any, person: Any) -> None:
    dataset.labels_2d({0: [person(1)]})
    graph = graph_of(dataset)
    with pytest.raises(ValueError, match="read-only"):
        graph.boxes[0, 0] = 5.0


def test_actions(dataset: Any, person: Any) -> None:
    dataset.labels_2d(
        {
            0: [
                person(
                    1, action_label={"walking": 2, "reading": 1}, social_activity={"walking": 1}
                ),
                person(2),
                person(3, action_label={}),
            ]
        }
    )
    graph = graph_of(dataset)
    assert graph.actions(0) == ("walking", "reading")
    assert (graph.does(0, "walking"), graph.does(0, "sitting")) == (True, False)
    assert (graph.action_difficulty(0, "walking"), graph.action_difficulty(0, "sitting")) == (2, 0)
    assert graph.activities(0) == ("walking",)
    assert (graph.actions(1), graph.does(1, "walking")) == (None, None)
    assert (graph.actions(2), graph.does(2, "walking")) == ((), False)
    for word in ("impossible", "flying"):
        with pytest.raises(AnnotationError, match="no action"):
            graph.does(0, word)


def test_actions_of_the_3d_file_fill_in_and_differences_are_counted(
    dataset: Any, person: Any, person_3d: Any
) -> None:
    group = {"cluster_ID": 3, "cluster_stat": 1}
    dataset.labels_2d({0: [person(1), person(2, action_label={"sitting": 1})]})
    dataset.labels_3d(
        {
            0: [
                person_3d(1, action_label={"walking": 2}, social_group=group),
                person_3d(2, action_label={"standing": 1}),
                person_3d(3, action_label={"running": 3}),
            ]
        }
    )
    annotations = open_annotations(dataset.root)
    graph = annotations.scene_graph(SEQUENCE)
    assert [graph.actions(row) for row in range(3)] == [("walking",), ("sitting",), ("running",)]
    assert graph.action_difficulty(0, "walking") == 2
    assert graph.group.tolist() == [3, -1, -1]
    assert annotations.oddities(SEQUENCE).count(Oddity.LABELS_DIFFER_2D_3D) == 1


def test_beside_as_seen_from_the_robot(dataset: Any, person: Any, person_3d: Any) -> None:
    """Also across the seam behind the robot, and with a person known in 3D alone."""
    dataset.labels_2d({0: [person(1, at(170.0)), person(2, at(-175.0)), person(3, at(150.0))]})
    dataset.labels_3d({0: [person_3d(4, -1.0, -1.0)]})
    graph = graph_of(dataset)
    left = graph.nearest_beside(0, Side.LEFT)
    assert left is not None and (left.row, left.nearest.clear) == (1, True)
    assert math.degrees(left.nearest.value) == pytest.approx(15.0)
    right = graph.nearest_beside(0, Side.RIGHT)
    assert right is not None and right.row == 2
    other = graph.nearest_beside(0, Side.LEFT, among=[0, 2, 3])
    assert other is not None and other.row == 3
    assert math.degrees(other.nearest.value) == pytest.approx(55.0)
    assert graph.nearest_beside(2, Side.RIGHT) is None


def test_from_a_persons_own_heading(dataset: Any, person: Any, person_3d: Any) -> None:
    """Person 1 stands 3 m ahead and faces the robot: the robot's right is their left."""
    dataset.labels_2d({0: [person(1), person(9)], 1: [person(7)]})
    facing_robot = float(rot_z_from_heading(math.pi))
    dataset.labels_3d(
        {
            0: [
                person_3d(1, 3.0, 0.0, facing_robot),
                person_3d(2, 3.0, -1.5),
                person_3d(3, 3.0, 2.0),
                person_3d(4, 1.0, 0.0),
                person_3d(5, 6.0, 0.0),
                person_3d(6, 6.1, 0.2),
            ]
        }
    )
    graph = graph_of(dataset)
    found = {sector: graph.nearest_from_heading(0, sector) for sector in Sector}
    tracks = {
        sector: int(graph.track_id[relative.row])
        for sector, relative in found.items()
        if relative is not None
    }
    assert tracks == {Sector.LEFT: 2, Sector.RIGHT: 3, Sector.FRONT: 4, Sector.BEHIND: 5}
    behind = found[Sector.BEHIND]
    assert behind is not None and not behind.nearest.clear
    without = graph.row_at(0, 9)
    assert without is not None
    assert graph.nearest_from_heading(without, Sector.FRONT) is None
    other_frame = graph.row_at(1, 7)
    with pytest.raises(AnnotationError, match="other frames"):
        graph.nearest_beside(0, Side.LEFT, among=[other_frame])


def test_groups(dataset: Any, person: Any) -> None:
    def of(track: int, group: int) -> Any:
        return person(track, social_group={"cluster_ID": group, "cluster_stat": 1})

    dataset.labels_2d({0: [of(1, 4), of(2, 4), of(3, 5), person(6), of(8, 4)], 1: [of(3, 4)]})
    graph = graph_of(dataset)
    together = graph.same_group(0)
    assert together is not None and together.tolist() == [1, 4]
    alone = graph.same_group(2)
    assert alone is not None and alone.tolist() == []
    assert graph.same_group(3) is None


def test_interactions_count_for_both(dataset: Any, person: Any) -> None:
    def with_(*pairs: tuple[int, str]) -> dict[str, Any]:
        return {
            "H-interaction": [
                {"pair": f"pedestrian:{track}", "inter_labels": {kind: 1}} for track, kind in pairs
            ]
        }

    dataset.labels_2d(
        {
            0: [
                person(1, **with_((2, "walking together"), (2, "conversation"), (40, "hugging"))),
                person(2, **with_((1, "walking together"))),
                person(3, **with_((1, "conversation"), (3, "hugging"), (1, "impossible"))),
                person(4, **{"H-interaction": []}),
            ],
            1: [person(1), person(2)],
        }
    )
    annotations = open_annotations(dataset.root)
    graph = annotations.scene_graph(SEQUENCE)

    def partners(row: int) -> list[tuple[int, tuple[str, ...]]]:
        return [(other.row, other.kinds) for other in graph.interacting_with(row)]

    assert partners(0) == [(1, ("conversation", "walking together")), (2, ("conversation",))]
    assert partners(1) == [(0, ("conversation", "walking together"))]
    assert partners(2) == [(0, ("conversation",))]
    assert partners(3) == []
    assert partners(4) == [], "an interaction holds in its own frame only"
    report = annotations.oddities(SEQUENCE)
    assert report.count(Oddity.PARTNER_ABSENT) == 1
    assert report.count(Oddity.ONE_SIDED_INTERACTION) == 2


def test_interactions_keep_their_people_when_3d_adds_some(
    dataset: Any, person: Any, person_3d: Any
) -> None:
    pair = [{"pair": "pedestrian:7", "inter_labels": {"hugging": 1}}]
    dataset.labels_2d({0: [person(5, **{"H-interaction": pair}), person(7)]})
    dataset.labels_3d({0: [person_3d(1), person_3d(6)]})
    graph = graph_of(dataset)
    row = graph.row_at(0, 5)
    assert row is not None
    assert [int(graph.track_id[other.row]) for other in graph.interacting_with(row)] == [7]


def test_runs_of_an_action(dataset: Any, person: Any) -> None:
    """Frames 0-9: standing, walking with a flicker and a gap without labels, standing."""
    walking, standing = {"walking": 1}, {"standing": 1}
    states = {0: standing, 1: walking, 2: {"bending": 1}, 3: walking, 6: walking, 7: standing}
    frames = {
        frame: [person(1, action_label=states[frame])] if frame in states else []
        for frame in range(8)
    }
    frames[8] = [person(1)]
    frames[9] = [person(1, action_label=standing)]
    dataset.labels_2d(frames)
    graph = graph_of(dataset)
    (run,) = graph.runs(1, "walking")
    assert (run.start, run.end, run.off_before, run.off_after) == (1, 6, 0, 7)
    assert (run.start_seen, run.end_seen) == (True, True)
    assert (run.gaps, run.flickers) == (((4, 5),), (2,))
    first, last = graph.runs(1, "standing")
    assert (first.start, first.end) == (0, 0)
    assert (last.start, last.end, last.gaps) == (7, 9, ((8, 8),))
    assert graph.runs(1, "sitting") == []
    assert graph.actions_of(1) == ("walking", "standing", "bending")
    assert graph.state_changes(1, ["walking"]) == [
        StateChange(1, 1, "walking", True, True),
        StateChange(7, 1, "walking", False, True),
    ]
    both = graph.state_changes(1)
    assert [change.frame for change in both] == sorted(change.frame for change in both)
    (present,) = graph.presence(1)
    assert (present.start, present.end, present.gaps) == (0, 9, ((4, 5),))
    assert (present.off_before, present.off_after) == (None, None)


def test_visible_runs(dataset: Any, person: Any) -> None:
    classes = ["Fully_visible", "Mostly_visible", "Severely_occluded", "Fully_occluded", None]
    dataset.labels_2d(
        {
            frame: [person(1, attributes={"occlusion": occlusion})]
            for frame, occlusion in enumerate(classes)
        }
    )
    graph = graph_of(dataset)
    (run,) = graph.visible_runs(1)
    assert (run.start, run.end, run.off_after) == (0, 1, 2)
    (run,) = graph.visible_runs(1, Occlusion.FULLY_OCCLUDED)
    assert (run.start, run.end, run.off_after) == (0, 3, None)


def test_stamps(dataset: Any, person: Any) -> None:
    dataset.labels_2d({0: [person(1)], 2: [person(1)], 5: []})
    with pytest.raises(MissingStampsError):
        _ = graph_of(dataset).stamps_us
    dataset.stamps({0: 1555960991.4668088, 2: 1555960991.5999999})
    annotations = open_annotations(dataset.root)
    graph = annotations.scene_graph(SEQUENCE)
    assert graph.has_stamps
    assert graph.stamps_us.tolist() == [1555960991466809, 1555960991600000, -1]
    assert graph.stamp_us(2) == 1555960991600000
    with pytest.raises(MissingStampsError):
        graph.stamp_us(5)
    assert annotations.oddities(SEQUENCE).count(Oddity.FRAME_WITHOUT_STAMP) == 1


def test_an_empty_sequence(dataset: Any) -> None:
    dataset.labels_2d({})
    graph = graph_of(dataset)
    assert (len(graph), graph.frames.tolist(), graph.tracks.tolist()) == (0, [], [])
    with pytest.raises(UnknownFrameError):
        graph.people_at(0)
