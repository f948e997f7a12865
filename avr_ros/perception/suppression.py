"""Which of several boxes around one person stays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from avr_ros.geometry import boxes

FloatArray = NDArray[np.float64]

CUT_COVERED_FROM = 0.7
"""Share of a cut box inside a better one from which both are the same person."""


def suppress(
    box: FloatArray,
    score: FloatArray,
    panorama_width: int,
    overlap: float,
    cut: NDArray[np.bool_] | None = None,
) -> NDArray[np.intp]:
    """Rows of boxes (N, 4) on the panorama that stay, by falling score.

    Greedy: a box goes where one that stays has an IoU of at least ``overlap`` with it. ``cut``
    marks boxes of pieces of a panorama that end at the piece's edge: what is left of a person may
    be small beside the whole, so that it goes where it lies in a box that stays to
    `CUT_COVERED_FROM`. Boxes of equal score go in the order of their coordinates.
    """
    count = len(score)
    if not count:
        return np.zeros(0, np.intp)
    order = np.lexsort((box[:, 3], box[:, 2], box[:, 1], box[:, 0], -score))
    common = boxes.intersection(box[:, None], box[None], panorama_width)
    area = np.asarray(boxes.area(box))
    iou = common / np.maximum(area[:, None] + area[None, :] - common, 1e-9)
    inside = common / np.maximum(area[:, None], 1e-9)
    is_cut = np.zeros(count, bool) if cut is None else cut
    gone = np.zeros(count, bool)
    kept: list[int] = []
    for row in order.tolist():
        if gone[row]:
            continue
        kept.append(row)
        gone |= (iou[:, row] >= overlap) | (is_cut & (inside[:, row] >= CUT_COVERED_FROM))
    return np.asarray(kept, np.intp)
