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
from avr_ros.reasoning.backends.local import LocalBackend


def test_every_agent_is_made_by_name() -> None:
    for name in agent_names():
        assert make_agent(name, LocalBackend(), agent_settings_type(name)()) is not None
    assert isinstance(make_agent("avr", LocalBackend()), AvrAgent)
    assert agent_settings_type("avr") is AvrSettings


@pytest.mark.parametrize(("name", "words"), [("avrr", "did you mean 'avr'"), ("zzz", "known: avr")])
def test_what_does_not_exist_is_said(name: str, words: str) -> None:
    with pytest.raises(UnknownAgentError, match=words):
        make_agent(name, LocalBackend())


def test_settings_of_something_else_are_refused() -> None:
    with pytest.raises(UnknownAgentError, match="OracleSettings"):
        make_agent("avr", LocalBackend(), OracleSettings())
