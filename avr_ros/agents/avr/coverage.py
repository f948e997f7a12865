"""Which directions of one frame have been looked at."""

import math
from typing import Final

from avr_ros.agents.avr.angle import wrap
from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW
from avr_ros.geometry.full_turn import FAN_STEP
from avr_ros.geometry.panorama import TWO_PI

HALF_VIEW: Final = FAN_STEP / 2
"""Angle in radians to either side of a view's middle that counts as looked at."""

_ROUNDING: Final = 1e-6

_SLACK: Final = math.radians(0.1)
"""About a column: views are cut at whole columns, and directions are tried in whole degrees."""


class Coverage:
    """The views of one frame so far, by their azimuths in radians."""

    def __init__(self) -> None:
        self._azimuths: list[float] = []

    def add(self, azimuth: float) -> None:
        """Take note of a view."""
        self._azimuths.append(azimuth)

    @property
    def whole(self) -> bool:
        """Whether the views leave out no direction: each begins where another one ends."""
        if not self._azimuths:
            return False
        middles = sorted(azimuth % TWO_PI for azimuth in self._azimuths)
        following = [*middles[1:], middles[0] + TWO_PI]
        return all(
            after - before <= DEFAULT_FIELD_OF_VIEW + _SLACK
            for before, after in zip(middles, following, strict=True)
        )

    def next_view(self, start: float, direction: int, length: float) -> float | None:
        """The view that begins at the first direction not looked at, none if all were.

        The directions are those from ``start`` on, to the left for ``direction`` 1 and to the
        right for -1, over ``length`` radians.
        """
        reached = 0.0
        middles = [direction * wrap(azimuth - start) for azimuth in self._azimuths]
        middles += [middle + TWO_PI for middle in middles]
        for middle in sorted(middles):
            if middle - HALF_VIEW <= reached + _ROUNDING:
                reached = max(reached, middle + HALF_VIEW)
        if reached >= length - _ROUNDING:
            return None
        return wrap(start + direction * (reached + HALF_VIEW))
