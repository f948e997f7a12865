"""Decompression of bag chunks, never beyond the size that the chunk declares."""

from __future__ import annotations

import bz2
from typing import Protocol

import lz4.frame
import zstandard

MAX_CHUNK_BYTES = 1 << 29
"""Larger chunks are refused before memory is set aside for them (usual ones have 1 to 16 MiB)."""

KINDS = ("bz2", "lz4", "zstd")


class DamagedChunk(ValueError):
    """The chunk does not decompress to what it declares; leaves this room as its frames' error."""


def decompress(kind: str, data: bytes, size: int) -> bytes:
    """Return the ``size`` bytes that a chunk holds; ``kind`` is one of :data:`KINDS`.

    :raises DamagedChunk: it holds other than ``size`` bytes, is damaged, or is too large.
    """
    if size > MAX_CHUNK_BYTES:
        raise DamagedChunk(f"a chunk of {size} bytes")
    try:
        if kind == "bz2":
            unpacked = _bz2(data, size)
        elif kind == "lz4":
            unpacked = _lz4(data, size)
        elif kind == "zstd":
            unpacked = _zstd(data, size)
        else:
            raise DamagedChunk(f"unknown compression {kind!r}")
    except DamagedChunk:
        raise
    except (OSError, EOFError, RuntimeError, ValueError, zstandard.ZstdError) as error:
        raise DamagedChunk(f"{kind} data is damaged ({error})") from error
    if len(unpacked) != size:
        raise DamagedChunk(f"{kind} data holds {len(unpacked)} bytes where {size} are declared")
    return unpacked


def _bz2(data: bytes, size: int) -> bytes:
    return _to_the_end(bz2.BZ2Decompressor(), data, size)


def _lz4(data: bytes, size: int) -> bytes:
    return _to_the_end(lz4.frame.LZ4FrameDecompressor(), data, size)


class _Decompressor(Protocol):
    """What the decompressors of bz2 and lz4 have in common."""

    @property
    def eof(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


def _to_the_end(decompressor: _Decompressor, data: bytes, size: int) -> bytes:
    # One byte more than declared, so that a chunk which goes on is noticed.
    unpacked = decompressor.decompress(data, max_length=size + 1)
    if not decompressor.eof:
        raise DamagedChunk(f"the data do not end after {min(len(unpacked), size)} bytes")
    return unpacked


def _zstd(data: bytes, size: int) -> bytes:
    declared = zstandard.frame_content_size(data)
    if declared not in (-1, size):
        raise DamagedChunk(f"zstd data declares {declared} bytes where {size} are declared")
    return zstandard.ZstdDecompressor().decompress(data, max_output_size=max(size, 1))
