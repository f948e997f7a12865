"""From the image messages of a bag to frames: their order, ids and stamps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from avr_ros.recordings.bag_file import Place
from avr_ros.recordings.errors import (
    DamagedRecording,
    MalformedTimestamps,
    UnreadableFrame,
    UnsupportedRecording,
)
from avr_ros.recordings.frame_source import StoredFrame
from avr_ros.recordings.image_message import (
    ImageHead,
    ImageType,
    MalformedMessage,
    Serialization,
    read_head,
)
from avr_ros.recordings.jrdb_timestamps import Timestamps
from avr_ros.recordings.raw_image import CHANNELS
from avr_ros.recordings.recording import (
    NO_STAMP,
    Notice,
    NoticeKind,
    SequenceInfo,
    StoredAs,
    whole_microseconds,
)

TIMESTAMPS_TOLERANCE_US = 1
"""A stamp in a timestamps file went through a float, so it may differ from the message's by one."""


@dataclass(frozen=True)
class BagMessage:
    """One image message as the index of a bag gives it.

    ``head`` holds its first bytes, none where they cannot be had; ``fault`` then says why, and also
    where the head can be read but the rest is known to be damaged. ``log_ns`` is when the recorder
    took it, ``number`` its sequence number in the bag.
    """

    place: Place
    start: int
    size: int
    log_ns: int
    number: int
    head: bytes | None
    fault: str = ""


@dataclass
class BagContents:
    """The image messages of one topic, in the order in which they are stored."""

    image_type: ImageType
    serialization: Serialization
    messages: list[BagMessage] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


@dataclass(frozen=True)
class _Frame:
    message: BagMessage
    head: ImageHead | None
    fault: str

    @property
    def stamp_us(self) -> int:
        return NO_STAMP if self.head is None else whole_microseconds(self.head.stamp_ns)


class BagFrames:
    """Implements ``FrameSource`` over the messages of a bag.

    Frames are ordered by stamp, then sequence number, then place in the file. With timestamps,
    each takes the id and the stamp of the entry that its own stamp matches; without, ids count from
    0 in that order. A message that cannot be read keeps its place by the recorder's clock, where
    that clock and the stamps agree on the order of all others, so that damage moves no frame's id.
    """

    def __init__(
        self, name: str, path: str, contents: BagContents, timestamps: Timestamps | None = None
    ) -> None:
        """Order the frames and read the size of the first readable one.

        :raises DamagedRecording: no frame is readable.
        :raises UnsupportedRecording: raw images in an encoding that cannot be read.
        :raises MalformedTimestamps: not one stamp matches.
        """
        self._places = {id(message.place): message.place for message in contents.messages}
        notices = list(contents.notices)
        frames = [_read_message(message, contents) for message in contents.messages]
        frames = _in_order(frames, path, notices, keep_unreadable=timestamps is None)
        if timestamps is None:
            frame_ids = np.arange(len(frames), dtype=np.int64)
            stamps = np.array([frame.stamp_us for frame in frames], np.int64)
        else:
            frames, frame_ids, stamps = _matched(frames, timestamps, path, notices)
        notices.extend(_repeated_stamps(stamps, path))
        self._frames = frames
        raw = contents.image_type is ImageType.RAW
        width, height = self._size_of_first_readable(path)
        self._info = SequenceInfo(
            name,
            frame_ids,
            stamps,
            width,
            height,
            StoredAs.RAW if raw else StoredAs.JPEG,
            path,
            tuple(notices),
        )

    @property
    def info(self) -> SequenceInfo:
        """Frames, stamps and geometry."""
        return self._info

    def read(self, frame_id: int) -> StoredFrame:
        """Return a frame as stored, see ``FrameSource``."""
        return _read_frame(self._frames[self._info.position(frame_id)])

    def close(self) -> None:
        """Close the bag's files; reads under way finish first."""
        for place in self._places.values():
            place.close()

    def _size_of_first_readable(self, path: str) -> tuple[int, int]:
        first: UnreadableFrame | None = None
        for frame in self._frames:
            try:
                stored = _read_frame(frame)
                if stored.raw is not None and stored.raw.encoding not in CHANNELS:
                    raise UnsupportedRecording(
                        f"The raw images in {path} have the encoding {stored.raw.encoding!r}; "
                        f"{', '.join(CHANNELS)} can be read."
                    )
                return stored.size()
            except UnreadableFrame as error:
                first = first or error
        raise DamagedRecording(
            f"{path} has no readable image among its {len(self._frames)}. {first or ''}".strip()
        )


def _read_message(message: BagMessage, contents: BagContents) -> _Frame:
    if message.head is None:
        return _Frame(message, None, message.fault)
    try:
        head = read_head(message.head, message.size, contents.image_type, contents.serialization)
    except MalformedMessage as error:
        return _Frame(message, None, message.fault or f"the message is damaged: {error}")
    return _Frame(message, head, message.fault)


