"""Nodes as real processes, and a plain rclpy client, for the tests of this room."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import rclpy
from rclpy.action import ActionClient
from rclpy.executors import SingleThreadedExecutor

from avr_ros.processes.description import Process
from avr_ros.processes.executables import find_executable

PATIENCE = 30.0
"""Seconds that anything may take here; far more than it does."""


class NodeProcess:
    """A node's executable, ended by a signal at the end of the ``with`` block."""

    def __init__(
        self,
        folder: Path,
        executable: str,
        name: str,
        parameters: Mapping[str, Any] | None = None,
        remappings: Mapping[str, str] | None = None,
        namespace: str = "",
        variables: Mapping[str, str] | None = None,
    ) -> None:
        process = Process(executable, name, parameters or {}, remappings or {}, namespace)
        path = find_executable("avr_ros", executable, os.environ)
        self.command = [str(path), "--ros-args", "--disable-external-lib-logs"]
        self.command += process.ros_arguments()
        self.errors = folder / f"{namespace.strip('/') or 'root'}-{name}-{os.urandom(4).hex()}.log"
        self._variables = {**os.environ, **(variables or {})}

    def __enter__(self) -> NodeProcess:
        with open(self.errors, "wb") as log:
            self.process = subprocess.Popen(
                self.command,
                env=self._variables,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            self.end(signal.SIGINT)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def end(self, number: signal.Signals) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        """Wait for the end and return the exit code."""
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    @property
    def log(self) -> str:
        """What the node wrote to stderr."""
        return self.errors.read_text(errors="replace")


class Client:
    """A plain rclpy node with an executor thread, as a user would write it."""

    def __init__(self) -> None:
        self.node = rclpy.create_node("test_client")
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        self._clients: dict[str, Any] = {}
        self._ended = False
        self._thread = threading.Thread(target=self._spin)
        self._thread.start()

    def _spin(self) -> None:
        while not self._ended:
            self._executor.spin_once()

    def close(self) -> None:
        self._ended = True
        self._executor.create_task(lambda: None)
        self._thread.join()
        self._executor.shutdown()
        self.node.destroy_node()

    def wait(self, future: Any, timeout: float = PATIENCE) -> Any:
        """A future's result."""
        done = threading.Event()
        future.add_done_callback(lambda _: done.set())
        assert done.wait(timeout), "no answer"
        return future.result()

    def call(self, service_type: Any, name: str, request: Any) -> Any:
        """Call a service; a call that is lost while both sides discover each other is repeated."""
        client = self._clients.get(name)
        if client is None:
            client = self._clients[name] = self.node.create_client(service_type, name)
        assert client.wait_for_service(PATIENCE), f"no service {name}"
        for timeout in (3.0, PATIENCE):
            done = threading.Event()
            future = client.call_async(request)
            future.add_done_callback(lambda _, done=done: done.set())
            if done.wait(timeout):
                return future.result()
            client.remove_pending_request(future)
        raise AssertionError(f"{name} did not answer")

    def action(self, action_type: Any, name: str) -> ActionClient:
        """An action client whose server is there."""
        client = self._clients.get(name)
        if client is None:
            client = self._clients[name] = ActionClient(self.node, action_type, name)
        assert client.wait_for_server(PATIENCE), f"no action {name}"
        return client

    def run(self, call: Callable[[], Any]) -> Any:
        """Run a call in the executor's thread and return what it returns."""
        return self.wait(self._executor.create_task(call))

    def send_goal(self, action_type: Any, name: str, goal: Any, feedback: Any = None) -> Any:
        """Send a goal and return its handle."""
        client = self.action(action_type, name)
        return self.wait(self.run(lambda: client.send_goal_async(goal, feedback)))

    def result(self, handle: Any, timeout: float = PATIENCE) -> Any:
        """A goal's response, with status and result."""
        return self.wait(self.run(handle.get_result_async), timeout)

    def collect(self, message_type: Any, topic: str, profile: Any) -> Messages:
        """Everything that comes on a topic."""
        return Messages(self.node, message_type, topic, profile)


class Messages:
    """The messages of a topic, in order."""

    def __init__(self, node: Any, message_type: Any, topic: str, profile: Any) -> None:
        self._changed = threading.Condition()
        self.all: list[Any] = []
        self._node = node
        self._subscription = node.create_subscription(message_type, topic, self._take, profile)

    def _take(self, message: Any) -> None:
        with self._changed:
            self.all.append(message)
            self._changed.notify_all()

    def wait_for(self, condition: Callable[[list[Any]], bool], timeout: float = PATIENCE) -> None:
        """Wait until the messages so far meet a condition."""
        with self._changed:
            met = self._changed.wait_for(lambda: condition(self.all), timeout)
        assert met, f"after {len(self.all)} messages: {self.all[-1:]}"

    def close(self) -> None:
        self._node.destroy_subscription(self._subscription)
