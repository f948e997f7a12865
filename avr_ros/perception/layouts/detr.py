"""Outputs of the DETR family: DETR (arXiv:2005.12872), RT-DETR (arXiv:2304.08069) and relatives.

As exported from the ``transformers`` library: ``logits`` (B, N, C) and ``pred_boxes`` (B, N, 4),
centre and size as shares of the input's. No NMS: each person is one query's.
"""

from __future__ import annotations

import numpy as np

from avr_ros.perception.detector_description import Activation
from avr_ros.perception.errors import DetectorError
from avr_ros.perception.layouts.found import FloatArray, Found, by_class, corners_of_centres


def decode(
    logits: FloatArray,
    boxes: FloatArray,
    size: tuple[int, int],
    classes: dict[int, tuple[str, ...]],
    activation: Activation,
) -> Found:
    """People of one input of ``size`` (height, width) from logits (N, C) and boxes (N, 4)."""
    if boxes.ndim != 2 or boxes.shape[1] != 4 or logits.shape[:1] != boxes.shape[:1]:
        raise DetectorError(
            f"the detector gives logits {logits.shape} and boxes {boxes.shape} for each image "
            "where (queries, classes) and (queries, 4) are expected: correct 'layout' or 'outputs'"
        )
    if activation is Activation.SIGMOID:
        scores = 1.0 / (1.0 + np.exp(-np.clip(logits, -60.0, 60.0)))
    else:
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        scores = (powers / powers.sum(axis=1, keepdims=True))[:, :-1]
    height, width = size
    scale = np.array([width, height, width, height], np.float64)
    return by_class(corners_of_centres(boxes) * scale, scores, classes)
