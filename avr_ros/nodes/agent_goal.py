"""One Ask goal: settles early when it is cancelled or its time is over, whatever the agent does."""

import threading
from collections.abc import Callable
from typing import Any

from rclpy.executors import Executor

from avr_ros.evaluation.cancellation import Cancellation
from avr_ros.nodes.futures import complete, fail, make_future
from avr_ros.nodes.worker_pool import WorkerPool
from avr_ros.schema.prediction import FailureKind, Prediction
from avr_ros.schema.result import Cost
from avr_ros.schema.step import Step

GRACE = 1.5
"""Seconds that an agent has to return once its question has ended."""

Outcome = tuple[Prediction, Cost, str]
"""Prediction, cost, and the id of the episode that was used."""


class AgentGoal:
    """Runs one question in a pool and ends it.

    ``cancellation`` ends the question at the agent's next use of a tool. An agent that does not
    return within the grace is left behind: the goal settles without it and what comes late goes
    nowhere.
    """

    def __init__(self, goal_handle: Any, executor: Executor) -> None:
        """Prepare; nothing runs yet."""
        self.handle = goal_handle
        self.cancellation = Cancellation()
        self._executor = executor
        self._outcome = make_future(executor)
        self._lock = threading.Lock()
        self._settled = False
        self._timers: list[threading.Timer] = []
        self.cancellation.add_callback(self._end_soon)

    def start(self, pool: WorkerPool, work: Callable[[], Outcome], deadline: float) -> Any:
        """Run ``work``, for ``deadline`` seconds at most; return a future to await.

        Raises PoolFullError.
        """

        def job() -> None:
            # What work raises is a bug of this package: it ends the node, with its traceback.
            try:
                outcome = work()
            except BaseException as error:
                self._fail(error)
            else:
                self.settle(outcome)

        pool.submit(job)
        self._after(deadline, lambda: self.cancellation.cancel(FailureKind.DEADLINE))
        return self._outcome

    def publish(self, step: Step, send: Callable[[Step], None]) -> None:
        """Send a step, unless the goal has settled."""
        with self._lock:
            if not self._settled:
                send(step)

    def settle(self, outcome: Outcome) -> None:
        """Set the outcome; only the first call counts. Any thread."""
        if self._is_first():
            complete(self._executor, self._outcome, outcome)

    def _fail(self, error: BaseException) -> None:
        if self._is_first():
            fail(self._executor, self._outcome, error)

    def _is_first(self) -> bool:
        with self._lock:
            if self._settled:
                return False
            self._settled = True
        for timer in self._timers:
            timer.cancel()
        return True

    def _end_soon(self, kind: FailureKind) -> None:
        reason = f"the agent did not return within {GRACE:g} s"
        outcome = (Prediction(failure=kind, reason=reason), Cost(), "")
        self._after(GRACE, lambda: self.settle(outcome))

    def _after(self, seconds: float, call: Callable[[], None]) -> None:
        timer = threading.Timer(seconds, call)
        timer.daemon = True
        timer.start()
        self._timers.append(timer)
