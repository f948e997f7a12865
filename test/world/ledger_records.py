"""Ledger records for tests of the world model."""

import math

from avr_ros.geometry.crop import crop_window
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.schema.episode import LedgerKind, LedgerRecord
from avr_ros.schema.observation import ObserveStatus

EPISODE = "q1#1"


def view_record(
    number: int,
    frame_id: int,
    azimuth: float,
    *,
    episode_id: str = EPISODE,
    status: ObserveStatus = ObserveStatus.OK,
) -> LedgerRecord:
    """The record of a view that was granted, or refused with a status."""
    granted = status is ObserveStatus.OK
    return LedgerRecord(
        episode_id=episode_id,
        sequence_number=number,
        kind=LedgerKind.OBSERVATION,
        request_id="",
        observation_id=f"{episode_id}/{number}" if granted else "",
        sequence="street",
        frame_id=frame_id,
        stamp_ns=frame_id * 68_000_000,
        azimuth=azimuth,
        field_of_view=2 * math.pi * 480 / 3760,
        crop=crop_window(JRDB_CYLINDER, azimuth) if granted else None,
        status=status,
        message="" if granted else "refused",
        remaining_observations=32 - number,
    )


def panorama_record(number: int, frame_id: int, *, episode_id: str = EPISODE) -> LedgerRecord:
    """The record of a given panorama."""
    return LedgerRecord(
        episode_id=episode_id,
        sequence_number=number,
        kind=LedgerKind.GIVEN_FRAME,
        request_id="",
        observation_id=f"{episode_id}/{number}",
        sequence="street",
        frame_id=frame_id,
        stamp_ns=0,
        azimuth=0.0,
        field_of_view=0.0,
        crop=None,
        status=ObserveStatus.OK,
        message="",
        remaining_observations=32,
    )
