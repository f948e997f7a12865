"""The image messages of a ROS 1 bag: from its index, or by one scan of a bag that was cut off."""

from __future__ import annotations

import struct
from collections import defaultdict
from pathlib import Path

from rosbags.rosbag1.reader import IndexData, Reader, ReaderError, RecordType

from avr_ros.recordings.bag_file import BagFile, Chunk, ChunkCache, Place
from avr_ros.recordings.bag_frames import BagMessage
from avr_ros.recordings.errors import UnreadableFrame, UnsupportedRecording
from avr_ros.recordings.image_message import HEAD_BYTES, Serialization
from avr_ros.recordings.indexed_file import IndexedFile
from avr_ros.recordings.recording import Notice, NoticeKind
from avr_ros.recordings.rosbag1_records import (
    VERSION_LINE,
    DamagedRecord,
    Peek,
    RecordPlace,
    fields_of,
    peek_into,
    record_at,
    records_of,
)
from avr_ros.recordings.topics import same_topic

# What the reader lets through when an index is damaged.
_READER_ERRORS = (
    ReaderError,
    AssertionError,
    struct.error,
    LookupError,
    ValueError,
    OverflowError,
    MemoryError,
    OSError,
)


class _DamagedIndex(Exception):
    """The bag's index cannot be used; the bag is scanned."""


def index_rosbag1(file: BagFile, topic: str, cache: ChunkCache) -> IndexedFile:
    """Return the messages of a topic and the topics of a ROS 1 bag.

    :raises UnsupportedRecording: a bag of another version than 2.0, or an encrypted one.
    :raises UnreadableFrame: the file cannot be read at all.
    """
    line = file.read_up_to(0, len(VERSION_LINE))
    if line != VERSION_LINE:
        raise UnsupportedRecording(
            f"{file.path} starts with {line!r}; bags of version 2.0 can be read, "
            "`rosbag migrate` converts older ones."
        )
    _refuse_encrypted(file)
    try:
        indexer = _Indexer(file, topic, cache)
        indexer.follow()
    except (_DamagedIndex, DamagedRecord) as reason:
        indexer = _Indexer(file, topic, cache)
        indexer.scan(str(reason))
    return indexer.result


def _refuse_encrypted(file: BagFile) -> None:
    try:
        fields = record_at(file.read_up_to, len(VERSION_LINE), file.size).fields
    except DamagedRecord:
        return  # A bag cut off in its first record; the scan will say so.
    if fields.get("encryptor"):
        raise UnsupportedRecording(f"{file.path} is encrypted; decrypt it first.")


