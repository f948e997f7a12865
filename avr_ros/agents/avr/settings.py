"""Settings of the graph agent."""

from pydantic import Field

from avr_ros.schema.model import Record


class AvrSettings(Record):
    """How the search looks, binds people and decides."""

    action_threshold: float = Field(
        default=0.5, gt=0, lt=1, description="probability from which an action counts as done"
    )
    appearance_match: float = Field(
        default=0.6, ge=-1, le=1, description="smallest likeness of one person's two appearances"
    )
    azimuth_slack_deg: float = Field(
        default=20.0, gt=0, le=180, description="how far from its expected place a person may be"
    )
    azimuth_rate_deg: float = Field(
        default=4.0, ge=0, le=90, description="by how much that grows a frame, somebody far away"
    )
    looks_per_frame: int = Field(
        default=3, ge=1, le=8, description="views spent on finding a person again in one frame"
    )
    state_error: float = Field(
        default=0.03, gt=0, lt=0.5, description="how often a view tells an action wrongly"
    )
    dwell_frames: float = Field(
        default=60.0, gt=0, description="frames after which a state may well have changed again"
    )
    span_dwell_frames: float = Field(
        default=45.0, gt=0, description="the same for actions whose first and last frame are asked"
    )
    confidence: float = Field(
        default=0.95, gt=0.5, lt=1, description="probability of a boundary that ends the search"
    )
    least_confidence: float = Field(
        default=0.5, ge=0, lt=1, description="probability below which a boundary is not answered"
    )
