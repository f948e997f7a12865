"""From label files on disk to question files, with a recording of frames and stamps only."""

from __future__ import annotations

from pathlib import Path

import pytest
from label_files import Frames, write_labels
from random_world import random_graph

from avr_ros.annotations.annotation_set import AnnotationSet, open_annotations
from avr_ros.annotations.scene_graph import TemporalSceneGraph
from avr_ros.benchmark.generate_files import generate_files
from avr_ros.benchmark.question_files import KEYS_NAME, QUESTIONS_NAME, read_keys, read_questions
from avr_ros.benchmark.report import REPORT_NAME, read_blind_set, read_report
from avr_ros.benchmark.settings import GenerationSettings
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.vocabulary import Family

FAMILIES = (Family.RELATION_CHAIN, Family.UNIQUE_ANCHOR_STATE)
SETTINGS = GenerationSettings(seed=5, per_family=8, families=FAMILIES)


@pytest.fixture(scope="module")
def graphs() -> list[TemporalSceneGraph]:
    return [random_graph(1, index, frames=180, people=14) for index in range(2)]


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


def test_questions_of_other_settings_are_not_overwritten(
    tmp_path: Path, graphs: list[TemporalSceneGraph], labels: AnnotationSet
) -> None:
    generate_files(Frames(graphs), labels, SETTINGS, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for other in (
        GenerationSettings(seed=6, per_family=8, families=FAMILIES),
        GenerationSettings(seed=5, per_family=9, families=FAMILIES),
        GenerationSettings(seed=5, per_family=8, families=FAMILIES[:1]),
    ):
        with pytest.raises(BadInputError, match="other questions"):
            generate_files(Frames(graphs), labels, other, tmp_path)
    generate_files(Frames(graphs), labels, SETTINGS, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


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
