"""Times as nanoseconds since the epoch, and as ``builtin_interfaces/Time``."""

from typing import Any

from avr_ros.messages.message_types import MessageTypes

_NANOSECONDS = 1_000_000_000


def time_message(stamp_ns: int, types: MessageTypes) -> Any:
    """A ``builtin_interfaces/Time`` of nanoseconds since the epoch."""
    seconds, nanoseconds = divmod(stamp_ns, _NANOSECONDS)
    return types("builtin_interfaces/msg/Time")(sec=seconds, nanosec=nanoseconds)


def stamp_ns(message: Any) -> int:
    """Nanoseconds since the epoch of a ``builtin_interfaces/Time``."""
    return int(message.sec) * _NANOSECONDS + int(message.nanosec)


def header_message(stamp: int, frame: str, types: MessageTypes) -> Any:
    """A ``std_msgs/Header`` of a stamp in nanoseconds and a coordinate frame's name."""
    return types("std_msgs/msg/Header")(stamp=time_message(stamp, types), frame_id=frame)


def fill_header(header: Any, stamp: int, frame: str) -> None:
    """Set the fields of a ``std_msgs/Header``; ``stamp`` in nanoseconds since the epoch."""
    header.stamp.sec, header.stamp.nanosec = divmod(stamp, _NANOSECONDS)
    header.frame_id = frame
