"""Errors of the processes."""

from avr_ros.schema.errors import AvrError, BadInputError


class ArgumentError(BadInputError):
    """An argument of a set-up is unknown or has a value that it cannot have."""


class ExecutableNotFoundError(AvrError):
    """A node's executable is not installed where it is looked for."""


class NoFreeDomainError(AvrError):
    """Every ROS domain is in use."""
