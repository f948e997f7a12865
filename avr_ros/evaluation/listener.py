"""Who watches a run: publishers, progress bars."""

from dataclasses import dataclass

from avr_ros.schema.question import Question
from avr_ros.schema.report import Rates
from avr_ros.schema.result import SampleResult
from avr_ros.schema.step import Step


@dataclass(frozen=True)
class Progress:
    """How far a run is: questions ``done`` of ``total``, and the scores of those in percent."""

    done: int
    total: int
    running: Rates


class RunListener:
    """Hears what happens in a run. Calls come from several threads, one at a time.

    A listener that raises stops the run; what finished is kept.
    """

    def on_start(self, progress: Progress) -> None:
        """The run starts; questions done are those of earlier starts."""

    def on_question(self, question: Question, episode_id: str) -> None:
        """A question's episode is open and the agent is about to be asked."""

    def on_step(self, question: Question, step: Step) -> None:
        """An agent's step ended."""

    def on_result(self, result: SampleResult, progress: Progress) -> None:
        """A question ended and its result is on the disk."""
