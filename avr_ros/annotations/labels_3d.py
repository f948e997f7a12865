"""3D labels (``labels_3d/<sequence>.json``): boxes in the label frame, in metres."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avr_ros.annotations.activity import IMPOSSIBLE, NO_GROUP, ActivityReader, read_group
from avr_ros.annotations.fields import (
    FieldError,
    as_flag,
    as_integer,
    as_number,
    as_object,
    require,
    track_of,
)
from avr_ros.annotations.label_file import walk_labels
from avr_ros.annotations.oddities import Oddity, OddityReport

_BOX_FIELDS = ("cx", "cy", "cz", "l", "w", "h", "rot_z")

FARTHEST = 1e4
"""Metres beyond which a coordinate is an error of the file: no lidar sees that far."""

FEW_POINTS = 3
"""Lidar points below which a 3D box has little support."""


@dataclass(frozen=True)
class Labels3D:
    """The 3D labels of a sequence as columns, rows in the order of (frame, track).

    ``frames`` are all annotated frames, also empty ones. ``box`` (n, 7) is
    (cx, cy, cz, l, w, h, rot_z) as in the file. ``points`` is the number of lidar points, -1 where
    the file does not say; ``interpolated`` is 1, 0 or -1. Actions and groups, which some releases
    repeat here, are as in `avr_ros.annotations.labels_2d.Labels2D`.
    """

    frames: NDArray[np.int32]
    frame: NDArray[np.int32]
    track: NDArray[np.int32]
    box: NDArray[np.float64]
    points: NDArray[np.int32]
    interpolated: NDArray[np.int8]
    action_known: NDArray[np.bool_]
    action_mask: NDArray[np.int32]
    action_difficulty: NDArray[np.int64]
    group: NDArray[np.int32]
    group_difficulty: NDArray[np.int8]


def load_labels_3d(path: Path, oddities: OddityReport) -> Labels3D:
    """Read a file of 3D labels, counting what is odd in ``oddities``.

    Raises LabelFileError for what is not odd but wrong.
    """
    reader = _Reader(path, oddities)
    reader.frames = walk_labels(path, reader.read_person)
    return reader.finish()


class _Reader:
    """Collects one file's entries column by column."""

    def __init__(self, path: Path, oddities: OddityReport) -> None:
        self._path = path
        self._oddities = oddities
        self._activity = ActivityReader()
        self.frames: dict[int, str] = {}
        self._integers: dict[str, array[int]] = {
            name: array("q")
            for name in (
                "frame",
                "track",
                "points",
                "interpolated",
                "action_known",
                "action_mask",
                "action_difficulty",
                "group",
                "group_difficulty",
            )
        }
        self._box = array("d")

    def read_person(self, key: str, frame: int, entry: dict[str, object]) -> int:
        """Read one person of one frame and return the track id."""
        track = track_of(require(entry, "label_id"))
        if entry.get("file_id", key) != key:
            self._oddities.add(Oddity.FILE_ID_DIFFERS, f"{key} pedestrian:{track}")
        box = as_object(require(entry, "box"), "box")
        for field in _BOX_FIELDS:
            value = as_number(box.get(field), f"box/{field}")
            if abs(value) > FARTHEST:
                raise FieldError(f"box/{field}", f"{value:g}, which is no place near the robot")
            self._box.append(value)
        if self._box[-4] <= 0.0 or self._box[-3] <= 0.0 or self._box[-2] <= 0.0:
            raise FieldError("box", "a 3D box without volume")
        attributes = entry.get("attributes")
        values = {} if attributes is None else as_object(attributes, "attributes")
        points = values.get("num_points")
        action = None
        if entry.get("action_label") is not None:
            mask, difficulty = self._activity.read(entry["action_label"], "action_label")
            mask &= ~(1 << IMPOSSIBLE)
            if mask or not entry["action_label"]:
                action = mask, difficulty & ~(3 << 2 * IMPOSSIBLE)
        group, group_difficulty = NO_GROUP, 0
        if entry.get("social_group") is not None:
            group, group_difficulty = read_group(entry["social_group"])
        for name, number in (
            ("frame", frame),
            ("track", track),
            ("points", -1 if points is None else as_integer(points, "attributes/num_points")),
            ("interpolated", as_flag(values.get("interpolated"), "attributes/interpolated")),
            ("action_known", action is not None),
            ("action_mask", 0 if action is None else action[0]),
            ("action_difficulty", 0 if action is None else action[1]),
            ("group", group),
            ("group_difficulty", group_difficulty),
        ):
            self._integers[name].append(number)
        return track

    def finish(self) -> Labels3D:
        """The columns, sorted."""
        columns = {name: np.array(values) for name, values in self._integers.items()}
        order = np.lexsort((columns["track"], columns["frame"]))
        box = np.array(self._box, dtype=np.float64).reshape(-1, 7)
        self._count(box, columns)

        def column(name: str, kind: type[Any]) -> NDArray[Any]:
            return columns[name][order].astype(kind)

        return Labels3D(
            frames=np.array(sorted(self.frames), dtype=np.int32),
            frame=column("frame", np.int32),
            track=column("track", np.int32),
            box=box[order],
            points=column("points", np.int32),
            interpolated=column("interpolated", np.int8),
            action_known=column("action_known", np.bool_),
            action_mask=column("action_mask", np.int32),
            action_difficulty=column("action_difficulty", np.int64),
            group=column("group", np.int32),
            group_difficulty=column("group_difficulty", np.int8),
        )

    def _count(self, box: NDArray[np.float64], columns: dict[str, NDArray[np.int64]]) -> None:
        few = (columns["points"] >= 0) & (columns["points"] < FEW_POINTS)
        for kind, odd in (
            (Oddity.MISSING_INTERPOLATED, columns["interpolated"] == -1),
            (Oddity.INTERPOLATED_3D, columns["interpolated"] == 1),
            (Oddity.FEW_POINTS, few),
            (Oddity.ROT_Z_BEYOND_A_TURN, np.abs(box[:, 6]) >= 2.0 * math.pi),
        ):
            count = int(np.count_nonzero(odd))
            if count:
                row = int(np.argmax(odd))
                key = self.frames[int(columns["frame"][row])]
                self._oddities.add(kind, f"{key} pedestrian:{columns['track'][row]}", count)
