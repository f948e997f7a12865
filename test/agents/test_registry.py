"""Agents by name."""

from pathlib import Path

import pytest

from avr_ros.agents.avr.agent import AvrAgent
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.eviseek.recorded import STEPS_NAME
from avr_ros.agents.registry import (
    REANSWER,
    UnknownAgentError,
    agent_names,
    agent_settings_type,
    make_agent,
)
from avr_ros.evaluation.settings import apply_settings
from avr_ros.perception.oracle_settings import OracleSettings
from avr_ros.reasoning.backends.local import LocalBackend
from avr_ros.schema.errors import BadInputError


def test_every_agent_is_made_by_name(tmp_path: Path) -> None:
    (tmp_path / STEPS_NAME).touch()
    for name in agent_names():
        values = {"run": str(tmp_path)} if name == REANSWER else {}
        settings = agent_settings_type(name).model_validate(values)
        assert make_agent(name, LocalBackend(), settings) is not None
    assert isinstance(make_agent("avr", LocalBackend()), AvrAgent)
    assert agent_settings_type("avr") is AvrSettings


@pytest.mark.parametrize(("name", "words"), [("avrr", "did you mean 'avr'"), ("zzz", "known: avr")])
def test_what_does_not_exist_is_said(name: str, words: str) -> None:
    with pytest.raises(UnknownAgentError, match=words):
        make_agent(name, LocalBackend())


def test_settings_of_something_else_are_refused() -> None:
    with pytest.raises(UnknownAgentError, match="OracleSettings"):
        make_agent("avr", LocalBackend(), OracleSettings())


def test_answering_again_without_a_run_is_refused_before_any_question() -> None:
    with pytest.raises(BadInputError, match="agent.run: .*give --set run=FOLDER"):
        apply_settings(["memory=recent"], {"agent": agent_settings_type(REANSWER)}, 0)
    with pytest.raises(UnknownAgentError, match="'reanswer' needs settings: run"):
        make_agent(REANSWER, LocalBackend())
