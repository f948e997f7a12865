"""Agents by name."""

import difflib
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from avr_ros.agents.agent import Agent
from avr_ros.agents.avr.agent import AvrAgent
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record

Settings = TypeVar("Settings", bound=Record)

LOCAL_MODEL: Final = "local"
"""The model that needs no server: the grammar."""


class UnknownAgentError(BadInputError):
    """There is no agent of that name, or it does not work with that model."""


class AgentSettingsError(BadInputError):
    """A setting does not exist or has a value that it cannot have."""


def agent_names() -> tuple[str, ...]:
    """Names of the agents that can be made."""
    return tuple(_AGENTS)


def agent_settings_type(name: str) -> type[Record]:
    """The settings that an agent has. Raises UnknownAgentError."""
    _check_name(name)
    return _SETTINGS[name]


def make_agent(name: str, model: str, settings: Mapping[str, Any] | Record) -> Agent:
    """Make an agent.

    ``model`` is ``local`` for the grammar; ``settings`` are the agent's own: as their type, or by
    name with numbers as such or as text. Raises UnknownAgentError and AgentSettingsError.
    """
    _check_name(name)
    values = settings.model_dump() if isinstance(settings, Record) else settings
    return _AGENTS[name](model, values)


def _check_name(name: str) -> None:
    if name not in _AGENTS:
        near = difflib.get_close_matches(name, _AGENTS, n=1)
        hint = f"did you mean {near[0]!r}" if near else f"use one of {', '.join(_AGENTS)}"
        raise UnknownAgentError(f"there is no agent {name!r}: {hint}")


def _make_avr(model: str, settings: Mapping[str, Any]) -> Agent:
    if model != LOCAL_MODEL:
        raise UnknownAgentError(
            f"agent 'avr' does not work with model {model!r}: use {LOCAL_MODEL!r}"
        )
    return AvrAgent(_settings(AvrSettings, "avr", settings))


def _settings(kind: type[Settings], agent: str, settings: Mapping[str, Any]) -> Settings:
    try:
        return kind.model_validate(dict(settings))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        known = ", ".join(sorted(kind.model_fields))
        raise AgentSettingsError(
            f"setting {name!r} of agent {agent!r}: {first['msg']}; its settings are {known}"
        ) from error


_AGENTS: Final[dict[str, Callable[[str, Mapping[str, Any]], Agent]]] = {"avr": _make_avr}
_SETTINGS: Final[dict[str, type[Record]]] = {"avr": AvrSettings}