class _Indexer:
    def __init__(self, file: BagFile, topic: str, cache: ChunkCache) -> None:
        self.file = file
        self.topic = topic
        self.cache = cache
        self.result = IndexedFile()
        self._wanted: set[int] = set()

    def follow(self) -> None:
        """Index by the bag's own index.

        :raises _DamagedIndex: it is missing or damaged.
        :raises DamagedRecord: it does not fit the records of the file.
        """
        by_chunk: dict[int, list[IndexData]] = defaultdict(list)
        try:
            with Reader(Path(self.file.path)) as reader:
                for connection in reader.connections:
                    self._add_connection(connection.id, connection.topic, connection.msgtype)
                for number in sorted(self._wanted):
                    for entry in reader.indexes[number]:
                        by_chunk[entry.chunk_pos].append(entry)
        except _READER_ERRORS as error:
            raise _DamagedIndex(str(error) or type(error).__name__) from error
        for position in sorted(by_chunk):
            entries = sorted(by_chunk[position], key=lambda entry: entry.offset)
            self._follow_chunk(self._record(position), entries)

    def _follow_chunk(self, record: RecordPlace, entries: list[IndexData]) -> None:
        if record.opcode != RecordType.CHUNK:
            raise DamagedRecord(f"its index puts a chunk before byte {record.start}")
        chunk = self._compressed(record)
        if chunk is None:
            for entry in entries:
                offset = record.start + entry.offset
                self._add_indexed(self.file, self.file.read_up_to, offset, record.end, entry.time)
            return
        try:
            content = chunk.data()
        except UnreadableFrame as error:
            self.result.notices.append(Notice(NoticeKind.DAMAGED, self.file.path, str(error)))
            for entry in entries:
                self._add_unreadable(chunk, entry.offset, entry.time, error.reason)
            return
        for entry in entries:
            self._add_indexed(chunk, peek_into(content), entry.offset, len(content), entry.time)

    def _add_indexed(self, place: Place, peek: Peek, offset: int, end: int, log_ns: int) -> None:
        try:
            record = record_at(peek, offset, end)
            if record.opcode == RecordType.CONNECTION:
                # Some writers count from the connection record that precedes the first message.
                record = record_at(peek, record.end, end)
            if record.opcode != RecordType.MSGDATA or record.number("conn") not in self._wanted:
                raise DamagedRecord("there is no message of the topic where the index puts one")
            self._add_message(place, record, peek, 0)
        except DamagedRecord as error:
            self._add_unreadable(place, offset, log_ns, str(error))

    def _record(self, offset: int) -> RecordPlace:
        return record_at(self.file.read_up_to, offset, self.file.size)

    def scan(self, reason: str) -> None:
        """Index by walking the chunks from the start of the file."""
        lost = ""
        ended = False
        at = len(VERSION_LINE)
        while at < self.file.size:
            try:
                record = self._record(at)
            except DamagedRecord as error:
                lost = f"{error}; the {self.file.size - at} bytes from byte {at} on are lost"
                break
            if record.opcode == RecordType.CHUNK:
                self._scan_chunk(record)
            ended = ended or record.opcode == RecordType.CHUNK_INFO
            at = record.end
        if not lost and not ended:
            lost = f"it ends at byte {self.file.size}, before its index"
        message = f"{self.file.path} was scanned, since its index cannot be used ({reason})"
        if lost:
            message += f": {lost}"
        message += f". {len(self.result.messages)} messages of {self.topic} were found."
        kind = NoticeKind.TRUNCATED if lost else NoticeKind.NOT_INDEXED
        self.result.notices.append(Notice(kind, self.file.path, message))

    def _scan_chunk(self, record: RecordPlace) -> None:
        try:
            chunk = self._compressed(record)
            if chunk is None:
                self._walk(self.file, self.file.read(record.start, record.size), record.start)
            else:
                self._walk(chunk, chunk.data(), 0)
        except (DamagedRecord, UnreadableFrame) as error:
            message = f"The chunk at byte {record.start} of {self.file.path} is damaged: {error}"
            self.result.notices.append(Notice(NoticeKind.DAMAGED, self.file.path, message))

    def _walk(self, place: Place, content: bytes, base: int) -> None:
        """Take every record of a chunk, whose bytes start at ``base`` in ``place``."""
        for record in records_of(content):
            if record.opcode == RecordType.CONNECTION:
                fields = fields_of(content[record.start : record.end])
                kind = fields.get("type", b"").decode("utf-8", "replace")
                self._add_connection(record.number("conn"), record.text("topic"), kind)
            elif record.opcode == RecordType.MSGDATA and record.number("conn") in self._wanted:
                self._add_message(place, record, peek_into(content), base)

    def _compressed(self, record: RecordPlace) -> Chunk | None:
        """Return a compressed chunk, none where the chunk is part of the file as it is."""
        compression, size = record.text("compression"), record.number("size")
        if compression == "none":
            return None
        return Chunk(self.file, record.start, record.size, size, compression, self.cache)

    def _add_connection(self, number: int, topic: str, kind: str) -> None:
        self.result.topics[topic] = kind
        if same_topic(topic, self.topic):
            self._wanted.add(number)
            self.result.serializations.add(Serialization.ROS1.value)

    def _add_message(self, place: Place, record: RecordPlace, peek: Peek, base: int) -> None:
        head = peek(record.start, min(HEAD_BYTES, record.size))
        start, time = base + record.start, record.time("time")
        self.result.messages.append(BagMessage(place, start, record.size, time, 0, head))

    def _add_unreadable(self, place: Place, start: int, log_ns: int, fault: str) -> None:
        self.result.messages.append(BagMessage(place, start, 0, log_ns, 0, None, fault))
