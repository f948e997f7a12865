"""When a person can be recognised in the pictures, by box size and occlusion class."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from avr_ros.annotations.labels_2d import OCCLUSIONS
from avr_ros.benchmark.action_sight import (
    ALONG_THE_WAY,
    AT_THE_HEAD,
    DETAIL_HEIGHT_PX,
    END_ON_DEG,
    FACING_LIMIT_DEG,
    IN_FRONT_OF_BODY,
    PROFILE_DEG,
)
from avr_ros.geometry.panorama import wrap_angle
from avr_ros.schema.vocabulary import Occlusion

MINIMUM_HEIGHT_PX: Final = 60.0
"""Height in pixels, inside the panorama, of the smallest box in which an action can be told."""

MINIMUM_WIDTH_PX: Final = 8.0
"""Width in pixels of the narrowest such box."""

FACING_ROUNDING: Final = 1e-9
"""Radians by which rounding may move a limit that is met exactly."""

HIDDEN_CODE: Final = OCCLUSIONS.index(Occlusion.FULLY_OCCLUDED)
"""Code of a person of whom nothing can be seen."""

_FULLY_VISIBLE_CODE: Final = OCCLUSIONS.index(Occlusion.FULLY_VISIBLE)

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


def details_visible(boxes: ArrayLike, occlusion: ArrayLike) -> NDArray[np.bool_]:
    """Whether people's hands, or wheels, can be made out; arguments as for `clearly_visible`.

    Nothing hides them, their box is tall enough, and it is not cut off at the picture's upper edge.
    """
    sizes = np.asarray(boxes, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        whole = (sizes[..., 3] >= DETAIL_HEIGHT_PX) & (sizes[..., 1] > 0.0)
    unhidden = np.asarray(occlusion) == _FULLY_VISIBLE_CODE
    return np.asarray(whole & unhidden & clearly_visible(boxes, occlusion))


def turned_away(azimuth: ArrayLike, heading: ArrayLike) -> NDArray[np.float64]:
    """By how much people at an azimuth are turned away from the robot, radians from 0 to pi.

    NaN where the heading is.
    """
    towards = np.asarray(azimuth, dtype=np.float64) + np.pi
    return np.abs(np.asarray(wrap_angle(np.asarray(heading, dtype=np.float64) - towards)))


def side_shows(action: str, away: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether people who are turned ``away`` show the side on which an action is told.

    False where ``away`` is NaN and it matters.
    """
    with np.errstate(invalid="ignore"):
        if action in IN_FRONT_OF_BODY:
            return np.asarray(away <= np.radians(FACING_LIMIT_DEG) + FACING_ROUNDING)
        if action in AT_THE_HEAD:
            low, high = np.radians(PROFILE_DEG)
            near, far = away <= low + FACING_ROUNDING, away >= high - FACING_ROUNDING
            return np.asarray(near | far)
        if action in ALONG_THE_WAY:
            end = np.radians(END_ON_DEG) - FACING_ROUNDING
            return np.asarray((away >= end) & (away <= np.pi - end))
    return np.ones(away.shape, dtype=np.bool_)
