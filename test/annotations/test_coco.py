"""Poses and heads in COCO form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from avr_ros.annotations.coco import load_heads, load_poses
from avr_ros.annotations.errors import LabelFileError
from avr_ros.annotations.oddities import OddityReport
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.schema.vocabulary import KEYPOINTS


def image(number: int, frame: int, width: int = 3760) -> dict[str, Any]:
    name = f"image_stitched/some-sequence/{frame:06d}.jpg"
    return {"id": number, "width": width, "height": 480, "file_name": name}


def pose(image_id: int, track: int, columns: list[float], visible: int = 2) -> dict[str, Any]:
    keypoints: list[float] = []
    for column in columns:
        keypoints += [column, 100.0, visible]
    keypoints += [0, 0, 0] * (17 - len(columns))
    return {"id": 1, "image_id": image_id, "track_id": track, "keypoints": keypoints}


def test_the_excerpt_of_meyer_green(jrdb_files: Path) -> None:
    """A frame's number comes from the file name: image 6 is frame 5."""
    report = OddityReport()
    path = jrdb_files / "meyer-green-2019-03-16_0.excerpt.json"
    poses = load_poses(path, JRDB_CYLINDER, report)
    assert poses.frames.tolist() == [0, 5]
    assert poses.frame.tolist() == [5, 5, 5, 5]
    assert poses.track.tolist() == [0, 1, 2, 3]
    head = KEYPOINTS.index("head")
    assert poses.keypoints[2, head].tolist() == [2386.0, 148.5]
    elbow = KEYPOINTS.index("left elbow")
    assert poses.keypoints[2, elbow].tolist() == [2354.0, 189.0]
    assert poses.visibility[2].tolist() == [2, 2, 2, 2, 2, 1, 2, 1, 2, 2, 2, 2, 1, 1, 1, 1, 1]
    assert report.as_dict() == {"wrong_image_size": 2}


def test_a_pose_across_the_seam_is_not_torn(dataset: Any) -> None:
    content = {
        "images": [image(1, 0)],
        "annotations": [pose(1, 5, [3750.0, 12.0, 3740.0]), pose(1, 4, [10.0, 3755.0, -3.0])],
    }
    report = OddityReport()
    poses = load_poses(dataset.write("poses.json", content), JRDB_CYLINDER, report)
    assert poses.track.tolist() == [4, 5]
    assert poses.keypoints[0, :3, 0].tolist() == [10.0, -5.0, -3.0]
    assert poses.keypoints[1, :3, 0].tolist() == [3750.0, 3772.0, 3740.0]
    assert np.isnan(poses.keypoints[:, 3:]).all()
    assert report.as_dict() == {"seam_pose": 2}


def test_nobody_visible(dataset: Any) -> None:
    content = {"images": [image(1, 0)], "annotations": [pose(1, 5, [])]}
    report = OddityReport()
    poses = load_poses(dataset.write("poses.json", content), JRDB_CYLINDER, report)
    assert np.isnan(poses.keypoints).all()
    assert report.as_dict() == {}
    content["annotations"] = []
    empty = load_poses(dataset.write("poses.json", content), JRDB_CYLINDER, report)
    assert empty.keypoints.shape == (0, 17, 2)


def test_heads(dataset: Any) -> None:
    content = {
        "annotations": [
            {"image_id": 2, "track_id": 5, "bbox": [-10, 20, 30, 40]},
            {"image_id": 1, "track_id": 7, "bbox": [100.5, 20, 30, 40]},
        ],
        "images": [image(1, 0, width=752), image(2, 2)],
    }
    report = OddityReport()
    heads = load_heads(dataset.write("heads.json", content), JRDB_CYLINDER, report)
    assert heads.frames.tolist() == heads.frame.tolist() == [0, 2]
    assert heads.track.tolist() == [7, 5]
    assert heads.box.tolist() == [[100.5, 20, 30, 40], [3750, 20, 30, 40]]
    assert report.as_dict() == {"seam_box": 1, "wrong_image_size": 1}


@pytest.mark.parametrize(
    ("images", "annotations", "problem"),
    [
        ([image(1, 0)], [pose(2, 0, [])], "no image"),
        ([image(1, 0), image(1, 1)], [], "second time"),
        ([image(1, 0), image(2, 0)], [], "one frame"),
        ([image(1, 0)], [pose(1, 0, []), pose(1, 0, [])], "twice"),
        ([image(1, 0)], [pose(1, -1, [])], "negative"),
        ([image(1, 0)], [pose(1, 0, [5.0], visible=3)], "visibility"),
        ([image(1, 0)], [pose(1, 0, [5.0, 9000.0])], "not on the 3760 px"),
        ([image(1, 0)], [{**pose(1, 0, []), "keypoints": [1, 2]}], "2 numbers"),
        ([image(1, 0)], [{"image_id": 1}], "no 'track_id'"),
        ([{"id": 1, "file_name": "x"}], [], "not a frame"),
        ([{"id": 1, "file_name": 3}], [], "no text"),
        ([3], [], "instead of an object"),
        ({}, [], "malformed"),
    ],
)
def test_what_is_wrong(dataset: Any, images: object, annotations: object, problem: str) -> None:
    path = dataset.write("poses.json", {"images": images, "annotations": annotations})
    with pytest.raises(LabelFileError, match=problem):
        load_poses(path, JRDB_CYLINDER, OddityReport())


def test_missing_sections_and_impossible_heads(dataset: Any) -> None:
    with pytest.raises(LabelFileError, match="no 'annotations'"):
        load_heads(dataset.write("heads.json", {"images": []}), JRDB_CYLINDER, OddityReport())
    content = {
        "images": [image(1, 0)],
        "annotations": [{"image_id": 1, "track_id": 5, "bbox": [1, 1, 0, 5]}],
    }
    with pytest.raises(LabelFileError, match="cannot be"):
        load_heads(dataset.write("heads.json", content), JRDB_CYLINDER, OddityReport())
