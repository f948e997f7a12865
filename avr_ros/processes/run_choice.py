"""Which folder a run goes to where the user names none."""

from pathlib import Path

from avr_ros.agents.registry import agent_settings_type
from avr_ros.evaluation.latest import LATEST_NAME, RUNS_NAME, new_run_folder
from avr_ros.evaluation.perceptions import perception_settings_type
from avr_ros.evaluation.prepare import RunQuestions, freeze, read_run_questions
from avr_ros.evaluation.request import RunRequest
from avr_ros.evaluation.run_folder import REPORT_NAME, read_specification
from avr_ros.evaluation.settings import apply_settings
from avr_ros.evaluation.specification import ProtocolSettings, RunSpecification, differences
from avr_ros.evaluation.stored_run import is_run_folder


def specification_of(request: RunRequest, questions: RunQuestions) -> RunSpecification:
    """The frozen specification of a run that is asked for. Raises BadInputError."""
    settings = apply_settings(
        request.settings,
        {
            "agent": agent_settings_type(request.agent),
            "perception": perception_settings_type(request.perception),
        },
        request.seed,
    )
    return freeze(
        request,
        questions,
        agent_settings=settings["agent"].model_dump(mode="json"),
        model_settings={},
        perception_settings=settings["perception"].model_dump(mode="json"),
        protocol=ProtocolSettings(),
    )


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
