"""Errors of perception."""

from avr_ros.schema.errors import AvrError


class PerceptionError(AvrError):
    """People cannot be looked for in a view."""


class NotGrantedError(PerceptionError):
    """Perception was asked about a view that was never handed out."""


class NoLabelsError(PerceptionError):
    """The oracle has no labels for the frame of a view."""


class DetectorError(PerceptionError):
    """A detector's file cannot be used: missing, damaged, or not what its description says."""


class ProviderMissingError(DetectorError):
    """The asked-for execution provider is not in the installed onnxruntime or does not start."""
