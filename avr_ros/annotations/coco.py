"""Body poses and head boxes of JRDB-Pose, in COCO form on the stitched panorama.

A frame is told by its image's ``file_name``: ids are one-based and public code disagrees about
them. The stated image width of stitched files is 752, not the panorama's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from avr_ros.annotations.errors import LabelFileError
from avr_ros.annotations.fields import (
    FieldError,
    as_array,
    as_integer,
    as_number,
    as_object,
    frame_of,
    require,
)
from avr_ros.annotations.json_cursor import JsonCursor
from avr_ros.annotations.oddities import Oddity, OddityReport
from avr_ros.geometry.boxes import crosses_seam, normalise
from avr_ros.geometry.panorama import Cylinder, modulo
from avr_ros.schema.vocabulary import KEYPOINTS

INVISIBLE, OCCLUDED, VISIBLE = 0, 1, 2


@dataclass(frozen=True)
class Poses:
    """Poses as columns, rows in the order of (frame, track).

    ``keypoints`` (n, 17, 2) are columns and rows in panorama pixels: the first that is not
    invisible has its column in [0, W), the others lie within half a turn of it, so that a pose
    across the seam is not torn. NaN where invisible. ``visibility`` (n, 17) is 0, 1 or 2.
    """

    frames: NDArray[np.int32]
    frame: NDArray[np.int32]
    track: NDArray[np.int32]
    keypoints: NDArray[np.float64]
    visibility: NDArray[np.int8]


@dataclass(frozen=True)
class Heads:
    """Head boxes as columns, rows in the order of (frame, track); ``box`` has x in [0, W)."""

    frames: NDArray[np.int32]
    frame: NDArray[np.int32]
    track: NDArray[np.int32]
    box: NDArray[np.float64]


def load_poses(path: Path, cylinder: Cylinder, oddities: OddityReport) -> Poses:
    """Read a file of poses. Raises LabelFileError for what is not odd but wrong."""
    coco = _CocoReader(path, cylinder, oddities, "keypoints", 3 * len(KEYPOINTS))
    frame, track, values = coco.read()
    triples = values.reshape(-1, len(KEYPOINTS), 3)
    visibility = triples[..., 2]
    if not np.all(np.isin(visibility, (INVISIBLE, OCCLUDED, VISIBLE))):
        bad = ~np.isin(visibility, (INVISIBLE, OCCLUDED, VISIBLE)).all(axis=1)
        row = int(np.argmax(bad))
        where = f"frame {int(frame[row])} track {int(track[row])} keypoints"
        raise LabelFileError(path, where, "a visibility that is not 0, 1 or 2")
    seen = visibility != INVISIBLE
    keypoints = np.where(seen[..., None], triples[..., :2], np.nan)
    far = np.any((keypoints < -cylinder.width) | (keypoints > 2 * cylinder.width), axis=(1, 2))
    if np.any(far):
        row = int(np.argmax(far))
        where = f"frame {int(frame[row])} track {int(track[row])} keypoints"
        raise LabelFileError(path, where, f"a keypoint not on the {cylinder.width} px panorama")
    first = np.argmax(seen, axis=1)
    anchor = np.asarray(modulo(keypoints[np.arange(len(first)), first, 0], cylinder.width))
    offset = keypoints[..., 0] - anchor[:, None]
    turns = np.floor(offset / cylinder.width + 0.5)
    keypoints[..., 0] -= turns * cylinder.width
    columns = keypoints[..., 0]
    torn = np.any((columns < 0.0) | (columns >= cylinder.width), axis=1)
    if np.any(torn):
        row = int(np.argmax(torn))
        where = f"frame {int(frame[row])} track {int(track[row])}"
        oddities.add(Oddity.SEAM_POSE, where, int(np.count_nonzero(torn)))
    return Poses(coco.annotated(), frame, track, keypoints, visibility.astype(np.int8))


def load_heads(path: Path, cylinder: Cylinder, oddities: OddityReport) -> Heads:
    """Read a file of head boxes. Raises LabelFileError for what is not odd but wrong."""
    coco = _CocoReader(path, cylinder, oddities, "bbox", 4)
    frame, track, values = coco.read()
    ends = values[:, :2] + values[:, 2:]
    wrong = np.any(values[:, 2:] <= 0.0, axis=1) | (values[:, 2] > cylinder.width)
    wrong |= np.any((values[:, :2] < -cylinder.width) | (ends > 2 * cylinder.width), axis=1)
    if np.any(wrong):
        row = int(np.argmax(wrong))
        where = f"frame {int(frame[row])} track {int(track[row])} bbox"
        raise LabelFileError(path, where, "a head box that cannot be on the panorama")
    box = normalise(values, cylinder.width)
    seam = np.asarray(crosses_seam(box, cylinder.width))
    if np.any(seam):
        row = int(np.argmax(seam))
        where = f"frame {int(frame[row])} track {int(track[row])}"
        oddities.add(Oddity.SEAM_BOX, where, int(np.count_nonzero(seam)))
    return Heads(coco.annotated(), frame, track, box)


class _CocoReader:
    """Reads images and annotations with one field of ``length`` numbers."""

    def __init__(
        self, path: Path, cylinder: Cylinder, oddities: OddityReport, field: str, length: int
    ) -> None:
        self._path = path
        self._cylinder = cylinder
        self._oddities = oddities
        self._field = field
        self._length = length
        self._frame_of_image: dict[int, int] = {}
        self._rows: list[tuple[int, int, list[float]]] = []

    def read(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
        """Frames, tracks and values of all annotations, in the order of (frame, track)."""
        cursor = JsonCursor(self._path)
        sections = set()
        for key in cursor.members():
            sections.add(key)
            if key not in ("images", "annotations"):
                cursor.value()
                continue
            for index in cursor.elements():
                try:
                    entry = as_object(cursor.value(), "")
                    if key == "images":
                        self._read_image(entry)
                    else:
                        self._read_annotation(entry)
                except FieldError as error:
                    where = f"{key}[{index}]/{error.key}"
                    raise LabelFileError(self._path, where, str(error)) from None
        cursor.finish()
        for section in ("images", "annotations"):
            if section not in sections:
                raise LabelFileError(self._path, "top level", f"no {section!r}")
        return self._columns()

    def annotated(self) -> NDArray[np.int32]:
        """The frames of all images, sorted, also of those without annotations."""
        return np.array(sorted(self._frame_of_image.values()), dtype=np.int32)

    def _read_image(self, entry: dict[str, object]) -> None:
        number = as_integer(require(entry, "id"), "id")
        name = require(entry, "file_name")
        if not isinstance(name, str):
            raise FieldError("file_name", "no text")
        frame = frame_of(re.split(r"[/\\]", name)[-1])
        if number in self._frame_of_image:
            raise FieldError("id", f"image {number} a second time")
        self._frame_of_image[number] = frame
        size = (self._cylinder.width, self._cylinder.height)
        if (entry.get("width"), entry.get("height")) != size:
            self._oddities.add(Oddity.WRONG_IMAGE_SIZE, f"frame {frame}")

    def _read_annotation(self, entry: dict[str, object]) -> None:
        image = as_integer(require(entry, "image_id"), "image_id")
        track = as_integer(require(entry, "track_id"), "track_id")
        if track < 0:
            raise FieldError("track_id", f"the negative id {track}")
        values = as_array(require(entry, self._field), self._field)
        if len(values) != self._length:
            raise FieldError(self._field, f"{len(values)} numbers instead of {self._length}")
        self._rows.append((image, track, [as_number(value, self._field) for value in values]))

    def _columns(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
        if len(set(self._frame_of_image.values())) != len(self._frame_of_image):
            raise LabelFileError(self._path, "images", "two images of one frame")
        rows = []
        for image, track, values in self._rows:
            if image not in self._frame_of_image:
                raise LabelFileError(self._path, f"image_id {image}", "no image of that id")
            rows.append((self._frame_of_image[image], track, values))
        rows.sort(key=lambda row: row[:2])
        for before, after in pairwise(rows):
            if before[:2] == after[:2]:
                where = f"frame {after[0]} track {after[1]}"
                raise LabelFileError(self._path, where, "a person twice in one frame")
        return (
            np.array([row[0] for row in rows], dtype=np.int32),
            np.array([row[1] for row in rows], dtype=np.int32),
            np.array([row[2] for row in rows], dtype=np.float64).reshape(-1, self._length),
        )
