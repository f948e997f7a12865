"""Who puts a question to an agent."""

from typing import Protocol

from avr_ros.agents.tools import StepSink
from avr_ros.evaluation.cancellation import Cancellation
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.result import Cost


class Asker(Protocol):
    """Asks an agent in this process or in another one. Called from several threads."""

    def ask(
        self,
        question: Question,
        episode_id: str,
        deadline: float,
        on_step: StepSink,
        cancel: Cancellation,
    ) -> tuple[Prediction, Cost]:
        """Ask a question in an open episode and return the prediction and what it cost.

        ``deadline`` is in seconds from now. ``on_step`` is called with each step as it ends.
        The call returns soon after ``cancel`` is set; the driver does not wait for it for ever
        and drops what comes late. The cost's ``observations``, ``given_frames`` and ``seconds``
        are replaced by what the ledger and the driver's own clock say.

        Raises RunStoppedError where the agent's process is gone, ToolFailedError where a tool
        did not work, EpisodeCancelledError where ``cancel`` was set; anything else counts as the
        agent's own error.
        """
