"""Records of an MCAP file with their byte offsets, lengths checked before anything is read.

The format is https://mcap.dev/spec; the fields of a record are parsed by the ``mcap`` package,
which does not say where records lie and, in a file that was cut off, asks for memory by lengths
that may be anything. So the frame of a record (opcode, length) is read here and the bytes handed
over whole.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import TypeVar

from mcap.data_stream import ReadDataStream
from mcap.exceptions import McapError
from mcap.opcode import Opcode

from avr_ros.recordings.bag_file import BagFile

MAGIC = b"\x89MCAP0\r\n"
RECORD_HEAD = 9
MESSAGE_HEAD = 22
"""Bytes of a message record before the serialized message: channel, sequence, two times."""

Parsed = TypeVar("Parsed")


class DamagedRecord(ValueError):
    """A record does not hold what its opcode promises; handled inside this room."""


@dataclass(frozen=True)
class RecordPlace:
    """Where a record's content lies: offset after opcode and length, and its length in bytes."""

    opcode: int
    start: int
    size: int

    @property
    def end(self) -> int:
        """Offset of the next record."""
        return self.start + self.size


def parse(reader: Callable[[ReadDataStream], Parsed], content: bytes) -> Parsed:
    """Parse a record's content with a ``read`` function of ``mcap.records``.

    :raises DamagedRecord: the content is no such record.
    """
    try:
        return reader(ReadDataStream(BytesIO(content)))
    except (McapError, struct.error, ValueError) as error:
        raise DamagedRecord(f"{reader.__qualname__}: {error or type(error).__name__}") from error


def record_at(file: BagFile, offset: int) -> RecordPlace:
    """Return the record that starts at an offset of the file.

    :raises DamagedRecord: no record starts there, or it passes the end of the file.
    """
    if not 0 <= offset <= file.size - RECORD_HEAD:
        raise DamagedRecord(f"no record fits at byte {offset} of {file.size}")
    opcode, size = struct.unpack("<BQ", file.read(offset, RECORD_HEAD))
    if opcode == 0:
        raise DamagedRecord(f"no record at byte {offset}")
    if size > file.size - offset - RECORD_HEAD:
        raise DamagedRecord(
            f"the {_name(opcode)} at byte {offset} has {size} bytes and passes the end, {file.size}"
        )
    return RecordPlace(opcode, offset + RECORD_HEAD, size)


def records_of(content: bytes) -> Iterator[RecordPlace]:
    """Yield the records inside a chunk, with offsets in ``content``.

    :raises DamagedRecord: a record passes the end of the chunk.
    """
    at = 0
    while at < len(content):
        if at + RECORD_HEAD > len(content):
            raise DamagedRecord(f"{len(content) - at} bytes are left over in the chunk")
        opcode, size = struct.unpack_from("<BQ", content, at)
        if size > len(content) - at - RECORD_HEAD:
            raise DamagedRecord(f"a record of {size} bytes passes the end of the chunk")
        place = RecordPlace(opcode, at + RECORD_HEAD, size)
        yield place
        at = place.end


def _name(opcode: int) -> str:
    try:
        return f"{Opcode(opcode).name.lower()} record"
    except ValueError:
        return f"record of unknown kind {opcode}"
