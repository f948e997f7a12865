"""Outputs of Ultralytics exports (docs.ultralytics.com, ``yolo export format=onnx``)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from avr_ros.perception.errors import DetectorError
from avr_ros.perception.layouts.found import FloatArray, Found, by_class, corners_of_centres


def needs_nms(output: FloatArray, classes: dict[int, tuple[str, ...]]) -> Found:
    """People of one input from (4 + C, N): YOLOv8, 9, 11 and 12 as they are exported by default.

    Rows are centre x, y, width, height in input px, then a score for each class.
    """
    if output.ndim != 2 or output.shape[0] < 5:
        raise _not_so(output, "(4 + classes, boxes)")
    values = output.T
    return by_class(corners_of_centres(values[:, :4]), values[:, 4:], classes)


def end_to_end(output: FloatArray, classes: dict[int, tuple[str, ...]]) -> Found:
    """People of one input from (N, 6): YOLOv10, 26 and exports with ``nms=True``.

    Columns are left, top, right, bottom in input px, score, class number. Rows that only pad the
    output have the score 0.
    """
    if output.ndim != 2 or output.shape[1] != 6:
        raise _not_so(output, "(boxes, 6)")
    number = np.rint(output[:, 5]).astype(np.int64)
    kept: NDArray[np.bool_] = np.isin(number, sorted(classes)) & (output[:, 4] > 0)
    rows, number = output[kept], number[kept]
    names = tuple(dict.fromkeys(name for key in sorted(classes) for name in classes[key]))
    actions = np.array(
        [[float(name in classes[int(key)]) for name in names] for key in number]
    ).reshape(len(rows), len(names))
    return Found(rows[:, :4], rows[:, 4], actions, names)


def _not_so(output: FloatArray, wanted: str) -> DetectorError:
    return DetectorError(
        f"the detector gives an output of shape {output.shape} for each image where {wanted} is "
        "expected: correct 'layout' or 'outputs' in its description"
    )
