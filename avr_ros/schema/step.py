"""What an agent did, step by step."""

from enum import Enum
from typing import Any

from pydantic import Field

from avr_ros.schema.model import Record


class StepKind(str, Enum):
    """What a step did."""

    PLAN = "plan"
    OBSERVE = "observe"
    GIVEN_FRAME = "given_frame"
    PERCEIVE = "perceive"
    WRITE_FACTS = "write_facts"
    READ_FACTS = "read_facts"
    SOLVE = "solve"
    MODEL_CALL = "model_call"
    CURATE = "curate"
    ANSWER = "answer"


class Step(Record):
    """One step of an episode.

    ``number`` counts from 1. ``observation_id``, ``frame_id`` and ``azimuth_deg`` are set where
    the step is about a view. ``details`` holds JSON values specific to the agent. ``seconds`` is
    the step's duration without that of steps made within it, such as looking within a call.
    """

    episode_id: str
    number: int = Field(ge=1)
    kind: StepKind
    summary: str
    observation_id: str = ""
    frame_id: int | None = None
    azimuth_deg: float | None = None
    details: dict[str, Any] = Field(default_factory=dict)
    seconds: float = Field(default=0.0, ge=0)
