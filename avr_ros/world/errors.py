"""Errors of the world model."""

from avr_ros.schema.errors import AvrError, BadInputError


class WorldModelError(AvrError):
    """The world model was used in a way that has no meaning, such as another episode's record."""


class WorldModelFileError(BadInputError):
    """A saved world model cannot be read."""
