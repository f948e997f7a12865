"""Waits for the recorder: that it is there, and that it has written everything."""

import threading
import time
from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from avr_ros.evaluation.errors import RunStoppedError
from avr_ros.evaluation.recording_check import RecorderStatus
from avr_ros.nodes import qos
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.message_types import ros_types
from avr_ros.schema.errors import AvrError

START_TIMEOUT = 60.0
"""Seconds that the recorder has to appear; it first reads what an earlier start recorded."""

CONFIRM_TIMEOUT = 30.0
"""Seconds that the recorder has to write what is still on its way at the end."""


class BagIncompleteError(AvrError):
    """The recorder did not confirm that it holds everything; the run's own files are whole."""


class RecorderClient:
    """Listens to the recorder's status."""

    def __init__(self, node: AvrNode[Any]) -> None:
        """Subscribe to ``recorder_status``."""
        self._closing = node.closing
        self._changed = threading.Condition()
        self._status: RecorderStatus | None = None
        node.create_subscription(
            ros_types("std_msgs/msg/String"), "recorder_status", self._take, qos.LATEST
        )

    def wait_until_there(self, ended: Callable[[], bool] = lambda: False) -> RecorderStatus:
        """The recorder's status, once it is there. Raises RunStoppedError."""
        if not self._wait(lambda status: status is not None, START_TIMEOUT, ended):
            raise RunStoppedError(
                f"no recorder appeared within {START_TIMEOUT:g} s: start the recorder node, "
                "or set wait_for_recorder to false"
            )
        assert self._status is not None
        return self._status

    def wait_for_confirmation(self, session: str) -> None:
        """Wait until everything of a session's manifest is written. Raises BagIncompleteError."""
        if not self._wait(
            lambda status: status is not None and status.confirmed == session,
            CONFIRM_TIMEOUT,
            lambda: False,
        ):
            missing = self._status.missing if self._status is not None else ()
            raise BagIncompleteError(
                "the results are whole, but the bag lacks "
                f"{', '.join(missing) or 'what the recorder has not confirmed'}"
            )

    def _take(self, message: Any) -> None:
        try:
            status = RecorderStatus.model_validate_json(message.data)
        except ValidationError:
            # Another program's message; the recorder's own comes in its time.
            return
        with self._changed:
            self._status = status
            self._changed.notify_all()

    def _wait(
        self,
        ready: Callable[[RecorderStatus | None], bool],
        timeout: float,
        ended: Callable[[], bool],
    ) -> bool:
        deadline = time.monotonic() + timeout
        with self._changed:
            while not ready(self._status):
                remaining = deadline - time.monotonic()
                if remaining <= 0 or self._closing.is_set() or ended():
                    return False
                self._changed.wait(min(remaining, 0.2))
        return True
