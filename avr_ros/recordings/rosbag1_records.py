"""Records of a ROS 1 bag, version 2.0, with their byte offsets.

The format is http://wiki.ros.org/Bags/Format/2.0: a record is a length, a header of fields, a
length, and data. The ``rosbags`` package parses the fields; lengths are checked here before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import TypeVar

from rosbags.rosbag1.reader import Header, ReaderError

VERSION_LINE = b"#ROSBAG V2.0\n"
_MOST_HEADER_BYTES = 1 << 20
_USUAL_HEADER_BYTES = 256

Value = TypeVar("Value")
Peek = Callable[[int, int], bytes]


class DamagedRecord(ValueError):
    """No record where one should be; handled inside this room."""


@dataclass(frozen=True)
class RecordPlace:
    """A record's header fields, and where its data lies."""

    opcode: int
    fields: Header
    start: int
    size: int

    def number(self, name: str) -> int:
        """Return an unsigned 32-bit field, or raise ``DamagedRecord``."""
        return self._field(self.fields.get_uint32, name)

    def text(self, name: str) -> str:
        """Return a text field, or raise ``DamagedRecord``."""
        return self._field(self.fields.get_string, name)

    def time(self, name: str) -> int:
        """Return a time field in nanoseconds, or raise ``DamagedRecord``."""
        return self._field(self.fields.get_time, name)

    def _field(self, get: Callable[[str], Value], name: str) -> Value:
        try:
            return get(name)
        except ReaderError as error:
            raise DamagedRecord(f"a damaged record before byte {self.start}: {error}") from error

    @property
    def end(self) -> int:
        """Offset of the next record."""
        return self.start + self.size


def record_at(peek: Peek, offset: int, end: int) -> RecordPlace:
    """Return the record that starts at an offset, where records end at ``end``.

    ``peek(start, size)`` returns bytes of the file or of a chunk, fewer at its end.

    :raises DamagedRecord: no record starts there, or it passes the end.
    """
    head = peek(offset, _USUAL_HEADER_BYTES)
    length = _uint32(head, offset)
    if length > min(_MOST_HEADER_BYTES, end - offset):
        raise DamagedRecord(f"no record at byte {offset}")
    if length + 8 > len(head):
        head = peek(offset, length + 8)
    stream = BytesIO(head)
    try:
        fields = Header.read(stream)
        opcode = fields.get_uint8("op")
    except (ReaderError, ValueError) as error:
        raise DamagedRecord(f"no record at byte {offset} ({error})") from error
    header_end = stream.tell()
    size = _uint32(head[header_end : header_end + 4], offset + header_end)
    place = RecordPlace(opcode, fields, offset + header_end + 4, size)
    if place.end > end:
        raise DamagedRecord(
            f"the record at byte {offset} has {size} bytes and passes the end, {end}"
        )
    return place


def peek_into(content: bytes) -> Peek:
    """Return a function that reads from a chunk's bytes."""
    return lambda start, size: content[start : start + size]


def records_of(content: bytes) -> Iterator[RecordPlace]:
    """Yield the records of a chunk's bytes.

    :raises DamagedRecord: a record passes the end of the chunk.
    """
    at = 0
    while at < len(content):
        record = record_at(peek_into(content), at, len(content))
        yield record
        at = record.end


def fields_of(data: bytes) -> Header:
    """Return the fields in the data of a connection record.

    :raises DamagedRecord: it holds no fields.
    """
    try:
        return Header.read(BytesIO(len(data).to_bytes(4, "little") + data))
    except (ReaderError, ValueError) as error:
        raise DamagedRecord(f"a damaged connection record: {error}") from error


def _uint32(data: bytes, offset: int) -> int:
    if len(data) < 4:
        raise DamagedRecord(f"no length at byte {offset}")
    return int.from_bytes(data[:4], "little")
