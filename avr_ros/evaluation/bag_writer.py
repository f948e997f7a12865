"""Writes evaluation bags: a folder of MCAP files, one for each start of the run.

Each message is a chunk of its own and is handed to the operating system before the next one is
taken, so that a killed process loses none that it had written (measured; larger chunks lose what
they hold). ``metadata.yaml`` lists all files at any time, in rosbag2's format version 9. A file
that a kill cut off is put in order when the bag is opened for writing again.
"""

from __future__ import annotations

import os
import struct
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import yaml
from mcap.exceptions import McapError
from mcap.reader import make_reader
from mcap.records import Channel, Message, Schema
from mcap.stream_reader import StreamReader
from mcap.writer import Writer

from avr_ros.evaluation.files import replace_file

METADATA_NAME: Final = "metadata.yaml"
METADATA_PERIOD: Final = 1.0
"""Seconds between two updates of the counts in metadata.yaml while messages come."""

_PROFILE: Final = "ros2"
_LIBRARY: Final = "avr_ros"

# Magic, footer and magic again; the mcap library seeks before the beginning of anything shorter.
_SMALLEST: Final = 8 + 29 + 8

# What the mcap library raises where bytes are missing.
_DAMAGE: Final = (McapError, EOFError, ValueError, KeyError, struct.error)


@dataclass(frozen=True)
class BagTopic:
    """A topic of a bag: ``type_name`` as ``package/msg/Type``, its definition with all parts.

    ``qos`` is the publisher's quality of service as rosbag2 writes it in YAML.
    """

    name: str
    type_name: str
    definition: str
    qos: str = ""


@dataclass
class _File:
    """What metadata.yaml says of one file."""

    name: str
    first_ns: int = 0
    last_ns: int = 0
    counts: Counter[tuple[str, str, str]] | None = None

    def add(self, key: tuple[str, str, str], stamp_ns: int) -> None:
        counts = self.counts = self.counts if self.counts is not None else Counter()
        self.first_ns = stamp_ns if not counts.total() else min(self.first_ns, stamp_ns)
        self.last_ns = max(self.last_ns, stamp_ns)
        counts[key] += 1

    @property
    def messages(self) -> int:
        return self.counts.total() if self.counts is not None else 0


class BagWriter:
    """Adds one file to a bag. Thread-safe: it may be closed while others write."""

    def __init__(self, folder: Path, distribution: str) -> None:
        """Open a new file in a bag folder, which is made; ``distribution`` names the ROS release.

        Earlier files that were cut off are put in order. Raises OSError and RunFolderError.
        """
        self._lock = threading.Lock()
        self._closed = False
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._distribution = distribution
        self.repaired = tuple(path.name for path in attempt_files(folder) if repair(path))
        self._earlier = [_described(path) for path in attempt_files(folder)]
        numbers = [int(path.stem.rpartition("_")[2]) for path in attempt_files(folder)]
        self.path = folder / f"bag_{max(numbers, default=-1) + 1}.mcap"
        self._file = _File(self.path.name)
        self._topics: dict[int, BagTopic] = {}
        self._schemas: dict[str, int] = {}
        self._sequences: Counter[int] = Counter()
        self._stream: IO[Any] = open(self.path, "wb")  # noqa: SIM115
        self._writer = _writer(self._stream)
        self._stream.flush()
        self._described_at = 0.0
        self._write_metadata()

    @property
    def messages(self) -> int:
        """Messages written to the new file."""
        return self._file.messages

    def add_topic(self, topic: BagTopic) -> int:
        """Declare a topic and return the number to write its messages with. Raises OSError."""
        with self._lock:
            return self._add_topic(topic)

    def _add_topic(self, topic: BagTopic) -> int:
        schema = self._schemas.get(topic.type_name)
        if schema is None:
            schema = self._schemas[topic.type_name] = self._writer.register_schema(
                topic.type_name, "ros2msg", topic.definition.encode()
            )
        metadata = {"offered_qos_profiles": topic.qos}
        number: int = self._writer.register_channel(topic.name, "cdr", schema, metadata)
        self._topics[number] = topic
        return number

    def write(self, number: int, data: bytes, stamp_ns: int) -> bool:
        """Write a serialized message; it survives this process when the call returns.

        Returns whether it was written: not after the end, nor after an error. Raises OSError and
        RunFolderError, such as for a full disk.
        """
        with self._lock:
            if self._closed:
                return False
            try:
                self._write(number, data, stamp_ns)
            except BaseException:
                self._closed = True
                raise
        return True

    def _write(self, number: int, data: bytes, stamp_ns: int) -> None:
        self._sequences[number] += 1
        self._writer.add_message(number, stamp_ns, data, stamp_ns, self._sequences[number])
        self._stream.flush()
        topic = self._topics[number]
        self._file.add((topic.name, topic.type_name, topic.qos), stamp_ns)
        if time.monotonic() - self._described_at > METADATA_PERIOD:
            self._write_metadata()

    def close(self) -> None:
        """Finish the file, so that any reader opens it. Raises OSError and RunFolderError.

        Nothing is done again, nor after an error: the next start puts that file in order.
        """
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._writer.finish()
            self._stream.flush()
            os.fsync(self._stream.fileno())
            self._stream.close()
            self._write_metadata()

    def _write_metadata(self) -> None:
        files = [*self._earlier, self._file]
        content = {"rosbag2_bagfile_information": _metadata(files, self._distribution)}
        text = yaml.safe_dump(content, sort_keys=False, default_flow_style=False)
        replace_file(self.folder / METADATA_NAME, text.encode())
        self._described_at = time.monotonic()


