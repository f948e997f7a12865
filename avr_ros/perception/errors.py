"""Errors of perception."""

from avr_ros.schema.errors import AvrError


class PerceptionError(AvrError):
    """People cannot be looked for in a view."""


class NotGrantedError(PerceptionError):
    """Perception was asked about a view that was never handed out."""


class NoLabelsError(PerceptionError):
    """The oracle has no labels for the frame of a view."""
