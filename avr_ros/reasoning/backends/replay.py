"""Replies from a recorded run, so that it can be run again with the same outcome."""

import json
import threading
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from avr_ros.reasoning.backend import StageReply
from avr_ros.reasoning.call import CallOutcome, CallRecord, ModelCallError, record_of
from avr_ros.reasoning.stage import Reply, StageRequest
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.step import Step, StepKind

CALLS_NAME = "calls.jsonl"
"""The file of a run folder that holds the calls, one step a line."""


class ReplayError(BadInputError):
    """A run's calls cannot be read."""


class ReplayBackend:
    """Gives each question's calls the recorded outcome, failures too.

    Calls are found by what was asked and by the question they belong to; the same thing asked
    several times within one question gets the recorded replies in their order. Of a question that
    was asked in several attempts the last one is replayed.
    """

    def __init__(self, run: Path) -> None:
        """Read the calls of a run folder. Raises ReplayError."""
        self._run = run
        self._lock = threading.Lock()
        self._calls: dict[tuple[str, str], list[CallRecord]] = {}
        self._given: dict[tuple[str, str], int] = {}
        for record in _read_calls(run / CALLS_NAME):
            self._calls.setdefault((record.scope, record.key), []).append(record)

    @property
    def name(self) -> str:
        """``replay:`` and the run's folder."""
        return f"replay:{self._run}"

    def ask(self, request: StageRequest[Reply]) -> StageReply[Reply]:
        """The recorded reply. Raises ModelCallError as recorded, or if nothing was recorded."""
        record = self._next(request)
        if record is None:
            raise ModelCallError(
                record_of(
                    request,
                    backend=self.name,
                    outcome=CallOutcome.UNAVAILABLE,
                    problem=f"{self._run / CALLS_NAME} holds no such call; record the run again",
                )
            )
        if record.outcome is not CallOutcome.OK:
            raise ModelCallError(record)
        try:
            value = request.reply_type.model_validate(record.reply)
        except ValidationError as error:
            raise ReplayError(
                f"{self._run / CALLS_NAME}: the reply to stage {record.stage!r} of "
                f"{record.scope!r} is not of its type; record the run again"
            ) from error
        return StageReply(value, record)

    def close(self) -> None:
        """There is nothing to let go of."""

    def _next(self, request: StageRequest[Any]) -> CallRecord | None:
        place = (request.scope, request.key)
        with self._lock:
            recorded = self._calls.get(place, [])
            index = self._given.get(place, 0)
            self._given[place] = index + 1
        return recorded[index] if index < len(recorded) else None


def _read_calls(path: Path) -> list[CallRecord]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ReplayError(f"{path} cannot be read ({error}); give a recorded run") from error
    attempts: dict[str, tuple[int, list[CallRecord]]] = {}
    for number, line in enumerate(lines, start=1):
        try:
            step = Step.model_validate(json.loads(line))
            if step.kind is not StepKind.MODEL_CALL:
                continue
            record = CallRecord.model_validate({**step.details, "seconds": step.seconds})
        except (ValueError, ValidationError) as error:
            raise ReplayError(
                f"{path} line {number} is no recorded call; give a recorded run"
            ) from error
        question_id, attempt = _question_and_attempt(step.episode_id)
        if attempt > attempts.get(question_id, (0, []))[0]:
            attempts[question_id] = (attempt, [])
        latest, records = attempts[question_id]
        if attempt == latest:
            records.append(record)
    return [record for _, records in attempts.values() for record in records]


def _question_and_attempt(episode_id: str) -> tuple[str, int]:
    """The parts of ``<question id>#<attempt>``; other episode ids are attempts of themselves."""
    question_id, mark, attempt = episode_id.rpartition("#")
    return (question_id, int(attempt)) if mark and attempt.isdecimal() else (episode_id, 1)
