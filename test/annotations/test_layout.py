"""Label files are found in every layout, and nothing outside the data set is opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from avr_ros.annotations.annotation_set import open_annotations
from avr_ros.annotations.errors import (
    AmbiguousLabelsError,
    AnnotationError,
    MissingLabelsError,
    UnknownSequenceError,
)
from avr_ros.recordings.errors import InvalidSequenceName, OutsideDataSet

SEQUENCE = "stlc-111-2019-04-19_0"

PREFIXES = [
    "labels/",
    "",
    "train_dataset_with_activity/labels/",
    "test_dataset_without_labels/labels/",
    "train_dataset/labels/",
    "test_dataset/",
    "JRDB2022/train_labels/labels/",
    "JRDB2022/test_labels/",
]


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("kind", ["labels_2d_stitched", "labels_2d_activity_social_stitched"])
def test_every_layout(dataset: Any, person: Any, person_3d: Any, prefix: str, kind: str) -> None:
    dataset.labels_2d({0: [person(1)]}, folder=f"{prefix}{kind}")
    dataset.labels_3d({0: [person_3d(1)]}, folder=f"{prefix}labels_3d")
    annotations = open_annotations(dataset.root)
    assert annotations.sequences() == [SEQUENCE]
    graph = annotations.scene_graph(SEQUENCE)
    assert (graph.has_box.tolist(), graph.has_position.tolist()) == ([True], [True])


@pytest.mark.parametrize("part", ["labels", "labels/labels_2d_stitched", "images"])
def test_a_part_of_the_data_set_stands_for_it(
    dataset: Any, person: Any, person_3d: Any, part: str
) -> None:
    dataset.labels_2d({0: [person(1)]})
    dataset.labels_3d({0: [person_3d(1)]})
    (dataset.root / "images").mkdir()
    graph = open_annotations(dataset.root / part).scene_graph(SEQUENCE)
    assert graph.has_position.tolist() == [True]


def test_training_and_test_trees_together(dataset: Any, person: Any) -> None:
    train, test = "train_dataset_with_activity", "test_dataset_without_labels"
    dataset.labels_2d({0: [person(1)]}, "a_0", f"{train}/labels/labels_2d_stitched")
    dataset.labels_2d({0: [person(2)]}, "b_0", f"{test}/labels_2d_stitched")
    dataset.stamps({0: 5.0}, "a_0", f"{train}/timestamps")
    dataset.stamps({0: 6.0}, "b_0", f"{test}/timestamps")
    annotations = open_annotations(dataset.root)
    assert annotations.sequences() == ["a_0", "b_0"]
    assert annotations.scene_graph("a_0").stamp_us(0) == 5_000_000
    assert annotations.scene_graph("b_0").stamp_us(0) == 6_000_000
    assert sorted(annotations.label_files("a_0")) == ["stamps", "stitched_2d"]


def test_social_labels_are_preferred_to_plain_ones(dataset: Any, person: Any) -> None:
    dataset.labels_2d({0: [person(1)]})
    dataset.labels_2d({0: [person(2)]}, folder="labels/labels_2d_activity_social_stitched")
    assert open_annotations(dataset.root).scene_graph(SEQUENCE).tracks.tolist() == [2]


def test_the_same_labels_twice_are_refused_for_that_sequence_only(
    dataset: Any, person: Any
) -> None:
    dataset.labels_2d({0: [person(1)]}, "a_0")
    dataset.labels_2d({0: [person(1)]}, "a_0", "test/labels_2d_stitched")
    dataset.labels_2d({0: [person(1)]}, "b_0")
    annotations = open_annotations(dataset.root)
    assert annotations.sequences() == ["a_0", "b_0"]
    with pytest.raises(AmbiguousLabelsError):
        annotations.scene_graph("a_0")
    assert len(annotations.scene_graph("b_0")) == 1


@pytest.mark.parametrize(
    "name", ["../secret", "..", ".", "", "/etc/passwd", "a/../b", "a\\b", "a\x00b", "a\nb"]
)
def test_names_that_are_paths_are_refused(dataset: Any, person: Any, name: str) -> None:
    dataset.labels_2d({0: [person(1)]})
    dataset.write("../secret.json", {"labels": {}})
    with pytest.raises(InvalidSequenceName):
        open_annotations(dataset.root).scene_graph(name)


def test_a_link_to_a_file_outside_is_refused(dataset: Any, person: Any) -> None:
    dataset.labels_2d({0: [person(1)]})
    outside = dataset.labels_2d({0: [person(1)]}, "outside", "../elsewhere")
    (dataset.root / "labels/labels_2d_stitched/linked.json").symlink_to(outside)
    annotations = open_annotations(dataset.root)
    assert annotations.sequences() == ["linked", SEQUENCE]
    with pytest.raises(OutsideDataSet):
        annotations.scene_graph("linked")
    assert len(annotations.scene_graph(SEQUENCE)) == 1


def test_a_link_to_a_folder_outside_is_refused(dataset: Any, person: Any) -> None:
    dataset.labels_2d({0: [person(1)]})
    outside = dataset.labels_3d({0: []}, folder="../elsewhere").parent
    (dataset.root / "labels/labels_3d").symlink_to(outside)
    with pytest.raises(OutsideDataSet):
        open_annotations(dataset.root).scene_graph(SEQUENCE)


def test_links_inside_the_data_set_and_to_the_data_set_are_followed(
    dataset: Any, person: Any, tmp_path: Path
) -> None:
    dataset.labels_2d({0: [person(1)]}, folder="store/two")
    (dataset.root / "labels").mkdir()
    (dataset.root / "labels/labels_2d_stitched").symlink_to(dataset.root / "store/two")
    link = tmp_path / "link"
    link.symlink_to(dataset.root)
    assert len(open_annotations(link).scene_graph(SEQUENCE)) == 1


def test_what_is_missing(dataset: Any, person: Any, person_3d: Any, tmp_path: Path) -> None:
    with pytest.raises(AnnotationError, match="no folder"):
        open_annotations(tmp_path / "nowhere")
    dataset.write("images/image_stitched/x.txt", "")
    with pytest.raises(AnnotationError, match="no label folder"):
        open_annotations(dataset.root)
    dataset.labels_3d({0: [person_3d(1)]}, "only_3d")
    dataset.labels_2d({0: [person(1)]})
    annotations = open_annotations(dataset.root)
    assert annotations.sequences() == ["only_3d", SEQUENCE]
    with pytest.raises(MissingLabelsError, match="labels_2d_stitched"):
        annotations.scene_graph("only_3d")
    with pytest.raises(UnknownSequenceError, match="2 sequences"):
        annotations.scene_graph("nobody-knows_0")
    with pytest.raises(MissingLabelsError, match="pose"):
        annotations.poses(SEQUENCE)
    with pytest.raises(MissingLabelsError, match="head"):
        annotations.heads(SEQUENCE)
