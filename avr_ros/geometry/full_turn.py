"""The views that show all around."""

import math
from typing import Final

from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW
from avr_ros.geometry.panorama import TWO_PI

FULL_TURN: Final[int] = math.ceil(TWO_PI / DEFAULT_FIELD_OF_VIEW)
"""Default views that cover the circle: 360 / 45.96 = 7.83, so 8. They overlap by some columns, so
that somebody at the border of two views is at least half inside one of them."""

FAN_STEP: Final[float] = TWO_PI / FULL_TURN
"""Turn in radians from one of them to the next."""
