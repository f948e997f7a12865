"""Rules that a requested view must meet, apart from the state of its episode."""

import math
from collections.abc import Sequence

from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW
from avr_ros.schema.errors import AvrError
from avr_ros.schema.observation import ImageFormat, ObserveStatus

FIELD_OF_VIEW_MATCH = 1e-6
"""Radians by which a requested field of view may differ from the listed one it means."""


class RefusedError(AvrError):
    """A request is refused; ``status`` is what the client gets, the text its message."""

    def __init__(self, status: ObserveStatus, message: str) -> None:
        """Keep the status beside the message."""
        super().__init__(message)
        self.status = status


def check_format(image_format: int) -> ImageFormat:
    """Return the image format. Raises RefusedError for a number that is none."""
    try:
        return ImageFormat(image_format)
    except ValueError:
        raise RefusedError(
            ObserveStatus.INVALID_FORMAT,
            f"image_format {image_format} is not one of "
            + ", ".join(f"{item.value} ({item.name})" for item in ImageFormat),
        ) from None


def check_azimuth(azimuth: float) -> float:
    """Return the azimuth (radians). Raises RefusedError unless it is finite and within ±π."""
    if not math.isfinite(azimuth) or abs(azimuth) > math.pi:
        raise RefusedError(
            ObserveStatus.INVALID_AZIMUTH,
            f"azimuth {azimuth} rad is not within [-pi, pi]",
        )
    return azimuth


def check_field_of_view(field_of_view: float, allowed: Sequence[float]) -> float:
    """Return the allowed field of view (radians) that is meant; 0 means the default one.

    Raises RefusedError for one that is not listed.
    """
    wanted = DEFAULT_FIELD_OF_VIEW if field_of_view == 0 else field_of_view
    for candidate in allowed:
        if abs(candidate - wanted) <= FIELD_OF_VIEW_MATCH:
            return candidate
    raise RefusedError(
        ObserveStatus.INVALID_FIELD_OF_VIEW,
        f"field_of_view {field_of_view} rad is not allowed here; allowed: "
        + ", ".join(f"{candidate:.6f}" for candidate in allowed),
    )
