"""The settings of a run's parts, and the specification that they give."""

from dataclasses import dataclass

from avr_ros.agents.registry import agent_settings_type
from avr_ros.evaluation.perceptions import perception_settings_type, recorded_perception_settings
from avr_ros.evaluation.prepare import RunQuestions, freeze
from avr_ros.evaluation.request import RunRequest
from avr_ros.evaluation.settings import apply_settings
from avr_ros.evaluation.specification import ProtocolSettings, RunSpecification
from avr_ros.reasoning.make_backend import model_settings_type, recorded_settings
from avr_ros.schema.model import Record


@dataclass(frozen=True)
class RunSettings:
    """The settings of agent, model, perception and protocol."""

    agent: Record
    model: Record
    perception: Record
    protocol: ProtocolSettings


def run_settings(request: RunRequest) -> RunSettings:
    """The settings that a request gives. Raises BadInputError for wrong names and values."""
    settings = apply_settings(
        request.settings,
        {
            "agent": agent_settings_type(request.agent),
            "model": model_settings_type(request.model),
            "perception": perception_settings_type(request.perception),
        },
        request.seed,
    )
    return RunSettings(
        settings["agent"], settings["model"], settings["perception"], ProtocolSettings()
    )


def specification_of(request: RunRequest, questions: RunQuestions) -> RunSpecification:
    """The frozen specification of a run that is asked for. Raises BadInputError."""
    settings = run_settings(request)
    return freeze(
        request,
        questions,
        agent_settings=settings.agent.model_dump(mode="json"),
        model_settings=recorded_settings(request.model, settings.model),
        perception_settings=recorded_perception_settings(settings.perception),
        protocol=settings.protocol,
    )
