"""Diagnostics of a node."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from avr_ros.messages.message_types import MessageTypes
from avr_ros.messages.time import header_message


class Level(IntEnum):
    """How well a node does; the values are those of ``diagnostic_msgs/DiagnosticStatus``."""

    OK = 0
    WARN = 1
    ERROR = 2
    STALE = 3


def diagnostics_message(
    name: str,
    level: Level,
    message: str,
    values: Mapping[str, object],
    stamp: int,
    types: MessageTypes,
) -> Any:
    """A ``diagnostic_msgs/DiagnosticArray`` with one status; values are shown as text."""
    key_value = types("diagnostic_msgs/msg/KeyValue")
    status = types("diagnostic_msgs/msg/DiagnosticStatus")(
        level=bytes([level]),
        name=name,
        message=message,
        hardware_id="",
        values=[key_value(key=key, value=str(value)) for key, value in values.items()],
    )
    return types("diagnostic_msgs/msg/DiagnosticArray")(
        header=header_message(stamp, "", types), status=[status]
    )
