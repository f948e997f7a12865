"""2D labels of the stitched panorama, with actions, groups and interactions where annotated.

Reads ``labels_2d_stitched/<sequence>.json`` and its superset
``labels_2d_activity_social_stitched/<sequence>.json`` (JRDB-Social). Race, gender and age, which
the latter also holds, are never looked at.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avr_ros.annotations.activity import IMPOSSIBLE, NO_GROUP, ActivityReader, read_group
from avr_ros.annotations.errors import LabelFileError
from avr_ros.annotations.fields import (
    FieldError,
    as_array,
    as_flag,
    as_number,
    as_object,
    require,
    track_of,
)
from avr_ros.annotations.label_file import walk_labels
from avr_ros.annotations.oddities import Oddity, OddityReport
from avr_ros.geometry.boxes import crosses_seam, normalise
from avr_ros.geometry.panorama import Cylinder
from avr_ros.schema.vocabulary import Occlusion

OCCLUSIONS = tuple(Occlusion)
"""Occlusion classes by code; code -1 is a missing one."""

_OCCLUSION_CODE = {occlusion.value: code for code, occlusion in enumerate(OCCLUSIONS)}


@dataclass(frozen=True)
class Labels2D:
    """The 2D labels of a sequence as columns, rows in the order of (frame, track).

    ``frames`` are all annotated frames, also empty ones. ``box`` (n, 4) is (x, y, w, h) in
    panorama pixels with x in [0, W). Flags are 1, 0 or -1 where the file does not say.
    ``action_known`` is false where no action is annotated; bits are those of
    `avr_ros.annotations.activity.ActionSet`. ``group`` is -1 where none is annotated.
    ``interactions`` (m, 3) are (row, the other's track, index into ``interaction_names``),
    in the order of rows.
    """

    frames: NDArray[np.int32]
    frame: NDArray[np.int32]
    track: NDArray[np.int32]
    box: NDArray[np.float64]
    occlusion: NDArray[np.int8]
    truncated: NDArray[np.int8]
    interpolated: NDArray[np.int8]
    no_eval: NDArray[np.int8]
    action_known: NDArray[np.bool_]
    action_mask: NDArray[np.int32]
    action_difficulty: NDArray[np.int64]
    activity_mask: NDArray[np.int32]
    group: NDArray[np.int32]
    group_difficulty: NDArray[np.int8]
    interactions: NDArray[np.int32]
    interaction_names: tuple[str, ...]


def load_labels_2d(path: Path, cylinder: Cylinder, oddities: OddityReport) -> Labels2D:
    """Read a file of 2D labels, counting what is odd in ``oddities``.

    Raises LabelFileError for what is not odd but wrong, such as a person twice in one frame.
    """
    reader = _Reader(path, oddities)
    reader.frames = walk_labels(path, reader.read_person)
    return reader.finish(cylinder)


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
                "occlusion",
                "truncated",
                "interpolated",
                "no_eval",
                "action_known",
                "action_mask",
                "action_difficulty",
                "activity_mask",
                "group",
                "group_difficulty",
            )
        }
        self._box = array("d")
        self._interactions = array("q")
        self._interaction_index: dict[str, int] = {}

    def read_person(self, key: str, frame: int, entry: dict[str, object]) -> int:
        """Read one person of one frame and return the track id."""
        track = track_of(require(entry, "label_id"))
        if entry.get("file_id", key) != key:
            self._oddities.add(Oddity.FILE_ID_DIFFERS, f"{key} pedestrian:{track}")
        box = as_array(require(entry, "box"), "box")
        if len(box) != 4:
            raise FieldError("box", f"{len(box)} numbers instead of 4")
        x, y, w, h = (as_number(value, "box") for value in box)
        if w <= 0.0 or h <= 0.0:
            self._oddities.add(Oddity.EMPTY_BOX, f"{key} pedestrian:{track}")
            return track
        self._box.extend((x, y, w, h))
        attributes = entry.get("attributes")
        values = {} if attributes is None else as_object(attributes, "attributes")
        occlusion = values.get("occlusion")
        if occlusion is None:
            code = -1
        elif isinstance(occlusion, str) and occlusion in _OCCLUSION_CODE:
            code = _OCCLUSION_CODE[occlusion]
        else:
            problem = f"{occlusion!r} instead of an occlusion class"[:120]
            raise FieldError("attributes/occlusion", problem)
        action = self._read_actions(key, track, entry)
        activity = 0
        if entry.get("social_activity") is not None:
            activity, _ = self._activity.read(entry["social_activity"], "social_activity")
        group, difficulty = NO_GROUP, 0
        if entry.get("social_group") is not None:
            group, difficulty = read_group(entry["social_group"])
        row = len(self._integers["frame"])
        for name, value in (
            ("frame", frame),
            ("track", track),
            ("occlusion", code),
            ("truncated", as_flag(values.get("truncated"), "attributes/truncated")),
            ("interpolated", as_flag(values.get("interpolated"), "attributes/interpolated")),
            ("no_eval", as_flag(values.get("no_eval"), "attributes/no_eval")),
            ("action_known", action is not None),
            ("action_mask", 0 if action is None else action[0]),
            ("action_difficulty", 0 if action is None else action[1]),
            ("activity_mask", activity & ~(1 << IMPOSSIBLE)),
            ("group", group),
            ("group_difficulty", difficulty),
        ):
            self._integers[name].append(value)
        if entry.get("H-interaction") is not None:
            self._read_interactions(row, as_array(entry["H-interaction"], "H-interaction"))
        return track

    def _read_actions(
        self, key: str, track: int, entry: dict[str, object]
    ) -> tuple[int, int] | None:
        """The actions, or None where they are not annotated or marked impossible to tell."""
        if entry.get("action_label") is None:
            return None
        mask, difficulty = self._activity.read(entry["action_label"], "action_label")
        if not mask >> IMPOSSIBLE & 1:
            return mask, difficulty
        self._oddities.add(Oddity.IMPOSSIBLE_ACTION, f"{key} pedestrian:{track}")
        mask &= ~(1 << IMPOSSIBLE)
        difficulty &= ~(3 << 2 * IMPOSSIBLE)
        return (mask, difficulty) if mask else None

    def _read_interactions(self, row: int, interactions: list[object]) -> None:
        for index, item in enumerate(interactions):
            where = f"H-interaction[{index}]"
            interaction = as_object(item, where)
            if "pair" not in interaction:
                raise FieldError(where, "no 'pair'")
            partner = track_of(interaction["pair"], f"{where}/pair")
            labels = as_object(interaction.get("inter_labels"), f"{where}/inter_labels")
            for name in labels:
                if name == "impossible":
                    continue
                number = self._interaction_index.setdefault(name, len(self._interaction_index))
                self._interactions.extend((row, partner, number))

    def finish(self, cylinder: Cylinder) -> Labels2D:
        """The columns, sorted, with boxes put on the cylinder."""
        columns = {name: np.array(values) for name, values in self._integers.items()}
        frame, track = columns["frame"], columns["track"]
        order = np.lexsort((track, frame))
        raw = np.array(self._box, dtype=np.float64).reshape(-1, 4)
        self._check_boxes(raw, frame, track, cylinder)
        box = normalise(raw, cylinder.width)
        self._count(box, columns, cylinder)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        interactions = np.array(self._interactions, dtype=np.int64).reshape(-1, 3)
        if len(interactions):
            interactions[:, 0] = rank[interactions[:, 0]]
            interactions = np.unique(interactions, axis=0)

        def column(name: str, kind: type[Any]) -> NDArray[Any]:
            return columns[name][order].astype(kind)

        return Labels2D(
            frames=np.array(sorted(self.frames), dtype=np.int32),
            frame=column("frame", np.int32),
            track=column("track", np.int32),
            box=box[order],
            occlusion=column("occlusion", np.int8),
            truncated=column("truncated", np.int8),
            interpolated=column("interpolated", np.int8),
            no_eval=column("no_eval", np.int8),
            action_known=column("action_known", np.bool_),
            action_mask=column("action_mask", np.int32),
            action_difficulty=column("action_difficulty", np.int64),
            activity_mask=column("activity_mask", np.int32),
            group=column("group", np.int32),
            group_difficulty=column("group_difficulty", np.int8),
            interactions=interactions.astype(np.int32),
            interaction_names=tuple(self._interaction_index),
        )

    def _check_boxes(
        self,
        box: NDArray[np.float64],
        frame: NDArray[np.int64],
        track: NDArray[np.int64],
        cylinder: Cylinder,
    ) -> None:
        """Boxes may leave the picture on every side, but none by more than a whole turn."""
        width = cylinder.width
        ends = box[:, :2] + box[:, 2:]
        far = np.any((box[:, :2] < -width) | (ends > 2 * width), axis=1) | (box[:, 2] > width)
        if np.any(far):
            row = int(np.argmax(far))
            key = self.frames[int(frame[row])]
            where = f"labels/{key} pedestrian:{int(track[row])}/box"
            raise LabelFileError(self._path, where, f"a box not on the {width} px panorama")

    def _count(
        self, box: NDArray[np.float64], columns: dict[str, NDArray[np.int64]], cylinder: Cylinder
    ) -> None:
        below = box[:, 1] + box[:, 3] > cylinder.height
        for kind, odd in (
            (Oddity.SEAM_BOX, crosses_seam(box, cylinder.width)),
            (Oddity.ROWS_OUTSIDE, (box[:, 1] < 0.0) | below),
            (Oddity.MISSING_OCCLUSION, columns["occlusion"] == -1),
            (Oddity.MISSING_TRUNCATED, columns["truncated"] == -1),
            (Oddity.MISSING_INTERPOLATED, columns["interpolated"] == -1),
            (Oddity.INTERPOLATED_2D, columns["interpolated"] == 1),
            (Oddity.NOT_EVALUATED, columns["no_eval"] == 1),
        ):
            count = int(np.count_nonzero(odd))
            if count:
                row = int(np.argmax(odd))
                key = self.frames[int(columns["frame"][row])]
                self._oddities.add(kind, f"{key} pedestrian:{columns['track'][row]}", count)
