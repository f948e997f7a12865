"""Calls of services from worker threads: awaited, with a deadline, tried again where safe."""

import threading
import time
from collections.abc import Callable
from typing import Any

from rclpy.node import Node

from avr_ros.nodes.errors import CallEndedError, ServiceUnavailableError

FIRST_TRY = 1.0
"""Seconds before the first repetition; each further try may take twice as long."""

LOOK_PERIOD = 0.02
"""Seconds between two looks for a service that is not there yet; there is no event to wait for."""

END_CHECK_PERIOD = 0.1
"""Seconds after which a waiting call notices that it is no longer wanted."""


class ServiceClient:
    """Calls one service; may be used by many worker threads at once, never in a callback.

    A call is repeated when its answer does not come: an answer can be lost while client and
    server are still discovering each other (rmw_fastrtps#842). So every request must be one that
    may arrive twice: it carries a request id, or repeating it changes nothing.
    """

    def __init__(self, node: Node, service_type: Any, name: str, closing: threading.Event) -> None:
        """Make the client; ``closing`` ends all calls when set."""
        self._client = node.create_client(service_type, name)
        self._closing = closing

    @property
    def name(self) -> str:
        """The service's name after remapping."""
        return str(self._client.service_name)

    def is_ready(self) -> bool:
        """Whether a server is known."""
        return bool(self._client.service_is_ready())

    def wait_until_ready(self, timeout: float, ended: Callable[[], bool] = lambda: False) -> None:
        """Wait for a server. Raises ServiceUnavailableError or CallEndedError."""
        deadline = time.monotonic() + timeout
        while not self.is_ready():
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                raise ServiceUnavailableError(
                    f"service {self.name} did not appear within {timeout:g} s: "
                    "is its node running, in the same ROS domain and namespace?"
                )
            if self._closing.wait(min(LOOK_PERIOD, remaining)) or ended():
                raise CallEndedError(f"no longer waiting for {self.name}")

    def call(self, request: Any, timeout: float, ended: Callable[[], bool] = lambda: False) -> Any:
        """Send a request and return the response.

        ``timeout`` in seconds covers discovery and all tries. Raises ServiceUnavailableError when
        it has passed, CallEndedError soon after the node began to close or ``ended`` became true.
        """
        deadline = time.monotonic() + timeout
        self.wait_until_ready(timeout, ended)
        patience = FIRST_TRY
        while True:
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                raise ServiceUnavailableError(
                    f"service {self.name} did not answer within {timeout:g} s: "
                    "is its node still running?"
                )
            answered, response = self._try(request, min(patience, remaining), ended)
            if answered:
                return response
            patience *= 2

    def _try(self, request: Any, timeout: float, ended: Callable[[], bool]) -> tuple[bool, Any]:
        done = threading.Event()
        future = self._client.call_async(request)
        future.add_done_callback(lambda _: done.set())
        deadline = time.monotonic() + timeout
        try:
            while not done.is_set():
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    return False, None
                done.wait(min(remaining, END_CHECK_PERIOD))
                if not done.is_set() and (self._closing.is_set() or ended()):
                    raise CallEndedError(f"no longer waiting for {self.name}")
        finally:
            if not done.is_set():
                self._client.remove_pending_request(future)
        return True, future.result()
