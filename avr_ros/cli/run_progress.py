"""The progress bar of a run."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import Progress as Display
from rich.progress import TaskID

from avr_ros.cli.progress import progress_bar
from avr_ros.evaluation.listener import Progress, RunListener
from avr_ros.schema.result import SampleResult


class RunProgress(RunListener):
    """Shows how many questions are done and how they score so far."""

    def __init__(self, display: Display, task: TaskID) -> None:
        self._display = display
        self._task = task

    def on_start(self, progress: Progress) -> None:
        """Show what earlier starts have done."""
        self._show(progress)

    def on_result(self, result: SampleResult, progress: Progress) -> None:
        """Show one more."""
        self._show(progress)

    def _show(self, progress: Progress) -> None:
        rates = progress.running
        scores = f"answer {rates.answer:.1f} %, combined {rates.combined:.1f} %" if rates.n else ""
        self._display.update(
            self._task, completed=progress.done, total=progress.total, scores=scores
        )


@contextmanager
def run_progress() -> Iterator[RunProgress]:
    """A progress bar on stderr while a run goes on."""
    with progress_bar("scores") as display:
        task = display.add_task("questions", total=None, scores="")
        yield RunProgress(display, task)
