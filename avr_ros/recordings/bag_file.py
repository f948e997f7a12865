"""Bytes of a bag: a file read by position, and chunks of it, decompressed where needed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from avr_ros.recordings.byte_bounded_cache import ByteBoundedCache
from avr_ros.recordings.decompression import DamagedChunk, decompress
from avr_ros.recordings.errors import RecordingClosed, UnreadableFrame

ChunkCache = ByteBoundedCache[tuple[str, int], bytes]
CHUNK_CACHE_BYTES = 64 << 20


def new_chunk_cache() -> ChunkCache:
    """Return a cache of decompressed chunks for all bags of a recording."""
    return ByteBoundedCache(CHUNK_CACHE_BYTES, len)


class Place(Protocol):
    """Where messages lie, with offsets counted from the start of the place."""

    def read(self, start: int, size: int) -> bytes:
        """Return exactly ``size`` bytes.

        :raises UnreadableFrame: they cannot be had.
        :raises RecordingClosed: the bag was closed.
        """

    def position(self, start: int) -> tuple[str, str]:
        """Return the file, and the place in it, of an offset, for error messages."""

    def close(self) -> None:
        """Give back what is held open."""


class _Descriptor:
    """An open file that closes when nobody holds it: after the last read that was under way."""

    def __init__(self, path: str) -> None:
        self.number = os.open(path, os.O_RDONLY | os.O_CLOEXEC)

    def __del__(self) -> None:
        number = getattr(self, "number", None)
        if number is not None:
            os.close(number)


class BagFile:
    """A file read by position, by many threads at once; implements ``Place``."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self._descriptor: _Descriptor | None = _Descriptor(self.path)
        self.size = os.fstat(self._descriptor.number).st_size

    def read(self, start: int, size: int) -> bytes:
        """Return exactly ``size`` bytes from ``start``, see ``Place``."""
        descriptor = self._descriptor
        if descriptor is None:
            raise RecordingClosed(f"{self.path} was closed.")
        # Before the read, since that sets memory aside for what it is asked for.
        if not 0 <= start <= start + size <= self.size:
            raise self._unreadable(start, f"{size} bytes from there pass the end, {self.size}")
        try:
            data = os.pread(descriptor.number, size, start)
            while len(data) < size:
                more = os.pread(descriptor.number, size - len(data), start + len(data))
                if not more:
                    raise self._unreadable(start, "the file has become shorter")
                data += more
        except OSError as error:
            raise self._unreadable(start, error.strerror or str(error)) from error
        return data

    def read_up_to(self, start: int, size: int) -> bytes:
        """Return ``size`` bytes from ``start``, fewer at the end of the file."""
        return self.read(start, max(0, min(size, self.size - start)))

    def position(self, start: int) -> tuple[str, str]:
        """Return the file and the byte."""
        return self.path, f"byte {start}"

    def close(self) -> None:
        """Close the file; reads under way finish first."""
        self._descriptor = None

    def _unreadable(self, start: int, reason: str) -> UnreadableFrame:
        return UnreadableFrame(self.path, f"byte {start}", reason)


@dataclass(frozen=True)
class Chunk:
    """A compressed chunk of a bag; implements ``Place`` with offsets in its decompressed bytes."""

    file: BagFile
    start: int
    stored_size: int
    size: int
    compression: str
    cache: ChunkCache

    def data(self) -> bytes:
        """Return the decompressed bytes, from the cache where they are held.

        :raises UnreadableFrame: the chunk is damaged.
        """
        return self.cache.get((self.file.path, self.start), self._decompressed)

    def _decompressed(self) -> bytes:
        stored = self.file.read(self.start, self.stored_size)
        try:
            return decompress(self.compression, stored, self.size)
        except DamagedChunk as error:
            raise UnreadableFrame(*self.file.position(self.start), f"{error}") from error

    def read(self, start: int, size: int) -> bytes:
        """Return exactly ``size`` bytes from ``start``, see ``Place``."""
        data = self.data()
        if not 0 <= start <= start + size <= len(data):
            raise UnreadableFrame(*self.position(start), f"{size} bytes from there pass its end")
        return data[start : start + size]

    def position(self, start: int) -> tuple[str, str]:
        """Return the file, the chunk's byte in it, and the byte in the chunk."""
        return self.file.path, f"byte {start} of the chunk at byte {self.start}"

    def close(self) -> None:
        """Close the file that the chunk lies in."""
        self.file.close()
