"""The oddities of the real labels, put into the sample on purpose.

Every fault is chosen by the seed and listed in the data set's ``sample.json``, so that a loader's
counts can be checked against it. The kinds follow what people who opened the real files report.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from avr_ros.sample.world import World
from avr_ros.schema.seeds import generator

NULL_ATTRIBUTES: Final = "attributes is null"
NO_ATTRIBUTES: Final = "attributes is missing"
NO_OCCLUSION: Final = "occlusion is missing"
TRUNCATED_NULL: Final = "truncated is null"
NO_ACTION: Final = "action and social keys are missing"
ONLY_2D: Final = "person has a 2D box only"
ONLY_3D: Final = "person has a 3D box only"
FILE_ID: Final = "file_id differs from the key"
NO_3D_KEY: Final = "frame has no 3D key"
EXTRA_3D_KEY: Final = "3D key without an image"
NO_CLOUD: Final = "frame has no point cloud"
NO_TF_STATIC: Final = "bag has no tf_static"
ZERO_QUATERNION: Final = "imu orientation is zero"

BOX_FAULTS: Final[tuple[tuple[str, float], ...]] = (
    (NULL_ATTRIBUTES, 0.0008),
    (NO_ATTRIBUTES, 0.0008),
    (NO_OCCLUSION, 0.0012),
    (TRUNCATED_NULL, 0.004),
    (NO_ACTION, 0.006),
)
"""Kinds that befall single 2D boxes, with their probability."""

FILE_ID_SHIFT: Final = 2
"""How far a sequence's file_id runs ahead of its keys, where it does."""

MISSING_CLOUDS: Final = 2
"""Point clouds missing at the end of a sequence, where they are."""


@dataclass
class FaultPlan:
    """Which faults one sequence has.

    ``one_sided`` maps a track to (kind, first frame, last frame); ``boxes`` counts what befell
    single boxes while labels were written.
    """

    one_sided: dict[int, tuple[str, int, int]]
    file_id_shift: int
    frames_without_3d: frozenset[int]
    missing_clouds: int
    extra_3d_key: bool
    no_tf_static: bool
    boxes: list[tuple[str, int, int]] = field(default_factory=list)

    def one_sided_kind(self, track: int, frame: int) -> str | None:
        """ONLY_2D or ONLY_3D where a track lacks the other box."""
        found = self.one_sided.get(track)
        if found is None or not found[1] <= frame <= found[2]:
            return None
        return found[0]


def plan_faults(world: World) -> FaultPlan:
    """Choose the faults of a sequence."""
    rng = generator(world.seed, "faults", world.index)
    frames = world.frames
    one_sided: dict[int, tuple[str, int, int]] = {}
    tracks = [track.index for track in world.tracks]
    order = rng.permutation(len(tracks))
    kinds = (ONLY_2D, ONLY_3D, ONLY_2D, ONLY_3D)
    for position, kind in zip(order[:4], kinds, strict=False):
        length = int(rng.integers(max(frames // 20, 1), max(frames // 6, 2)))
        first = int(rng.integers(0, max(frames - length, 1)))
        if kind == ONLY_3D and position == order[1]:
            first = frames - length
        one_sided[tracks[int(position)]] = (kind, first, first + length - 1)
    missing_clouds = MISSING_CLOUDS if world.index % 3 == 1 and frames > 10 else 0
    without = frozenset(
        [int(rng.integers(1, frames - 1))] if frames > 10 and world.index % 2 == 0 else []
    ) | frozenset(range(frames - missing_clouds, frames))
    return FaultPlan(
        one_sided=one_sided,
        file_id_shift=FILE_ID_SHIFT if world.index % 4 == 2 else 0,
        frames_without_3d=without,
        missing_clouds=missing_clouds,
        extra_3d_key=world.index % 4 == 3,
        no_tf_static=world.index % 2 == 1,
    )


def box_fault(rng: np.random.Generator) -> str | None:
    """What befalls the next box, mostly nothing."""
    draw = float(rng.random())
    for kind, probability in BOX_FAULTS:
        if draw < probability:
            return kind
        draw -= probability
    return None


def listed(plan: FaultPlan) -> list[dict[str, object]]:
    """The faults of a sequence as plain rows for ``sample.json``."""
    rows: list[dict[str, object]] = [
        {"kind": kind, "track": track, "first_frame": first, "last_frame": last}
        for track, (kind, first, last) in sorted(plan.one_sided.items())
    ]
    rows += [{"kind": NO_3D_KEY, "frame": frame} for frame in sorted(plan.frames_without_3d)]
    rows += [{"kind": kind, "track": track, "frame": frame} for kind, track, frame in plan.boxes]
    if plan.file_id_shift:
        rows.append({"kind": FILE_ID, "shift": plan.file_id_shift})
    if plan.missing_clouds:
        rows.append({"kind": NO_CLOUD, "at_end": plan.missing_clouds})
    if plan.extra_3d_key:
        rows.append({"kind": EXTRA_3D_KEY})
    if plan.no_tf_static:
        rows.append({"kind": NO_TF_STATIC})
    return rows
