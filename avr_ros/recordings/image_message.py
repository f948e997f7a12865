"""Where the pixels lie in a serialized sensor_msgs/CompressedImage or sensor_msgs/Image.

Only the start of a message is looked at, so that a bag is indexed without reading its images, and
an image is later read alone, without its message around it. Field order as in the message
definitions; CDR (OMG DDS-RTPS, encapsulation identifiers of plain CDR) aligns to four bytes counted
from after its four-byte head, ROS 1's serialization aligns to nothing.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import Enum

from avr_ros.recordings.raw_image import RawFormat

HEAD_BYTES = 1024
"""Bytes that hold everything before the pixels, even with long names of frame and format."""

_BIG_ENDIAN_CDR = (b"\x00\x00", b"\x00\x06")
_LITTLE_ENDIAN_CDR = (b"\x00\x01", b"\x00\x07")
_ZSTD = b"\x28\xb5\x2f\xfd"


class Serialization(str, Enum):
    """How messages are turned into bytes; the values are MCAP's and rosbag2's names."""

    CDR = "cdr"
    ROS1 = "ros1"


class ImageType(str, Enum):
    """Message types that hold images."""

    COMPRESSED = "sensor_msgs/msg/CompressedImage"
    RAW = "sensor_msgs/msg/Image"

    @classmethod
    def named(cls, name: str) -> ImageType | None:
        """Return the type of a ROS 1 or ROS 2 name, none where it holds no image."""
        parts = name.split("/")
        return {
            ("sensor_msgs", "CompressedImage"): cls.COMPRESSED,
            ("sensor_msgs", "Image"): cls.RAW,
        }.get((parts[0], parts[-1]))


class MalformedMessage(ValueError):
    """The bytes are no message of this type; leaves this room as the frame's error."""


@dataclass(frozen=True)
class ImageHead:
    """A message's stamp and where its pixels lie.

    ``header_sequence`` is ROS 1's ``Header.seq``, 0 for ROS 2. ``start`` counts from the start of
    the message, in bytes.
    """

    stamp_ns: int
    header_sequence: int
    start: int
    size: int
    raw: RawFormat | None


class _Fields:
    def __init__(self, head: bytes, serialization: Serialization) -> None:
        self._head = head
        self._aligned = serialization is Serialization.CDR
        self._order = "<"
        self.at = 0
        if self._aligned:
            if head[:2] in _BIG_ENDIAN_CDR:
                self._order = ">"
            elif head[:2] not in _LITTLE_ENDIAN_CDR:
                if head.startswith(_ZSTD):
                    raise MalformedMessage("compressed message by message; convert the bag")
                raise MalformedMessage(f"not plain CDR, starts with {head[:4].hex(' ')}")
            self.at = 4

    def uint32(self) -> int:
        if self._aligned:
            self.at += -self.at % 4
        value: int = self._unpack("I", 4)
        return value

    def int32(self) -> int:
        if self._aligned:
            self.at += -self.at % 4
        value: int = self._unpack("i", 4)
        return value

    def uint8(self) -> int:
        value: int = self._unpack("B", 1)
        return value

    def string(self) -> str:
        length = self.uint32()
        if self.at + length > len(self._head):
            raise MalformedMessage(f"a text of {length} bytes before the pixels")
        text = self._head[self.at : self.at + length]
        self.at += length
        return text.rstrip(b"\0").decode("utf-8", "replace")

    def _unpack(self, kind: str, size: int) -> int:
        if self.at + size > len(self._head):
            raise MalformedMessage("ends before its pixels")
        (value,) = struct.unpack_from(self._order + kind, self._head, self.at)
        self.at += size
        return int(value)


def read_head(
    head: bytes, message_size: int, image_type: ImageType, serialization: Serialization
) -> ImageHead:
    """Return the stamp and the place of the pixels.

    ``head`` holds at least the first :data:`HEAD_BYTES` of the message, or all of it.

    :raises MalformedMessage: the bytes are no such message, or the pixels do not fit into it.
    """
    fields = _Fields(head, serialization)
    header_sequence = 0
    if serialization is Serialization.ROS1:
        header_sequence = fields.uint32()
        seconds = fields.uint32()
    else:
        seconds = fields.int32()
    nanoseconds = fields.uint32()
    if seconds < 0 or nanoseconds >= 1_000_000_000:
        raise MalformedMessage(f"a stamp of {seconds} s and {nanoseconds} ns")
    fields.string()  # The camera frame's name.
    raw: RawFormat | None = None
    if image_type is ImageType.COMPRESSED:
        fields.string()  # The format, which publishers fill in freely; the bytes tell.
    else:
        height, width, encoding = fields.uint32(), fields.uint32(), fields.string()
        fields.uint8()  # Byte order of the pixels, which are single bytes.
        raw = RawFormat(width, height, fields.uint32(), encoding)
    size = fields.uint32()
    if fields.at + size > message_size:
        raise MalformedMessage(f"{size} bytes of pixels in a message of {message_size}")
    return ImageHead(seconds * 1_000_000_000 + nanoseconds, header_sequence, fields.at, size, raw)
