"""The protocol that every recording serves, and what is known of a sequence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from avr_ros.recordings.errors import FrameNotFound, StampsUnknown, TimeNotFound

NO_STAMP = -1
"""Stands in ``SequenceInfo.stamps_us`` for a frame whose time nobody recorded."""


class NoticeKind(str, Enum):
    """What a notice is about."""

    TRUNCATED = "truncated"
    DAMAGED = "damaged"
    NOT_INDEXED = "not_indexed"
    DUPLICATE_STAMP = "duplicate_stamp"
    STAMPS_MISSING = "stamps_missing"
    FRAMES_MISSING = "frames_missing"
    IGNORED = "ignored"


@dataclass(frozen=True)
class Notice:
    """Something that was wrong with the recorded files, in words, and was dealt with as it says."""

    kind: NoticeKind
    path: str
    message: str


class StoredAs(str, Enum):
    """How the images of a sequence are stored."""

    JPEG = "jpeg"
    RAW = "raw"


def whole_microseconds(nanoseconds: int) -> int:
    """Return a time in whole microseconds, rounded to the nearest, halves upwards."""
    return (nanoseconds + 500) // 1000


@dataclass(frozen=True, eq=False)
class SequenceInfo:
    """The frames of one sequence and their geometry.

    ``frame_ids`` rise strictly. ``stamps_us`` has the same length: whole microseconds since the
    epoch, :data:`NO_STAMP` where unknown. Real stamps are irregular and may repeat. ``width`` and
    ``height`` are those of the panorama in pixels. ``path`` is the file or folder that it is read
    from. Both arrays are read-only.
    """

    name: str
    frame_ids: npt.NDArray[np.int64]
    stamps_us: npt.NDArray[np.int64]
    width: int
    height: int
    stored_as: StoredAs
    path: str
    notices: tuple[Notice, ...] = ()

    def __post_init__(self) -> None:
        """Freeze the arrays, after a check that they belong together."""
        if self.frame_ids.shape != self.stamps_us.shape or self.frame_ids.ndim != 1:
            raise ValueError("frame_ids and stamps_us must be one-dimensional and of equal length")
        if np.any(np.diff(self.frame_ids) <= 0):
            raise ValueError("frame_ids must rise strictly")
        self.frame_ids.flags.writeable = False
        self.stamps_us.flags.writeable = False

    @cached_property
    def _positions(self) -> dict[int, int]:
        return {int(frame_id): at for at, frame_id in enumerate(self.frame_ids)}

    @cached_property
    def _by_time(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Distinct known stamps in rising order, and the lowest frame id at each."""
        known = self.stamps_us != NO_STAMP
        stamps, first = np.unique(self.stamps_us[known], return_index=True)
        return stamps, self.frame_ids[known][first]

    @cached_property
    def _tolerance_us(self) -> float:
        gaps = np.diff(self._by_time[0])
        return float(np.median(gaps)) / 2 if gaps.size else 0.0

    def position(self, frame_id: int) -> int:
        """Return the index of a frame in ``frame_ids``.

        :raises FrameNotFound: the sequence has no such frame.
        """
        try:
            return self._positions[frame_id]
        except KeyError:
            held = (
                f"it holds {self.frame_ids.size} frames from {self.frame_ids[0]} to "
                f"{self.frame_ids[-1]}"
                if self.frame_ids.size
                else "it holds none"
            )
            raise FrameNotFound(f"Sequence {self.name} has no frame {frame_id}; {held}.") from None

    def stamp_us(self, frame_id: int) -> int:
        """Return a frame's time in whole microseconds since the epoch.

        :raises FrameNotFound: the sequence has no such frame.
        :raises StampsUnknown: the frame's time was not recorded.
        """
        stamp = int(self.stamps_us[self.position(frame_id)])
        if stamp == NO_STAMP:
            raise StampsUnknown(
                f"The time of frame {frame_id} of sequence {self.name} was not recorded; "
                "ask for frames by id."
            )
        return stamp

    def frame_at(self, stamp_us: int) -> int:
        """Return the id of the frame nearest in time, the earlier one of two equally near.

        The frame must lie within half the median gap of the sequence's stamps, the bound included;
        a sequence of one stamp answers to that stamp alone. Of frames with equal stamps the one
        with the lowest id is returned.

        :raises StampsUnknown: no frame's time was recorded.
        :raises TimeNotFound: no frame is near enough.
        """
        stamps, ids = self._by_time
        if not stamps.size:
            raise StampsUnknown(
                f"The times of the frames of sequence {self.name} were not recorded; "
                "ask for frames by id."
            )
        after = int(np.searchsorted(stamps, min(max(stamp_us, 0), int(stamps[-1]))))
        around = range(max(after - 1, 0), min(after + 1, stamps.size))
        nearest = min(around, key=lambda at: (abs(int(stamps[at]) - stamp_us), at))
        if abs(int(stamps[nearest]) - stamp_us) > self._tolerance_us:
            raise TimeNotFound(
                f"Sequence {self.name} has no frame within {self._tolerance_us:.0f} us of "
                f"{stamp_us} us; its frames lie from {stamps[0]} to {stamps[-1]} us."
            )
        return int(ids[nearest])


class Recording(Protocol):
    """Panoramas by sequence and frame. Every method may be called by several threads at once.

    A sequence name that the recording does not have raises ``UnknownSequence``, a path in its place
    ``InvalidSequenceName``; after :meth:`close` every method raises ``RecordingClosed``.
    """

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What was found wrong when the recording was opened; a sequence has its own besides."""

    def sequences(self) -> tuple[str, ...]:
        """Return the names of the sequences, sorted."""

    def sequence(self, name: str) -> SequenceInfo:
        """Return the frames, stamps and geometry of a sequence.

        :raises RecordingError: the sequence cannot be read; the others stay usable.
        """

    def frame_at(self, sequence: str, stamp_us: int) -> int:
        """Return the frame nearest to a time, see :meth:`SequenceInfo.frame_at`."""

    def encoded(self, sequence: str, frame_id: int) -> bytes:
        """Return a panorama as JPEG: the bytes as stored; raw images are encoded, quality 90.

        :raises FrameNotFound: the sequence has no such frame.
        :raises UnreadableFrame: the stored bytes cannot be had.
        """

    def panorama(self, sequence: str, frame_id: int) -> npt.NDArray[np.uint8]:
        """Return a decoded panorama, (height, width, 3) uint8, blue-green-red, read-only.

        :raises FrameNotFound: the sequence has no such frame.
        :raises UnreadableFrame: its image cannot be decoded.
        """

    def close(self) -> None:
        """Give back files, threads and memory. Closing again does nothing."""
