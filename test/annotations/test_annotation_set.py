"""Loading by sequence: bounded, lazy, and untouched by another sequence's faults."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from avr_ros.annotations.annotation_set import open_annotations
from avr_ros.annotations.errors import LabelFileError
from avr_ros.annotations.oddities import Oddity, OddityReport
from avr_ros.recordings.errors import MalformedTimestamps


def test_one_malformed_sequence_leaves_the_rest(dataset: Any, person: Any) -> None:
    for name in ("a_0", "c_0"):
        dataset.labels_2d({0: [person(1)]}, name)
    broken = dataset.write("labels/labels_2d_stitched/b_0.json", '{"labels": {"000000.jpg": [{')
    annotations = open_annotations(dataset.root)
    assert annotations.sequences() == ["a_0", "b_0", "c_0"]
    for _ in range(2):
        with pytest.raises(LabelFileError, match="offset 28") as caught:
            annotations.scene_graph("b_0")
        assert str(broken) in str(caught.value)
    assert len(annotations.scene_graph("a_0")) == len(annotations.scene_graph("c_0")) == 1
    with pytest.raises(LabelFileError):
        annotations.oddities("b_0")


def test_a_malformed_3d_file_is_not_passed_over(dataset: Any, person: Any) -> None:
    dataset.labels_2d({0: [person(1)]}, "a_0")
    dataset.write("labels/labels_3d/a_0.json", '{"labels": ')
    with pytest.raises(LabelFileError, match="labels_3d"):
        open_annotations(dataset.root).scene_graph("a_0")


def test_malformed_stamps_are_not_passed_over(dataset: Any, person: Any) -> None:
    dataset.labels_2d({0: [person(1)]}, "a_0")
    dataset.write("timestamps/a_0/frames_img.json", '{"data": [')
    with pytest.raises(MalformedTimestamps, match="frames_img"):
        open_annotations(dataset.root).scene_graph("a_0")


def test_graphs_are_kept_within_the_bound(dataset: Any, person: Any) -> None:
    names = [f"s{i}_0" for i in range(4)]
    for name in names:
        dataset.labels_2d({frame: [person(1)] for frame in range(50)}, name)
    size = open_annotations(dataset.root).scene_graph(names[0]).nbytes
    annotations = open_annotations(dataset.root, cache_bytes=2 * size)
    first, second = annotations.scene_graph(names[0]), annotations.scene_graph(names[1])
    assert annotations.scene_graph(names[0]) is first
    annotations.scene_graph(names[2])
    assert annotations.scene_graph(names[0]) is first
    assert annotations.scene_graph(names[1]) is not second
    assert annotations.oddities(names[1]).count(Oddity.NO_3D_FILE) == 1


def test_several_threads_get_one_graph(dataset: Any, person: Any) -> None:
    dataset.labels_2d({frame: [person(1)] for frame in range(200)}, "a_0")
    annotations = open_annotations(dataset.root)
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda: found.append(annotations.scene_graph("a_0")))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(graph is found[0] for graph in found)


def test_columns_take_little_memory(dataset: Any, person: Any, person_3d: Any) -> None:
    """950,000 boxes must fit the default bound of half a gigabyte."""
    people = range(20)
    dataset.labels_2d({f: [person(t) for t in people] for f in range(50)}, "a_0")
    dataset.labels_3d({f: [person_3d(t) for t in people] for f in range(50)}, "a_0")
    graph = open_annotations(dataset.root).scene_graph("a_0")
    assert graph.nbytes / len(graph) < 250


def test_poses_and_heads(dataset: Any, person: Any) -> None:
    dataset.labels_2d({0: [person(1)]}, "a_0")
    name = "image_stitched/a_0/000000.jpg"
    images = [{"id": 1, "width": 752, "height": 480, "file_name": name}]
    pose = {"image_id": 1, "track_id": 1, "keypoints": [5, 6, 2] * 17}
    head = {"image_id": 1, "track_id": 1, "bbox": [1, 2, 3, 4]}
    for folder, entry in (
        ("labels_2d_pose_stitched_coco", pose),
        ("labels_2d_head_stitched", head),
    ):
        content = {"images": images, "annotations": [entry]}
        dataset.write(f"labels/{folder}/a_0.json", content)
    annotations = open_annotations(dataset.root)
    report = OddityReport()
    assert annotations.poses("a_0", report).keypoints.shape == (1, 17, 2)
    assert annotations.heads("a_0", report).box.tolist() == [[1, 2, 3, 4]]
    assert report.as_dict() == {"wrong_image_size": 2}
    assert sorted(annotations.label_files("a_0")) == ["heads", "poses", "stitched_2d"]


def test_reports_add_up() -> None:
    first, second = OddityReport(), OddityReport()
    first.add(Oddity.SEAM_BOX, "here", 2)
    second.add(Oddity.SEAM_BOX, "there")
    second.add(Oddity.EMPTY_BOX, "somewhere", 3)
    second.add(Oddity.FEW_POINTS, "nowhere", 0)
    first.merge(second)
    assert first.as_dict() == {"seam_box": 3, "empty_box": 3}
    assert first.example(Oddity.SEAM_BOX) == "here"
    assert first.example(Oddity.EMPTY_BOX) == "somewhere"
    assert first.example(Oddity.FEW_POINTS) == ""
