"""Requests for a view of a recording and what comes back."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from avr_ros.geometry.crop import CropWindow


class ImageFormat(IntEnum):
    """How an observation's pixels are sent; the values are those of ``srv/Observe``."""

    JPEG = 0
    RAW = 1


class ObserveStatus(IntEnum):
    """Outcome of a request; the values are those of ``srv/Observe``."""

    OK = 0
    FRAME_NOT_LEGAL = 1
    TIME_NOT_FOUND = 2
    INVALID_AZIMUTH = 3
    INVALID_FIELD_OF_VIEW = 4
    INVALID_FORMAT = 5
    UNKNOWN_SEQUENCE = 6
    UNKNOWN_EPISODE = 7
    EPISODE_CLOSED = 8
    BUDGET_EXHAUSTED = 9
    FREE_MODE_DISABLED = 10
    REQUEST_ID_CONFLICT = 11
    UNREADABLE_FRAME = 12


@dataclass(frozen=True)
class ObserveRequest:
    """A request for one view.

    ``azimuth`` in radians, 0 forward, positive to the left, within ±π. ``field_of_view`` in
    radians, 0 for the default. ``frame_id`` −1 asks by ``stamp_ns`` (nanoseconds since the epoch).
    An empty ``episode_id`` asks in free mode, an empty ``sequence`` for the episode's or the only
    one. ``image_format`` is a number because a client may send one that does not exist.
    """

    frame_id: int
    azimuth: float
    episode_id: str = ""
    request_id: str = ""
    sequence: str = ""
    stamp_ns: int = 0
    field_of_view: float = 0.0
    image_format: int = ImageFormat.JPEG


@dataclass(frozen=True)
class Observation:
    """A granted view.

    ``crop`` is the rectangle of the panorama that was cut; it may run past the seam. Exactly one
    of ``jpeg`` and ``raw`` (480, 480, 3 bytes, blue-green-red) is set. ``stamp_ns`` is the
    frame's time, nanoseconds since the epoch.
    """

    observation_id: str
    sequence: str
    frame_id: int
    stamp_ns: int
    azimuth: float
    field_of_view: float
    crop: CropWindow
    jpeg: bytes | None = None
    raw: npt.NDArray[np.uint8] | None = None


@dataclass(frozen=True)
class ObserveResponse:
    """What comes back: a status, a sentence, and the observation where the status is OK.

    ``remaining_observations`` is what is left of the episode's budget, −1 in free mode.
    """

    status: ObserveStatus
    message: str
    observation: Observation | None
    remaining_observations: int


@dataclass(frozen=True)
class GivenFrame:
    """A whole panorama that an episode gives for nothing; ``jpeg`` is the stored file's bytes."""

    observation_id: str
    sequence: str
    frame_id: int
    stamp_ns: int
    jpeg: bytes


@dataclass(frozen=True)
class GivenFrameResponse:
    """Answer to a request for a given frame."""

    status: ObserveStatus
    message: str
    frame: GivenFrame | None
