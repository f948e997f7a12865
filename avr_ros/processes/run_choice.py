"""Which folder a run goes to where the user names none."""

from pathlib import Path

from avr_ros.evaluation.latest import LATEST_NAME, RUNS_NAME, new_run_folder
from avr_ros.evaluation.prepare import read_run_questions
from avr_ros.evaluation.request import RunRequest
from avr_ros.evaluation.run_folder import REPORT_NAME, read_specification
from avr_ros.evaluation.run_settings import specification_of
from avr_ros.evaluation.specification import differences
from avr_ros.evaluation.stored_run import is_run_folder


def unfinished_run(request: RunRequest, runs: Path = Path(RUNS_NAME)) -> Path | None:
    """The latest run, where it is the same run as the one asked for and was not finished."""
    latest = runs / LATEST_NAME
    if not is_run_folder(latest) or (latest / REPORT_NAME).exists():
        return None
    asked = specification_of(request, read_run_questions(request))
    if differences(read_specification(latest), asked):
        return None
    return runs / latest.resolve().name


def new_run(runs: Path = Path(RUNS_NAME)) -> Path:
    """A folder for a new run."""
    return new_run_folder(runs)
