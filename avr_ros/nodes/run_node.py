"""Runs one node in one process, and ends it cleanly."""

import gc
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

import rclpy
from rclpy.exceptions import InvalidHandle
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions

from avr_ros.nodes.allocator import keep_freed_memory
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.schema.errors import AvrError, BadInputError

CLOCK_CHECK_PERIOD = 0.1
"""Seconds between two looks at a clock that has not started."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run_node(make: Callable[[], AvrNode[Any]], arguments: Sequence[str] | None = None) -> int:
    """Run a node until it finishes or SIGINT or SIGTERM comes; return the process's exit code.

    One thread runs the executor; this one waits, so that signals are handled at once. Ending by a
    signal is no failure: 0. Errors that a user can understand are one line: 2 for bad input, else
    1. An error in a callback ends the node with 1 and its traceback.
    """
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop.set()

    previous = {number: signal.signal(number, on_signal) for number in _SIGNALS}
    # Whoever started the process may have held them back until now.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    try:
        try:
            # The signals are handled here, since rclpy's own handlers end the context at once and
            # leave nothing to say goodbye with.
            rclpy.init(
                args=None if arguments is None else list(arguments),
                signal_handler_options=SignalHandlerOptions.NO,
            )
        except Exception as error:  # rclpy has no common base class for bad arguments
            print(f"error: {_one_line(error)}", file=sys.stderr)
            return 2
        try:
            return _Running(make, stop).run()
        except AvrError as error:
            print(f"error: {_one_line(error)}", file=sys.stderr)
            return 2 if isinstance(error, BadInputError) else 1
        finally:
            rclpy.try_shutdown()
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


class _Running:
    def __init__(self, make: Callable[[], AvrNode[Any]], stop: threading.Event) -> None:
        self._make = make
        self._stop = stop
        self._ended = threading.Event()
        self._failed = False

    def run(self) -> int:
        keep_freed_memory()
        node = self._make()
        executor = SingleThreadedExecutor()
        executor.add_node(node)
        thread = threading.Thread(target=self._spin, args=(executor,), name="executor")
        started = False
        try:
            if not self._wait_for_clock(node, executor):
                return 0
            node.finished_callback = self._stop.set
            node.setup()
            # What is there now stays: searching it again and again would hold up answers.
            gc.collect()
            gc.freeze()
            thread.start()
            started = True
            self._stop.wait()
            node.closing.set()
            node.close()
        finally:
            node.closing.set()
            self._ended.set()
            if started:
                # Waking it alone would let it wait again; a task lets it return.
                executor.create_task(lambda: None)
                thread.join()
            executor.shutdown()
            node.destroy_node()
        return 1 if self._failed else node.exit_code

    def _wait_for_clock(self, node: AvrNode[Any], executor: SingleThreadedExecutor) -> bool:
        """Let a simulated clock start; say whether it did before the end."""
        if not node.get_parameter("use_sim_time").value:
            return True
        node.get_logger().info("waiting for /clock")
        while node.now_ns() == 0:
            if self._stop.is_set():
                return False
            executor.spin_once(timeout_sec=CLOCK_CHECK_PERIOD)
        return True

    def _spin(self, executor: SingleThreadedExecutor) -> None:
        try:
            while not self._ended.is_set():
                executor.spin_once()
        except ExternalShutdownException:
            pass
        except InvalidHandle:
            # An entity was destroyed by the node's own end while it was being waited for.
            if not self._ended.is_set():
                self._fail()
        except BaseException:
            self._fail()
        finally:
            self._stop.set()

    def _fail(self) -> None:
        self._failed = True
        traceback.print_exc()


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
