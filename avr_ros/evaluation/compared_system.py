"""Runs of the same system put together, and systems checked to have answered the same questions."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from avr_ros.evaluation.compared_run import ComparedRun
from avr_ros.evaluation.score_difference import other_ids
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.question import Question
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
        self, question_ids: Sequence[str], value_of: Callable[[SampleResult], float]
    ) -> npt.NDArray[np.float64]:
        """Mean score of each question over the runs (n,); a missing result scores 0."""
        rows = [
            [value_of(run.results[name]) if name in run.results else 0.0 for name in question_ids]
            for run in self.runs
        ]
        mean: npt.NDArray[np.float64] = np.mean(np.array(rows, dtype=np.float64), axis=0)
        return mean


def group_runs(runs: Sequence[ComparedRun], separate: bool = False) -> tuple[ComparedSystem, ...]:
    """Put runs together that differ in nothing but their seeds, in the order of the first of each.

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


def common_questions(runs: Sequence[ComparedRun], missing_as_wrong: bool) -> dict[str, Question]:
    """The questions that every run was asked, by id in the first run's order.

    Raises BadInputError where two runs were asked other questions or scored by other keys, and
    where a run lacks results, unless ``missing_as_wrong``.
    """
    if not runs:
        raise BadInputError("no run is given; give at least two")
    first = runs[0]
    for run in runs[1:]:
        _refuse_other_sets(first, run)
    for run in runs:
        missing = [name for name in run.questions if name not in run.results]
        if missing and not missing_as_wrong:
            raise BadInputError(
                f"{run.path} is not finished: {len(missing)} of {len(run.questions)} questions "
                f"have no result, first {missing[0]}; finish the run, or count them as wrong "
                "(--missing-as-wrong)"
            )
    if not first.questions:
        raise BadInputError(f"{first.path} asks no question; there is nothing to compare")
    return dict(first.questions)


def _refuse_other_sets(first: ComparedRun, other: ComparedRun) -> None:
    pair = f"{other.path} cannot be compared with {first.path}"
    for what in ("questions", "keys"):
        here, there = first.hashes.get(what), other.hashes.get(what)
        if here != there:
            raise BadInputError(
                f"{pair}: another {what} file ({_short(there)} instead of {_short(here)}); "
                "compare runs on the same files"
            )
    text = other_ids(first.questions, other.questions)
    if text:
        raise BadInputError(f"{pair}: it {text}; compare runs with the same limit")


def _short(sha256: str | None) -> str:
    return "none" if sha256 is None else f"{sha256[:12]}…"


def _names(groups: Sequence[tuple[ComparedRun, ...]]) -> list[str]:
    """A short name for each group: the agent, with what tells it from others of that name."""
    names = [group[0].agent for group in groups]
    for part in (
        lambda run: run.model,
        lambda run: run.perception,
        lambda run: run.path.name,
        lambda run: str(run.path),
    ):
        counts = Counter(names)
        parts = {part(group[0]) for group in groups}
        if len(parts) > 1:
            names = [
                f"{name}, {part(group[0])}" if counts[name] > 1 else name
                for name, group in zip(names, groups, strict=True)
            ]
    return names
