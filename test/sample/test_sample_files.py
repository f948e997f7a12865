"""What is on disk: layout, label contents, faults, pictures equal in all three forms."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import yaml
from rosbags.highlevel import AnyReader

from avr_ros.annotations.annotation_set import open_annotations
from avr_ros.recordings.open_recording import open_recording
from avr_ros.sample import faults
from avr_ros.sample.bags import IMAGE_TOPIC, IMU_TOPIC, ODOMETRY_TOPICS
from avr_ros.sample.sample import MANIFEST, Sample
from avr_ros.schema.vocabulary import ACTIONS, KEYPOINTS, POSE_ACTIONS, Occlusion


def manifest(sample: Sample) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((sample.directory / MANIFEST).read_text())
    return content


def names(sample: Sample) -> list[str]:
    return [row["name"] for row in manifest(sample)["sequences"]]


def labels(sample: Sample, kind: str, name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(
        (sample.directory / "labels" / kind / f"{name}.json").read_text()
    )
    return content


def boxes(
    sample: Sample, kind: str = "labels_2d_stitched"
) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (name, key, row)
        for name in names(sample)
        for key, rows in labels(sample, kind, name)["labels"].items()
        for row in rows
    ]


def test_the_folders_are_those_of_jrdb(small: Sample) -> None:
    root = small.directory
    for name in names(small):
        for path in (
            f"images/image_stitched/{name}/000000.jpg",
            f"images/image_stitched/{name}/000011.jpg",
            f"labels/labels_2d_stitched/{name}.json",
            f"labels/labels_3d/{name}.json",
            f"labels/labels_2d_activity_social_stitched/{name}.json",
            f"labels/labels_2d_pose_stitched_coco/{name}.json",
            f"labels/labels_2d_head_stitched/{name}.json",
            f"timestamps/{name}/frames_img.json",
            f"timestamps/{name}/frames_pc.json",
            f"rosbags/{name}.bag",
            f"ros2bags/{name}/metadata.yaml",
        ):
            assert (root / path).is_file(), path
    assert not list(root.parent.glob(".*partial*"))


def test_calibration_has_the_real_keys(small: Sample) -> None:
    folder = small.directory / "calibration"
    cameras = yaml.safe_load((folder / "cameras.yaml").read_text())
    assert [f"sensor_{k}" for k in range(10)] == list(cameras["cameras"])
    values = np.array(
        [[float(v) for v in cameras["cameras"][f"sensor_{k}"]["K"].split()] for k in range(5)]
    )
    assert np.median(values[:, 4]) == pytest.approx(482.924)
    assert np.median(values[:, 5]) == pytest.approx(209.383)
    defaults = yaml.safe_load((folder / "defaults.yaml").read_text())
    assert defaults["image"] == {"width": 3760, "height": 480, "stitched_image_offset": 1880}
    assert defaults["calibrated"]["lidar_upper_to_rgb"]["translation"] == [0, 0, -0.33529]
    lidars = yaml.safe_load((folder / "lidars.yaml").read_text())
    for sensor in (0, 2, 4, 6, 8):
        to_ego = np.asarray(lidars[f"sensor_{sensor}"]["cam2ego"])
        assert to_ego[:3, :3] @ to_ego[:3, :3].T == pytest.approx(np.eye(3), abs=1e-6)
    # The optical axis of image_2 points to the right, as its cell of the panorama does.
    axis = np.asarray(lidars["sensor_2"]["cam2ego"])[:3, 2]
    assert np.degrees(np.arctan2(axis[1], axis[0])) == pytest.approx(-72.0, abs=0.1)


def test_2d_rows_are_as_in_the_real_files(small: Sample) -> None:
    for _, key, row in boxes(small):
        assert re.fullmatch(r"\d{6}\.jpg", key)
        assert re.fullmatch(r"pedestrian:\d+", row["label_id"])
        x, y, w, h = row["box"]
        assert all(isinstance(value, int) for value in row["box"])
        assert y >= 0 and y + h <= 480 and w > 0 and h > 0
        assert -w < 2 * x < 2 * 3760 and 0 <= x + w / 2 < 3760
        actions = row.get("action_label")
        if actions is not None:
            assert set(actions) <= set(ACTIONS)
            assert len(set(actions) & set(POSE_ACTIONS)) == 1
            assert set(actions.values()) <= {1, 2, 3}
        if row.get("attributes"):
            assert row["attributes"]["truncated"] in ("true", "false", None)
            if "occlusion" in row["attributes"]:
                Occlusion(row["attributes"]["occlusion"])


def test_ids_are_unique_in_a_frame(small: Sample) -> None:
    for kind in ("labels_2d_stitched", "labels_3d"):
        counts = Counter((name, key, row["label_id"]) for name, key, row in boxes(small, kind))
        assert max(counts.values()) == 1


def test_nothing_is_said_of_demographics(small: Sample) -> None:
    rows = boxes(small, "labels_2d_activity_social_stitched")
    assert rows
    assert all(row["demographics_info"] == [] for _, _, row in rows)
    assert any(row["H-interaction"] for _, _, row in rows)
    assert any(row["group_info"] for _, _, row in rows)
    for _, _, row in rows:
        assert set(row) & {"gender", "age", "race"} == set()


def test_poses_are_on_even_image_ids(small: Sample) -> None:
    for name in names(small):
        content = labels(small, "labels_2d_pose_stitched_coco", name)
        assert content["categories"][0]["keypoints"] == list(KEYPOINTS)
        for image in content["images"]:
            assert image["id"] % 2 == 0
            assert image["file_name"].endswith(f"/{image['id'] - 1:06d}.jpg")
        assert all(len(a["keypoints"]) == 51 for a in content["annotations"])
        heads = labels(small, "labels_2d_head_stitched", name)
        assert all(len(a["bbox"]) == 4 for a in heads["annotations"])


def test_planted_faults_are_in_the_files(small: Sample) -> None:
    for row in manifest(small)["sequences"]:
        name = row["name"]
        flat = labels(small, "labels_2d_stitched", name)["labels"]
        solid = labels(small, "labels_3d", name)["labels"]
        for fault in row["faults"]:
            kind = fault["kind"]
            if kind in (faults.ONLY_2D, faults.ONLY_3D):
                label = f"pedestrian:{fault['track']}"
                lack = solid if kind == faults.ONLY_2D else flat
                for frame in range(fault["first_frame"], fault["last_frame"] + 1):
                    rows = lack.get(_key(lack, frame), [])
                    assert label not in [r["label_id"] for r in rows]
            elif kind == faults.NO_3D_KEY:
                assert f"{fault['frame']:06d}.pcd" not in solid
                assert f"{fault['frame']:06d}.jpg" in flat
            elif kind == faults.EXTRA_3D_KEY:
                assert len(solid) and max(solid) == f"{row['frames']:06d}.pcd"
            elif kind in dict(faults.BOX_FAULTS):
                label = f"pedestrian:{fault['track']}"
                found = [r for r in flat[f"{fault['frame']:06d}.jpg"] if r["label_id"] == label]
                assert _is_odd(found[0], kind)
            elif kind == faults.NO_CLOUD:
                clouds = _clouds(small.directory, name)
                assert len(clouds) == row["frames"] - fault["at_end"]


def _key(rows: dict[str, Any], frame: int) -> str:
    return f"{frame:06d}" + ("." + next(iter(rows)).split(".")[1] if rows else "")


def _is_odd(row: dict[str, Any], kind: str) -> bool:
    attributes = row.get("attributes", "missing")
    return {
        faults.NULL_ATTRIBUTES: attributes is None,
        faults.NO_ATTRIBUTES: attributes == "missing",
        faults.NO_OCCLUSION: isinstance(attributes, dict) and "occlusion" not in attributes,
        faults.TRUNCATED_NULL: isinstance(attributes, dict) and attributes["truncated"] is None,
        faults.NO_ACTION: "action_label" not in row and "social_group" not in row,
    }[kind]


def _clouds(root: Path, name: str) -> list[Any]:
    content: list[Any] = json.loads((root / "timestamps" / name / "frames_pc.json").read_text())[
        "data"
    ]
    return content


def test_pictures_are_the_same_bytes_in_folders_bag_and_mcap(small: Sample) -> None:
    root = small.directory
    for name in names(small):
        files = sorted((root / "images" / "image_stitched" / name).iterdir())
        wanted = [file.read_bytes() for file in files]
        for path, topic in (
            (root / "rosbags" / f"{name}.bag", IMAGE_TOPIC),
            (root / "ros2bags" / name, f"/{IMAGE_TOPIC}"),
        ):
            with AnyReader([path]) as reader:
                connections = [c for c in reader.connections if c.topic == topic]
                messages = [
                    reader.deserialize(data, c.msgtype)
                    for c, _, data in reader.messages(connections=connections)
                ]
            assert [bytes(m.data) for m in messages] == wanted
            stamps = [m.header.stamp.sec * 10**9 + m.header.stamp.nanosec for m in messages]
            assert [stamp // 1000 for stamp in stamps] == _stamps(root, name)
            assert {m.format for m in messages} == {"jpeg"}


def _stamps(root: Path, name: str) -> list[int]:
    rows = json.loads((root / "timestamps" / name / "frames_img.json").read_text())["data"]
    return [round(row["cameras"][0]["timestamp"] * 1_000_000) for row in rows]


def test_bags_hold_odometry_tf_and_odd_imu(small: Sample) -> None:
    for row in manifest(small)["sequences"]:
        path = small.directory / "rosbags" / f"{row['name']}.bag"
        with AnyReader([path]) as reader:
            topics = {c.topic for c in reader.connections}
            assert {"tf", IMU_TOPIC, *ODOMETRY_TOPICS} <= topics
            lacks = any(fault["kind"] == faults.NO_TF_STATIC for fault in row["faults"])
            assert ("tf_static" in topics) != lacks
            imu = [c for c in reader.connections if c.topic == IMU_TOPIC]
            norms = []
            for connection, _, data in reader.messages(connections=imu):
                q = reader.deserialize(data, connection.msgtype).orientation
                norms.append(q.x**2 + q.y**2 + q.z**2 + q.w**2)
            assert 0.0 in norms and max(norms) == pytest.approx(1.0)


def test_the_loaders_of_the_other_rooms_open_it(small: Sample) -> None:
    annotations = open_annotations(small.directory)
    assert sorted(annotations.sequences()) == sorted(names(small))
    for name in names(small):
        graph = annotations.scene_graph(name)
        assert len(graph.frames) == small.specification.frames
        poses = annotations.poses(name)
        assert len(poses.track) > 0
    with open_recording(small.directory) as recording:
        assert sorted(recording.sequences()) == sorted(names(small))
        for name in names(small):
            info = recording.sequence(name)
            assert info.frame_ids[-1] == small.specification.frames - 1
            assert recording.panorama(name, 5).shape == (480, 3760, 3)


def test_pictures_have_quality_90(small: Sample) -> None:
    name = names(small)[0]
    data = (small.directory / "images" / "image_stitched" / name / "000000.jpg").read_bytes()
    good, again = cv2.imencode(
        ".jpg", cv2.imdecode(np.frombuffer(data, np.uint8), 1), [cv2.IMWRITE_JPEG_QUALITY, 90]
    )
    assert good
    start = data.index(b"\xff\xdb")
    assert bytes(again)[bytes(again).index(b"\xff\xdb") :][:60] == data[start:][:60]
