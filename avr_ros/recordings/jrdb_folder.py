"""One sequence of a JRDB data set: a folder of numbered JPEGs and its timestamps file."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from avr_ros.recordings.errors import (
    AmbiguousRecording,
    DamagedRecording,
    OutsideDataSet,
    RecordingClosed,
    UnreadableFrame,
)
from avr_ros.recordings.frame_source import StoredFrame
from avr_ros.recordings.jrdb_layout import IMAGE_NAME
from avr_ros.recordings.jrdb_timestamps import Timestamps, read_timestamps
from avr_ros.recordings.recording import (
    NO_STAMP,
    Notice,
    NoticeKind,
    SequenceInfo,
    StoredAs,
)
from avr_ros.recordings.sequence_names import inside

MAX_IMAGE_BYTES = 256 << 20
"""Larger files are refused before memory is set aside for them (a panorama has half a megabyte)."""


class JrdbFolder:
    """Implements ``FrameSource``. A frame's id is the number that its file is named by."""

    def __init__(
        self, name: str, folder: Path, root: Path, timestamps_file: Path | None = None
    ) -> None:
        """List the images, read their stamps and the size of the first readable one.

        :raises MalformedTimestamps: the timestamps file cannot be used.
        :raises AmbiguousRecording: two files bear the same number.
        :raises DamagedRecording: no image is readable.
        """
        notices: list[Notice] = []
        self._files = _image_files(folder, root, notices)
        self._closed = False
        frame_ids = np.array(sorted(self._files), np.int64)
        stamps = np.full(frame_ids.size, NO_STAMP, np.int64)
        if timestamps_file is None:
            message = f"No timestamps file for {folder}: its frames can be asked for by id alone."
            notices.append(Notice(NoticeKind.STAMPS_MISSING, str(folder), message))
        else:
            timestamps = read_timestamps(timestamps_file)
            for at, frame_id in enumerate(frame_ids):
                stamp = timestamps.stamp_us(int(frame_id))
                stamps[at] = NO_STAMP if stamp is None else stamp
            notices.extend(_disagreements(folder, set(self._files), timestamps))
        width, height = self._size_of_first_readable(folder)
        self._info = SequenceInfo(
            name, frame_ids, stamps, width, height, StoredAs.JPEG, str(folder), tuple(notices)
        )

    @property
    def info(self) -> SequenceInfo:
        """Frames, stamps and geometry."""
        return self._info

    def read(self, frame_id: int) -> StoredFrame:
        """Return a frame as stored, see ``FrameSource``."""
        if self._closed:
            raise RecordingClosed(f"The sequence {self._info.name} was closed.")
        self._info.position(frame_id)
        return self._read(self._files[frame_id])

    def close(self) -> None:
        """Refuse further reads; nothing is held open."""
        self._closed = True

    def _read(self, path: str) -> StoredFrame:
        try:
            with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size > MAX_IMAGE_BYTES:
                    raise UnreadableFrame(path, "byte 0", f"the file has {size} bytes")
                return StoredFrame(file.read(size), None, path, "byte 0")
        except OSError as error:
            raise UnreadableFrame(path, "byte 0", error.strerror or str(error)) from error

    def _size_of_first_readable(self, folder: Path) -> tuple[int, int]:
        first: UnreadableFrame | None = None
        for frame_id in sorted(self._files):
            try:
                return self._read(self._files[frame_id]).size()
            except UnreadableFrame as error:
                first = first or error
        raise DamagedRecording(f"No image in {folder} is readable. {first or ''}".strip())


def _image_files(folder: Path, root: Path, notices: list[Notice]) -> dict[int, str]:
    files: dict[int, str] = {}
    ignored: list[str] = []
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            name = IMAGE_NAME.fullmatch(entry.name)
            if name is None:
                ignored.append(entry.name)
                continue
            frame_id = int(name.group(1))
            if frame_id in files:
                raise AmbiguousRecording(
                    f"Both {files[frame_id]} and {entry.path} are frame {frame_id}; remove one."
                )
            if not entry.is_symlink():
                files[frame_id] = entry.path
                continue
            try:
                files[frame_id] = str(inside(root, Path(entry.path)))
            except OutsideDataSet as error:
                notices.append(Notice(NoticeKind.FRAMES_MISSING, entry.path, str(error)))
    if ignored:
        message = f"{len(ignored)} entries of {folder} are no numbered images, {ignored[0]} first."
        notices.append(Notice(NoticeKind.IGNORED, str(folder), message))
    return files


def _disagreements(folder: Path, frames: set[int], timestamps: Timestamps) -> list[Notice]:
    """Return what images and timestamps say of each other."""
    notices = []
    stamped = {int(frame_id) for frame_id in timestamps.frame_ids}
    without_stamp = sorted(frames - stamped)
    without_image = sorted(stamped - frames)
    if without_stamp:
        message = (
            f"{len(without_stamp)} images of {folder} have no stamp in {timestamps.path}, "
            f"frame {without_stamp[0]} first: they can be asked for by id alone."
        )
        notices.append(Notice(NoticeKind.STAMPS_MISSING, timestamps.path, message))
    if without_image:
        message = (
            f"{len(without_image)} frames of {timestamps.path} have no image in {folder}, "
            f"frame {without_image[0]} first."
        )
        notices.append(Notice(NoticeKind.FRAMES_MISSING, str(folder), message))
    return notices
