"""Settings of the baselines."""

from pydantic import Field

from avr_ros.schema.model import Record


class BaselineSettings(Record):
    """There is nothing to set: a baseline is its order of stages."""


class ReactSettings(Record):
    """How long the reasoning and acting loop may go on."""

    history_steps: int = Field(
        default=1000, ge=1, description="latest steps whose text the model is told"
    )
