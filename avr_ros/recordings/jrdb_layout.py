"""Finds JRDB's folders under whatever root the user has unpacked them into.

The archives differ in their outer folders (``train_dataset_with_activity/``,
``test_dataset_without_labels/``, ``JRDB2022/train_images/``, with or without ``images/``), so the
folders are found by their own names: ``image_stitched`` holds a folder of images a sequence,
``timestamps`` a folder a sequence, ``rosbags`` a bag a sequence.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from avr_ros.recordings.errors import AmbiguousRecording, NotARecording, OutsideDataSet
from avr_ros.recordings.recording import Notice, NoticeKind
from avr_ros.recordings.sequence_names import inside

STITCHED = "image_stitched"
TIMESTAMPS = "timestamps"
ROSBAGS = "rosbags"
IMAGE_NAME = re.compile(r"(\d{1,18})\.jpe?g", re.IGNORECASE)
_DEPTH = 5
_MOST_FOLDERS = 20_000
# Large parts of the data set that hold none of the folders looked for.
_PASSED_OVER = re.compile(r"(image_\d+|pointclouds|labels.*|detections|calibration|odometry|\..*)")


@dataclass
class Layout:
    """The folders found under a root, symlinks resolved, each list in the order of its paths."""

    root: Path
    stitched: list[Path] = field(default_factory=list)
    timestamps: list[Path] = field(default_factory=list)
    rosbags: list[Path] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    refused: dict[str, OutsideDataSet] = field(default_factory=dict)

    def image_folders(self) -> dict[str, Path]:
        """Return the folder of images of every sequence.

        A folder without images is left out with a notice; one that a symlink puts outside the data
        set goes to ``refused``.

        :raises AmbiguousRecording: two folders hold a sequence of the same name.
        """
        folders: dict[str, Path] = {}
        for stitched in self.stitched:
            for entry in self.entries(stitched):
                try:
                    folder = inside(self.root, Path(entry.path))
                except OutsideDataSet as error:
                    self.refused[entry.name] = error
                    continue
                if not folder.is_dir():
                    continue
                if not holds_images(folder):
                    message = f"{folder} holds no images named by numbers."
                    self.notices.append(Notice(NoticeKind.IGNORED, str(folder), message))
                elif entry.name in folders:
                    raise AmbiguousRecording(
                        f"Both {folders[entry.name]} and {folder} hold sequence {entry.name}; "
                        "open one of the two data sets."
                    )
                else:
                    folders[entry.name] = folder
        return folders

    def timestamps_of(self, sequence: str, beside: Path) -> Path | None:
        """Return the timestamps file of a sequence, none where there is none.

        Of several the one that shares the longest path with ``beside`` is taken, so that each of
        two unpacked archives uses its own.

        :raises AmbiguousRecording: two of them are equally near.
        :raises OutsideDataSet: a symlink leads out of the data set.
        """
        found: list[tuple[int, Path]] = []
        for folder in self.timestamps:
            file = folder / sequence / "frames_img.json"
            if os.path.lexists(file):
                common = os.path.commonpath([str(folder), str(beside)])
                found.append((len(Path(common).parts), inside(self.root, file)))
        if not found:
            return None
        nearest = max(depth for depth, _ in found)
        files = [file for depth, file in found if depth == nearest]
        if len(files) > 1:
            raise AmbiguousRecording(
                f"Both {files[0]} and {files[1]} hold the stamps of sequence {sequence}; "
                "remove the one that does not belong to the images."
            )
        return files[0]

    def entries(self, folder: Path) -> list[os.DirEntry[str]]:
        """Return what a folder holds, by name; nothing and a notice where it cannot be read."""
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            message = f"{folder} cannot be read ({error})."
            self.notices.append(Notice(NoticeKind.IGNORED, str(folder), message))
            return []

    def folder_inside(self, path: Path) -> Path | None:
        """Return a folder with its symlinks resolved, none and a notice where it leads out."""
        try:
            resolved = inside(self.root, path)
        except OutsideDataSet as error:
            self.notices.append(Notice(NoticeKind.IGNORED, str(path), str(error)))
            return None
        return resolved if resolved.is_dir() else None


def holds_images(folder: Path) -> bool:
    """Tell whether a folder holds at least one image named by a number."""
    with os.scandir(folder) as entries:
        return any(IMAGE_NAME.fullmatch(entry.name) for entry in entries)


def find_layout(root: Path) -> Layout:
    """Look for JRDB's folders under a root, five levels deep.

    Symlinks are followed where they bear one of the names looked for and stay inside the root.

    :raises NotARecording: the root holds more folders than a data set has.
    """
    layout = Layout(root.resolve())
    named = {
        STITCHED: layout.stitched,
        TIMESTAMPS: layout.timestamps,
        ROSBAGS: layout.rosbags,
    }
    level = [layout.root]
    seen = 0
    for _ in range(_DEPTH):
        below: list[Path] = []
        for folder in level:
            for entry in layout.entries(folder):
                wanted = named.get(entry.name)
                if wanted is not None:
                    inner = layout.folder_inside(Path(entry.path))
                    if inner is not None:
                        wanted.append(inner)
                elif entry.is_dir(follow_symlinks=False) and not _PASSED_OVER.fullmatch(entry.name):
                    below.append(Path(entry.path))
                elif entry.is_symlink():
                    # Followed no further; said where it leads out, since that may be the reason
                    # why nothing was found.
                    layout.folder_inside(Path(entry.path))
            seen += 1
            if seen > _MOST_FOLDERS:
                raise NotARecording(
                    f"{root} holds more than {_MOST_FOLDERS} folders; give the data set's own."
                )
        level = below
    return layout


def data_set_root(path: Path) -> Path:
    """Return the root of the data set that a part of it, given by the user, belongs to.

    The part may be ``<root>/images``, ``<root>/images/image_stitched``, or a sequence in it.
    """
    for part in (path, path.parent):
        if part.name == STITCHED:
            return part.parent.parent if part.parent.name == "images" else part.parent
    return path.parent if path.name == "images" else path
