"""Errors of the nodes."""

from avr_ros.schema.errors import AvrError, BadInputError


class ParameterError(BadInputError):
    """A node's parameters cannot be used; the text names node and parameter."""


class ServiceUnavailableError(AvrError):
    """A service did not answer within its deadline; the text names it."""


class CallEndedError(AvrError):
    """An answer is no longer waited for: the node ends, or what asked was cancelled."""


class PoolFullError(AvrError):
    """All workers are busy and the queue is full."""
