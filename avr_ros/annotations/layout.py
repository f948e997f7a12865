"""Where label files are, in every layout that JRDB has been distributed in.

The archives differ in their outer folders (``train_dataset_with_activity/``,
``test_dataset_without_labels/``, ``JRDB2022/train_labels/``) and in the ``labels/`` folder, which
the 2019 test labels lack, so label folders are found by their own names, as
`avr_ros.recordings.jrdb_layout` finds images. Nothing outside the data set's folder is opened:
names are checked, and links that lead out are refused.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from avr_ros.annotations.errors import (
    AmbiguousLabelsError,
    AnnotationError,
    MissingLabelsError,
    UnknownSequenceError,
)
from avr_ros.recordings.errors import InvalidSequenceName, OutsideDataSet
from avr_ros.recordings.jrdb_layout import data_set_root
from avr_ros.recordings.sequence_names import check_sequence_name, inside

_DEPTH = 5
_MOST_FOLDERS = 20_000
_PASSED_OVER = re.compile(
    r"(images?(_.*)?|pointclouds|rosbags|timestamps|detections|calibration|odometry|\..*)"
)


class LabelKind(Enum):
    """Kinds of label file; the value is the tuple of folder names, the preferred one first."""

    STITCHED_2D = ("labels_2d_activity_social_stitched", "labels_2d_stitched")
    BOXES_3D = ("labels_3d",)
    POSES = ("labels_2d_pose_stitched_coco",)
    HEADS = ("labels_2d_head_stitched",)


_NAMES = [name for kind in LabelKind for name in kind.value]


@dataclass
class LabelLayout:
    """Label folders by name, links resolved, and those refused because they lead out."""

    root: Path
    folders: dict[str, list[Path]] = field(default_factory=dict)
    refused: dict[str, OutsideDataSet] = field(default_factory=dict)

    def sequences(self) -> list[str]:
        """Names, sorted, of all sequences with a 2D or 3D label file.

        A file whose name is no sequence name is left out: it cannot be asked for.
        """
        names = (*LabelKind.STITCHED_2D.value, *LabelKind.BOXES_3D.value)
        folders = [folder for name in names for folder in self.folders.get(name, [])]
        found = {path.stem for folder in folders for path in folder.glob("*.json")}
        return sorted(name for name in found if _is_sequence_name(name))

    def find(self, kind: LabelKind, sequence: str) -> Path | None:
        """The file of a kind of labels of a sequence, links resolved, or None if there is none.

        Raises InvalidSequenceName for a name that is a path, OutsideDataSet where a link leads
        out, AmbiguousLabelsError where two folders hold the file.
        """
        check_sequence_name(sequence)
        for name in kind.value:
            paths = [folder / f"{sequence}.json" for folder in self.folders.get(name, [])]
            existing = [path for path in paths if os.path.lexists(path)]
            if len(existing) > 1:
                raise AmbiguousLabelsError(sequence, existing[0], existing[1])
            if existing:
                return inside(self.root, existing[0])
            if name in self.refused:
                raise self.refused[name]
        return None

    def require(self, kind: LabelKind, sequence: str) -> Path:
        """The file of a kind of labels of a sequence.

        Raises as `find` does, and UnknownSequenceError or MissingLabelsError without a file.
        """
        path = self.find(kind, sequence)
        if path is None:
            known = self.sequences()
            if sequence not in known:
                raise UnknownSequenceError(sequence, self.root, len(known))
            raise MissingLabelsError(sequence, kind.value[-1], self.root)
        return path


def find_label_layout(path: Path) -> LabelLayout:
    """Look for label folders under a data set's folder, five levels deep.

    The folder may also be the data set's ``labels/``, one of the label folders, or ``images/``.
    Links are followed where they bear one of the names looked for and stay inside. Raises
    AnnotationError if there is no such folder or no label folder in it.
    """
    if not path.is_dir():
        raise AnnotationError(f"no folder {path}; give the data set's folder")
    root = _root_of(path).resolve()
    layout = LabelLayout(root)
    level, seen = [root], 0
    for _ in range(_DEPTH):
        below: list[Path] = []
        for folder in level:
            seen += 1
            if seen > _MOST_FOLDERS:
                raise AnnotationError(
                    f"{path} holds more than {_MOST_FOLDERS} folders; give the data set's own"
                )
            below += _look_into(layout, folder)
        level = below
    if not layout.folders and not layout.refused:
        raise AnnotationError(
            f"no label folder ({', '.join(_NAMES)}) under {path}; give the folder with the labels"
        )
    return layout


def _look_into(layout: LabelLayout, folder: Path) -> list[Path]:
    """Enter a folder's label folders into the layout; return the others to look into."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        raise AnnotationError(f"{folder} cannot be read ({error.strerror}); allow it") from error
    below = []
    for entry in found:
        if entry.name in _NAMES:
            try:
                inner = inside(layout.root, Path(entry.path))
            except OutsideDataSet as error:
                layout.refused[entry.name] = error
                continue
            if inner.is_dir():
                layout.folders.setdefault(entry.name, []).append(inner)
        elif entry.is_dir(follow_symlinks=False) and not _PASSED_OVER.fullmatch(entry.name):
            below.append(Path(entry.path))
    return below


def _root_of(path: Path) -> Path:
    """The data set's folder that a part of it belongs to."""
    if path.name in _NAMES:
        return path.parent.parent if path.parent.name == "labels" else path.parent
    return path.parent if path.name == "labels" else data_set_root(path)


def _is_sequence_name(name: str) -> bool:
    try:
        check_sequence_name(name)
    except InvalidSequenceName:
        return False
    return True
