"""The image messages of an MCAP file: from its index, or by one scan where the index will not do.

The index is trusted only where it accounts for every message that the file's statistics count; a
file without a footer (its recorder was killed), without an index, or with messages that the index
passes over is scanned once, record by record, up to the last whole one.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field

from mcap.opcode import Opcode
from mcap.records import Channel, ChunkIndex, MessageIndex, Schema, Statistics

from avr_ros.recordings.bag_file import BagFile, Chunk, ChunkCache, Place
from avr_ros.recordings.bag_frames import BagMessage
from avr_ros.recordings.decompression import MAX_CHUNK_BYTES
from avr_ros.recordings.errors import UnreadableFrame
from avr_ros.recordings.image_message import HEAD_BYTES
from avr_ros.recordings.indexed_file import IndexedFile
from avr_ros.recordings.mcap_records import (
    MAGIC,
    MESSAGE_HEAD,
    RECORD_HEAD,
    DamagedRecord,
    RecordPlace,
    parse,
    record_at,
    records_of,
)
from avr_ros.recordings.recording import Notice, NoticeKind
from avr_ros.recordings.topics import same_topic

_FOOTER_BYTES = RECORD_HEAD + 20 + len(MAGIC)
_CHUNK_HEAD_BYTES = 128
_MOST_COMPRESSION_NAME = 32
_WRONG_CHECKSUM = "the chunk's checksum is wrong"


@dataclass
class _Summary:
    schemas: list[Schema] = field(default_factory=list)
    channels: list[Channel] = field(default_factory=list)
    chunks: list[ChunkIndex] = field(default_factory=list)
    statistics: Statistics | None = None


@dataclass(frozen=True)
class _ChunkPlace:
    """A chunk's bytes: compressed ones as a place of their own, others as a part of the file."""

    place: Place
    base: int
    """What to add to an offset in the chunk to get one in ``place``."""
    size: int
    checksum: int
    compressed: Chunk | None


def index_mcap(file: BagFile, topic: str, cache: ChunkCache) -> IndexedFile:
    """Return the messages of a topic and the topics of an MCAP file.

    :raises UnreadableFrame: the file cannot be read at all.
    """
    try:
        indexer = _Indexer(file, topic, cache)
        indexer.follow(_read_summary(file))
    except DamagedRecord as reason:
        indexer = _Indexer(file, topic, cache)
        indexer.scan(str(reason))
    return indexer.result


def _read_summary(file: BagFile) -> _Summary:
    if file.size < len(MAGIC) + _FOOTER_BYTES or file.read(file.size - 8, 8) != MAGIC:
        raise DamagedRecord("it has no footer")
    footer = record_at(file, file.size - _FOOTER_BYTES)
    if footer.opcode != Opcode.FOOTER or footer.end != file.size - len(MAGIC):
        raise DamagedRecord("it has no footer")
    (start,) = struct.unpack("<Q", file.read(footer.start, 8))
    if start == 0:
        raise DamagedRecord("it has no index")
    end = file.size - _FOOTER_BYTES
    if not len(MAGIC) <= start <= end:
        raise DamagedRecord(f"its footer puts the index at byte {start}")
    content = file.read(start, end - start)
    summary = _Summary()
    for record in records_of(content):
        body = content[record.start : record.end]
        if record.opcode == Opcode.SCHEMA:
            summary.schemas.append(parse(Schema.read, body))
        elif record.opcode == Opcode.CHANNEL:
            summary.channels.append(parse(Channel.read, body))
        elif record.opcode == Opcode.CHUNK_INDEX:
            summary.chunks.append(parse(ChunkIndex.read, body))
        elif record.opcode == Opcode.STATISTICS:
            summary.statistics = parse(Statistics.read, body)
    return summary


