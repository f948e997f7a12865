"""What a reader is told of a sequence."""

from __future__ import annotations

from typing import Any

from avr_ros.annotations.annotation_set import open_annotations
from avr_ros.annotations.survey import survey


def test_counts_and_oddities(dataset: Any, person: Any, person_3d: Any) -> None:
    dataset.labels_2d({0: [person(1), person(2, (3750, 0, 20, 20))], 1: []}, "a_0")
    dataset.labels_3d({0: [person_3d(1)], 1: []}, "a_0")
    images = [{"id": 1, "width": 752, "height": 480, "file_name": "x/000000.jpg"}]
    pose = {"image_id": 1, "track_id": 1, "keypoints": [5, 6, 2] * 17}
    content = {"images": images, "annotations": [pose]}
    dataset.write("labels/labels_2d_pose_stitched_coco/a_0.json", content)
    found = survey(open_annotations(dataset.root), "a_0")
    assert found.files == ("stitched_2d", "boxes_3d", "poses")
    counts = (found.frames, found.people, found.tracks, found.poses, found.heads)
    assert counts == (2, 2, 2, 1, 0)
    assert found.oddities.as_dict() == {
        "no_stamps_file": 1,
        "person_only_2d": 1,
        "seam_box": 1,
        "wrong_image_size": 1,
    }
    assert found.faults == ()


def test_faults_do_not_hide_the_rest(dataset: Any, person: Any) -> None:
    dataset.labels_2d({0: [person(1)]}, "a_0")
    dataset.write("labels/labels_2d_pose_stitched_coco/a_0.json", '{"images": [], ')
    dataset.write("labels/labels_2d_head_stitched/a_0.json", "{}")
    found = survey(open_annotations(dataset.root), "a_0")
    assert (found.people, found.poses, found.heads) == (1, 0, 0)
    assert len(found.faults) == 2
    assert "labels_2d_pose_stitched_coco/a_0.json at offset 15" in found.faults[0]
    dataset.write("labels/labels_2d_stitched/b_0.json", "[]")
    broken = survey(open_annotations(dataset.root), "b_0")
    assert (broken.frames, broken.people, broken.tracks) == (0, 0, 0)
    assert len(broken.faults) == 1 and "b_0.json at offset 0" in broken.faults[0]
