"""Runs a set-up's processes and ends them all together."""

import ctypes
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType

from avr_ros.processes.description import Process
from avr_ros.processes.domain import FreshDomain, ports_of
from avr_ros.processes.executables import find_executable
from avr_ros.processes.secrets import without_secrets
from avr_ros.processes.shared_memory import SharedMemory

PATIENCE = 5.0
"""Seconds between SIGINT and SIGTERM, and between SIGTERM and SIGKILL."""

LOOK_PERIOD = 2.0
"""Seconds between two looks at the shared memory in use."""

EARLY = 20.0
EARLY_LOOK_PERIOD = 0.2
"""For so many seconds after the last start looks are as often as this: processes set up then."""

FAILED = 1

_ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SET_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2)."""

# Loaded here, because little is safe between fork and exec.
_LIBC = ctypes.CDLL(None)


@dataclass(frozen=True)
class _Ended:
    """A process has ended with a return code, negative for a signal."""

    process: Process
    code: int


_Event = _Ended | int
"""What the runner waits for: the end of a process or the number of a signal."""


def run(
    processes: Sequence[Process],
    *,
    fresh_domain: bool,
    say: Callable[[str], None],
    variables: Mapping[str, str] = os.environ,
) -> int:
    """Run processes until a required one ends or a signal comes, then end all; return an exit code.

    The code is that of the process that decides. It is 1 where another required process ended
    first or a signal came before the deciding one ended; without a deciding process a signal is
    the usual end, 0. ``fresh_domain`` takes a ROS domain that nobody uses; else the environment's
    is used. ``say`` is given lines for the user. Nothing that was started outlives this call.
    """
    domain = FreshDomain() if fresh_domain else None
    try:
        environment = dict(variables)
        if domain is not None:
            environment["ROS_DOMAIN_ID"] = str(domain.number)
            environment.setdefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
            say(f"ROS_DOMAIN_ID={domain.number}")
        memory = SharedMemory(ports_of(domain.number) if domain is not None else ())
        commands = [_command(process, environment) for process in processes]
        with _Runner(memory, say) as runner:
            for process, command in zip(processes, commands, strict=True):
                runner.start(process, command, environment)
            code = runner.wait()
        return code
    finally:
        if domain is not None:
            domain.close()


def _command(process: Process, environment: Mapping[str, str]) -> list[str]:
    path = find_executable(process.package, process.executable, environment)
    # Log lines reach the terminal; copies of them in the user's home would only pile up.
    return [str(path), "--ros-args", "--disable-external-lib-logs", *process.ros_arguments()]


class _Runner:
    def __init__(self, memory: SharedMemory, say: Callable[[str], None]) -> None:
        self._memory = memory
        self._say = say
        self._events: queue.SimpleQueue[_Event] = queue.SimpleQueue()
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._decided = False
        self._last_start = time.monotonic()

    def __enter__(self) -> "_Runner":
        self._signals = _signals_into(self._events)
        self._signals.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self._end_all()
            self._memory.clean()
        finally:
            self._signals.__exit__(None, None, None)

    def start(self, process: Process, command: list[str], environment: Mapping[str, str]) -> None:
        """Start a process in a group of its own, so that Ctrl-C reaches this one alone."""
        variables = dict(environment) if process.holds_secrets else without_secrets(environment)
        started = subprocess.Popen(
            command,
            env=variables,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_prepare_child,
        )
        self._running[process.name] = started
        self._last_start = time.monotonic()
        self._decided = self._decided or process.decides

        def wait() -> None:
            self._events.put(_Ended(process, started.wait()))

        threading.Thread(target=wait, name=process.name, daemon=True).start()

    def wait(self) -> int:
        """Wait for the end; return the exit code of the whole."""
        while True:
            early = time.monotonic() < self._last_start + EARLY
            event = self._next_event(EARLY_LOOK_PERIOD if early else LOOK_PERIOD)
            if event is None:
                self._memory.look(process.pid for process in self._running.values())
                continue
            if isinstance(event, int):
                self._say(f"{signal.Signals(event).name}: stopping")
                return FAILED if self._decided else 0
            self._running.pop(event.process.name)
            if event.process.decides:
                return event.code if event.code >= 0 else FAILED
            if event.process.required:
                self._say(f"{event.process.name} ended ({_in_words(event.code)}): stopping")
                return FAILED
            self._say(f"{event.process.name} ended ({_in_words(event.code)})")

    def _next_event(self, timeout: float) -> _Event | None:
        try:
            return self._events.get(timeout=timeout)
        except queue.Empty:
            return None

    def _end_all(self) -> None:
        """Ask all to end, more firmly each time; another signal to this process hurries."""
        self._memory.look(process.pid for process in self._running.values())
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            for process in self._running.values():
                _signal_group(process.pid, number)
            deadline = time.monotonic() + PATIENCE
            while self._running and time.monotonic() < deadline:
                event = self._next_event(max(0.0, deadline - time.monotonic()))
                if isinstance(event, _Ended):
                    self._running.pop(event.process.name)
                elif event is not None:
                    break
            if not self._running:
                return
            if number is not signal.SIGKILL:
                self._say(f"{', '.join(self._running)} did not end by {number.name}")


@contextmanager
def _signals_into(events: "queue.SimpleQueue[_Event]") -> Iterator[None]:
    """Turn signals into events."""

    def handle(number: int, frame: FrameType | None) -> None:
        events.put(number)

    previous = {number: signal.signal(number, handle) for number in _ENDING_SIGNALS}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _signal_group(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, number)


def _prepare_child() -> None:
    """Run in the child, before its program.

    SIGINT waits until the node is ready to handle it, rather than to end an import with a
    traceback. The kernel ends the process when the runner is killed and cannot do it any more.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    if sys.platform == "linux":
        _LIBC.prctl(_SET_DEATH_SIGNAL, signal.SIGTERM)


def _in_words(code: int) -> str:
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"exit code {code}"
