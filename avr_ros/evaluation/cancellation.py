"""A one-way switch that ends a question early."""

import threading
from collections.abc import Callable

from avr_ros.schema.prediction import FailureKind


class Cancellation:
    """Ends one question: set once, from any thread, with CANCELLED or DEADLINE.

    The asker looks at :attr:`kind` before each use of a tool, or adds a callback where its work
    is elsewhere.
    """

    def __init__(self) -> None:
        """Start unset."""
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._kind: FailureKind | None = None
        self._callbacks: list[Callable[[FailureKind], None]] = []

    @property
    def kind(self) -> FailureKind | None:
        """Why the question ends, none while it may go on."""
        return self._kind

    def cancel(self, kind: FailureKind) -> None:
        """End the question; only the first call counts."""
        with self._lock:
            if self._kind is not None:
                return
            self._kind = kind
            callbacks, self._callbacks = self._callbacks, []
        self._event.set()
        for callback in callbacks:
            callback(kind)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end, at most ``timeout`` seconds; return whether it came."""
        return self._event.wait(timeout)

    def add_callback(self, callback: Callable[[FailureKind], None]) -> None:
        """Call ``callback`` with the kind once the question ends, at once where it has."""
        with self._lock:
            if self._kind is None:
                self._callbacks.append(callback)
                return
            kind = self._kind
        callback(kind)
