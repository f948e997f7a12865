"""The set-ups fit together: what is remapped exists, and every argument says what it is for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from avr_ros.perception.onnx_settings import OnnxSettings
from avr_ros.processes import live, replay
from avr_ros.processes.description import Process
from avr_ros.processes.errors import ArgumentError
from avr_ros.processes.secrets import is_secret, without_secrets
from avr_ros.processes.set_ups import SET_UPS, find_set_up


@pytest.mark.parametrize("set_up", SET_UPS.values(), ids=SET_UPS)
def test_every_argument_is_described(set_up: object) -> None:
    for argument in set_up.arguments:  # type: ignore[attr-defined]
        assert argument.description.endswith("."), argument.name


def test_unknown_set_ups_are_named() -> None:
    with pytest.raises(ArgumentError, match="replay, live"):
        find_set_up("relay")


def _live(**given: str) -> tuple[Process, ...]:
    return live.LIVE.processes(given)


def test_a_live_set_up(tmp_path: Path) -> None:
    processes = _live(play="plaza", dataset=str(tmp_path), out=str(tmp_path), namespace="robot")
    names = {process.name for process in processes}
    assert names == {
        "live",
        "agent",
        "world_model",
        "player",
        "oracle_perception",
        "recorder",
    }
    assert {process.namespace for process in processes} == {"robot"}
    assert [process.name for process in processes if process.holds_secrets] == ["agent"]
    _check_remappings(processes)


def test_the_oracle_needs_a_played_recording() -> None:
    with pytest.raises(ArgumentError, match="play:="):
        _live()


def test_a_live_camera_is_seen_by_a_detector_in_the_agent(tmp_path: Path) -> None:
    processes = _live(perception="onnx", settings=f"threads=2 detector={tmp_path}/d.yaml")
    (agent,) = (process for process in processes if process.name == "agent")
    assert agent.parameters["perception"] == "onnx"
    told = OnnxSettings.model_validate_json(str(agent.parameters["perception_settings"]))
    assert told == OnnxSettings(threads=2, detector=f"{tmp_path}/d.yaml")
    assert "oracle_perception" not in {process.name for process in processes}


def test_the_agent_gets_the_models_settings(tmp_path: Path) -> None:
    processes = _live(
        play="plaza",
        dataset=str(tmp_path),
        model="openai:http://localhost:1/v1#m",
        settings="temperature=0.5 model.seed=3",
    )
    (agent,) = [process for process in processes if process.name == "agent"]
    settings = json.loads(str(agent.parameters["model_settings"]))
    assert (settings["temperature"], settings["seed"]) == (0.5, 3)


def _check_remappings(processes: tuple[Process, ...]) -> None:
    """What one node's names are mapped to belongs to a node that runs."""
    names = {process.name for process in processes}
    for process in processes:
        for outside in process.remappings.values():
            if "/" in outside and not outside.startswith("panorama/"):
                assert outside.partition("/")[0] in names, f"{process.name}: {outside}"


def test_a_replay_set_up_ends_with_its_scorer(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [argument.name for argument in replay.ARGUMENTS][:9] == [
        "dataset",
        "questions",
        "keys",
        "agent",
        "model",
        "perception",
        "out",
        "workers",
        "limit",
    ]


def test_secrets() -> None:
    variables: Mapping[str, str] = {
        "OPENAI_API_KEY": "x",
        "HF_TOKEN": "x",
        "TOKENIZERS_PARALLELISM": "false",
        "AWS_SECRET_ACCESS_KEY": "x",
        "PATH": "/bin",
        "KEYBOARD": "de",
        "DB_PASSWORD": "x",
        "github_token": "x",
    }
    assert set(without_secrets(variables)) == {"TOKENIZERS_PARALLELISM", "PATH", "KEYBOARD"}
    assert is_secret("API_KEY") and not is_secret("ROS_DOMAIN_ID")
