"""Opens one bag of any kind as a sequence of frames."""

from __future__ import annotations

from pathlib import Path

from avr_ros.recordings import mcap_records, rosbag1_records, sqlite_bag
from avr_ros.recordings.bag_file import BagFile, ChunkCache
from avr_ros.recordings.bag_frames import BagContents, BagFrames
from avr_ros.recordings.bag_layout import Bag
from avr_ros.recordings.errors import NotARecording, UnsupportedRecording
from avr_ros.recordings.image_message import Serialization
from avr_ros.recordings.indexed_file import IndexedFile
from avr_ros.recordings.jrdb_timestamps import read_timestamps
from avr_ros.recordings.mcap_bag import index_mcap
from avr_ros.recordings.recording import Notice, NoticeKind
from avr_ros.recordings.rosbag1_bag import index_rosbag1
from avr_ros.recordings.topics import STITCHED_TOPIC, choose_topic, same_topic


def open_bag(
    bag: Bag, topic: str | None, cache: ChunkCache, timestamps_file: Path | None
) -> BagFrames:
    """Index a bag's image messages and return them as a frame source.

    ``topic`` none means JRDB's stitched panoramas. ``cache`` holds decompressed chunks.

    :raises NotARecording: a file is no bag.
    :raises UnsupportedRecording: a bag or messages of a kind that cannot be read.
    :raises TopicNotFound: no such topic; the message lists those with images.
    :raises DamagedRecording: no image is readable.
    :raises MalformedTimestamps: the timestamps file is damaged or of another recording.
    """
    name = topic or STITCHED_TOPIC
    indexes: list[IndexedFile] = []
    opened: list[BagFile] = []
    try:
        for path in bag.files:
            indexes.append(_index(path, name, cache, opened))
        return _frames(bag, name, indexes, timestamps_file)
    except BaseException:
        for file in opened:
            file.close()
        for index in indexes:
            for message in index.messages:
                message.place.close()
        raise


def _index(path: Path, topic: str, cache: ChunkCache, opened: list[BagFile]) -> IndexedFile:
    try:
        file = BagFile(path)
    except OSError as error:
        raise NotARecording(f"Cannot open {path}: {error.strerror}.") from error
    opened.append(file)
    start = file.read_up_to(0, 16)
    if start.startswith(b"#ROSBAG V"):
        return index_rosbag1(file, topic, cache)
    if start.startswith(mcap_records.MAGIC):
        return index_mcap(file, topic, cache)
    if start.startswith(sqlite_bag.MAGIC):
        file.close()
        return sqlite_bag.index_sqlite(path, topic)
    raise NotARecording(
        f"{path} starts with {start!r}, as neither a ROS 1 bag ({rosbag1_records.VERSION_LINE!r}), "
        "an MCAP file nor an SQLite database does."
    )


def _frames(
    bag: Bag, topic: str, indexes: list[IndexedFile], timestamps_file: Path | None
) -> BagFrames:
    topics = {name: kind for index in indexes for name, kind in index.topics.items()}
    notices = [*bag.notices, *(notice for index in indexes for notice in index.notices)]
    hint = " ".join(notice.message for notice in notices)
    image_type = choose_topic(str(bag.path), topics, topic, hint)
    serializations = {name for index in indexes for name in index.serializations}
    try:
        (serialization,) = (Serialization(name) for name in serializations)
    except ValueError:
        raise UnsupportedRecording(
            f"Topic {topic} of {bag.path} is serialized as {', '.join(sorted(serializations))}; "
            f"one of {', '.join(known.value for known in Serialization)} can be read."
        ) from None
    messages = [message for index in indexes for message in index.messages]
    counted = [count for name, count in bag.message_counts.items() if same_topic(name, topic)]
    if sum(counted) > len(messages):
        text = (
            f"The metadata of {bag.path} count {sum(counted)} messages of {topic}, of which "
            f"{len(messages)} were found."
        )
        notices.append(Notice(NoticeKind.FRAMES_MISSING, str(bag.path), text))
    contents = BagContents(image_type, serialization, messages, notices)
    timestamps = None if timestamps_file is None else read_timestamps(timestamps_file)
    return BagFrames(bag.name, str(bag.path), contents, timestamps)
