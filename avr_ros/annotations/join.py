"""Joining the 2D and the 3D labels of a sequence by frame and track."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from avr_ros.annotations.activity import NO_GROUP
from avr_ros.annotations.labels_2d import Labels2D
from avr_ros.annotations.labels_3d import Labels3D
from avr_ros.annotations.oddities import Oddity, OddityReport
from avr_ros.annotations.scene_graph import People
from avr_ros.geometry.boxes import centre_azimuth
from avr_ros.geometry.labels_frame import heading_from_rot_z
from avr_ros.geometry.panorama import Cylinder, wrap_angle


def join_labels(
    labels_2d: Labels2D, labels_3d: Labels3D | None, cylinder: Cylinder, oddities: OddityReport
) -> tuple[NDArray[np.int32], People]:
    """All annotated frames, and the people of either file as columns.

    Where both files tell actions or the group of a person, the 2D file is trusted and the
    difference counted; where only the 3D file does, it fills in.
    """
    key_2d = _keys(labels_2d.frame, labels_2d.track)
    empty = np.zeros(0, dtype=np.int64)
    key_3d = empty if labels_3d is None else _keys(labels_3d.frame, labels_3d.track)
    keys = np.union1d(key_2d, key_3d)
    at_2d = np.searchsorted(keys, key_2d)
    at_3d = np.searchsorted(keys, key_3d)
    n = len(keys)

    def spread(values: NDArray[Any], fill: float, at: NDArray[np.int64] = at_2d) -> NDArray[Any]:
        column = np.full((n, *values.shape[1:]), fill, dtype=values.dtype)
        column[at] = values
        return column

    has_box = spread(np.ones(len(key_2d), dtype=np.bool_), False)
    columns: dict[str, NDArray[Any]] = {
        "action_known": spread(labels_2d.action_known, False),
        "action_mask": spread(labels_2d.action_mask, 0),
        "action_difficulty": spread(labels_2d.action_difficulty, 0),
        "group": spread(labels_2d.group, NO_GROUP),
        "group_difficulty": spread(labels_2d.group_difficulty, 0),
    }
    box_3d = np.full((n, 7), np.nan)
    points = np.full(n, -1, dtype=np.int32)
    if labels_3d is not None:
        box_3d[at_3d] = labels_3d.box
        points[at_3d] = labels_3d.points
        _fill_from_3d(columns, labels_3d, at_3d, keys, oddities)
        _count_one_sided(labels_2d, labels_3d, key_2d, key_3d, oddities)
    boxes = spread(labels_2d.box, np.nan)
    bearing = np.asarray(wrap_angle(np.arctan2(box_3d[:, 1], box_3d[:, 0])))
    frames = labels_2d.frames
    if labels_3d is not None:
        frames = np.union1d(frames, labels_3d.frames).astype(np.int32)
    return frames, People(
        frame=(keys >> 32).astype(np.int32),
        track_id=(keys & 0xFFFFFFFF).astype(np.int32),
        has_box=has_box,
        has_position=~np.isnan(box_3d[:, 0]),
        boxes=boxes,
        occlusion=spread(labels_2d.occlusion, -1),
        truncated=spread(labels_2d.truncated, -1),
        interpolated=spread(labels_2d.interpolated, -1),
        no_eval=spread(labels_2d.no_eval, -1),
        activity_mask=spread(labels_2d.activity_mask, 0),
        position=box_3d[:, :3].copy(),
        size=box_3d[:, 3:6].astype(np.float32),
        heading=np.asarray(heading_from_rot_z(box_3d[:, 6])),
        distance=np.hypot(box_3d[:, 0], box_3d[:, 1]),
        bearing=bearing,
        azimuth=np.where(has_box, centre_azimuth(boxes, cylinder), bearing),
        points=points,
        **columns,
    )


def move_interactions(labels_2d: Labels2D, people: People) -> NDArray[np.int32]:
    """The interactions with their rows counted among all people instead of the 2D file's."""
    moved = labels_2d.interactions.copy()
    if len(moved):
        moved[:, 0] = np.flatnonzero(people.has_box)[moved[:, 0]]
    return moved


