"""Settings of the oracle perception."""

from pydantic import Field

from avr_ros.schema.model import Record


class OracleSettings(Record):
    """How the oracle turns labels into detections, and how often it is wrong.

    The first group are faults, none by default; they are drawn from ``seed`` for each person in
    each view. The second group is what even the faultless oracle does not know exactly.
    """

    seed: int = Field(default=0, ge=0, description="seed of every random draw")
    misses: float = Field(default=0.0, ge=0, le=1, description="share of people overlooked")
    jitter_px: float = Field(
        default=0.0, ge=0, le=200, description="standard deviation of left, top, width, height, px"
    )
    action_confusion: float = Field(
        default=0.0, ge=0, le=1, description="share of people whose actions are mistaken"
    )
    identity_switches: float = Field(
        default=0.0, ge=0, le=1, description="share of people with a neighbour's appearance"
    )

    minimum_share: float = Field(
        default=0.5, ge=0.5, le=1, description="share of the labelled box that must lie in the view"
    )
    minimum_height_px: float = Field(
        default=10.0, ge=0, le=480, description="height of the smallest labelled box seen, px"
    )
    appearance_noise: float = Field(
        default=0.4, ge=0, le=10, description="length of the noise on a unit appearance vector"
    )
    heading_noise_deg: float = Field(
        default=2.0, ge=0, le=180, description="standard deviation of the direction faced, degrees"
    )
    ground_noise: float = Field(
        default=0.02, ge=0, le=1, description="ground position error as a share of the distance"
    )
    ground_noise_floor_m: float = Field(
        default=0.05, ge=0, le=10, description="smallest ground position error, m"
    )

    @property
    def faultless(self) -> bool:
        """Whether no fault is drawn."""
        return not (
            self.misses or self.jitter_px or self.action_confusion or self.identity_switches
        )
