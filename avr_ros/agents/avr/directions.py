"""In which directions of a frame a followed person may be, and which view shows them best."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.coverage import HALF_VIEW
from avr_ros.agents.avr.motion import Expectation
from avr_ros.geometry.panorama import TWO_PI

VISIBLE_SHARE: Final = 0.9
"""How often somebody can be seen at all in a frame; else they are hidden."""

WORTH_LOOKING: Final = 0.2
"""Probability of finding somebody in one more view of a frame below which that is given up."""

COVERED: Final = 0.75
"""Probability of the directions looked at below which that is not."""

ASTRAY: Final = 0.15
"""How often somebody has gone another way than expected."""

ASTRAY_SIGMA: Final = math.radians(40.0)
"""Least standard deviation in radians of the direction of people who have."""

MISSED_SHARE: Final = 0.1
"""How likely people are where they were missed in another frame: they were hidden then."""

GRID: Final = math.radians(4.0)
"""Steps in radians in which directions are told apart."""

FloatArray = npt.NDArray[np.float64]


class Directions:
    """How probable each direction is for one person in one frame."""

    def __init__(
        self,
        expected: Expectation,
        missed: Sequence[float],
        looked: Sequence[float],
        setting_off: float,
    ) -> None:
        """Weigh all directions around the expected one.

        ``missed`` are views of other frames in which the person was not seen, as angles from where
        they were expected then; ``looked`` the azimuths of views of this very frame. Somebody who
        goes another way turns up with a deviation of ``setting_off`` or more. All in radians.
        """
        self._middle = expected.azimuth
        self._looked = looked
        half = math.floor(math.pi / GRID)
        self._offsets: FloatArray = np.asarray(GRID * np.arange(-half, half + 1), dtype=np.float64)
        astray = max(ASTRAY_SIGMA, 2.0 * expected.sigma, setting_off)
        weights = (1.0 - ASTRAY) * _bell(self._offsets, expected.sigma)
        weights += ASTRAY * _bell(self._offsets, astray)
        if missed:
            inside = np.any([self._within(aside) for aside in missed], axis=0)
            weights = np.where(inside, MISSED_SHARE * weights, weights)
            weights /= weights.sum()
        self._whole = float(weights.sum())
        if looked:
            inside = np.any([self._within(wrap(item - self._middle)) for item in looked], axis=0)
            weights = np.where(inside, 0.0, weights)
        self._weights: FloatArray = weights
        self._view = self._shown_by_views()

    @property
    def hidden(self) -> bool:
        """Whether the person is hidden rather than in a direction not looked at.

        That is so if the views cover most of where they can be, and one more hardly covers the
        rest.
        """
        left = float(self._weights.sum()) / self._whole
        chance = float(self._view.max()) / self._whole
        hidden = 1.0 / VISIBLE_SHARE - 1.0
        return 1.0 - left > COVERED and chance / max(left + hidden, 1e-9) < WORTH_LOOKING

    def best_view(self) -> float | None:
        """Azimuth of the view that most probably shows the person, none after a full turn.

        Of equally good ones it is the one nearest to the expected direction.
        """
        best = float(self._view.max())
        if best <= 1e-9 * self._whole:
            return None
        good = np.flatnonzero(self._view >= best * (1.0 - 1e-6))
        chosen = good[np.argmin(np.abs(self._offsets[good]))]
        return wrap(self._middle + float(self._offsets[chosen]))

    def _within(self, aside: float) -> npt.NDArray[np.bool_]:
        apart = np.abs(self._offsets - aside)
        return np.minimum(apart, TWO_PI - apart) < HALF_VIEW

    def _shown_by_views(self) -> FloatArray:
        """What a view in each direction would show."""
        apart = np.abs(self._offsets[:, None] - self._offsets[None, :])
        inside = np.minimum(apart, TWO_PI - apart) < HALF_VIEW
        return np.asarray(inside @ self._weights)


def _bell(offsets: FloatArray, sigma: float) -> FloatArray:
    values = np.exp(-0.5 * (offsets / max(sigma, GRID / 2)) ** 2)
    return np.asarray(values / values.sum())
