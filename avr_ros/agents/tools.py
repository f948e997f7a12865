"""What an agent is handed for one episode, the same over ROS and in one process."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from avr_ros.schema.detection import Detection
from avr_ros.schema.errors import AvrError
from avr_ros.schema.fact import Fact, FactPattern, WriteOutcome
from avr_ros.schema.observation import GivenFrame, Observation, ObserveStatus
from avr_ros.schema.prediction import FailureKind
from avr_ros.schema.step import Step

__all__ = [
    "EpisodeCancelledError",
    "FactPattern",
    "ObservationRefusedError",
    "Observer",
    "Panorama",
    "Perceiver",
    "SequenceTimes",
    "StepSink",
    "ToolFailedError",
    "View",
    "WorldModelClient",
    "WriteOutcome",
]


class ObservationRefusedError(AvrError):
    """The serving side refused a view; ``status`` says why."""

    def __init__(self, status: ObserveStatus, message: str) -> None:
        """Keep the status beside the message."""
        super().__init__(f"view refused ({status.name}): {message}")
        self.status = status


class ToolFailedError(AvrError):
    """A tool did not work (node gone, deadline passed); the question fails with ``kind``."""

    def __init__(self, kind: FailureKind, message: str) -> None:
        """Keep the kind of failure beside the message."""
        super().__init__(message)
        self.kind = kind


class EpisodeCancelledError(AvrError):
    """The question was cancelled or its deadline passed; raised by the next use of any tool."""

    def __init__(self, kind: FailureKind) -> None:
        """``kind`` is CANCELLED or DEADLINE."""
        super().__init__(f"episode ended early: {kind.value}")
        self.kind = kind


@dataclass(frozen=True, eq=False)
class SequenceTimes:
    """Frames of the episode that may be observed, rising, and their stamps in microseconds."""

    sequence: str
    frame_ids: npt.NDArray[np.int64]
    stamps_us: npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class View:
    """A granted view and its decoded pixels, (480, 480, 3) uint8, blue-green-red."""

    observation: Observation
    image: npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Panorama:
    """A given frame and its decoded pixels, (height, width, 3) uint8, blue-green-red."""

    frame: GivenFrame
    image: npt.NDArray[np.uint8]


class Observer(Protocol):
    """Requests views of one episode."""

    @property
    def times(self) -> SequenceTimes:
        """The frames that may be asked for."""

    @property
    def remaining(self) -> int:
        """What is left of the budget."""

    def observe(self, frame_id: int, azimuth: float, field_of_view: float = 0.0) -> View:
        """Return the view of a frame at an azimuth (radians); 0 is the default field of view.

        Raises ObservationRefusedError, ToolFailedError or EpisodeCancelledError.
        """

    def given_frame(self, frame_id: int) -> Panorama:
        """Return a given panorama. Raises as :meth:`observe` does."""


class Perceiver(Protocol):
    """Finds people in granted images."""

    def detect(self, view: View | Panorama) -> list[Detection]:
        """Return the people in a view, by rising ``box.x``. Raises ToolFailedError."""


class WorldModelClient(Protocol):
    """Writes and reads the episode's world model."""

    def write(self, facts: Sequence[Fact]) -> WriteOutcome:
        """Write facts; those not grounded in a granted observation are refused."""

    def read(self, pattern: FactPattern) -> list[Fact]:
        """Return the facts that match, in the order of their writing."""


class StepSink(Protocol):
    """Receives steps as they end."""

    def __call__(self, step: Step) -> None:
        """Take one step."""
