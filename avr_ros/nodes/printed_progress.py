"""The progress of a run as lines, for where there is no terminal to draw a bar on."""

import sys
import time

from avr_ros.evaluation.listener import Progress, RunListener
from avr_ros.schema.result import SampleResult

PERIOD = 2.0
"""Seconds between two lines at least."""


class PrintedProgress(RunListener):
    """Prints how many questions are done and how they score so far."""

    def __init__(self) -> None:
        """Print nothing yet."""
        self._printed_at = 0.0

    def on_start(self, progress: Progress) -> None:
        """Say what earlier starts have done."""
        self._print(progress)

    def on_result(self, result: SampleResult, progress: Progress) -> None:
        """Say how far the run is, unless that was said a moment ago."""
        if progress.done == progress.total or time.monotonic() - self._printed_at > PERIOD:
            self._print(progress)

    def _print(self, progress: Progress) -> None:
        self._printed_at = time.monotonic()
        rates = progress.running
        scores = f", answer {rates.answer:.1f} %, combined {rates.combined:.1f} %"
        text = f"{progress.done}/{progress.total} questions{scores if rates.n else ''}"
        print(text, flush=True, file=sys.stdout)
