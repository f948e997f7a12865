"""The oracle on label files."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from avr_ros.annotations.annotation_set import open_annotations
from avr_ros.geometry.crop import crop_window
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.perception.errors import NoLabelsError, NotGrantedError
from avr_ros.perception.oracle import OraclePerception
from avr_ros.schema.box import Box
from avr_ros.schema.episode import LedgerKind, LedgerRecord
from avr_ros.schema.observation import ObserveStatus


def label(track: int, box: list[float], occlusion: str, **actions: int) -> dict[str, object]:
    return {
        "box": box,
        "label_id": f"pedestrian:{track}",
        "file_id": "000000.jpg",
        "attributes": {
            "area": 1.0,
            "interpolated": False,
            "no_eval": False,
            "occlusion": occlusion,
            "truncated": "false",
        },
        "action_label": actions,
        "social_activity": {},
        "social_group": {"cluster_ID": 1, "cluster_stat": 1},
    }


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """One frame of a street: two people ahead, one hidden, one across the seam behind."""
    people = [
        label(4, [1860, 150, 50, 150], "Fully_visible", sitting=1),
        label(2, [1700, 150, 40, 120], "Severely_occluded", walking=1),
        label(3, [1800, 150, 40, 120], "Fully_occluded", walking=1),
        label(1, [3740, 150, 60, 200], "Mostly_visible", standing=1),
    ]
    folder = tmp_path / "labels" / "labels_2d_stitched"
    folder.mkdir(parents=True)
    (folder / "street.json").write_text(json.dumps({"labels": {"000000.jpg": people}}))
    boxes_3d = [
        {
            "box": {"cx": 5.0, "cy": 0.0, "cz": 0.0, "l": 1, "w": 0.5, "h": 1.8, "rot_z": 0.0},
            "label_id": "pedestrian:4",
            "file_id": "000000.pcd",
            "attributes": {"distance": 5.0, "interpolated": True, "num_points": 100},
        }
    ]
    folder = tmp_path / "labels" / "labels_3d"
    folder.mkdir()
    (folder / "street.json").write_text(json.dumps({"labels": {"000000.pcd": boxes_3d}}))
    return tmp_path


def record(
    azimuth: float | None,
    frame_id: int = 0,
    status: ObserveStatus = ObserveStatus.OK,
    number: int = 1,
) -> LedgerRecord:
    view = azimuth is not None
    return LedgerRecord(
        episode_id="q#1",
        sequence_number=number,
        kind=LedgerKind.OBSERVATION if view else LedgerKind.GIVEN_FRAME,
        request_id="",
        observation_id=f"q#1/{number}",
        sequence="street",
        frame_id=frame_id,
        stamp_ns=0,
        azimuth=azimuth or 0.0,
        field_of_view=0.8,
        crop=crop_window(JRDB_CYLINDER, azimuth) if azimuth is not None else None,
        status=status,
        message="",
        remaining_observations=31,
    )


def test_only_what_lies_in_the_view_is_seen(dataset: Path) -> None:
    oracle = OraclePerception(open_annotations(dataset))
    ahead = oracle.detect(record(0.0))
    assert [item.box for item in ahead] == [Box(1700, 150, 40, 120), Box(1860, 150, 50, 150)]
    assert [item.visibility for item in ahead] == [0.3, 1.0]
    assert ahead[0].ground is None
    assert ahead[1].ground is not None
    assert ahead[1].ground.x == pytest.approx(5.0, abs=0.5)
    assert ahead[1].actions["sitting"] > 0.5 > ahead[1].actions["walking"]
    assert [item.box for item in oracle.detect(record(math.pi))] == [Box(3740, 150, 60, 200)]
    assert oracle.detect(record(math.pi / 2)) == []


def test_a_given_panorama_shows_everyone_that_is_visible(dataset: Path) -> None:
    found = OraclePerception(open_annotations(dataset)).detect(record(None))
    assert [item.box for item in found] == [
        Box(1700, 150, 40, 120),
        Box(1860, 150, 50, 150),
        Box(3740, 150, 60, 200),
    ]


def test_ids_and_order_of_requests_do_not_matter(dataset: Path) -> None:
    one = OraclePerception(open_annotations(dataset))
    two = OraclePerception(open_annotations(dataset))
    one.detect(record(math.pi, number=1))
    first = one.detect(record(0.0, number=2))
    second = two.detect(record(0.0, number=9))
    for a, b in zip(first, second, strict=True):
        assert (a.box, a.actions, a.confidence) == (b.box, b.actions, b.confidence)
        assert np.array_equal(a.appearance, b.appearance)


def test_refused_views_and_unlabelled_frames_are_errors(dataset: Path) -> None:
    oracle = OraclePerception(open_annotations(dataset))
    with pytest.raises(NotGrantedError, match="BUDGET_EXHAUSTED"):
        oracle.detect(record(0.0, status=ObserveStatus.BUDGET_EXHAUSTED))
    with pytest.raises(NoLabelsError, match="frame 7"):
        oracle.detect(record(0.0, frame_id=7))