def attempt_files(folder: Path) -> list[Path]:
    """The files of a bag in the order of their making."""
    files = [path for path in folder.glob("bag_*.mcap") if path.stem[4:].isdigit()]
    return sorted(files, key=lambda path: int(path.stem[4:]))


def repair(path: Path) -> bool:
    """Put a file that was cut off in order, up to its last good message; say whether it was.

    The file is replaced at once. Raises OSError.
    """
    if _is_whole(path):
        return False
    partial = path.with_name(path.name + ".partial")
    with open(partial, "wb") as output:
        writer = _writer(output)
        _copy(path, writer)
        writer.finish()
        output.flush()
        os.fsync(output.fileno())
    os.replace(partial, path)
    return True


def _writer(stream: IO[Any]) -> Any:
    """A started writer; the library declares no types for some of its methods."""
    writer: Any = Writer(stream, chunk_size=1)
    writer.start(_PROFILE, _LIBRARY)
    return writer


def _is_whole(path: Path) -> bool:
    if path.stat().st_size < _SMALLEST:
        return False
    try:
        with open(path, "rb") as stream:
            return make_reader(stream).get_summary() is not None
    except _DAMAGE:
        return False


def _copy(path: Path, writer: Any) -> None:
    schemas: dict[int, int] = {}
    channels: dict[int, int] = {}
    try:
        with open(path, "rb") as stream:
            for record in StreamReader(stream).records:
                if isinstance(record, Schema) and record.id not in schemas:
                    schemas[record.id] = writer.register_schema(
                        record.name, record.encoding, record.data
                    )
                elif isinstance(record, Channel) and record.id not in channels:
                    channels[record.id] = writer.register_channel(
                        record.topic,
                        record.message_encoding,
                        schemas[record.schema_id],
                        record.metadata,
                    )
                elif isinstance(record, Message):
                    writer.add_message(
                        channels[record.channel_id],
                        record.log_time,
                        record.data,
                        record.publish_time,
                        record.sequence,
                    )
    except _DAMAGE:
        # The end that the kill left behind: nothing whole follows it.
        return


def _described(path: Path) -> _File:
    """What a finished file holds."""
    file = _File(path.name)
    with open(path, "rb") as stream:
        summary = make_reader(stream).get_summary()
    if summary is None or summary.statistics is None:
        return file
    statistics = summary.statistics
    file.first_ns, file.last_ns = statistics.message_start_time, statistics.message_end_time
    file.counts = Counter()
    for number, count in statistics.channel_message_counts.items():
        channel = summary.channels[number]
        type_name = summary.schemas[channel.schema_id].name
        qos = channel.metadata.get("offered_qos_profiles", "")
        file.counts[(channel.topic, type_name, qos)] += count
    return file


def _metadata(files: list[_File], distribution: str) -> dict[str, Any]:
    counts: Counter[tuple[str, str, str]] = Counter()
    for file in files:
        counts.update(file.counts or {})
    filled = [file for file in files if file.messages]
    first = min((file.first_ns for file in filled), default=0)
    last = max((file.last_ns for file in filled), default=0)
    return {
        "version": 9,
        "storage_identifier": "mcap",
        "duration": {"nanoseconds": last - first},
        "starting_time": {"nanoseconds_since_epoch": first},
        "message_count": counts.total(),
        "topics_with_message_count": [
            {
                "topic_metadata": {
                    "name": name,
                    "type": type_name,
                    "serialization_format": "cdr",
                    "offered_qos_profiles": yaml.safe_load(qos) or [] if qos else [],
                    "type_description_hash": "",
                },
                "message_count": count,
            }
            for (name, type_name, qos), count in sorted(counts.items())
        ],
        "compression_format": "",
        "compression_mode": "",
        "relative_file_paths": [file.name for file in files],
        "files": [
            {
                "path": file.name,
                "starting_time": {"nanoseconds_since_epoch": file.first_ns},
                "duration": {"nanoseconds": file.last_ns - file.first_ns},
                "message_count": file.messages,
            }
            for file in files
        ],
        "custom_data": {},
        "ros_distro": distribution,
    }
