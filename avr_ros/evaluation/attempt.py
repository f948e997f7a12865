"""One attempt at one question: ask, enforce the deadline, drop what comes late."""

import threading
from collections.abc import Callable

from avr_ros.agents.tools import EpisodeCancelledError, ToolFailedError
from avr_ros.evaluation.asker import Asker
from avr_ros.evaluation.cancellation import Cancellation
from avr_ros.evaluation.errors import RunStoppedError
from avr_ros.schema.prediction import FailureKind, Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.result import Cost
from avr_ros.schema.step import Step

GRACE = 2.0
"""Seconds that an asker has to return after its question was cancelled or ran out of time."""


class Attempt:
    """Asks one question in one episode.

    The asking runs in a thread of its own that is left behind where it does not return; from
    then on its steps and its reply go nowhere.
    """

    def __init__(
        self,
        question: Question,
        episode_id: str,
        on_step: Callable[[Step], None],
        grace: float = GRACE,
    ) -> None:
        """Prepare to ask; ``on_step`` receives each step that comes in time."""
        self._question = question
        self._episode_id = episode_id
        self._on_step = on_step
        self._grace = grace
        self._lock = threading.Lock()
        self._ended = False
        self._returned = threading.Event()
        self._woken = threading.Event()
        self._steps: list[Step] = []
        self._reply: tuple[Prediction, Cost] | None = None
        self._fatal: BaseException | None = None
        self.cancellation = Cancellation()
        self.cancellation.add_callback(lambda kind: self._woken.set())

    def cancel(self) -> None:
        """End the question because the run is cancelled."""
        self.cancellation.cancel(FailureKind.CANCELLED)

    def ask(self, asker: Asker, deadline: float) -> tuple[Prediction, Cost, tuple[Step, ...]]:
        """Ask and return prediction, cost and steps, at the latest ``deadline`` seconds from now
        plus the grace.

        Where the run was cancelled the prediction is a failure of kind CANCELLED. Raises what
        must stop the run: RunStoppedError, and whatever a listener raised.
        """
        thread = threading.Thread(
            target=self._run, args=(asker, deadline), name=self._episode_id, daemon=True
        )
        if self.cancellation.kind is None:
            thread.start()
        else:
            self._returned.set()
        self._woken.wait(deadline)
        late = False
        if not self._returned.is_set():
            self.cancellation.cancel(FailureKind.DEADLINE)
            late = True
            self._returned.wait(self._grace)
        with self._lock:
            self._ended = True
            reply, fatal, steps = self._reply, self._fatal, tuple(self._steps)
        if fatal is not None:
            raise fatal
        cost = reply[1] if reply is not None else Cost(steps=len(steps))
        kind = self.cancellation.kind
        if kind is FailureKind.CANCELLED:
            return Prediction(failure=kind, reason="the run was cancelled"), cost, steps
        if late or reply is None:
            reason = f"no answer within {deadline:g} s"
            return Prediction(failure=FailureKind.DEADLINE, reason=reason), cost, steps
        return reply[0], cost, steps

    def _run(self, asker: Asker, deadline: float) -> None:
        fatal: BaseException | None = None
        reply: tuple[Prediction, Cost] | None = None
        try:
            reply = asker.ask(
                self._question, self._episode_id, deadline, self._take_step, self.cancellation
            )
        except (ToolFailedError, EpisodeCancelledError) as error:
            reply = self._failure(error.kind, str(error))
        except RunStoppedError as error:
            fatal = error
        except Exception as error:  # the agent's own error counts as its failure
            reason = f"{type(error).__name__}: {error}"
            reply = self._failure(FailureKind.AGENT_ERROR, reason)
        with self._lock:
            if self._fatal is None:
                self._fatal = fatal
            self._reply = reply
        self._returned.set()
        self._woken.set()

    def _failure(self, kind: FailureKind, reason: str) -> tuple[Prediction, Cost]:
        return Prediction(failure=kind, reason=reason[:2000]), Cost(steps=len(self._steps))

    def _take_step(self, step: Step) -> None:
        with self._lock:
            if self._ended:
                return
            self._steps.append(step)
        try:
            self._on_step(step)
        except Exception as error:
            with self._lock:
                self._fatal = error
            self.cancellation.cancel(FailureKind.CANCELLED)
