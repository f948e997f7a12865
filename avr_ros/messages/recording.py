"""What a node says of the sequences that it serves."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from avr_ros.geometry.panorama import Cylinder
from avr_ros.messages.arrays import int64_array
from avr_ros.messages.message_types import MessageTypes
from avr_ros.messages.time import stamp_ns, time_message

NO_STAMP = -1
"""Stands in ``stamps_us`` for a frame whose time nobody knows."""

NANOSECONDS_PER_MICROSECOND = 1000


@dataclass(frozen=True, eq=False)
class SequenceDescription:
    """A sequence as a client of the node knows it.

    ``stamps_us`` are whole microseconds, ``NO_STAMP`` where unknown, and empty where the client
    did not ask for them or none is known. ``ground_height`` is in metres.
    """

    name: str
    frame_ids: npt.NDArray[np.int64]
    stamps_us: npt.NDArray[np.int64]
    cylinder: Cylinder
    ground_height: float


def sequence_message(sequence: SequenceDescription, types: MessageTypes) -> Any:
    """A ``SequenceInfo``; an unknown stamp among known ones is zero."""
    stamps: list[Any] = []
    if bool(np.any(sequence.stamps_us != NO_STAMP)):
        stamps = [
            time_message(0 if stamp == NO_STAMP else stamp * NANOSECONDS_PER_MICROSECOND, types)
            for stamp in sequence.stamps_us.tolist()
        ]
    cylinder = sequence.cylinder
    return types("avr_ros/msg/SequenceInfo")(
        name=sequence.name,
        frame_ids=int64_array(sequence.frame_ids.tolist()),
        stamps=stamps,
        width=cylinder.width,
        height=cylinder.height,
        vertical_focal_length=cylinder.vertical_focal_length,
        principal_row=cylinder.principal_row,
        ground_height=sequence.ground_height,
    )


def sequence_from_message(message: Any) -> SequenceDescription:
    """The description of a ``SequenceInfo``."""
    stamps = [stamp_ns(stamp) for stamp in message.stamps]
    return SequenceDescription(
        name=str(message.name),
        frame_ids=np.array(message.frame_ids, dtype=np.int64),
        stamps_us=np.array(
            [NO_STAMP if stamp == 0 else stamp // NANOSECONDS_PER_MICROSECOND for stamp in stamps],
            dtype=np.int64,
        ),
        cylinder=Cylinder(
            width=int(message.width),
            height=int(message.height),
            vertical_focal_length=float(message.vertical_focal_length),
            principal_row=float(message.principal_row),
        ),
        ground_height=float(message.ground_height),
    )
