"""Futures that another thread completes while a callback awaits them."""

from typing import Any

from rclpy.executors import Executor
from rclpy.task import Future


def make_future(executor: Executor) -> Any:
    """A future to await in a callback of an executor."""
    return Future(executor=executor)


def complete(executor: Executor, future: Any, result: object) -> None:
    """Set a future's result and let its executor see it at once. Any thread."""
    future.set_result(result)
    _look(executor)


def fail(executor: Executor, future: Any, error: BaseException) -> None:
    """Set a future's exception and let its executor see it at once. Any thread."""
    future.set_exception(error)
    _look(executor)


def _look(executor: Executor) -> None:
    """Let an executor go through its tasks.

    It looks at what a waiting task awaits whenever it wakes, and a new task wakes it. The result
    must be there before: the order in which tasks are gone through differs between releases.
    """
    executor.create_task(lambda: None)
