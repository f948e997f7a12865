"""The frame of every JRDB label file: ``{"labels": {"000000.jpg": [person, ...], ...}}``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from avr_ros.annotations.errors import LabelFileError
from avr_ros.annotations.fields import FieldError, as_array, as_object, frame_of
from avr_ros.annotations.json_cursor import JsonCursor

ReadPerson = Callable[[str, int, dict[str, object]], int]
"""Takes the frame's key, its id and a person's entry; returns the person's track id."""


def walk_labels(path: Path, read_person: ReadPerson) -> dict[int, str]:
    """Hand every person of a file to ``read_person``; return the annotated frames' keys by id.

    Frames are told by the key they stand under, never by an entry's ``file_id``. Raises
    LabelFileError where the file is no such file, where ``read_person`` raises FieldError, and for
    a frame or a person that occurs twice.
    """
    frames: dict[int, str] = {}
    cursor = JsonCursor(path)
    labels_seen = False
    for name in cursor.members():
        if name != "labels":
            cursor.value()
            continue
        labels_seen = True
        for key in cursor.members():
            _walk_frame(path, key, cursor.value(), frames, read_person)
    cursor.finish()
    if not labels_seen:
        raise LabelFileError(path, "top level", "no 'labels'")
    return frames


def _walk_frame(
    path: Path, key: str, entries: object, frames: dict[int, str], read_person: ReadPerson
) -> None:
    try:
        frame = frame_of(key)
        people = as_array(entries, "")
        if frame in frames:
            raise FieldError("", f"the same frame as {frames[frame]}")
    except FieldError as error:
        raise LabelFileError(path, f"labels/{key[:40]}", str(error)) from None
    frames[frame] = key
    seen: set[int] = set()
    for index, entry in enumerate(people):
        try:
            track = read_person(key, frame, as_object(entry, ""))
            if track in seen:
                raise FieldError("label_id", f"pedestrian:{track} twice in one frame")
            seen.add(track)
        except FieldError as error:
            where = f"labels/{key}[{index}]" + (f"/{error.key}" if error.key else "")
            raise LabelFileError(path, where, str(error)) from None
