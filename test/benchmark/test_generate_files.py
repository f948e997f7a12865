"""From label files on disk to question files, with a recording of frames and stamps only."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from random_world import random_graph

from avr_ros.annotations.annotation_set import AnnotationSet, open_annotations
from avr_ros.annotations.scene_graph import TemporalSceneGraph
from avr_ros.benchmark.generate_files import generate_files
from avr_ros.benchmark.question_files import KEYS_NAME, QUESTIONS_NAME, read_keys, read_questions
from avr_ros.benchmark.report import REPORT_NAME, read_blind_set, read_report
from avr_ros.benchmark.settings import GenerationSettings
from avr_ros.geometry.labels_frame import rot_z_from_heading
from avr_ros.recordings.recording import SequenceInfo, StoredAs
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.vocabulary import Family

FAMILIES = (Family.RELATION_CHAIN, Family.UNIQUE_ANCHOR_STATE)
SETTINGS = GenerationSettings(seed=5, per_family=8, families=FAMILIES)


class Frames:
    """A recording of which only names, frames and stamps are asked."""

    def __init__(self, graphs: list[TemporalSceneGraph], missing: int = 0) -> None:
        self._infos = {
            graph.sequence: SequenceInfo(
                graph.sequence,
                graph.frames.astype(np.int64)[: len(graph.frames) - missing].copy(),
                graph.stamps_us[: len(graph.frames) - missing].copy(),
                3760,
                480,
                StoredAs.JPEG,
                "nowhere",
            )
            for graph in graphs
        }

    def sequences(self) -> tuple[str, ...]:
        """The names."""
        return tuple(sorted(self._infos))

    def sequence(self, name: str) -> SequenceInfo:
        """One sequence."""
        return self._infos[name]


def write_labels(root: Path, graph: TemporalSceneGraph) -> None:
    """The graph's people as JRDB files."""
    boxes: dict[str, list[object]] = {f"{frame:06d}.jpg": [] for frame in graph.frames.tolist()}
    solids: dict[str, list[object]] = {f"{frame:06d}.pcd": [] for frame in graph.frames.tolist()}
    for row in range(len(graph)):
        frame = int(graph.frame[row])
        name = f"pedestrian:{graph.track_id[row]}"
        visibility = graph.visibility(row)
        assert visibility is not None
        entry: dict[str, object] = {
            "box": graph.boxes[row].tolist(),
            "label_id": name,
            "attributes": {"occlusion": visibility.value, "truncated": "false"},
            "action_label": dict.fromkeys(graph.actions(row) or (), 1),
        }
        if graph.group[row] >= 0:
            entry["social_group"] = {"cluster_ID": int(graph.group[row]), "cluster_stat": 1}
        boxes[f"{frame:06d}.jpg"].append(entry)
        x, y, _ = graph.position[row].tolist()
        rot_z = float(rot_z_from_heading(graph.heading[row]))
        solid = {"cx": x, "cy": y, "cz": 0.0, "l": 1.0, "w": 0.5, "h": 1.8, "rot_z": rot_z}
        solids[f"{frame:06d}.pcd"].append({"box": solid, "label_id": name, "attributes": {}})
    for folder, labels in (("labels_2d_stitched", boxes), ("labels_3d", solids)):
        path = root / "labels" / folder / f"{graph.sequence}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"labels": labels}))


@pytest.fixture(scope="module")
def graphs() -> list[TemporalSceneGraph]:
    return [random_graph(1, index, frames=120, people=12) for index in range(2)]


@pytest.fixture(scope="module")
def labels(
    tmp_path_factory: pytest.TempPathFactory, graphs: list[TemporalSceneGraph]
) -> AnnotationSet:
    root = tmp_path_factory.mktemp("labels")
    for graph in graphs:
        write_labels(root, graph)
    return open_annotations(root)


def test_files_are_written_and_belong_together(
    tmp_path: Path, graphs: list[TemporalSceneGraph], labels: AnnotationSet
) -> None:
    report = generate_files(Frames(graphs), labels, SETTINGS, tmp_path)
    questions = read_questions(tmp_path / QUESTIONS_NAME)
    keys = read_keys(tmp_path / KEYS_NAME, questions)
    assert len(keys) == len(questions.questions) == report.questions > 8
    assert {item.name for item in questions.header.sequences} == {"crowd-0", "crowd-1"}
    assert read_report(tmp_path) == report
    assert set(report.families) == {family.value for family in FAMILIES}
    for family in report.families.values():
        assert family.checked >= sum(family.rejected.values())
        for mode in family.modes.values():
            assert mode.questions == sum(mode.classes.values())
    assert sum(group.n for group in report.blind.groups) == report.questions
    assert len(read_blind_set(tmp_path).solved) == report.questions


def test_the_same_bytes_again(
    tmp_path: Path, graphs: list[TemporalSceneGraph], labels: AnnotationSet
) -> None:
    for name in ("first", "second"):
        generate_files(Frames(graphs), labels, SETTINGS, tmp_path / name)
    for name in (QUESTIONS_NAME, KEYS_NAME, REPORT_NAME):
        first, second = (tmp_path / folder / name for folder in ("first", "second"))
        assert first.read_bytes() == second.read_bytes()


def test_labels_of_another_release_are_refused(
    tmp_path: Path, graphs: list[TemporalSceneGraph], labels: AnnotationSet
) -> None:
    with pytest.raises(BadInputError, match="crowd-0 have boxes in 3 frames"):
        generate_files(Frames(graphs, missing=3), labels, SETTINGS, tmp_path)
    assert not list(tmp_path.iterdir())


def test_no_sequence_with_images_and_labels(tmp_path: Path, labels: AnnotationSet) -> None:
    with pytest.raises(BadInputError, match="no sequence has both"):
        generate_files(Frames([]), labels, SETTINGS, tmp_path)


def test_a_folder_without_a_report(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="cannot be read"):
        read_report(tmp_path)
    (tmp_path / REPORT_NAME).write_text("{}")
    with pytest.raises(BadInputError, match="not the report of a generation"):
        read_report(tmp_path)
