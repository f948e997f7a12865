"""How much of a person is seen, and JRDB's class of it."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from avr_ros.schema.vocabulary import Occlusion

FULLY_VISIBLE_FROM: Final = 0.9
MOSTLY_VISIBLE_FROM: Final = 0.55
SEVERELY_OCCLUDED_FROM: Final = 0.08
"""Smallest visible share of the silhouette for each class; below the last: fully occluded."""


def occlusion_class(visible_share: float) -> Occlusion:
    """JRDB's class of a visible share in 0..1.

    JRDB publishes the four names without thresholds; these are ours.
    """
    if visible_share >= FULLY_VISIBLE_FROM:
        return Occlusion.FULLY_VISIBLE
    if visible_share >= MOSTLY_VISIBLE_FROM:
        return Occlusion.MOSTLY_VISIBLE
    if visible_share >= SEVERELY_OCCLUDED_FROM:
        return Occlusion.SEVERELY_OCCLUDED
    return Occlusion.FULLY_OCCLUDED


def visible_pixels(ids: NDArray[np.uint8], people: int) -> NDArray[np.int64]:
    """Pixels in which each identity 0..people is what is seen; 0 is nobody."""
    counts = cv2.calcHist([ids], [0], None, [256], [0.0, 256.0])
    return np.asarray(counts.ravel()[: people + 1], dtype=np.int64)
