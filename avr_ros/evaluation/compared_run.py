"""Reads a finished run, from its folder or its bag, for comparison with others."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from avr_ros.agents.registry import REANSWER, UnknownAgentError, agent_settings_type
from avr_ros.evaluation.answer_images import images_of_answers
from avr_ros.evaluation.asked_question import FileHashes
from avr_ros.evaluation.bag_reader import is_evaluation_bag, read_bag
from avr_ros.evaluation.run_folder import read_specification
from avr_ros.evaluation.specification import RunSpecification
from avr_ros.evaluation.stored_run import is_run_folder, load_run
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.question import Question
from avr_ros.schema.result import SampleResult

_OF_ONE_RUN = ("created_at", "dataset", "questions", "keys", "hashes", "seed", "limit")
"""Parts of a specification in which two runs of the same system may differ."""

_SETTINGS = ("agent_settings", "model_settings", "perception_settings")

_ANSWERED_RUN = "run"
"""Setting of the agent that answers a finished run again: its folder."""


@dataclass(frozen=True)
class ComparedRun:
    """A run as a comparison sees it.

    ``system`` is equal for runs of the same system: everything that a run is made with but its
    seeds, questions and time, as JSON values. ``settings`` are the agent's that are not its
    defaults. ``questions`` are those that were asked and ``results`` those that ended, by question
    id. ``sequences`` tells sequences of the same name apart, by name, where that was recorded.
    ``answer_images`` counts the images of the model call that gave each answer, where that was
    recorded. ``seed`` is none where it is not known.
    """

    path: Path
    agent: str
    model: str
    perception: str
    oracle_perception: bool
    stand_in_model: bool
    seed: int | None
    system: Mapping[str, Any]
    settings: Mapping[str, Any]
    hashes: Mapping[str, str]
    questions: Mapping[str, Question]
    sequences: Mapping[str, str]
    results: Mapping[str, SampleResult]
    answer_images: Mapping[str, int]

    @property
    def files(self) -> FileHashes:
        """Hashes of the questions and of the keys: runs with the same ones can be paired."""
        return self.hashes.get("questions"), self.hashes.get("keys")


def read_compared_run(path: Path) -> ComparedRun:
    """Read a run folder or an evaluation bag.

    Raises BadInputError where it is neither, cannot be read, or is a bag without a report: only
    the report says what was run.
    """
    if is_run_folder(path):
        return _from_folder(path)
    if path.exists() and is_evaluation_bag(path):
        return _from_bag(path)
    raise BadInputError(f"{path} holds neither a run nor an evaluation bag; give a run folder")


def _from_folder(path: Path) -> ComparedRun:
    run = load_run(path)
    specification = run.specification
    results = {result.question_id: result for result in run.results}
    return ComparedRun(
        path=path,
        agent=specification.agent,
        model=specification.model,
        perception=specification.perception,
        oracle_perception=specification.oracle_perception,
        stand_in_model=specification.stand_in_model,
        seed=specification.seed,
        system=_system_of(specification),
        settings=_chosen_settings(specification),
        hashes=specification.hashes,
        questions={question.question_id: question for question in run.questions},
        sequences={
            identity.name: identity.model_dump_json()
            for identity in run.question_set.header.sequences
        },
        results=results,
        answer_images=images_of_answers(run.folder, results.values()),
    )


def _from_bag(path: Path) -> ComparedRun:
    bag = read_bag(path)
    report = bag.report
    if report is None:
        raise BadInputError(
            f"{path} holds no report, so the run did not end and what it ran is not known; "
            "give its run folder"
        )
    unknown = [name for name in bag.results if name not in bag.questions]
    if unknown:
        raise BadInputError(
            f"{path}: the question {unknown[0]} was not recorded; give the run folder"
        )
    return ComparedRun(
        path=path,
        agent=report.agent,
        model=report.model,
        perception=report.perception,
        oracle_perception=report.oracle_perception,
        stand_in_model=report.stand_in_model,
        seed=None,
        # A bag does not hold the settings, so it is never taken for a repetition of another run.
        system={"bag": str(path.absolute())},
        settings={},
        hashes=report.hashes,
        questions=bag.questions,
        sequences={},
        results=bag.results,
        answer_images={},
    )


def _system_of(specification: RunSpecification) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(specification.model_dump_json(exclude=set(_OF_ONE_RUN)))
    for name in _SETTINGS:
        values[name] = {key: value for key, value in values[name].items() if key != "seed"}
    if specification.agent == REANSWER:
        answered = Path(str(specification.agent_settings.get(_ANSWERED_RUN)))
        if is_run_folder(answered):
            # Answers to the runs of one system are one system, whichever questions it was asked.
            values["agent_settings"][_ANSWERED_RUN] = _system_of(read_specification(answered))
    return values


def _chosen_settings(specification: RunSpecification) -> dict[str, Any]:
    """The agent's settings that are not its defaults, without its seed and the run it answers."""
    try:
        fields = agent_settings_type(specification.agent).model_fields
    except UnknownAgentError:
        fields = {}
    defaults = {name: field.default for name, field in fields.items()}
    return {
        name: value
        for name, value in specification.agent_settings.items()
        if name != "seed"
        and not (name == _ANSWERED_RUN and specification.agent == REANSWER)
        and not (name in defaults and defaults[name] == value)
    }
