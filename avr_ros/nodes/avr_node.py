"""What all nodes share: parameters, one executor thread, a pool, diagnostics, a clean end."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import Executor
from rclpy.node import Node

from avr_ros.nodes.diagnostics import Diagnostics
from avr_ros.nodes.futures import complete, fail, make_future
from avr_ros.nodes.parameters import NodeParameters, declare
from avr_ros.nodes.worker_pool import WorkerPool

ParametersType = TypeVar("ParametersType", bound=NodeParameters)
ResultType = TypeVar("ResultType")


class AvrNode(Node, Generic[ParametersType]):
    """A node that :func:`avr_ros.nodes.run_node.run_node` runs.

    A subclass makes its topics and services in :meth:`setup`, which is called once the clock runs
    (with ``use_sim_time``, once it is not zero any more), so that nothing is stamped with zero.
    """

    def __init__(self, name: str, parameters: type[ParametersType]) -> None:
        """Make the node and declare its parameters. Raises ParameterError."""
        super().__init__(name, automatically_declare_parameters_from_overrides=True)
        self.parameters = declare(self, parameters)
        # For callbacks that wait: in the default group nothing else would run meanwhile, not even
        # what they wait for.
        self.waiting_group = ReentrantCallbackGroup()
        self.closing = threading.Event()
        self.finished_callback: Callable[[], object] = lambda: None
        self.exit_code = 0
        self.diagnostics = Diagnostics(self)

    def setup(self) -> None:
        """Make topics, services and actions."""

    def close(self) -> None:
        """End work in progress; the executor still runs. Called once, within seconds."""

    def finish(self, exit_code: int) -> None:
        """End the process with an exit code; may be called from any thread."""
        self.exit_code = exit_code
        self.finished_callback()

    def now_ns(self) -> int:
        """The node's time in nanoseconds since the epoch."""
        return int(self.get_clock().now().nanoseconds)

    async def in_pool(self, pool: WorkerPool, work: Callable[[], ResultType]) -> ResultType:
        """Run work in a pool while the executor goes on, and return what it returns.

        Raises what it raises, and PoolFullError.
        """
        executor = self._executor_in_use()
        future = make_future(executor)

        def job() -> None:
            try:
                result = work()
            except BaseException as error:
                fail(executor, future, error)
            else:
                complete(executor, future, result)

        pool.submit(job)
        value: ResultType = await future
        return value

    def in_executor(self, call: Callable[[], object]) -> None:
        """Run a call in the executor's thread soon. May be called from any thread."""
        self._executor_in_use().create_task(call)

    def _executor_in_use(self) -> Executor:
        executor = self.executor
        assert executor is not None, "the node is run by run_node"
        return executor
