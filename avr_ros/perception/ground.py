"""Where a person stands, from pixels and the height of the camera above the floor.

With f the vertical focal length in px, c the horizon's row and H = 0.90 m the camera's height, the
floor at the distance d is seen at the row c + f H / d, and the top of somebody of stature S at
c - f (S - H) / d.
"""

from __future__ import annotations

import math
from typing import Final

from avr_ros.geometry.panorama import GROUND_HEIGHT, Cylinder
from avr_ros.schema.detection import GroundPosition

STATURE: Final = 1.70
"""Height of a standing person with shoes, metres."""

STATURE_SPREAD: Final = 0.10
"""Standard deviation of the same."""

FOOT_ROW_ERROR_PX: Final = 4.0
"""Standard deviation of a box's lower edge as the place where the feet meet the floor."""

TOO_TALL: Final = 2.15
"""Stature, metres, from which a box's lower edge is taken for something that hides the feet."""

SITTING_BELOW: Final = 1.35
"""Stature, metres, below which somebody sits or is cut, so that height tells no distance."""

FARTHEST: Final = 60.0
"""Distances beyond this, metres, are not told: a row is then worth several metres."""


def from_foot(
    azimuth: float, row: float, row_error: float, cylinder: Cylinder
) -> GroundPosition | None:
    """The place whose floor is seen at a row, whose error in px has the deviation ``row_error``.

    ``azimuth`` in radians. None at and above the horizon, and too far away to tell.
    """
    below = row - cylinder.principal_row
    reach = -GROUND_HEIGHT * cylinder.vertical_focal_length
    if below <= reach / FARTHEST:
        return None
    distance = reach / below
    # |dd| = d^2 / (f H) |d row|
    return _at(azimuth, distance, row_error * distance**2 / reach)


def from_box(
    azimuth: float, top: float, bottom: float, cylinder: Cylinder
) -> GroundPosition | None:
    """The place of a person whose box of the visible body spans the rows top to bottom.

    The lower edge tells it where feet can be there; where it lies below the picture or would make
    a giant of the person, who then stands behind something, stature and the upper edge tell it,
    less well.
    """
    reach = -GROUND_HEIGHT * cylinder.vertical_focal_length
    cut_below = bottom >= cylinder.height - 1.0
    by_foot = None if cut_below else from_foot(azimuth, bottom, FOOT_ROW_ERROR_PX, cylinder)
    if by_foot is not None:
        distance = reach / (bottom - cylinder.principal_row)
        stature = (bottom - top) * distance / cylinder.vertical_focal_length
        if stature <= TOO_TALL:
            spread = by_foot.sigma
            if stature < SITTING_BELOW:
                spread = math.hypot(spread, 0.1 * distance)
            return GroundPosition(by_foot.x, by_foot.y, spread)
    return _from_top(azimuth, top, cylinder)


def _from_top(azimuth: float, top: float, cylinder: Cylinder) -> GroundPosition | None:
    """From the row of the head alone, for somebody who stands."""
    above = cylinder.principal_row - top
    head = STATURE + GROUND_HEIGHT
    if top <= 1.0 or above <= cylinder.vertical_focal_length * head / FARTHEST:
        return None
    distance = cylinder.vertical_focal_length * head / above
    by_stature = STATURE_SPREAD / head * distance
    by_row = FOOT_ROW_ERROR_PX / above * distance
    return _at(azimuth, distance, math.hypot(by_stature, by_row))


def expected_height(distance: float, cylinder: Cylinder) -> float:
    """Height in px of a standing person at a distance in metres."""
    return cylinder.vertical_focal_length * STATURE / distance


def _at(azimuth: float, distance: float, sigma: float) -> GroundPosition:
    return GroundPosition(distance * math.cos(azimuth), distance * math.sin(azimuth), sigma)
