"""The last seconds of a live stream of panoramas, as a recording."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from avr_ros.recordings import jpeg
from avr_ros.recordings.byte_bounded_cache import ByteBoundedCache
from avr_ros.recordings.errors import (
    FrameExpired,
    FrameNotFound,
    FrameRefused,
    RecordingClosed,
    StampNotIncreasing,
    UnknownSequence,
    UnreadableFrame,
)
from avr_ros.recordings.frame_source import StoredFrame
from avr_ros.recordings.raw_image import RawFormat
from avr_ros.recordings.recording import Notice, SequenceInfo, StoredAs
from avr_ros.recordings.sequence_names import check_sequence_name

DEFAULT_SECONDS = 30.0
DEFAULT_MAX_BYTES = 512 << 20
DEFAULT_CACHE_BYTES = 64 << 20


@dataclass(frozen=True)
class _Frame:
    frame_id: int
    stamp_us: int
    stored: StoredFrame


class LiveBuffer:
    """Implements ``Recording`` over the frames of a stream that are still held.

    Frames come by :meth:`push`, which may run in one thread while others read. Ids count up from 0
    in the order of the stamps and are never used again; asked for after its time, a frame raises
    ``FrameExpired``. Held are the frames of the last ``seconds`` by their own stamps, both ends
    included, and at most ``max_bytes`` of them as they came. There is one sequence; while it holds
    no frame, nothing is known of it.
    """

    def __init__(
        self,
        sequence: str = "live",
        *,
        seconds: float = DEFAULT_SECONDS,
        max_bytes: int = DEFAULT_MAX_BYTES,
        cache_bytes: int = DEFAULT_CACHE_BYTES,
    ) -> None:
        if not seconds > 0 or max_bytes <= 0:
            raise ValueError(f"cannot hold {seconds} s and {max_bytes} bytes of a stream")
        self.name = check_sequence_name(sequence)
        self._window_us = round(seconds * 1e6)
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._frames: deque[_Frame] = deque()
        self._bytes = 0
        self._next_id = 0
        self._format: tuple[int, int, StoredAs] | None = None
        self._panoramas: ByteBoundedCache[int, npt.NDArray[np.uint8]] = ByteBoundedCache(
            cache_bytes, lambda panorama: panorama.nbytes
        )
        self._closed = False

    def push(self, stamp_us: int, data: bytes, raw: RawFormat | None = None) -> int:
        """Take a frame, a JPEG or raw pixels that lie as ``raw`` says, and return its id.

        ``stamp_us`` are whole microseconds since the epoch. The data are kept, not copied.

        :raises StampNotIncreasing: the stamp is not later than the newest frame's; where the
            stream's clock was set back, :meth:`restart` and push again.
        :raises FrameRefused: unreadable, of another size or kind than the frames before it, or
            larger than the whole buffer. A refused frame takes no id.
        :raises RecordingClosed: after :meth:`close`.
        """
        stored = StoredFrame(data, raw, f"stream {self.name}", f"{stamp_us} us")
        try:
            width, height = stored.size()
        except UnreadableFrame as error:
            raise FrameRefused(str(error)) from error
        kind = StoredAs.JPEG if raw is None else StoredAs.RAW
        if stamp_us < 0:
            raise FrameRefused(f"The stream {self.name} has a frame of {stamp_us} us.")
        if len(data) > self._max_bytes:
            raise FrameRefused(
                f"A frame of the stream {self.name} has {len(data)} bytes, its whole buffer "
                f"{self._max_bytes}."
            )
        with self._lock:
            self._check_open()
            if self._format not in (None, (width, height, kind)):
                raise FrameRefused(
                    f"The stream {self.name} turned to {width} x {height} px {kind.value} from "
                    f"{self._format}."
                )
            if self._frames and stamp_us <= self._frames[-1].stamp_us:
                raise StampNotIncreasing(
                    f"A frame of the stream {self.name} at {stamp_us} us came after one at "
                    f"{self._frames[-1].stamp_us} us."
                )
            self._format = (width, height, kind)
            frame = _Frame(self._next_id, stamp_us, stored)
            self._next_id += 1
            self._frames.append(frame)
            self._bytes += len(data)
            while (
                self._frames[0].stamp_us < stamp_us - self._window_us
                or self._bytes > self._max_bytes
            ):
                gone = self._frames.popleft()
                self._bytes -= len(gone.stored.data)
                self._panoramas.discard(gone.frame_id)
            return frame.frame_id

    def restart(self) -> None:
        """Let every frame expire, and take any stamp and size next; ids go on counting."""
        with self._lock:
            self._check_open()
            self._frames.clear()
            self._bytes = 0
            self._format = None
            self._panoramas.clear()

    @property
    def bytes_held(self) -> int:
        """Bytes of the frames held now, as they came."""
        return self._bytes

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Nothing: what a stream lacks is said by :meth:`push`."""
        return ()

    def sequences(self) -> tuple[str, ...]:
        """Return the stream's name, nothing before its first frame."""
        with self._lock:
            self._check_open()
            return (self.name,) if self._frames else ()

    def sequence(self, name: str) -> SequenceInfo:
        """Return the frames held now; the answer does not change when others come and go."""
        with self._lock:
            self._check_name(name)
            if self._format is None or not self._frames:
                raise UnknownSequence(f"The stream {self.name} holds no frame yet.")
            frames = tuple(self._frames)
            width, height, kind = self._format
        return SequenceInfo(
            self.name,
            np.array([frame.frame_id for frame in frames], np.int64),
            np.array([frame.stamp_us for frame in frames], np.int64),
            width,
            height,
            kind,
            f"stream {self.name}",
        )

    def frame_at(self, sequence: str, stamp_us: int) -> int:
        """Return the held frame nearest to a time, see :meth:`SequenceInfo.frame_at`."""
        return self.sequence(sequence).frame_at(stamp_us)

    def encoded(self, sequence: str, frame_id: int) -> bytes:
        """Return a panorama as JPEG: the bytes as they came; raw images are encoded, quality 90."""
        frame = self._frame(sequence, frame_id)
        if frame.stored.raw is None:
            return frame.stored.data
        return jpeg.encode(self._decoded(frame))

    def panorama(self, sequence: str, frame_id: int) -> npt.NDArray[np.uint8]:
        """Return a decoded panorama, (height, width, 3) uint8, blue-green-red, read-only."""
        return self._decoded(self._frame(sequence, frame_id))

    def _decoded(self, frame: _Frame) -> npt.NDArray[np.uint8]:
        return self._panoramas.get(
            frame.frame_id, lambda: frame.stored.decode(*frame.stored.size())
        )

    def _frame(self, sequence: str, frame_id: int) -> _Frame:
        with self._lock:
            self._check_name(sequence)
            following = self._next_id
            first = self._frames[0].frame_id if self._frames else following
            if first <= frame_id < following:
                return self._frames[frame_id - first]
        held = f"it holds {first} to {following - 1}" if first < following else "it holds none"
        if 0 <= frame_id < first:
            raise FrameExpired(f"Frame {frame_id} has left the stream {self.name}; {held}.")
        raise FrameNotFound(f"The stream {self.name} has no frame {frame_id}; {held}.")

    def _check_name(self, sequence: str) -> None:
        self._check_open()
        if sequence != self.name:
            check_sequence_name(sequence)
            raise UnknownSequence(f"There is no stream {sequence!r}; there is {self.name}.")

    def _check_open(self) -> None:
        if self._closed:
            raise RecordingClosed(f"The stream {self.name} was closed.")

    def close(self) -> None:
        """Forget every frame. Closing again does nothing."""
        with self._lock:
            self._closed = True
            self._frames.clear()
            self._bytes = 0
        self._panoramas.clear()
