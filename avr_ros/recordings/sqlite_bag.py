"""The image messages of a ROS 2 bag in SQLite (rosbag2's ``sqlite3`` storage).

SQLite is asked for parts of values (incremental blob reading) over a memory map: reading a row as
Python's own module does copies it page by page, several times slower than the file itself. The file
is opened as immutable, so that nothing is written beside it; should somebody shorten it meanwhile,
the operating system ends the process, as with any memory map.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw

from avr_ros.recordings.bag_frames import BagMessage
from avr_ros.recordings.errors import DamagedRecording, RecordingClosed, UnreadableFrame
from avr_ros.recordings.image_message import HEAD_BYTES
from avr_ros.recordings.indexed_file import IndexedFile
from avr_ros.recordings.recording import Notice, NoticeKind
from avr_ros.recordings.sqlite_whole_pages import vfs_for
from avr_ros.recordings.topics import same_topic

MAGIC = b"SQLite format 3\0"

# What a damaged database raises; texts in it may be no texts any more.
_SQLITE_ERRORS = (apsw.Error, UnicodeDecodeError)


class SqliteFile:
    """Read-only connections to one database, one for every thread that reads at the same time."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self._uri = f"{path.resolve().as_uri()}?immutable=1"
        self._vfs = vfs_for(path)
        self._lock = threading.Lock()
        self._idle: list[apsw.Connection] = []
        self._closed = False

    @contextmanager
    def connection(self) -> Iterator[apsw.Connection]:
        """Lend a connection for the length of a block.

        :raises RecordingClosed: after :meth:`close`.
        """
        with self._lock:
            if self._closed:
                raise RecordingClosed(f"{self.path} was closed.")
            connection = self._idle.pop() if self._idle else None
        if connection is None:
            connection = self._open()
        try:
            yield connection
        finally:
            with self._lock:
                if not self._closed:
                    self._idle.append(connection)
                    connection = None
            if connection is not None:
                connection.close()

    def _open(self) -> apsw.Connection:
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        connection = apsw.Connection(self._uri, flags=flags, vfs=self._vfs)
        if self._vfs is None:
            connection.execute(f"PRAGMA mmap_size={1 << 40}")
        # Lets a file be read that is shorter than its header says: up to where it was cut off.
        connection.execute("PRAGMA writable_schema=ON")
        return connection

    def close(self) -> None:
        """Close the connections; a read under way closes its own when done."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()


@dataclass(frozen=True)
class Row:
    """The ``data`` of one row of ``messages``; implements ``Place``."""

    file: SqliteFile
    number: int

    def read(self, start: int, size: int) -> bytes:
        """Return exactly ``size`` bytes from ``start``, see ``Place``."""
        try:
            with self.file.connection() as connection:
                blob = connection.blob_open("main", "messages", "data", self.number, False)
                try:
                    if not 0 <= start <= start + size <= blob.length():
                        reason = f"{size} bytes from there pass its end, {blob.length()}"
                        raise UnreadableFrame(*self.position(start), reason)
                    blob.seek(start)
                    return blob.read(size) if size else b""
                finally:
                    blob.close(True)
        except _SQLITE_ERRORS as error:
            raise UnreadableFrame(*self.position(start), str(error)) from error

    def position(self, start: int) -> tuple[str, str]:
        """Return the file, the row, and the byte in the row's data."""
        return self.file.path, f"row {self.number} byte {start}"

    def close(self) -> None:
        """Close the file."""
        self.file.close()


def index_sqlite(path: Path, topic: str) -> IndexedFile:
    """Return the messages of a topic and the topics of a bag in SQLite.

    :raises DamagedRecording: the file's tables cannot be read.
    """
    result = IndexedFile()
    file = SqliteFile(path)
    _notice_logs(path, result)
    try:
        with file.connection() as connection:
            rows, lost = _rows(connection, topic, result)
    except _SQLITE_ERRORS as error:
        file.close()
        raise DamagedRecording(f"The tables of {path} cannot be read: {error}.") from error
    for number, log_ns, size in rows:
        row = Row(file, number)
        if not isinstance(log_ns, int) or not isinstance(size, int):
            fault = "the row's time or size is damaged"
            result.messages.append(BagMessage(row, 0, 0, 0, number, None, fault))
            continue
        try:
            head = row.read(0, min(size, HEAD_BYTES))
            message = BagMessage(row, 0, size, log_ns, number, head)
        except UnreadableFrame as error:
            message = BagMessage(row, 0, size, log_ns, number, None, error.reason)
        result.messages.append(message)
    if lost:
        text = f"{path} is damaged or cut off ({lost}) after {len(rows)} messages of {topic}."
        result.notices.append(Notice(NoticeKind.TRUNCATED, str(path), text))
    return result


def _rows(
    connection: apsw.Connection, topic: str, result: IndexedFile
) -> tuple[list[tuple[int, object, object]], str]:
    """Return row, time and size of the topic's messages, and what ended the list early."""
    wanted: list[int] = []
    for number, name, kind, serialization in connection.execute(
        "SELECT id, name, type, serialization_format FROM topics"
    ):
        result.topics[str(name)] = str(kind)
        if same_topic(str(name), topic) and isinstance(number, int):
            wanted.append(number)
            result.serializations.add(str(serialization))
    rows: list[tuple[int, object, object]] = []
    if not wanted:
        return rows, ""
    marks = ",".join("?" * len(wanted))
    query = (
        "SELECT rowid, timestamp, length(data) FROM messages NOT INDEXED "
        f"WHERE topic_id IN ({marks}) ORDER BY rowid"
    )
    try:
        for number, log_ns, size in connection.execute(query, wanted):
            if not isinstance(number, int):
                return rows, "the table of messages is damaged"
            rows.append((number, log_ns, size))
    except _SQLITE_ERRORS as error:
        return rows, str(error)
    return rows, ""


def _notice_logs(path: Path, result: IndexedFile) -> None:
    for suffix in ("-wal", "-journal"):
        log = f"{path}{suffix}"
        if os.path.exists(log) and os.path.getsize(log) > 0:
            text = (
                f"{log} holds changes that are not in {path.name} yet and are not read; "
                f"`sqlite3 {path.name} 'PRAGMA wal_checkpoint'` on a copy brings them in."
            )
            result.notices.append(Notice(NoticeKind.TRUNCATED, log, text))
