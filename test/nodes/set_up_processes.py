"""``avr up`` as a process, with a look at its nodes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

Found = TypeVar("Found")

PATIENCE = 120.0
"""Seconds that a start may take to end; far more than it does."""


class UpProcess:
    """``avr up SET_UP name:=value ...``."""

    def __init__(
        self,
        folder: Path,
        set_up: str,
        arguments: Mapping[str, str],
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.output = folder / f"up-{os.urandom(4).hex()}.log"
        command = [sys.executable, "-m", "avr_ros.cli.main", "up", set_up]
        command += [f"{name}:={value}" for name, value in arguments.items()]
        with open(self.output, "wb") as log:
            self.process = subprocess.Popen(
                command,
                cwd=folder,
                # A commit made meanwhile would make the next start another run.
                env={**os.environ, "GIT_DIR": os.devnull, **(variables or {})},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def text(self) -> str:
        """What was printed so far."""
        return self.output.read_text(errors="replace")

    def wait(self) -> int:
        """Wait for the end and return the exit code."""
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGTERM)
            raise

    def nodes(self) -> dict[str, int]:
        """The process ids of the nodes that run now, by node name."""
        found: dict[str, int] = {}
        for pid in children_of(self.process.pid):
            try:
                words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            for word in words:
                if word.startswith(b"__node:="):
                    found[word.removeprefix(b"__node:=").decode()] = pid
        return found

    def holders(self, secret: str) -> set[str]:
        """The nodes that have a text in their environment."""
        return {
            name
            for name, pid in self.nodes().items()
            if secret.encode() in Path(f"/proc/{pid}/environ").read_bytes()
        }

    def wait_for_node(self, name: str) -> int:
        """The process id of a node, once it has been started; nothing announces it."""
        return wait_until(lambda: self.nodes().get(name, 0), f"node {name}: {self.text}")

    def wait_for_lines(self, path: Path, count: int) -> None:
        """Wait until a file has so many lines, or the set-up has ended."""
        wait_until(
            lambda: self.process.poll() is not None or lines_of(path) >= count,
            f"{count} lines in {path}: {self.text}",
        )

    @contextmanager
    def scorer_stopped(self, journal: Path, count: int) -> Iterator[None]:
        """Hold the run still from its journal's ``count``-th line on.

        Otherwise it would go on, to its end if it is quick, while one looks at it.
        """
        scorer = self.wait_for_node("scorer")
        self.wait_for_lines(journal, count)
        assert self.process.poll() is None, self.text
        os.kill(scorer, signal.SIGSTOP)
        try:
            yield
        finally:
            # It may be what was killed meanwhile.
            with suppress(ProcessLookupError):
                os.kill(scorer, signal.SIGCONT)


def children_of(pid: int) -> list[int]:
    """The process ids of a process's children."""
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]


def lines_of(path: Path) -> int:
    """The number of whole lines of a file, 0 where there is none."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_until(look: Callable[[], Found], what: str) -> Found:
    """Look again and again until something is there that no event announces."""
    deadline = time.monotonic() + PATIENCE
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


def is_alive(pid: int) -> bool:
    """Whether a process runs."""
    return Path(f"/proc/{pid}").exists()
