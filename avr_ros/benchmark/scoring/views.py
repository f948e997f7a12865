"""How much of a person a view shows, compared with the best view that an episode allows."""

import math
from collections.abc import Sequence

import numpy as np

from avr_ros.benchmark.scoring.thresholds import ROUNDING, VIEW_SHARE
from avr_ros.geometry.boxes import visible_area
from avr_ros.geometry.crop import CropWindow, crop_window
from avr_ros.geometry.panorama import Cylinder
from avr_ros.schema.box import Box


def shown_area(
    box: Box, azimuth_deg: float, fields_of_view_deg: Sequence[float], cylinder: Cylinder
) -> float:
    """Area of ``box``, square pixels, in the view at an azimuth with the widest field of view.

    A narrower view at the same azimuth shows a part of the widest one, so an answer, which names
    no field of view, is taken for the widest allowed.
    """
    window = crop_window(cylinder, math.radians(azimuth_deg), _widest(fields_of_view_deg))
    return float(visible_area(box, window))


def best_area(box: Box, fields_of_view_deg: Sequence[float], cylinder: Cylinder) -> float:
    """Largest area of ``box``, square pixels, that any view at any azimuth shows.

    Views begin at whole columns and every column can be reached, so the best one begins at the
    box's left edge or ends at its right edge, rounded either way.
    """
    window = crop_window(cylinder, 0.0, _widest(fields_of_view_deg))
    edges = (box.x, box.x + box.w - window.width)
    starts = {round_(edge) % cylinder.width for edge in edges for round_ in (math.floor, math.ceil)}
    windows = [
        CropWindow(start, window.top, window.width, window.height, cylinder.width)
        for start in sorted(starts)
    ]
    return max(float(visible_area(box, candidate)) for candidate in windows)


def shows_enough(
    box: Box, azimuth_deg: float, fields_of_view_deg: Sequence[float], cylinder: Cylinder
) -> bool:
    """Whether a view shows at least `VIEW_SHARE` of what the best legal view shows of ``box``.

    False where no view shows anything of it.
    """
    best = best_area(box, fields_of_view_deg, cylinder)
    shown = shown_area(box, azimuth_deg, fields_of_view_deg, cylinder)
    return best > 0.0 and shown >= VIEW_SHARE * best - ROUNDING


def _widest(fields_of_view_deg: Sequence[float]) -> float:
    return float(np.radians(max(fields_of_view_deg)))
