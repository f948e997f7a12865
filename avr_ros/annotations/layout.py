"""Where label files are, in every layout that JRDB has been distributed in.

The data set's folder may be one tree with ``labels/``, one without that prefix (the 2019 test
labels' archive), or a folder of such trees under the names that the archives and public code use.
Nothing outside the folder is ever opened: names from users and files are checked, and links that
lead out are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from avr_ros.annotations.errors import (
    AmbiguousLabelsError,
    AnnotationError,
    MissingLabelsError,
    UnknownSequenceError,
    UnsafePathError,
)

TREES = (
    "",
    "train_dataset_with_activity",
    "test_dataset_without_labels",
    "train_dataset",
    "test_dataset",
    "train_labels",
    "test_labels",
    "train",
    "test",
    "JRDB2022/train_labels",
    "JRDB2022/test_labels",
    "JRDB2022/train_dataset_with_activity",
    "JRDB2022/test_dataset_without_labels",
)
"""Folders, relative to the data set's, that may each hold a tree."""

_SEQUENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


class LabelKind(Enum):
    """Kinds of label file; the value is the tuple of folder names, the preferred one first."""

    STITCHED_2D = ("labels_2d_activity_social_stitched", "labels_2d_stitched")
    BOXES_3D = ("labels_3d",)
    POSES = ("labels_2d_pose_stitched_coco",)
    HEADS = ("labels_2d_head_stitched",)


def check_sequence_name(name: str, root: Path) -> str:
    """Return a sequence name that is safe to put into a path, else raise UnsafePathError."""
    if not _SEQUENCE.fullmatch(name):
        raise UnsafePathError(name[:80], root, "is not a sequence name")
    return name


def confined(root: Path, path: Path) -> Path:
    """Return ``path`` if it stays inside ``root`` after links, else raise UnsafePathError."""
    if not path.resolve().is_relative_to(root.resolve()):
        raise UnsafePathError(str(path.relative_to(root)), root, "links out of the data set")
    return path


@dataclass(frozen=True)
class LabelLayout:
    """The label files of a data set.

    ``folders`` holds the existing folders of each kind, preferred kinds of folder first.
    """

    root: Path
    folders: dict[LabelKind, tuple[tuple[Path, ...], ...]]
    stamp_folders: tuple[Path, ...]

    def sequences(self) -> list[str]:
        """Names, sorted, of all sequences with any 2D or 3D label file.

        Files with names that are no sequence names are left out: they cannot be asked for.
        """
        found: set[str] = set()
        for kind in (LabelKind.STITCHED_2D, LabelKind.BOXES_3D):
            for folders in self.folders[kind]:
                for folder in folders:
                    found.update(path.stem for path in folder.glob("*.json"))
        return sorted(name for name in found if _SEQUENCE.fullmatch(name))

    def find(self, kind: LabelKind, sequence: str) -> Path | None:
        """The file of a kind of labels of a sequence, or None if there is none."""
        check_sequence_name(sequence, self.root)
        for folders in self.folders[kind]:
            paths = [folder / f"{sequence}.json" for folder in folders]
            existing = [path for path in paths if path.exists() or path.is_symlink()]
            if len(existing) > 1:
                raise AmbiguousLabelsError(sequence, existing[0], existing[1])
            if existing:
                return confined(self.root, existing[0])
        return None

    def require(self, kind: LabelKind, sequence: str) -> Path:
        """The file of a kind of labels of a sequence; raises MissingLabelsError without one."""
        path = self.find(kind, sequence)
        if path is None:
            known = self.sequences()
            if sequence not in known:
                raise UnknownSequenceError(sequence, self.root, len(known))
            raise MissingLabelsError(sequence, kind.value[-1], self.root)
        return path

    def find_stamps(self, sequence: str) -> Path | None:
        """The image time stamps' file of a sequence, or None if there is none."""
        check_sequence_name(sequence, self.root)
        for folder in self.stamp_folders:
            path = folder / sequence / "frames_img.json"
            if path.exists() or path.is_symlink():
                return confined(self.root, path)
        return None


def find_layout(root: Path) -> LabelLayout:
    """Probe a data set's folder. Raises AnnotationError if it holds no label folder."""
    if not root.is_dir():
        raise AnnotationError(f"no folder {root}; give the data set's folder")
    trees = [root / tree for tree in TREES if (root / tree).is_dir()]
    bases = [base for tree in trees for base in (tree / "labels", tree) if base.is_dir()]
    folders = {
        kind: tuple(
            tuple(confined(root, base / name) for base in bases if (base / name).is_dir())
            for name in kind.value
        )
        for kind in LabelKind
    }
    if not any(any(group) for group in folders.values()):
        names = ", ".join(name for kind in LabelKind for name in kind.value)
        raise AnnotationError(
            f"no label folder ({names}) under {root}; give the folder that holds labels/"
        )
    stamps = tuple(
        confined(root, tree / "timestamps") for tree in trees if (tree / "timestamps").is_dir()
    )
    return LabelLayout(root, folders, stamps)
