"""The converter takes the format that it assumes, and refuses everything else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from label_files import Frames, write_labels
from random_world import random_graph

from avr_ros.annotations.annotation_set import AnnotationSet, open_annotations
from avr_ros.annotations.scene_graph import TemporalSceneGraph
from avr_ros.benchmark.question_files import read_keys, read_questions
from avr_ros.benchmark.released_questions import ReleasedFormatError, convert_released
from avr_ros.schema.answer import ChoiceAnswer, FrameViewAnswer, NumberAnswer, SpanAnswer


@pytest.fixture(scope="module")
def graph() -> TemporalSceneGraph:
    return random_graph(1, 0, frames=40, people=8)


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory, graph: TemporalSceneGraph) -> AnnotationSet:
    root = tmp_path_factory.mktemp("labels")
    write_labels(root, graph)
    return open_annotations(root)


def released(graph: TemporalSceneGraph) -> list[dict[str, Any]]:
    """Five questions in the assumed format, one of each mode."""
    row = int(graph.people_at(10)[0])
    base = {
        "sequence": graph.sequence,
        "question": "What?",
        "generator": "whatever",
        "target": f"pedestrian:{graph.track_id[row]}",
        "evidence": [{"frame_id": 10, "bbox": graph.boxes[row].tolist()}],
    }
    answers: list[dict[str, Any]] = [
        {"answer_mode": "choice", "options": ["a", "b"], "answer": 1},
        {"answer_mode": "frame", "answer": {"frame_id": 10}},
        {"answer_mode": "span", "answer": {"start_frame": 5, "end_frame": 15}},
        {"answer_mode": "frame_view", "answer": {"frame_id": 10, "angle": -20.0}},
        {"answer_mode": "number", "answer": "4.5", "unit": "m"},
    ]
    return [{"id": f"r{index}", **base, **item} for index, item in enumerate(answers)]


def test_the_assumed_format_is_converted(
    tmp_path: Path, graph: TemporalSceneGraph, labels: AnnotationSet
) -> None:
    path = tmp_path / "released.json"
    path.write_text(json.dumps(released(graph)))
    questions_path, keys_path = convert_released(path, Frames([graph]), labels, tmp_path / "out")
    questions = read_questions(questions_path)
    keys = read_keys(keys_path, questions)
    assert questions.header.seed is None
    assert [item.family for item in questions.questions] == [None] * 5
    assert [item.tolerance for item in questions.questions] == [None, 5.0, None, 5.0, 0.5]
    assert [keys[f"r{index}"].answer for index in (0, 2, 3, 4)] == [
        ChoiceAnswer(choice=1),
        SpanAnswer(start_frame=5, end_frame=15),
        FrameViewAnswer(frame_id=10, azimuth_deg=-20.0),
        NumberAnswer(value=4.5),
    ]


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown key": ({"surprise": 1}, "question 0: surprise"),
    "mode": ({"answer_mode": "essay"}, "question 0: answer_mode"),
    "answer of another mode": ({"answer": {"frame_id": 3}}, "no answer of mode choice"),
    "option": ({"answer": 7}, "there is no option 7"),
    "options": ({"options": None}, "options belong to"),
    "target": ({"target": "car:3"}, "question 0: target"),
    "no evidence": ({"evidence": []}, "question 0: evidence"),
    "another person": ({"target": "pedestrian:77"}, "has no box in frame 10"),
    "another box": (
        {"evidence": [{"frame_id": 10, "bbox": [5.0, 5.0, 20.0, 20.0]}]},
        "is not that of",
    ),
    "a frame without labels": (
        {"evidence": [{"frame_id": 999, "bbox": None}]},
        "frame 999",
    ),
    "sequence": ({"sequence": "elsewhere"}, "sequence elsewhere is not in the data set"),
    "id": ({"id": "r1"}, "id r1 is used twice"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_anything_else_is_refused(
    tmp_path: Path, graph: TemporalSceneGraph, labels: AnnotationSet, fault: str
) -> None:
    values, message = FAULTS[fault]
    rows = released(graph)
    rows[0].update(values)
    path = tmp_path / "released.json"
    path.write_text(json.dumps(rows))
    with pytest.raises(ReleasedFormatError, match=message):
        convert_released(path, Frames([graph]), labels, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", '{"questions": []}', "[1]", "[[]]", "nonsense"]
)
def test_what_is_no_list_of_questions_is_refused(
    tmp_path: Path, graph: TemporalSceneGraph, labels: AnnotationSet, content: str
) -> None:
    path = tmp_path / "released.json"
    path.write_text(content)
    with pytest.raises(ReleasedFormatError):
        convert_released(path, Frames([graph]), labels, tmp_path / "out")


def test_evidence_without_a_box_keeps_everybody_else(
    tmp_path: Path, graph: TemporalSceneGraph, labels: AnnotationSet
) -> None:
    rows = released(graph)[:1]
    rows[0]["evidence"] = [{"frame_id": 10, "bbox": None}]
    path = tmp_path / "released.json"
    path.write_text(json.dumps(rows))
    questions_path, keys_path = convert_released(path, Frames([graph]), labels, tmp_path / "out")
    key = read_keys(keys_path, read_questions(questions_path))["r0"]
    assert key.evidence[0].box is None
    assert len(key.evidence[0].others) == len(graph.people_at(10)) - 1
