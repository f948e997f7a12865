"""A background thread that does work ahead of its being asked for."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from avr_ros.recordings.errors import RecordingError

Item = TypeVar("Item")


class Prefetcher(Generic[Item]):
    """Calls ``work`` on items in one background thread, the latest request first.

    At most ``capacity`` items wait; older ones are dropped, since what was likely to be wanted a
    while ago no longer is. A recording's error in ``work`` is left for the request that really
    wants the item and meets the same error. The thread starts with the first request.
    """

    def __init__(self, work: Callable[[Item], object], capacity: int = 8) -> None:
        self._work = work
        self._waiting: deque[Item] = deque(maxlen=capacity)
        self._changed = threading.Condition()
        self._busy = False
        self._closed = False
        self._thread: threading.Thread | None = None

    def request(self, items: Iterable[Item]) -> None:
        """Ask for items, the most wanted last. After :meth:`close` does nothing."""
        with self._changed:
            if self._closed:
                return
            for item in items:
                if item in self._waiting:
                    self._waiting.remove(item)
                self._waiting.append(item)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="prefetch", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def wait_idle(self, timeout: float) -> bool:
        """Wait until nothing is waiting or under way; ``False`` after ``timeout`` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._busy, timeout)

    def close(self) -> None:
        """Drop what waits, let the item under way finish, and end the thread."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._waiting)
                if self._closed:
                    return
                item = self._waiting.pop()
                self._busy = True
            try:
                self._work(item)
            except RecordingError:
                pass
            finally:
                with self._changed:
                    self._busy = False
                    self._changed.notify_all()
