"""Which refusals of a view are the request's or the frame's own, so that others may be granted."""

from typing import Final

from avr_ros.schema.observation import ObserveStatus

NO_SUCH_VIEW: Final = frozenset(
    {
        ObserveStatus.FRAME_NOT_LEGAL,
        ObserveStatus.INVALID_AZIMUTH,
        ObserveStatus.INVALID_FIELD_OF_VIEW,
        ObserveStatus.UNREADABLE_FRAME,
    }
)
"""Refusals after which an agent goes on; any other one means that the episode does not work."""
