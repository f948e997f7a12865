"""Finds the bags at a path: one file, a ROS 2 bag's folder, or a folder of bags."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from avr_ros.recordings import rosbag2_metadata
from avr_ros.recordings.errors import (
    AmbiguousRecording,
    NotARecording,
    OutsideDataSet,
    RecordingError,
)
from avr_ros.recordings.jrdb_timestamps import FILE_NAME as TIMESTAMPS_FILE
from avr_ros.recordings.recording import Notice, NoticeKind
from avr_ros.recordings.rosbag2_metadata import read_metadata
from avr_ros.recordings.sequence_names import inside

ROS2_SUFFIXES = (".mcap", ".db3")
SUFFIXES = (".bag", *ROS2_SUFFIXES)


@dataclass
class Bag:
    """One bag, which is one sequence: the files it is made of, in order.

    ``message_counts`` holds what its metadata say of each topic, empty without metadata.
    """

    name: str
    path: Path
    files: list[Path]
    message_counts: dict[str, int] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)


def is_bag_folder(folder: Path) -> bool:
    """Tell whether a folder is one ROS 2 bag: it has metadata, or files named after it.

    rosbag2 names the files of the bag ``walk/`` ``walk_0.mcap``, ``walk_1.mcap`` and so on. Files
    of other names are bags of their own.
    """
    return rosbag2_metadata.is_metadata(folder / rosbag2_metadata.FILE_NAME) or bool(
        _files_named_after(folder)
    )


def bag_of_file(path: Path) -> Bag:
    """Return the bag that one file is."""
    return Bag(path.stem, path, [path])


def bag_of_folder(folder: Path) -> Bag:
    """Return the bag that a folder is, by its metadata or, without usable ones, its files' names.

    :raises NotARecording: none of its files is there.
    :raises UnsupportedRecording: its metadata say that it is compressed as a whole.
    :raises OutsideDataSet: a file is a symlink out of the folder.
    """
    bag = Bag(folder.name, folder, [])
    metadata_file = folder / rosbag2_metadata.FILE_NAME
    if metadata_file.is_file():
        try:
            metadata = read_metadata(inside(folder, metadata_file))
        except NotARecording as error:
            bag.notices.append(Notice(NoticeKind.IGNORED, str(metadata_file), str(error)))
        else:
            _take_listed(bag, metadata.files)
            bag.message_counts = metadata.message_counts
    if not bag.files:
        bag.files = [inside(folder, file) for file in _files_named_after(folder) or _files(folder)]
    if not bag.files:
        raise NotARecording(f"{folder} is a bag's folder, but its files are not there.")
    return bag


def bags_in(folder: Path, root: Path) -> tuple[dict[str, Path], dict[str, RecordingError]]:
    """Return the bags that a folder holds by name, files and bag folders, and those refused.

    A symlink that leads out of ``root`` is refused.

    :raises AmbiguousRecording: two bags have the same name.
    """
    bags: dict[str, Path] = {}
    refused: dict[str, RecordingError] = {}
    for name in sorted(os.listdir(folder)):
        path = folder / name
        if path.suffix in SUFFIXES and not path.is_dir():
            sequence = path.stem
        elif path.is_dir() and is_bag_folder(path):
            sequence = name
        else:
            continue
        try:
            resolved = inside(root, path)
        except OutsideDataSet as error:
            refused[sequence] = error
            continue
        if sequence in bags:
            raise AmbiguousRecording(
                f"Both {bags[sequence]} and {path} are a bag named {sequence}; open one of them."
            )
        bags[sequence] = resolved
    return bags, refused


def timestamps_beside(bag: Path, name: str) -> Path | None:
    """Return ``timestamps/<name>/frames_img.json`` beside a bag or beside its folder, if there.

    That is where JRDB has it: ``<root>/rosbags/<name>.bag``, ``<root>/timestamps/<name>/…``.

    :raises OutsideDataSet: a symlink leads out of the folder that holds ``timestamps``.
    """
    for above in (bag.parent, bag.parent.parent):
        file = above / "timestamps" / name / TIMESTAMPS_FILE
        if os.path.lexists(file):
            return inside(above, file)
    return None


def _take_listed(bag: Bag, names: list[str]) -> None:
    """Take the files that the metadata list, and say which are missing and which are not listed."""
    for name in names:
        file = bag.path / name
        if os.path.lexists(file):
            bag.files.append(inside(bag.path, file))
        else:
            text = f"{file} is listed in the bag's metadata and is not there."
            bag.notices.append(Notice(NoticeKind.FRAMES_MISSING, str(file), text))
    if bag.files:
        for file in _files(bag.path):
            if file.name not in names:
                text = f"{file} is not listed in the bag's metadata and is not read."
                bag.notices.append(Notice(NoticeKind.IGNORED, str(file), text))


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.suffix in ROS2_SUFFIXES)


def _files_named_after(folder: Path) -> list[Path]:
    """Return a bag folder's files in their order, nothing where other bags lie in it, too."""
    pattern = re.compile(re.escape(folder.name) + r"(?:_(\d+))?")
    files = [file for file in folder.iterdir() if file.suffix in SUFFIXES]
    numbered: list[tuple[int, Path]] = []
    for file in files:
        name = pattern.fullmatch(file.stem)
        if name is None or file.suffix != files[0].suffix or file.suffix not in ROS2_SUFFIXES:
            return []
        numbered.append((int(name.group(1) or 0), file))
    return [file for _, file in sorted(numbered)]
