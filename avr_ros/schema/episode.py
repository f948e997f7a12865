"""Episodes: what an agent may observe, and the ledger of what it did observe."""

from dataclasses import dataclass, field
from enum import IntEnum

from avr_ros.geometry.crop import CropWindow
from avr_ros.schema.observation import ObserveStatus


class OpenStatus(IntEnum):
    """Outcome of opening an episode; the values are those of ``srv/OpenEpisode``."""

    OK = 0
    INVALID_EPISODE_ID = 1
    EPISODE_EXISTS = 2
    UNKNOWN_SEQUENCE = 3
    INVALID_LEGAL_FRAMES = 4
    INVALID_BUDGET = 5
    INVALID_FIELD_OF_VIEW = 6
    INVALID_GIVEN_FRAMES = 7
    TOO_MANY_EPISODES = 8


@dataclass(frozen=True)
class EpisodeSpecification:
    """Limits of an episode.

    ``legal_frames`` empty: every frame. ``fields_of_view`` in radians, empty: the default alone.
    ``given_frames`` may be fetched whole and are not charged.
    """

    episode_id: str
    sequence: str = ""
    legal_frames: tuple[int, ...] = ()
    max_observations: int = 32
    fields_of_view: tuple[float, ...] = ()
    given_frames: tuple[int, ...] = ()


@dataclass(frozen=True)
class OpenResponse:
    """Answer to opening an episode."""

    status: OpenStatus
    message: str


class LedgerKind(IntEnum):
    """What a ledger record is about; the values are those of ``msg/LedgerRecord``."""

    OBSERVATION = 0
    GIVEN_FRAME = 1


@dataclass(frozen=True)
class LedgerRecord:
    """One exchange of an episode: granted (status OK) or refused.

    ``sequence_number`` counts from 1 without gaps within an episode. ``frame_id`` is −1 where a
    refused request named no frame that exists. ``azimuth`` and ``field_of_view`` are in radians
    (as asked, where refused) and 0 for given frames; ``crop`` is none unless a view was granted.
    """

    episode_id: str
    sequence_number: int
    kind: LedgerKind
    request_id: str
    observation_id: str
    sequence: str
    frame_id: int
    stamp_ns: int
    azimuth: float
    field_of_view: float
    crop: CropWindow | None
    status: ObserveStatus
    message: str
    remaining_observations: int

    @property
    def granted(self) -> bool:
        """Whether the view or panorama was handed out."""
        return self.status is ObserveStatus.OK


@dataclass(frozen=True)
class Ledger:
    """All exchanges of one episode in order.

    ``refusals_not_recorded`` counts the refusals past the bound that an episode keeps.
    """

    episode_id: str
    records: tuple[LedgerRecord, ...] = field(default=())
    refusals_not_recorded: int = 0


class CloseStatus(IntEnum):
    """Outcome of closing an episode; the values are those of ``srv/CloseEpisode``."""

    OK = 0
    UNKNOWN_EPISODE = 1


@dataclass(frozen=True)
class CloseResponse:
    """Answer to closing an episode. Closing again returns the same ledger."""

    status: CloseStatus
    message: str
    ledger: Ledger | None
