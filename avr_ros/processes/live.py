"""The set-up that answers questions about a live panorama."""

import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from avr_ros.agents.registry import agent_settings_type
from avr_ros.evaluation.default_sample import sample_or
from avr_ros.evaluation.perceptions import perception_settings_type
from avr_ros.evaluation.settings import apply_settings
from avr_ros.processes.description import Argument, Process, SetUp, decimal, whole_number
from avr_ros.processes.errors import ArgumentError
from avr_ros.processes.replay import ORACLE
from avr_ros.reasoning.make_backend import model_settings_type

LEDGER = {"observations": "live/observations"}

ARGUMENTS = (
    Argument(
        "topic",
        "Topic of the panoramas, sensor_msgs/CompressedImage or sensor_msgs/Image.",
        "panorama/compressed",
    ),
    Argument("seconds", "Seconds of the stream that are kept.", "30"),
    Argument("agent", "Agent that answers.", "avr"),
    Argument(
        "model",
        "Model behind the agent: local (no server), openai:URL#NAME or replay:RUN.",
        "local",
    ),
    Argument(
        "perception",
        "Perception of the views: onnx (pixels), or oracle, which reads labels, with play alone.",
        ORACLE,
    ),
    Argument("workers", "Questions answered at once.", "4"),
    Argument(
        "settings", "Settings of agent, model and perception as name=value, separated by spaces."
    ),
    Argument(
        "play",
        "Name of a recorded sequence that is played on the topic, once, in place of a camera.",
    ),
    Argument("dataset", "Where the played sequence and its labels are. Empty: the sample."),
    Argument("out", "Folder whose bag/ records everything. Empty: nothing is recorded."),
    Argument("namespace", "Namespace of all nodes."),
)


def describe(values: Mapping[str, str]) -> tuple[Process, ...]:
    """The processes of a live robot that answers."""
    perception, play = values["perception"], values["play"]
    if perception == ORACLE and not play:
        raise ArgumentError(
            "perception oracle reads labels, which a live camera has not: "
            "play a labelled recording with play:=SEQUENCE"
        )
    settings = apply_settings(
        shlex.split(values["settings"]),
        {
            "agent": agent_settings_type(values["agent"]),
            "model": model_settings_type(values["model"]),
            "perception": perception_settings_type(perception),
        },
        0,
    )
    workers = whole_number(values, "workers", 1, 256)
    processes = [
        Process(
            "live_node",
            "live",
            {
                "topic": values["topic"],
                "seconds": decimal(values, "seconds", 0.1, 3600.0),
                "free_mode": True,
            },
        ),
        Process(
            "agent_node",
            "agent",
            {
                "agent": values["agent"],
                "model": values["model"],
                "perception": perception,
                "perception_settings": "{}"
                if perception == ORACLE
                else settings["perception"].model_dump_json(),
                "settings": settings["agent"].model_dump_json(),
                "model_settings": settings["model"].model_dump_json(),
                "max_goals": workers,
            },
            holds_secrets=True,
        ),
        Process("world_model_node", "world_model", {}, LEDGER),
    ]
    if play:
        dataset = str(_dataset(values["dataset"]))
        processes.append(_player(values, dataset))
        if perception == ORACLE:
            processes.append(
                Process(
                    "oracle_perception_node",
                    "oracle_perception",
                    {
                        "dataset": dataset,
                        "live_sequence": play,
                        "settings": settings["perception"].model_dump_json(),
                    },
                    LEDGER,
                )
            )
    if values["out"]:
        bag = Path(values["out"]).absolute() / "bag"
        processes.append(Process("recorder_node", "recorder", {"bag": str(bag)}, _RECORDED))
    return tuple(replace(process, namespace=values["namespace"]) for process in processes)


_RECORDED = {
    "observations": "live/observations",
    "steps": "agent/steps",
    "graph": "world_model/graph",
    "annotated": "agent/annotated",
}


def _player(values: Mapping[str, str], dataset: str) -> Process:
    """A replay node that only plays; its services go where nobody looks for them."""
    services = ("observe", "open_episode", "close_episode", "get_given_frame", "list_recordings")
    return Process(
        "replay_node",
        "player",
        {
            "dataset": dataset,
            "stream": True,
            "stream_sequence": values["play"],
        },
        {
            "panorama/compressed": values["topic"],
            "panorama/image": values["topic"],
            **{name: f"player/{name}" for name in services},
        },
    )


def _dataset(text: str) -> Path:
    return Path(text).absolute() if text else sample_or(None, None, None).dataset.absolute()


LIVE = SetUp(
    "live",
    "Answer questions about a live panorama: send goals to the action ask.",
    ARGUMENTS,
    describe,
    fresh_domain=False,
)
