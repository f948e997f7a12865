"""Everything that is checked and frozen before a run asks its first question."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from avr_ros.agents.registry import REANSWER
from avr_ros.annotations.annotation_set import AnnotationSet, open_annotations
from avr_ros.benchmark.dataset_identity import annotations_hash_of
from avr_ros.benchmark.identity import check_annotations, check_sequence
from avr_ros.benchmark.question_files import KeySet, QuestionSet, read_keys, read_questions
from avr_ros.evaluation.provenance import commit, library_versions, package_version
from avr_ros.evaluation.request import RunRequest
from avr_ros.evaluation.run_folder import now, read_specification
from avr_ros.evaluation.specification import ProtocolSettings, RunSpecification
from avr_ros.evaluation.stored_run import limited
from avr_ros.reasoning.model_name import parse_model
from avr_ros.recordings.recording import Recording
from avr_ros.schema.question import Question


@dataclass(frozen=True)
class RunQuestions:
    """The questions and keys of a run; ``asked`` are those within its limit."""

    question_set: QuestionSet
    keys: KeySet
    asked: tuple[Question, ...]
    content: bytes


def read_run_questions(request: RunRequest) -> RunQuestions:
    """Read the questions and keys of a run. Raises BadInputError for anything wrong in them."""
    question_set = read_questions(request.questions)
    keys = read_keys(request.keys, question_set)
    asked = limited(question_set.questions, request.limit)
    return RunQuestions(question_set, keys, asked, request.questions.read_bytes())


def check_recording(questions: RunQuestions, recording: Recording, where: Path) -> None:
    """Refuse a recording that is not the one that the asked questions came from."""
    for name in _sequences(questions):
        info = recording.sequence(name)
        check_sequence(
            questions.question_set.sequence(name),
            np.asarray(info.frame_ids),
            np.asarray(info.stamps_us),
            str(where),
        )


def check_labels(questions: RunQuestions, annotations: AnnotationSet) -> None:
    """Refuse labels that are not those that the asked questions came from."""
    for name in _sequences(questions):
        check_annotations(
            questions.question_set.sequence(name),
            annotations_hash_of(annotations, name),
            str(annotations.root),
        )


def open_labels(dataset: Path) -> AnnotationSet:
    """Open the labels of a data set: in the folder itself, or beside a bag."""
    return open_annotations(dataset if dataset.is_dir() else dataset.parent)


def freeze(
    request: RunRequest,
    questions: RunQuestions,
    *,
    agent_settings: Mapping[str, Any],
    model_settings: Mapping[str, Any],
    perception_settings: Mapping[str, Any],
    protocol: ProtocolSettings | None = None,
) -> RunSpecification:
    """The frozen specification of a run that is asked for."""
    revision, changed = commit()
    earlier = _earlier_runs(request, agent_settings)
    header = questions.question_set.header
    return RunSpecification(
        created_at=now(),
        package_version=package_version(),
        commit=revision,
        uncommitted_changes=changed,
        libraries=library_versions(),
        dataset=str(request.dataset.absolute()),
        questions=str(request.questions.absolute()),
        keys=str(request.keys.absolute()),
        hashes={
            "questions": questions.question_set.sha256,
            "keys": questions.keys.sha256,
            "recording": header.recording,
            "annotations": header.annotations,
        },
        seed=request.seed,
        limit=request.limit,
        question_deadline=request.question_deadline,
        agent=request.agent,
        agent_settings=dict(agent_settings),
        model=request.model,
        model_settings=dict(model_settings),
        perception=request.perception,
        perception_settings=dict(perception_settings),
        oracle_perception=request.perception == "oracle"
        or any(run.oracle_perception for run in earlier),
        stand_in_model=parse_model(request.model).kind == "local"
        or any(run.stand_in_model for run in earlier),
        protocol=protocol or ProtocolSettings(),
    )


def _earlier_runs(request: RunRequest, agent_settings: Mapping[str, Any]) -> list[RunSpecification]:
    """The runs whose replies or views this one takes, and with them their marks."""
    folders: list[str] = []
    model = parse_model(request.model)
    if model.kind == "replay":
        folders.append(model.address)
    if request.agent == REANSWER:
        folders.append(str(agent_settings["run"]))
    return [read_specification(Path(folder)) for folder in folders]


def _sequences(questions: RunQuestions) -> list[str]:
    return sorted({question.sequence for question in questions.asked})