class _Indexer:
    def __init__(self, file: BagFile, topic: str, cache: ChunkCache) -> None:
        self.file = file
        self.topic = topic
        self.cache = cache
        self.result = IndexedFile()
        self._schemas: dict[int, str] = {0: ""}
        self._wanted: set[int] = set()
        self._known: set[int] = set()

    def follow(self, summary: _Summary) -> None:
        """Index by the summary.

        :raises DamagedRecord: it is damaged or does not account for every message.
        """
        for schema in summary.schemas:
            self._add_schema(schema)
        for channel in summary.channels:
            self._add_channel(channel)
        if summary.statistics is None:
            raise DamagedRecord("it has no statistics to check its index by")
        for chunk in summary.chunks:
            if not self._known.issuperset(chunk.message_index_offsets):
                raise DamagedRecord("its index names channels that it does not describe")
        if len(self._known) < summary.statistics.channel_count:
            raise DamagedRecord("its index does not describe every channel")
        for chunk in sorted(summary.chunks, key=lambda chunk: chunk.chunk_start_offset):
            self._follow_chunk(chunk)
        counts = summary.statistics.channel_message_counts
        counted = sum(counts.get(channel, 0) for channel in self._wanted)
        if counted != len(self.result.messages):
            raise DamagedRecord(
                f"its index has {len(self.result.messages)} of {counted} messages of the topic"
            )

    def _follow_chunk(self, index: ChunkIndex) -> None:
        wanted = self._wanted.intersection(index.message_index_offsets)
        if index.message_index_offsets and not wanted:
            return
        record = record_at(self.file, index.chunk_start_offset)
        if record.opcode != Opcode.CHUNK:
            raise DamagedRecord(f"its index puts a chunk at byte {index.chunk_start_offset}")
        chunk = self._chunk(record)
        if not index.message_index_offsets:
            if not self._fault_of(chunk):
                self._walk(chunk)
            return
        entries: list[tuple[int, int]] = []
        for channel in sorted(wanted):
            place = record_at(self.file, index.message_index_offsets[channel])
            if place.opcode != Opcode.MESSAGE_INDEX:
                raise DamagedRecord(f"its index puts a message index at byte {place.start}")
            body = self.file.read(place.start, place.size)
            entries.extend(parse(MessageIndex.read, body).records)
        entries.sort(key=lambda entry: entry[1])
        fault = self._fault_of(chunk)
        content = None
        if not fault and chunk.compressed is not None:
            content = chunk.compressed.data()
        for log_ns, offset in entries:
            if fault:
                self._add_unreadable(chunk, offset, log_ns, fault)
            else:
                self._add_message(chunk, offset, content, log_ns=log_ns)

    def scan(self, reason: str) -> None:
        """Index by walking the file from its start."""
        lost = ""
        at = len(MAGIC)
        whole_file = _ChunkPlace(self.file, 0, self.file.size, 0, None)
        while True:
            if at == self.file.size:
                lost = f"it ends at byte {at} without a footer"
                break
            try:
                record = record_at(self.file, at)
                if record.opcode in (Opcode.DATA_END, Opcode.FOOTER):
                    break
                if record.opcode == Opcode.CHUNK:
                    chunk = self._chunk(record)
                    if not self._fault_of(chunk):
                        self._walk(chunk)
                else:
                    self._add_record(record, whole_file, None)
            except DamagedRecord as error:
                lost = f"{error}; the {self.file.size - at} bytes from byte {at} on are lost"
                break
            at = record.end
        self._say(NoticeKind.TRUNCATED if lost else NoticeKind.NOT_INDEXED, reason, lost)

    def _say(self, kind: NoticeKind, reason: str, lost: str) -> None:
        message = f"{self.file.path} was scanned, since {reason}"
        if lost and lost != reason:
            message += f": {lost}"
        message += f". {len(self.result.messages)} messages of {self.topic} were found."
        self.result.notices.append(Notice(kind, self.file.path, message))

    def _chunk(self, record: RecordPlace) -> _ChunkPlace:
        """Read a chunk's head: times, size, checksum, compression, length of its data."""
        head = self.file.read(record.start, min(_CHUNK_HEAD_BYTES, record.size))
        if len(head) < 40:
            raise DamagedRecord(f"the chunk at byte {record.start} has {record.size} bytes")
        size, checksum, name_length = struct.unpack_from("<QII", head, 16)
        if name_length > _MOST_COMPRESSION_NAME:
            raise DamagedRecord(f"the chunk at byte {record.start} has no name of a compression")
        if len(head) < 40 + name_length:
            raise DamagedRecord(f"the chunk at byte {record.start} has {record.size} bytes")
        compression = head[32 : 32 + name_length].decode("ascii", "replace")
        (stored_size,) = struct.unpack_from("<Q", head, 32 + name_length)
        start = record.start + 40 + name_length
        if start + stored_size > record.end:
            raise DamagedRecord(f"the data of the chunk at byte {record.start} passes its end")
        if not compression:
            return _ChunkPlace(self.file, start, stored_size, checksum, None)
        chunk = Chunk(self.file, start, stored_size, size, compression, self.cache)
        return _ChunkPlace(chunk, 0, size, checksum, chunk)

    def _fault_of(self, chunk: _ChunkPlace) -> str:
        """Return what is wrong with a compressed chunk, and say so; empty where nothing is.

        Its checksum is looked at here alone: once for a recording, not at every decompression.
        """
        if chunk.compressed is None:
            return ""
        try:
            data = chunk.compressed.data()
            if chunk.checksum in (0, zlib.crc32(data)):
                return ""
            path, position = chunk.place.position(0)
            error = UnreadableFrame(path, position, _WRONG_CHECKSUM)
        except UnreadableFrame as caught:
            error = caught
        self.result.notices.append(Notice(NoticeKind.DAMAGED, self.file.path, str(error)))
        return error.reason

    def _walk(self, chunk: _ChunkPlace) -> None:
        """Take every record of a chunk."""
        if chunk.size > MAX_CHUNK_BYTES:
            raise DamagedRecord(f"the chunk at byte {chunk.base} has {chunk.size} bytes")
        fault = ""
        if chunk.compressed is not None:
            content = chunk.compressed.data()
        else:
            content = self.file.read(chunk.base, chunk.size)
            if chunk.checksum and zlib.crc32(content) != chunk.checksum:
                fault = _WRONG_CHECKSUM
        try:
            for record in records_of(content):
                self._add_record(record, chunk, content, fault)
        except DamagedRecord as error:
            fault = fault or str(error)
        if fault:
            path, position = chunk.place.position(chunk.base)
            message = f"{path} at {position}: {fault}; {len(self.result.messages)} messages so far."
            self.result.notices.append(Notice(NoticeKind.DAMAGED, path, message))

    def _add_record(
        self, record: RecordPlace, chunk: _ChunkPlace, content: bytes | None, fault: str = ""
    ) -> None:
        """Take a record that lies in a chunk, or, with no ``content``, in the file itself."""
        if record.opcode not in (Opcode.SCHEMA, Opcode.CHANNEL, Opcode.MESSAGE):
            return
        wanted = record.size
        if record.opcode == Opcode.MESSAGE:
            if record.size < MESSAGE_HEAD:
                raise DamagedRecord(f"a message record of {record.size} bytes")
            wanted = 2
        if content is None:
            body = self.file.read(record.start, wanted)
        else:
            body = content[record.start : record.start + wanted]
        if record.opcode == Opcode.SCHEMA:
            self._add_schema(parse(Schema.read, body))
        elif record.opcode == Opcode.CHANNEL:
            self._add_channel(parse(Channel.read, body))
        elif int.from_bytes(body, "little") in self._wanted:
            self._add_message(chunk, record.start - RECORD_HEAD, content, fault=fault)

    def _add_schema(self, schema: Schema) -> None:
        self._schemas[schema.id] = schema.name

    def _add_channel(self, channel: Channel) -> None:
        self._known.add(channel.id)
        self.result.topics[channel.topic] = self._schemas.get(channel.schema_id, "")
        if same_topic(channel.topic, self.topic):
            self._wanted.add(channel.id)
            self.result.serializations.add(channel.message_encoding)

    def _add_unreadable(self, chunk: _ChunkPlace, offset: int, log_ns: int, fault: str) -> None:
        message = BagMessage(chunk.place, chunk.base + offset, 0, log_ns, 0, None, fault)
        self.result.messages.append(message)

    def _add_message(
        self,
        chunk: _ChunkPlace,
        offset: int,
        content: bytes | None,
        *,
        log_ns: int = 0,
        fault: str = "",
    ) -> None:
        """Take the message record at an offset of a chunk; ``content`` is the chunk, if at hand."""
        at = chunk.base + offset
        available = min(RECORD_HEAD + MESSAGE_HEAD + HEAD_BYTES, chunk.size - offset)
        head = b""
        if available > RECORD_HEAD + MESSAGE_HEAD:
            head = (
                chunk.place.read(at, available)
                if content is None
                else content[offset : offset + available]
            )
        if head and head[0] == Opcode.MESSAGE:
            length, channel, number, log_ns, _ = struct.unpack_from("<QHIQQ", head, 1)
            fits = MESSAGE_HEAD <= length <= chunk.size - offset - RECORD_HEAD
            if fits and channel in self._wanted:
                start = at + RECORD_HEAD + MESSAGE_HEAD
                size = length - MESSAGE_HEAD
                known = head[RECORD_HEAD + MESSAGE_HEAD :][:size]
                message = BagMessage(chunk.place, start, size, log_ns, number, known, fault)
                self.result.messages.append(message)
                return
        fault = fault or "there is no message where the index puts one"
        self.result.messages.append(BagMessage(chunk.place, at, 0, log_ns, 0, None, fault))
