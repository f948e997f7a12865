"""Agents by name, with the model behind them."""

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pydantic import ValidationError

from avr_ros.agents.agent import Agent
from avr_ros.agents.avr.agent import AvrAgent
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.baselines.chain_of_thought import ChainOfThoughtAgent
from avr_ros.agents.baselines.monolithic import MonolithicAgent
from avr_ros.agents.baselines.react import ReactAgent
from avr_ros.agents.baselines.search_recognize import SearchRecognizeAgent
from avr_ros.agents.baselines.settings import BaselineSettings, ReactSettings
from avr_ros.agents.eviseek.agent import EviseekAgent
from avr_ros.agents.eviseek.reanswer import ReanswerAgent, ReanswerSettings
from avr_ros.agents.eviseek.settings import EviseekSettings
from avr_ros.agents.passive import NoSettings, PassiveAgent
from avr_ros.agents.single_model.agent import SingleModelAgent
from avr_ros.agents.single_model.settings import SingleModelSettings
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record

REANSWER: Final = "reanswer"
"""The agent that answers the run of its setting ``run`` again."""


class UnknownAgentError(BadInputError):
    """There is no agent of that name, or it does not work with those settings."""


@dataclass(frozen=True)
class _Kind:
    """How one agent is made: its settings' type, and the maker from model and settings."""

    settings: type[Record]
    make: Callable[[ModelBackend, Record], Agent]


def agent_names() -> tuple[str, ...]:
    """Names of the agents that can be made."""
    return tuple(_AGENTS)


def agent_settings_type(name: str) -> type[Record]:
    """The settings of an agent. Raises UnknownAgentError, naming the nearest name, for none."""
    return _kind(name).settings


def make_agent(name: str, model: ModelBackend, settings: Record | None = None) -> Agent:
    """Make an agent.

    ``model`` answers its stages, see :mod:`avr_ros.reasoning.make_backend`; whoever made it closes
    it. ``settings`` are of the agent's own type, none for its defaults. Raises UnknownAgentError,
    also for an agent that has no defaults.
    """
    kind = _kind(name)
    chosen = _defaults(name, kind) if settings is None else settings
    if not isinstance(chosen, kind.settings):
        raise UnknownAgentError(
            f"agent {name!r} has settings of type {kind.settings.__name__}, "
            f"not {type(chosen).__name__}"
        )
    return kind.make(model, chosen)


def _kind(name: str) -> _Kind:
    kind = _AGENTS.get(name)
    if kind is None:
        near = difflib.get_close_matches(name, _AGENTS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(_AGENTS)}"
        raise UnknownAgentError(f"there is no agent {name!r}; {hint}")
    return kind


def _defaults(name: str, kind: _Kind) -> Record:
    try:
        return kind.settings()
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise UnknownAgentError(
            f"agent {name!r} needs settings: {first['loc'][0]}: {first['msg']}"
        ) from error


def _make_avr(model: ModelBackend, settings: Record) -> Agent:
    assert isinstance(settings, AvrSettings)
    return AvrAgent(settings, model)


def _make_react(model: ModelBackend, settings: Record) -> Agent:
    assert isinstance(settings, ReactSettings)
    return ReactAgent(settings, model)


def _make_eviseek(model: ModelBackend, settings: Record) -> Agent:
    assert isinstance(settings, EviseekSettings)
    return EviseekAgent(settings, model)


def _make_single_model(model: ModelBackend, settings: Record) -> Agent:
    assert isinstance(settings, SingleModelSettings)
    return SingleModelAgent(settings, model)


def _make_passive(model: ModelBackend, settings: Record) -> Agent:
    return PassiveAgent(model)


def _make_blind(model: ModelBackend, settings: Record) -> Agent:
    return PassiveAgent(model, blind=True)


def _make_reanswer(model: ModelBackend, settings: Record) -> Agent:
    assert isinstance(settings, ReanswerSettings)
    return ReanswerAgent(settings, model)


_AGENTS: Final[dict[str, _Kind]] = {
    "avr": _Kind(AvrSettings, _make_avr),
    "monolithic": _Kind(BaselineSettings, lambda model, _: MonolithicAgent(model)),
    "chain_of_thought": _Kind(BaselineSettings, lambda model, _: ChainOfThoughtAgent(model)),
    "search_recognize": _Kind(BaselineSettings, lambda model, _: SearchRecognizeAgent(model)),
    "react": _Kind(ReactSettings, _make_react),
    "eviseek": _Kind(EviseekSettings, _make_eviseek),
    "single_model": _Kind(SingleModelSettings, _make_single_model),
    "passive": _Kind(NoSettings, _make_passive),
    "blind": _Kind(NoSettings, _make_blind),
    REANSWER: _Kind(ReanswerSettings, _make_reanswer),
}
