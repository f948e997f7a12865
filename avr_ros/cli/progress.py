"""Progress on stderr, so that stdout holds results alone."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rich.progress import Progress

SECONDS_BETWEEN_LINES: Final = 15.0
"""How often a task tells where it is, where no bar can be drawn."""


@contextmanager
def progress_bar(*fields: str) -> Iterator["Progress"]:
    """A progress display with bar, count, time left and the named fields of each task.

    On terminals it is drawn and removed at the end; elsewhere a long task says in a line, every
    quarter of a minute, how far it is.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    columns = [
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        *(TextColumn("{task.fields[" + name + "]}") for name in fields),
    ]

    class Lines(Progress):
        """Lines instead of a bar."""

        def __init__(self) -> None:
            super().__init__(console=console, disable=True)
            self._last = time.monotonic()

        def update(self, task_id: TaskID, **changes: Any) -> None:
            super().update(task_id, **changes)
            now = time.monotonic()
            if now - self._last < SECONDS_BETWEEN_LINES:
                return
            self._last = now
            task = self.tasks[self.task_ids.index(task_id)]
            total = "" if task.total is None else f" of {task.total:.0f}"
            more = [str(task.fields[name]) for name in fields if task.fields[name]]
            line = ", ".join([f"{task.description}: {task.completed:.0f}{total}", *more])
            console.print(line, highlight=False, soft_wrap=True)

        def advance(self, task_id: TaskID, advance: float = 1) -> None:
            self.update(task_id, advance=advance)

    drawn = console.is_terminal
    with Progress(*columns, console=console, transient=True) if drawn else Lines() as progress:
        yield progress
