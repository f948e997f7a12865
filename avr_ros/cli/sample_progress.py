"""The progress bar while the sample is made on first use."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer
from rich.progress import TaskID

from avr_ros.cli.progress import progress_bar


@contextmanager
def sample_progress() -> Iterator[Callable[[str, int, int], None]]:
    """A function that shows what is being made; nothing is drawn until it is called."""
    with progress_bar() as display:
        tasks: dict[str, TaskID] = {}

        def advance(what: str, done: int, total: int) -> None:
            if what not in tasks:
                if display.disable:
                    typer.echo(f"avr: making {what} for the first use", err=True)
                tasks[what] = display.add_task(what, total=total)
            display.update(tasks[what], completed=done, total=total)

        yield advance
