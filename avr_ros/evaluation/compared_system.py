"""Runs of the same system put together: repeated ones, and those on several question files."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from avr_ros.evaluation.asked_question import AskedQuestion, FileHashes
from avr_ros.evaluation.compared_run import ComparedRun
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.result import SampleResult

MISSING = "missing"
"""Name under which questions without a result are counted among the failures."""


@dataclass(frozen=True)
class ComparedSystem:
    """One system with its runs, one or more. ``name`` is unique within a comparison."""

    name: str
    runs: tuple[ComparedRun, ...]

    @property
    def oracle_perception(self) -> bool:
        """Whether any run saw by the annotations."""
        return any(run.oracle_perception for run in self.runs)

    @property
    def stand_in_model(self) -> bool:
        """Whether any run was answered by the stand-in model."""
        return any(run.stand_in_model for run in self.runs)

    def scores(
        self, questions: Sequence[AskedQuestion], value_of: Callable[[SampleResult], float]
    ) -> npt.NDArray[np.float64]:
        """Mean score of each question over the runs that were asked it (n,).

        A missing result scores 0.
        """
        asked: dict[FileHashes, list[ComparedRun]] = {}
        for run in self.runs:
            asked.setdefault(run.files, []).append(run)
        means = [
            np.mean(
                [
                    value_of(run.results[question.question_id])
                    if question.question_id in run.results
                    else 0.0
                    for run in asked[question.files]
                ]
            )
            for question in questions
        ]
        return np.array(means, dtype=np.float64)


def group_runs(runs: Sequence[ComparedRun], separate: bool = False) -> tuple[ComparedSystem, ...]:
    """Put runs together that differ in nothing but seeds and questions, in order of the first.

    With ``separate`` every run is a system of its own. Raises BadInputError where a run is given
    twice.
    """
    counted = Counter(run.path.resolve() for run in runs)
    for path, count in counted.items():
        if count > 1:
            raise BadInputError(f"{path} is given {count} times; give every run once")
    groups: dict[str, list[ComparedRun]] = {}
    for index, run in enumerate(runs):
        identity = str(index) if separate else json.dumps(run.system, sort_keys=True)
        groups.setdefault(identity, []).append(run)
    members = [tuple(group) for group in groups.values()]
    return tuple(map(ComparedSystem, _names(members), members))


def _names(groups: Sequence[tuple[ComparedRun, ...]]) -> list[str]:
    """A short name for each group: the agent, with what tells it from others of that name."""
    names = [group[0].agent for group in groups]
    for part in (
        lambda run: run.model,
        lambda run: run.perception,
        _settings,
        lambda run: run.path.name,
        lambda run: str(run.path),
    ):
        counts = Counter(names)
        parts = {part(group[0]) for group in groups}
        if len(parts) > 1:
            names = [
                f"{name}, {part(group[0])}" if counts[name] > 1 and part(group[0]) else name
                for name, group in zip(names, groups, strict=True)
            ]
    return names


def _settings(run: ComparedRun) -> str:
    return " ".join(
        f"{name}={value if isinstance(value, str) else json.dumps(value)}"
        for name, value in run.settings.items()
    )
