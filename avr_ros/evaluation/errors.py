"""Errors of a run."""

from avr_ros.schema.errors import AvrError, BadInputError


class RunFolderError(AvrError):
    """A run folder cannot be written or read; what was written before is kept."""


class RunFolderBusyError(AvrError):
    """Another process is writing the run folder."""


class RunDiffersError(BadInputError):
    """The folder holds a run with another specification; the text names what differs."""


class RunInterruptedError(AvrError):
    """The run was cancelled; what finished is kept and the same command goes on from there."""


class RunStoppedError(AvrError):
    """A process or model that the run needs is gone, so that no further question can be asked.

    Hosts and askers raise it; the driver stops, keeps what finished and raises it again.
    """


class JudgeSilentError(AvrError):
    """A judge model graded nothing, or stays out of reach."""
