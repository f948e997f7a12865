"""A vector of somebody's looks for detectors that give none: colours from head to feet.

Weak beside a learned one, but honest: the same clothes in the same light come out alike.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from avr_ros.schema.detection import APPEARANCE_SIZE

_BANDS: Final = 4
_BINS: Final = 4
_MARGIN: Final = 0.2
"""Share of the width left out on each side, where the background is."""


def colours(image: NDArray[np.uint8], corners: NDArray[np.float64]) -> NDArray[np.float32]:
    """Unit vectors (N, 64) of people in an image (blue-green-red) from corners (N, 4) in its px.

    Four bands from top to bottom, each with a histogram of 4 x 4 chromaticities (a and b of CIE
    L*a*b*), under the square root, so that the dot product is their Bhattacharyya coefficient.
    """
    result = np.zeros((len(corners), APPEARANCE_SIZE), np.float32)
    lab = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2LAB), np.int64)
    height, width = image.shape[:2]
    for row, (left, top, right, bottom) in enumerate(corners):
        inset = _MARGIN * (right - left)
        first = int(np.clip(left + inset, 0, width - 1))
        last = int(np.clip(np.ceil(right - inset), first + 1, width))
        edges = np.linspace(top, bottom, _BANDS + 1)
        bands = []
        for band in range(_BANDS):
            high = int(np.clip(edges[band], 0, height - 1))
            low = int(np.clip(np.ceil(edges[band + 1]), high + 1, height))
            pixels = lab[high:low, first:last].reshape(-1, 3)
            # Most chroma lies near the middle, 128: the bins' borders are at 118, 128 and 138.
            a, b = (np.clip((pixels[:, axis] - 108) // 10, 0, _BINS - 1) for axis in (1, 2))
            counts = np.bincount(a * _BINS + b, minlength=_BINS * _BINS)
            bands.append(np.sqrt(counts / counts.sum()))
        vector = np.concatenate(bands)
        result[row] = vector / np.linalg.norm(vector)
    return result
