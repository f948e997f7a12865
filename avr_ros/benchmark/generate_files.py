"""From a data set to question files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from avr_ros.annotations.annotation_set import AnnotationSet
from avr_ros.benchmark.dataset_identity import RecordedFrames, dataset_identities
from avr_ros.benchmark.generation import generate
from avr_ros.benchmark.question_files import questions_header, write_question_files
from avr_ros.benchmark.report import REPORT_NAME, GenerationReport, read_report, report_of
from avr_ros.benchmark.settings import GENERATOR, GenerationSettings
from avr_ros.schema.errors import BadInputError


def generate_files(
    recording: RecordedFrames,
    annotations: AnnotationSet,
    settings: GenerationSettings,
    folder: Path,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> GenerationReport:
    """Generate questions and write questions.jsonl, keys.jsonl and generation.json.

    Sequences without labels or without images take no part. ``advance`` hears of each sequence
    searched. Raises BadInputError where there is no sequence with both, where no question was
    found, and where the folder holds questions of other settings, which runs may depend on.
    """
    _refuse_others(folder, settings)
    names = sorted(set(recording.sequences()) & set(annotations.sequences()))
    sequences = {name: recording.sequence(name).frame_ids for name in names}
    if not sequences:
        raise BadInputError(
            f"{annotations.root}: no sequence has both images and labels; give a labelled data set"
        )
    identities = dataset_identities(recording, annotations, sequences)
    generated = generate(annotations, sequences, settings, advance)
    if not generated.pairs:
        raise BadInputError(
            f"{annotations.root}: no valid question was found in {len(sequences)} sequences; give "
            "longer sequences with annotated actions, or other families"
        )
    header = questions_header(identities, settings.seed, GENERATOR, len(generated.pairs))
    write_question_files(
        folder,
        header,
        [pair.question for pair in generated.pairs],
        [pair.key for pair in generated.pairs],
    )
    report = report_of(settings, generated)
    text = json.dumps(report.model_dump(mode="json"), indent=2) + "\n"
    (folder / REPORT_NAME).write_text(text, encoding="utf-8")
    return report


def _refuse_others(folder: Path, settings: GenerationSettings) -> None:
    if not (folder / REPORT_NAME).exists():
        return
    held = read_report(folder)
    wanted = {family.value for family in settings.families}
    if (held.seed, held.per_family, set(held.families)) != (
        settings.seed,
        settings.per_family,
        wanted,
    ):
        raise BadInputError(
            f"{folder} holds other questions, on whose keys runs may depend; choose another folder "
            "or delete it"
        )
