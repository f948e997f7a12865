"""The set-up that evaluates an agent on recorded data."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from avr_ros.evaluation.default_sample import sample_or
from avr_ros.evaluation.prepare import read_run_questions
from avr_ros.evaluation.request import RunRequest
from avr_ros.evaluation.run_folder import BAG_NAME
from avr_ros.evaluation.run_settings import run_settings, specification_of
from avr_ros.evaluation.specification import DEFAULT_QUESTION_DEADLINE, RunSpecification
from avr_ros.processes.description import Argument, Process, SetUp, decimal, whole_number
from avr_ros.processes.run_choice import new_run, unfinished_run

ORACLE = "oracle"

LEDGER = {"observations": "replay/observations"}

ARGUMENTS = (
    Argument(
        "dataset",
        "Recording and labels: JRDB folder or bag. Empty: the sample, which is made on first use.",
    ),
    Argument("questions", "questions.jsonl of the data set. Empty: the sample's."),
    Argument("keys", "keys.jsonl of the questions. Empty: the sample's."),
    Argument("agent", "Agent that is asked.", "avr"),
    Argument(
        "model",
        "Model behind the agent: local (no server), openai:URL#NAME or replay:RUN.",
        "local",
    ),
    Argument(
        "perception",
        "Perception of the views: onnx sees pixels, oracle reads labels, and results say so.",
        ORACLE,
    ),
    Argument(
        "out",
        "Run folder; an unfinished run in it goes on. Empty: the latest run where it is unfinished "
        "and the same, else runs/<time>.",
    ),
    Argument("workers", "Questions in parallel.", "4"),
    Argument("limit", "First questions only, 0: all.", "0"),
    Argument("seed", "Seed of everything random in the run.", "0"),
    Argument(
        "question_deadline",
        "Seconds that a question may take.",
        f"{DEFAULT_QUESTION_DEADLINE:g}",
    ),
    Argument("settings", "Further settings as name=value, separated by spaces."),
    Argument("namespace", "Namespace of all nodes."),
)


def request_of(values: Mapping[str, str]) -> RunRequest:
    """The run that the arguments ask for; its folder is chosen. Raises BadInputError."""
    paths = sample_or(_path(values["dataset"]), _path(values["questions"]), _path(values["keys"]))
    request = RunRequest(
        dataset=paths.dataset,
        questions=paths.questions,
        keys=paths.keys,
        out=Path(values["out"]),
        agent=values["agent"],
        model=values["model"],
        perception=values["perception"],
        seed=whole_number(values, "seed", 0, 2**63 - 1),
        workers=whole_number(values, "workers", 1, 256),
        limit=whole_number(values, "limit", 0, 1_000_000_000),
        question_deadline=decimal(values, "question_deadline", 0.001, 1e6),
        settings=tuple(shlex.split(values["settings"])),
    )
    if values["out"]:
        return request
    return request.model_copy(update={"out": unfinished_run(request) or new_run()})


def describe(values: Mapping[str, str]) -> tuple[Process, ...]:
    """The processes of an evaluation."""
    request = request_of(values)
    specification = specification_of(request, read_run_questions(request))
    processes = [
        _scorer(request),
        _agent(request),
        _replay(request, specification),
        Process("world_model_node", "world_model", {}, LEDGER),
        Process(
            "recorder_node", "recorder", {"bag": str(request.out.absolute() / BAG_NAME)}, _RECORDED
        ),
    ]
    if request.perception == ORACLE:
        processes.append(
            Process(
                "oracle_perception_node",
                "oracle_perception",
                {
                    "dataset": str(request.dataset.absolute()),
                    "settings": json.dumps(specification.perception_settings),
                },
                LEDGER,
            )
        )
    return tuple(_in_namespace(process, values["namespace"]) for process in processes)


_RECORDED = {
    "questions": "scorer/questions",
    "observations": "replay/observations",
    "again/observations": "scorer/observations",
    "steps": "agent/steps",
    "again/steps": "scorer/steps",
    "graph": "world_model/graph",
    "sample_results": "scorer/sample_results",
    "report": "scorer/report",
    "annotated": "agent/annotated",
    "manifest": "scorer/manifest",
}


def _scorer(request: RunRequest) -> Process:
    return Process(
        "scorer_node",
        "scorer",
        {
            "autostart": True,
            "dataset": str(request.dataset.absolute()),
            "questions": str(request.questions.absolute()),
            "keys": str(request.keys.absolute()),
            "out": str(request.out.absolute()),
            "agent": request.agent,
            "model": request.model,
            "perception": request.perception,
            "seed": request.seed,
            "workers": request.workers,
            "limit": request.limit,
            "question_deadline": request.question_deadline,
            "settings": shlex.join(request.settings),
        },
        {"recorder_status": "recorder/status", "steps": "agent/steps"},
        decides=True,
    )


def _agent(request: RunRequest) -> Process:
    settings = run_settings(request)
    return Process(
        "agent_node",
        "agent",
        {
            "agent": request.agent,
            "model": request.model,
            "perception": request.perception,
            "perception_settings": "{}"
            if request.perception == ORACLE
            else settings.perception.model_dump_json(),
            "settings": settings.agent.model_dump_json(),
            "model_settings": settings.model.model_dump_json(),
            "max_goals": request.workers,
            "question_deadline": request.question_deadline,
        },
        holds_secrets=True,
    )


def _replay(request: RunRequest, specification: RunSpecification) -> Process:
    return Process(
        "replay_node",
        "replay",
        {
            "dataset": str(request.dataset.absolute()),
            "free_mode": False,
            "jpeg_quality": specification.protocol.jpeg_quality,
            "panorama_width": specification.protocol.panorama_width,
        },
    )


def _in_namespace(process: Process, namespace: str) -> Process:
    return replace(process, namespace=namespace)


def _path(text: str) -> Path | None:
    return Path(text) if text else None


REPLAY = SetUp(
    "replay",
    "Evaluate an agent on recorded data: it is asked questions, its answers are scored, everything "
    "is recorded, and the processes end with the report.",
    ARGUMENTS,
    describe,
    fresh_domain=True,
)
