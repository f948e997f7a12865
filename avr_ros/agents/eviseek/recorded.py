"""Finished runs as trajectories: what was looked at, what was kept, and what was done, in words."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from avr_ros.schema.errors import BadInputError
from avr_ros.schema.step import Step, StepKind

STEPS_NAME = "steps.jsonl"


class RecordedRunError(BadInputError):
    """A run's steps cannot be read as trajectories."""


@dataclass(frozen=True)
class RecordedLook:
    """One granted view of a recorded episode; azimuth in radians, field of view 0: the default."""

    observation_id: str
    frame_id: int
    azimuth_deg: float
    field_of_view_deg: float


@dataclass(frozen=True)
class RecordedEpisode:
    """One episode: its views in order, and what the ANSWER step says of demands and board."""

    looks: tuple[RecordedLook, ...]
    demands: tuple[str, ...]
    board: tuple[dict[str, Any], ...]
    has_board: bool
    history: tuple[str, ...]


def read_episodes(run: Path) -> dict[str, RecordedEpisode]:
    """The last attempt at each question of a run folder, by question id. Raises RecordedRunError.

    Any agent's run has views; demands and board are there where the agent recorded them.
    """
    attempts: dict[str, dict[int, list[Step]]] = {}
    for step in _steps(run / STEPS_NAME):
        question_id, _, attempt = step.episode_id.rpartition("#")
        if not question_id or not attempt.isdigit():
            raise RecordedRunError(
                f"{run / STEPS_NAME}: {step.episode_id!r} is no episode; give a recorded run"
            )
        attempts.setdefault(question_id, {}).setdefault(int(attempt), []).append(step)
    return {name: _episode(found[max(found)]) for name, found in attempts.items()}


def _episode(steps: list[Step]) -> RecordedEpisode:
    ordered = sorted(steps, key=lambda step: step.number)
    looks = tuple(
        RecordedLook(
            step.observation_id,
            step.frame_id,
            step.azimuth_deg,
            float(step.details.get("field_of_view_deg", 0.0)),
        )
        for step in ordered
        if step.kind is StepKind.OBSERVE
        and step.observation_id
        and step.frame_id is not None
        and step.azimuth_deg is not None
    )
    answers = [step.details for step in ordered if step.kind is StepKind.ANSWER]
    told = answers[-1] if answers else {}
    history = told.get("history") or [
        f"Step {number}: action={step.summary}"
        for number, step in enumerate(ordered, start=1)
        if step.kind is StepKind.OBSERVE
    ]
    return RecordedEpisode(
        looks=looks,
        demands=tuple(told.get("demands", ())),
        board=tuple(told.get("board", ())),
        has_board="board" in told,
        history=tuple(history),
    )


def _steps(path: Path) -> Iterator[Step]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RecordedRunError(f"{path} cannot be read ({error}); give a run folder") from error
    for number, line in enumerate(lines, start=1):
        try:
            yield Step.model_validate(json.loads(line))
        except (ValueError, ValidationError) as error:
            raise RecordedRunError(
                f"{path} line {number} is no step; give an unchanged run folder"
            ) from error
