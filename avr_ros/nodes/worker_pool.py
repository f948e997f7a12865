"""A bounded number of threads for work that must not hold up a node's executor."""

import queue
import threading
from collections.abc import Callable

from avr_ros.nodes.errors import PoolFullError


class WorkerPool:
    """Runs jobs in daemon threads, at most ``workers`` at a time and ``waiting`` more queued.

    Daemon threads, so that a job that hangs in foreign code cannot keep the process alive.
    """

    def __init__(self, workers: int, waiting: int = 0, name: str = "worker") -> None:
        """Start the threads."""
        self._room = threading.BoundedSemaphore(workers + waiting)
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True)
            for number in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Callable[[], None]) -> None:
        """Run a job soon. Raises PoolFullError where there is no room for it."""
        if not self._room.acquire(blocking=False):
            raise PoolFullError("all workers are busy: try again later")
        self._jobs.put(job)

    def close(self, timeout: float) -> bool:
        """Let no further job start and wait for those at work; say whether all ended in time."""
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join(timeout)
        return not any(thread.is_alive() for thread in self._threads)

    def _work(self) -> None:
        while True:
            job = self._jobs.get()
            if job is None:
                return
            try:
                job()
            finally:
                self._room.release()
