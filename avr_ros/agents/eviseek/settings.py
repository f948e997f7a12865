"""Settings of EviSeek and of its ablations."""

from typing import Literal

from pydantic import Field

from avr_ros.schema.model import Record


class EviseekSettings(Record):
    """How evidence is sought and kept; the defaults are the paper's main configuration."""

    board_capacity: int = Field(default=20, ge=1, le=200, description="frames on the board")
    most_demands: int = Field(default=6, ge=1, le=20, description="evidence demands")
    most_subtasks: int = Field(default=8, ge=1, le=40, description="subtasks of a plan")
    decisions_per_subtask: int = Field(
        default=24, ge=1, le=200, description="seeker's decisions after which a subtask times out"
    )
    board_views: int = Field(
        default=8,
        ge=0,
        le=200,
        description="retained views that the seeker is shown, the latest of each demand",
    )
    working_views: int = Field(
        default=5, ge=0, le=50, description="views of the subtask before the current one, shown"
    )
    demands: bool = Field(
        default=True, description="ablation if false: subtasks straight from the question"
    )
    memory: Literal["board", "recent", "uniform"] = Field(
        default="board",
        description="what answers are given from: board, or the ablations' recent views with "
        "text history, or uniformly sampled frames",
    )
    intents: bool = Field(
        default=True, description="ablation if false: one atomic action a decision"
    )
    coverage: bool = Field(
        default=False, description="coverage checks end subtasks and call for a new plan"
    )
    replans: int = Field(
        default=1, ge=0, le=10, description="new plans with coverage checks, where demands are open"
    )
