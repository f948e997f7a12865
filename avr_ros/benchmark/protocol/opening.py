"""Checks of an episode's specification when it is opened."""

import numpy as np
import numpy.typing as npt

from avr_ros.benchmark.protocol.episode import Episode
from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW, crop_window
from avr_ros.geometry.errors import GeometryError
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.recordings.errors import RecordingError
from avr_ros.recordings.recording import Recording, SequenceInfo
from avr_ros.schema.episode import EpisodeSpecification, OpenStatus
from avr_ros.schema.errors import AvrError

MAX_EPISODE_ID = 256
"""Longest episode id, characters."""

MAX_BUDGET = 10_000
"""Largest number of observations an episode may allow; its ledger is kept in memory."""


class OpeningRefusedError(AvrError):
    """An episode cannot be opened; ``status`` is what the client gets."""

    def __init__(self, status: OpenStatus, message: str) -> None:
        """Keep the status beside the message."""
        super().__init__(message)
        self.status = status


def open_checked(specification: EpisodeSpecification, recording: Recording) -> Episode:
    """Return a new episode. Raises OpeningRefusedError with the first rule that is broken."""
    episode_id = specification.episode_id
    if not 1 <= len(episode_id) <= MAX_EPISODE_ID or not episode_id.isprintable():
        raise OpeningRefusedError(
            OpenStatus.INVALID_EPISODE_ID,
            f"an episode id has 1 to {MAX_EPISODE_ID} printable characters",
        )
    if not 1 <= specification.max_observations <= MAX_BUDGET:
        raise OpeningRefusedError(
            OpenStatus.INVALID_BUDGET,
            f"max_observations {specification.max_observations} is not within 1 to {MAX_BUDGET}",
        )
    info = _sequence(specification, recording)
    fields_of_view = _fields_of_view(specification)
    _check_frames(
        specification.legal_frames,
        info.frame_ids,
        OpenStatus.INVALID_LEGAL_FRAMES,
        info.name,
    )
    legal = frozenset(specification.legal_frames) or None
    given_from = info.frame_ids
    if legal is not None:
        given_from = np.array(sorted(legal), dtype=np.int64)
    _check_frames(
        specification.given_frames,
        given_from,
        OpenStatus.INVALID_GIVEN_FRAMES,
        info.name,
    )
    return Episode(specification, info.name, fields_of_view, legal)


def _sequence(specification: EpisodeSpecification, recording: Recording) -> SequenceInfo:
    name = specification.sequence
    if not name:
        names = recording.sequences()
        if len(names) != 1:
            raise OpeningRefusedError(
                OpenStatus.UNKNOWN_SEQUENCE,
                f"name one of the {len(names)} sequences: " + ", ".join(names),
            )
        name = names[0]
    try:
        return recording.sequence(name)
    except RecordingError as error:
        raise OpeningRefusedError(OpenStatus.UNKNOWN_SEQUENCE, str(error)) from error


def _fields_of_view(specification: EpisodeSpecification) -> tuple[float, ...]:
    for field_of_view in specification.fields_of_view:
        try:
            crop_window(JRDB_CYLINDER, 0.0, field_of_view)
        except GeometryError as error:
            raise OpeningRefusedError(OpenStatus.INVALID_FIELD_OF_VIEW, str(error)) from error
    return specification.fields_of_view or (DEFAULT_FIELD_OF_VIEW,)


def _check_frames(
    frames: tuple[int, ...],
    present: npt.NDArray[np.int64],
    status: OpenStatus,
    sequence: str,
) -> None:
    if not frames:
        return
    missing = sorted(set(frames) - set(present.tolist()))
    if missing:
        raise OpeningRefusedError(
            status,
            f"{len(missing)} frames are not in what {sequence!r} offers, the first is {missing[0]}",
        )