def count_interactions(
    interactions: NDArray[np.int32], people: People, oddities: OddityReport
) -> None:
    """Count interactions with people who are not there, and those that one side alone states."""
    if not len(interactions):
        return
    rows, partners = interactions[:, 0], interactions[:, 1]
    frame = people.frame[rows]
    keys = _keys(people.frame, people.track_id)
    absent = ~np.isin(_keys(frame, partners), keys)
    stated = np.column_stack([frame, people.track_id[rows], partners, interactions[:, 2]])
    reverse = stated[:, [0, 2, 1, 3]]
    both = np.unique(np.concatenate([stated, reverse]), axis=0)
    # Every interaction that both state adds two rows to both lists, one that one states adds two
    # to the union alone; those with absent people are counted apart.
    one_sided = len(both) - len(np.unique(stated, axis=0)) - int(np.count_nonzero(absent))
    for kind, count in (
        (Oddity.PARTNER_ABSENT, int(np.count_nonzero(absent))),
        (Oddity.ONE_SIDED_INTERACTION, one_sided),
    ):
        where = (
            f"frame {int(frame[np.argmax(absent)] if kind is Oddity.PARTNER_ABSENT else frame[0])}"
        )
        oddities.add(kind, where, count)


def _keys(frame: NDArray[np.int32], track: NDArray[np.int32]) -> NDArray[np.int64]:
    return frame.astype(np.int64) << 32 | track.astype(np.int64)


def _fill_from_3d(
    columns: dict[str, NDArray[Any]],
    labels: Labels3D,
    at: NDArray[np.int64],
    keys: NDArray[np.int64],
    oddities: OddityReport,
) -> None:
    known = columns["action_known"][at]
    fills = labels.action_known & ~known
    differs = labels.action_known & known & (labels.action_mask != columns["action_mask"][at])
    group = columns["group"][at]
    fills_group = (labels.group != NO_GROUP) & (group == NO_GROUP)
    differs |= (labels.group != NO_GROUP) & (group != NO_GROUP) & (labels.group != group)
    columns["action_known"][at[fills]] = True
    columns["action_mask"][at[fills]] = labels.action_mask[fills]
    columns["action_difficulty"][at[fills]] = labels.action_difficulty[fills]
    columns["group"][at[fills_group]] = labels.group[fills_group]
    columns["group_difficulty"][at[fills_group]] = labels.group_difficulty[fills_group]
    _add(oddities, Oddity.LABELS_DIFFER_2D_3D, keys[at[differs]])


def _count_one_sided(
    labels_2d: Labels2D,
    labels_3d: Labels3D,
    key_2d: NDArray[np.int64],
    key_3d: NDArray[np.int64],
    oddities: OddityReport,
) -> None:
    only_3d = np.setdiff1d(key_3d, key_2d)
    only_2d = np.setdiff1d(key_2d, key_3d)
    _add(oddities, Oddity.PERSON_ONLY_3D, only_3d[np.isin(only_3d >> 32, labels_2d.frames)])
    _add(oddities, Oddity.PERSON_ONLY_2D, only_2d[np.isin(only_2d >> 32, labels_3d.frames)])
    for kind, frames in (
        (Oddity.FRAME_WITHOUT_2D, np.setdiff1d(labels_3d.frames, labels_2d.frames)),
        (Oddity.FRAME_WITHOUT_3D, np.setdiff1d(labels_2d.frames, labels_3d.frames)),
    ):
        if len(frames):
            oddities.add(kind, f"frame {int(frames[0])}", len(frames))


def _add(oddities: OddityReport, kind: Oddity, keys: NDArray[np.int64]) -> None:
    if len(keys):
        frame, track = int(keys[0]) >> 32, int(keys[0]) & 0xFFFFFFFF
        oddities.add(kind, f"frame {frame} pedestrian:{track}", len(keys))