def _read_frame(frame: _Frame) -> StoredFrame:
    message, head = frame.message, frame.head
    if head is None or frame.fault:
        raise UnreadableFrame(*message.place.position(message.start), frame.fault)
    start = message.start + head.start
    path, position = message.place.position(start)
    return StoredFrame(message.place.read(start, head.size), head.raw, path, position)


def _in_order(
    frames: list[_Frame], path: str, notices: list[Notice], *, keep_unreadable: bool
) -> list[_Frame]:
    readable = [frame for frame in frames if frame.head is not None]
    lost = len(frames) - len(readable)
    # Sorting is stable: what is equal stays in the order of the file.
    by_stamp = sorted(readable, key=_stamp_and_number)
    if not lost:
        return by_stamp
    first = next(frame for frame in frames if frame.head is None)
    where = " at ".join(first.message.place.position(first.message.start))
    by_log = sorted(frames, key=lambda frame: (frame.message.log_ns, frame.message.number))
    readable_by_log = [frame for frame in by_log if frame.head is not None]
    agree = all(one is other for one, other in zip(readable_by_log, by_stamp, strict=True))
    if keep_unreadable and agree:
        outcome = "they keep their places, without stamps, and cannot be read"
    else:
        outcome = "they are left out"
        if keep_unreadable:
            outcome += ", and the ids of later frames differ from those of an undamaged bag"
    message = f"{lost} image messages of {path} are damaged, {where} first: {outcome}."
    notices.append(Notice(NoticeKind.DAMAGED, path, message))
    return by_log if keep_unreadable and agree else by_stamp


def _stamp_and_number(frame: _Frame) -> tuple[int, int]:
    assert frame.head is not None
    return frame.head.stamp_ns, frame.head.header_sequence or frame.message.number


def _matched(
    frames: list[_Frame], timestamps: Timestamps, path: str, notices: list[Notice]
) -> tuple[list[_Frame], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Give each frame the id and stamp of the nearest entry of the timestamps file."""
    order = np.argsort(timestamps.stamps_us, kind="stable")
    stamps = timestamps.stamps_us[order]
    matched: dict[int, _Frame] = {}
    unmatched: list[_Frame] = []
    for frame in frames:
        entry = _nearest_free(frame.stamp_us, stamps, order, timestamps.frame_ids, matched)
        if entry is None:
            unmatched.append(frame)
        else:
            matched[entry] = frame
    if frames and not matched:
        raise MalformedTimestamps(
            f"No image in {path} has a stamp of {timestamps.path}: its first is at "
            f"{frames[0].stamp_us} us, the file's at {stamps[0]} us; remove the file if it belongs "
            "to another recording."
        )
    if unmatched:
        message = (
            f"{len(unmatched)} images of {path} have no entry in {timestamps.path} and so no id, "
            f"the first at {unmatched[0].stamp_us} us: left out."
        )
        notices.append(Notice(NoticeKind.IGNORED, path, message))
    missing = sorted({int(frame_id) for frame_id in timestamps.frame_ids} - set(matched))
    if missing:
        message = (
            f"{len(missing)} frames of {timestamps.path} have no readable image in {path}, "
            f"frame {missing[0]} first."
        )
        notices.append(Notice(NoticeKind.FRAMES_MISSING, path, message))
    ids = sorted(matched)
    stamp_of = {
        int(i): int(s) for i, s in zip(timestamps.frame_ids, timestamps.stamps_us, strict=True)
    }
    return (
        [matched[frame_id] for frame_id in ids],
        np.array(ids, np.int64),
        np.array([stamp_of[frame_id] for frame_id in ids], np.int64),
    )


def _nearest_free(
    stamp_us: int,
    stamps: npt.NDArray[np.int64],
    order: npt.NDArray[np.intp],
    frame_ids: npt.NDArray[np.int64],
    taken: dict[int, _Frame],
) -> int | None:
    """Return the id of the nearest entry within the tolerance that no frame has taken."""
    low = int(np.searchsorted(stamps, stamp_us - TIMESTAMPS_TOLERANCE_US, "left"))
    high = int(np.searchsorted(stamps, stamp_us + TIMESTAMPS_TOLERANCE_US, "right"))
    near = sorted(range(low, high), key=lambda at: (abs(int(stamps[at]) - stamp_us), at))
    for at in near:
        frame_id = int(frame_ids[order[at]])
        if frame_id not in taken:
            return frame_id
    return None


def _repeated_stamps(stamps: Sequence[int] | npt.NDArray[np.int64], path: str) -> list[Notice]:
    known = np.asarray(stamps, np.int64)
    known = known[known != NO_STAMP]
    values, counts = np.unique(known, return_counts=True)
    repeated = values[counts > 1]
    if not repeated.size:
        return []
    message = (
        f"{int((counts[counts > 1] - 1).sum())} frames of {path} repeat another's stamp, "
        f"{repeated[0]} us first; by time the one with the lowest id is found."
    )
    return [Notice(NoticeKind.DUPLICATE_STAMP, path, message)]
