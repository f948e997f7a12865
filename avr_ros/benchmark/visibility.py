"""When a person can be recognised in the pictures, by box size and occlusion class."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from avr_ros.annotations.labels_2d import OCCLUSIONS
from avr_ros.schema.vocabulary import Occlusion

MINIMUM_HEIGHT_PX: Final = 60.0
"""Height in pixels, inside the panorama, of the smallest box in which an action can be told."""

MINIMUM_WIDTH_PX: Final = 8.0
"""Width in pixels of the narrowest such box."""

HIDDEN_CODE: Final = OCCLUSIONS.index(Occlusion.FULLY_OCCLUDED)
"""Code of a person of whom nothing can be seen."""

_VISIBLE_CODES: Final = tuple(
    OCCLUSIONS.index(item) for item in (Occlusion.FULLY_VISIBLE, Occlusion.MOSTLY_VISIBLE)
)


def clearly_visible(boxes: ArrayLike, occlusion: ArrayLike) -> NDArray[np.bool_]:
    """Whether people can be recognised: a box (..., 4) that is large enough and mostly visible.

    Boxes are cut to the panorama's rows, NaN without one; ``occlusion`` holds codes, of which a
    missing one (-1) does not count as visible.
    """
    sizes = np.asarray(boxes, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        large = (sizes[..., 3] >= MINIMUM_HEIGHT_PX) & (sizes[..., 2] >= MINIMUM_WIDTH_PX)
    return np.asarray(large & np.isin(np.asarray(occlusion), _VISIBLE_CODES))
