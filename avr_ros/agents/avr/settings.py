"""Settings of the graph agent."""

from typing import Literal

from pydantic import Field

from avr_ros.schema.model import Record


class AvrSettings(Record):
    """How the search looks, binds people and decides."""

    policy: Literal["search", "model"] = Field(
        default="search", description="who calls the tools: the deterministic search, or a model"
    )
    action_threshold: float = Field(
        default=0.5, gt=0, lt=1, description="probability from which an action counts as done"
    )
    neutral_likeness: float = Field(
        default=0.4, ge=-1, le=1, description="likeness of two appearances that tells nothing"
    )
    azimuth_slack_deg: float = Field(
        default=20.0, gt=0, le=180, description="how far from its expected place a person may be"
    )
    azimuth_rate_deg: float = Field(
        default=4.0, ge=0, le=90, description="by how much that grows a frame, somebody far away"
    )
    looks_per_frame: int = Field(
        default=4, ge=1, le=8, description="views spent on finding a person again in one frame"
    )
    step_seconds: float = Field(
        default=2.2, gt=0, description="time in which somebody is looked for again on a longer way"
    )
    state_error: float = Field(
        default=0.02, gt=0, lt=0.5, description="how often a view tells an action wrongly at most"
    )
    typical_state_frames: float = Field(
        default=50.0, gt=0, description="frames that people do one thing in the mean"
    )
    chain_confidence: float = Field(
        default=0.85, gt=0, le=1, description="probability of a person reached that ends the search"
    )
    least_chain_confidence: float = Field(
        default=0.1, ge=0, lt=1, description="probability below which nobody reached is taken"
    )
    chain_looks: int = Field(
        default=4, ge=0, le=32, description="views spent on telling such people apart"
    )
    chain_reserve: int = Field(
        default=2, ge=0, le=32, description="views that are kept from that for what comes after"
    )
    confidence: float = Field(
        default=0.95, gt=0.5, lt=1, description="probability of a boundary that ends the search"
    )
    least_confidence: float = Field(
        default=0.1, ge=0, lt=1, description="probability below which a boundary is not answered"
    )
    solver_check: bool = Field(
        default=True,
        description="whether an answer is given only where the solver leaves one person",
    )
    answer_unsure: bool = Field(
        default=False,
        description="whether, out of views, the best supported answer is given; else none is",
    )
    active: bool = Field(
        default=True, description="whether views are asked for; else given panoramas are all"
    )
    world_model: bool = Field(
        default=True,
        description="whether there is a plan and a graph; else a model looks or answers in turns",
    )
