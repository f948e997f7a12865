"""A recording on disk: opened by sequence, panoramas kept decoded, neighbours fetched ahead."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from types import TracebackType

import numpy as np
import numpy.typing as npt

from avr_ros.recordings import jpeg
from avr_ros.recordings.byte_bounded_cache import ByteBoundedCache
from avr_ros.recordings.errors import RecordingClosed, RecordingError, UnknownSequence
from avr_ros.recordings.frame_source import FrameSource
from avr_ros.recordings.prefetcher import Prefetcher
from avr_ros.recordings.recording import Notice, SequenceInfo, StoredAs
from avr_ros.recordings.sequence_names import check_sequence_name

DEFAULT_CACHE_BYTES = 256 << 20
"""Bytes of decoded panoramas that are kept; one takes 5.4 MB."""


class _Sequence:
    """A sequence's source, opened once."""

    def __init__(self, open_source: Callable[[], FrameSource]) -> None:
        self.open_source = open_source
        self.lock = threading.Lock()
        self.source: FrameSource | None = None


class StoredRecording:
    """Implements ``Recording`` over frame sources, one a sequence.

    A source is opened when its sequence is first asked for; where that fails, the next request
    tries again. After a panorama is handed out whose one neighbour is held, the other neighbour is
    decoded in the background: frames asked for in a row, forwards or backwards, are then ready,
    while scattered requests cause no extra work. ``prefetch=False`` switches that off.

    ``refused`` holds sequences that are there and must not be opened, each with its error.
    """

    def __init__(
        self,
        path: str,
        open_sources: Mapping[str, Callable[[], FrameSource]],
        *,
        notices: tuple[Notice, ...] = (),
        refused: Mapping[str, RecordingError] | None = None,
        cache_bytes: int = DEFAULT_CACHE_BYTES,
        prefetch: bool = True,
    ) -> None:
        self.path = path
        self._notices = notices
        self._refused = dict(refused or {})
        self._sequences = {name: _Sequence(open_sources[name]) for name in sorted(open_sources)}
        self._panoramas: ByteBoundedCache[tuple[str, int], npt.NDArray[np.uint8]] = (
            ByteBoundedCache(cache_bytes, lambda panorama: panorama.nbytes)
        )
        self._prefetcher: Prefetcher[tuple[str, int]] | None = (
            Prefetcher(lambda key: self._decoded(*key)) if prefetch else None
        )
        self._closed = False

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What was found wrong when the recording was opened; a sequence has its own besides."""
        self._check_open()
        return self._notices

    def sequences(self) -> tuple[str, ...]:
        """Return the names of the sequences, sorted."""
        self._check_open()
        return tuple(self._sequences)

    def sequence(self, name: str) -> SequenceInfo:
        """Return the frames, stamps and geometry of a sequence; opens it at first use."""
        return self._source(name).info

    def frame_at(self, sequence: str, stamp_us: int) -> int:
        """Return the frame nearest to a time, see :meth:`SequenceInfo.frame_at`."""
        return self._source(sequence).info.frame_at(stamp_us)

    def encoded(self, sequence: str, frame_id: int) -> bytes:
        """Return a panorama as JPEG: the bytes as stored; raw images are encoded, quality 90."""
        source = self._source(sequence)
        if source.info.stored_as is StoredAs.RAW:
            return jpeg.encode(self.panorama(sequence, frame_id))
        return source.read(frame_id).data

    def panorama(self, sequence: str, frame_id: int) -> npt.NDArray[np.uint8]:
        """Return a decoded panorama, (height, width, 3) uint8, blue-green-red, read-only."""
        panorama = self._decoded(sequence, frame_id)
        if self._prefetcher is not None:
            self._prefetch_around(self._prefetcher, sequence, frame_id)
        return panorama

    def _decoded(self, sequence: str, frame_id: int) -> npt.NDArray[np.uint8]:
        source = self._source(sequence)

        def decode() -> npt.NDArray[np.uint8]:
            return source.read(frame_id).decode(source.info.width, source.info.height)

        return self._panoramas.get((sequence, frame_id), decode)

    def _prefetch_around(
        self, prefetcher: Prefetcher[tuple[str, int]], sequence: str, frame_id: int
    ) -> None:
        info = self._source(sequence).info
        at = info.position(frame_id)
        wanted = []
        for step in (-1, 1):
            if not (0 <= at - step < info.frame_ids.size and 0 <= at + step < info.frame_ids.size):
                continue
            behind = (sequence, int(info.frame_ids[at - step]))
            ahead = (sequence, int(info.frame_ids[at + step]))
            if behind in self._panoramas and ahead not in self._panoramas:
                wanted.append(ahead)
        if wanted:
            prefetcher.request(wanted)

    def _source(self, name: str) -> FrameSource:
        self._check_open()
        sequence = self._sequences.get(name)
        if sequence is None:
            check_sequence_name(name)
            if name in self._refused:
                raise self._refused[name]
            raise UnknownSequence(
                f"{self.path} has no sequence {name!r}; it has {_some(tuple(self._sequences))}."
            )
        source = sequence.source
        if source is None:
            with sequence.lock:
                self._check_open()
                if sequence.source is None:
                    sequence.source = sequence.open_source()
                source = sequence.source
        return source

    def _check_open(self) -> None:
        if self._closed:
            raise RecordingClosed(f"The recording {self.path} was closed.")

    def close(self) -> None:
        """Give back files, threads and memory. Closing again does nothing."""
        self._closed = True
        if self._prefetcher is not None:
            self._prefetcher.close()
        for sequence in self._sequences.values():
            with sequence.lock:
                if sequence.source is not None:
                    sequence.source.close()
                    sequence.source = None
        self._panoramas.clear()

    def __enter__(self) -> StoredRecording:
        """Return the recording, to be closed at the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the recording."""
        self.close()


def _some(names: tuple[str, ...], most: int = 5) -> str:
    if len(names) <= most:
        return ", ".join(names) or "none"
    return f"{', '.join(names[:most])} and {len(names) - most} more"
