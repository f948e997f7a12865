"""Errors of the world model."""

from avr_ros.schema.errors import AvrError, BadInputError


class WorldModelError(AvrError):
    """The world model was used in a way that has no meaning, such as another episode's record."""


class WorldModelFileError(BadInputError):
    """A saved world model cannot be read."""


class InvalidPlanError(AvrError):
    """A plan has no meaning; ``reasons`` say all that is wrong with it."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        """Keep the reasons beside their text."""
        super().__init__(f"the plan is invalid: {'; '.join(reasons)}")
        self.reasons = reasons
