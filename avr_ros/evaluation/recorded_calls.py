"""What the calls of a recorded run were like, by stage."""

import json
from dataclasses import dataclass
from pathlib import Path

from avr_ros.evaluation.attempt_files import CALLS_NAME, read_lines
from avr_ros.evaluation.stored_run import load_run
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.step import Step, StepKind


@dataclass(frozen=True)
class StageMeans:
    """Calls of a stage for one question; tokens, pictures and seconds of one call."""

    calls: float
    tokens_in: float
    tokens_out: float
    images: float
    seconds: float


def recorded_means(run: Path) -> dict[str, StageMeans]:
    """The means over a run folder's finished questions. Raises BadInputError for none."""
    questions = len(load_run(run).results)
    sums: dict[str, list[float]] = {}
    for number, line in enumerate(read_lines(run / CALLS_NAME), start=1):
        try:
            step = Step.model_validate(json.loads(line))
        except ValueError as error:
            raise BadInputError(f"{run / CALLS_NAME} line {number} is no recorded call") from error
        if step.kind is not StepKind.MODEL_CALL:
            continue
        details = step.details
        row = sums.setdefault(str(details.get("stage", "")), [0.0] * 5)
        row[0] += 1
        for index, name in enumerate(("tokens_in", "tokens_out", "images"), start=1):
            row[index] += float(details.get(name, 0))
        row[4] += step.seconds
    if not questions or not sums:
        raise BadInputError(f"{run} has no finished questions with calls to a model")
    return {
        stage: StageMeans(row[0] / questions, *(value / row[0] for value in row[1:]))
        for stage, row in sums.items()
    }
