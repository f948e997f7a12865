"""3D label files."""

from __future__ import annotations

from typing import Any

import pytest

from avr_ros.annotations.errors import LabelFileError
from avr_ros.annotations.labels_3d import load_labels_3d
from avr_ros.annotations.oddities import OddityReport


def test_columns(dataset: Any, person_3d: Any) -> None:
    real = {"cx": 0.36068, "cy": 2.84801, "cz": 0.01485, "l": 1.0, "w": 0.55, "h": 1.8897,
            "rot_z": 3.50856}  # fmt: skip
    path = dataset.labels_3d(
        {
            1: [person_3d(27, box=real, observation_angle=1.2), person_3d(3, rot_z=-7.0)],
            0: [person_3d(3, attributes={"num_points": 2, "interpolated": True})],
            2: [person_3d(3, attributes=None, file_id="000003.pcd")],
            3: [],
        }
    )
    report = OddityReport()
    labels = load_labels_3d(path, report)
    assert labels.frames.tolist() == [0, 1, 2, 3]
    assert labels.frame.tolist() == [0, 1, 1, 2]
    assert labels.track.tolist() == [3, 3, 27, 3]
    assert labels.box[2].tolist() == [0.36068, 2.84801, 0.01485, 1.0, 0.55, 1.8897, 3.50856]
    assert labels.points.tolist() == [2, 50, 50, -1]
    assert labels.interpolated.tolist() == [1, 0, 0, -1]
    assert report.as_dict() == {
        "missing_interpolated": 1,
        "interpolated_3d": 1,
        "file_id_differs": 1,
        "few_points": 1,
        "rot_z_beyond_a_turn": 1,
    }


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"box": [1, 2, 3]}, "box"),
        ({"box": {"cx": 1.0}}, "box/cy"),
        ({"box": {"cx": 1e9}}, "box/cx"),
        ({"label_id": None}, "label_id"),
        ({"attributes": {"num_points": 1.5}}, "attributes/num_points"),
        ({"attributes": {"interpolated": "no"}}, "attributes/interpolated"),
        ({"social_group": []}, "social_group"),
        ({"action_label": {"flying": 1}}, "action_label/flying"),
    ],
)
def test_what_is_wrong(dataset: Any, person_3d: Any, change: dict[str, object], where: str) -> None:
    path = dataset.labels_3d({8: [{**person_3d(1), **change}]})
    with pytest.raises(LabelFileError) as caught:
        load_labels_3d(path, OddityReport())
    assert caught.value.where == f"labels/000008.pcd[0]/{where}"


@pytest.mark.parametrize("side", ["l", "w", "h"])
def test_boxes_without_volume(dataset: Any, person_3d: Any, side: str) -> None:
    entry = person_3d(1)
    entry["box"][side] = 0.0
    with pytest.raises(LabelFileError, match="volume"):
        load_labels_3d(dataset.labels_3d({8: [entry]}), OddityReport())
