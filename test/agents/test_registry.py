"""Agents by name."""

import pytest

from avr_ros.agents.avr.agent import AvrAgent
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.registry import (
    UnknownAgentError,
    agent_names,
    agent_settings_type,
    make_agent,
)
from avr_ros.perception.oracle_settings import OracleSettings


def test_every_agent_is_made_by_name() -> None:
    for name in agent_names():
        assert make_agent(name, "local", agent_settings_type(name)()) is not None
    assert isinstance(make_agent("avr", "local"), AvrAgent)
    assert agent_settings_type("avr") is AvrSettings


@pytest.mark.parametrize(
    ("name", "model", "words"),
    [
        ("avrr", "local", "did you mean 'avr'"),
        ("zzz", "local", "known: avr"),
        ("avr", "openai:http://localhost#x", "use 'local'"),
    ],
)
def test_what_does_not_exist_is_said(name: str, model: str, words: str) -> None:
    with pytest.raises(UnknownAgentError, match=words):
        make_agent(name, model)


def test_settings_of_something_else_are_refused() -> None:
    with pytest.raises(UnknownAgentError, match="OracleSettings"):
        make_agent("avr", "local", OracleSettings())
