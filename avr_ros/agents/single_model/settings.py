"""Settings of the single-model agent."""

from pydantic import Field

from avr_ros.schema.model import Record


class SingleModelSettings(Record):
    """ESI-Bench's defaults (EviSeek, appendix D)."""

    threshold: float = Field(
        default=0.8, ge=0, le=1, description="self-reported confidence that ends the episode"
    )
    min_steps: int = Field(
        default=3, ge=1, le=1000, description="steps before confidence may end the episode"
    )
    previous_views: int = Field(
        default=5, ge=0, le=100, description="views before the current one that are shown"
    )
