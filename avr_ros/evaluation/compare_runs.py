"""Compares the runs that a user names."""

import difflib
from collections.abc import Sequence
from pathlib import Path

from avr_ros.evaluation.compared_run import read_compared_run
from avr_ros.evaluation.compared_system import ComparedSystem, group_runs
from avr_ros.evaluation.comparison import ComparisonSettings, compare
from avr_ros.evaluation.comparison_result import Comparison
from avr_ros.evaluation.measures import MEASURES
from avr_ros.schema.errors import BadInputError


def compare_runs(
    paths: Sequence[Path],
    *,
    pairs: Sequence[str] = (),
    measures: Sequence[str] = (),
    separate: bool = False,
    missing_as_wrong: bool = False,
    resamples: int,
    seed: int,
) -> Comparison:
    """Read runs and compare their systems.

    ``pairs`` are texts ``I:J``, positions of runs from 1: the system of run I is compared with
    that of run J; without any, the first system with every other. ``measures`` are those to test,
    all where none is named. Runs that differ in seeds and questions alone are one system, unless
    ``separate``. Raises BadInputError for whatever does not fit together.
    """
    tested = _measures(measures)
    runs = [read_compared_run(path) for path in paths]
    systems = group_runs(runs, separate)
    positions = {run.path: index for index, system in enumerate(systems) for run in system.runs}
    return compare(
        systems,
        _pairs(pairs, [positions[path] for path in paths], systems),
        ComparisonSettings(
            measures=tested,
            resamples=resamples,
            seed=seed,
            missing_as_wrong=missing_as_wrong,
        ),
    )


def _measures(names: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        if name not in MEASURES:
            near = difflib.get_close_matches(name, MEASURES, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(MEASURES)}"
            raise BadInputError(f"there is no measure {name!r}; {hint}")
    return tuple(name for name in MEASURES if name in names or not names)


def _pairs(
    texts: Sequence[str], system_of: Sequence[int], systems: Sequence[ComparedSystem]
) -> list[tuple[int, int]]:
    if not texts:
        return [(0, other) for other in range(1, len(systems))]
    found: list[tuple[int, int]] = []
    for text in texts:
        parts = text.split(":")
        if len(parts) != 2 or not all(part.isascii() and part.isdigit() for part in parts):
            raise BadInputError(f"pair {text!r} is not of the form I:J; give two positions of runs")
        numbers = [int(part) for part in parts]
        if not all(1 <= number <= len(system_of) for number in numbers):
            raise BadInputError(
                f"pair {text!r} names a run that was not given; there are {len(system_of)}"
            )
        left, right = (system_of[number - 1] for number in numbers)
        if left == right:
            raise BadInputError(
                f"pair {text!r} compares {systems[left].name} with itself; runs that differ in "
                "seeds and questions alone are one system (--separate keeps repeated ones apart)"
            )
        if (left, right) in found or (right, left) in found:
            raise BadInputError(f"pair {text!r} is asked for twice; ask for it once")
        found.append((left, right))
    return found
