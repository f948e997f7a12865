"""How the other modules here make messages without knowing whose classes they are."""

from collections.abc import Callable
from typing import Any, Protocol

from avr_ros.schema.errors import AvrError


class MessageTypes(Protocol):
    """Gives the class of a message type, for example of ``avr_ros/msg/Score``.

    The class is called with every field as a keyword argument, which suits both rclpy's generated
    classes and the dataclasses of ``rosbags``. Parts of services and actions are named with their
    ending: ``avr_ros/srv/Observe_Request``, ``avr_ros/action/Ask_Goal``.
    """

    def __call__(self, name: str, /) -> Callable[..., Any]:
        """Return the class."""


class MessageContentError(AvrError):
    """A message's fields do not make a valid value; the text names message and field."""
