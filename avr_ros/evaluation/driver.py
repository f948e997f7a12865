"""Runs the questions of a run with worker threads.

One question's way: open its episode, ask the agent, close the episode, which gives the
authoritative ledger, score, enter the result. The driver knows nothing of ROS: the episode host
and the asker are objects in this process or clients of others.
"""

import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from avr_ros.evaluation.asker import Asker
from avr_ros.evaluation.attempt import GRACE, Attempt
from avr_ros.evaluation.episode_host import EpisodeHost
from avr_ros.evaluation.episode_specification import episode_specification
from avr_ros.evaluation.errors import RunFolderError, RunInterruptedError, RunStoppedError
from avr_ros.evaluation.journal import to_retry
from avr_ros.evaluation.listener import Progress, RunListener
from avr_ros.evaluation.out_of_reach import MOST_IN_A_ROW, OutOfReach
from avr_ros.evaluation.run_folder import RunFolder, episode_id_of
from avr_ros.evaluation.running_rates import RunningRates
from avr_ros.evaluation.specification import DEFAULT_QUESTION_DEADLINE
from avr_ros.schema.answer_key import AnswerKey
from avr_ros.schema.episode import CloseStatus, Ledger, LedgerKind, LedgerRecord, OpenStatus
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.prediction import FailureKind, Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.result import Cost, SampleResult, Score
from avr_ros.schema.step import Step

Scorer = Callable[[Question, AnswerKey, Prediction, Ledger], Score]

_ID_TRIES = 100


@dataclass(frozen=True)
class DriverOptions:
    """How questions are run; none of it changes a result.

    ``workers`` questions run at a time; ``question_deadline`` and ``grace`` (the time an asker
    has to return once its question has ended) are in seconds.
    """

    workers: int = 1
    question_deadline: float = DEFAULT_QUESTION_DEADLINE
    grace: float = GRACE


class EvaluationDriver:
    """Runs questions that have no result yet, or whose last one is retried.

    :meth:`run` is called once; :meth:`cancel` works at any moment from any thread.
    """

    def __init__(
        self,
        questions: Sequence[Question],
        keys: Mapping[str, AnswerKey],
        host: EpisodeHost,
        asker: Asker,
        scorer: Scorer,
        folder: RunFolder,
        options: DriverOptions = DriverOptions(),
        listeners: Sequence[RunListener] = (),
    ) -> None:
        """Prepare a run. Raises BadInputError where a question has no key or nothing is asked."""
        missing = [
            question.question_id for question in questions if question.question_id not in keys
        ]
        if missing:
            raise BadInputError(
                f"{len(missing)} questions have no key, the first is {missing[0]}; "
                "give the keys file that was made with the questions"
            )
        if not questions:
            raise BadInputError("there is no question to ask; give a questions file that has some")
        self._questions = tuple(questions)
        self._keys = keys
        self._host = host
        self._asker = asker
        self._scorer = scorer
        self._folder = folder
        self._options = options
        self._listeners = tuple(listeners)
        self._order = [question.question_id for question in questions]
        self._lock = threading.RLock()
        self._cancelled = threading.Event()
        self._error: BaseException | None = None
        self._running: set[Attempt] = set()
        entries = folder.entries()
        self._attempts = {name: entry.attempt for name, entry in entries.items()}
        done = [entry for entry in entries.values() if not to_retry(entry)]
        self._rates = RunningRates(done)
        # A short run in which nothing at all is answered has no model either.
        self._away = OutOfReach(MOST_IN_A_ROW if done else min(MOST_IN_A_ROW, len(self._order)))
        self._done = len(done)
        kept = {entry.question_id for entry in done}
        self._waiting: queue.SimpleQueue[Question] = queue.SimpleQueue()
        for question in self._questions:
            if question.question_id not in kept:
                self._waiting.put(question)

    @property
    def progress(self) -> Progress:
        """How far the run is."""
        with self._lock:
            return self._progress()

    def run(self) -> None:
        """Run until every question has a result, then put the run's files in order.

        Raises RunInterruptedError where the run was cancelled, by :meth:`cancel` or by Ctrl-C,
        RunStoppedError where a process that it needs or the model is gone, RunFolderError where a
        result could not be written. In each case what finished is kept.
        """
        if not self._waiting.empty():
            self._folder.forget_report()
        with self._lock:
            self._tell(lambda listener: listener.on_start(self._progress()))
        workers = [
            threading.Thread(target=self._work, name=f"worker-{number}", daemon=True)
            for number in range(max(1, self._options.workers))
        ]
        for worker in workers:
            worker.start()
        try:
            self._join(workers)
        except KeyboardInterrupt:
            self.cancel()
            self._join(workers)
        if not isinstance(self._error, RunFolderError):
            self._folder.write_samples(self._order)
        if self._error is not None:
            raise self._error
        progress = self.progress
        if self._cancelled.is_set() and progress.done < progress.total:
            raise RunInterruptedError(
                f"interrupted after {progress.done} of {progress.total} questions, "
                f"all kept in {self._folder.path}; run the same command again to go on"
            )
        self._folder.sort_attempt_files(self._order)

    def cancel(self) -> None:
        """End the run soon: no new question is asked, those being asked are cancelled."""
        self._cancelled.set()
        with self._lock:
            running = list(self._running)
        for attempt in running:
            attempt.cancel()

    def _join(self, workers: Sequence[threading.Thread]) -> None:
        # Waiting in short pieces lets Ctrl-C through on every platform.
        for worker in workers:
            while worker.is_alive():
                worker.join(0.2)

    def _work(self) -> None:
        while not self._cancelled.is_set():
            try:
                question = self._waiting.get_nowait()
            except queue.Empty:
                return
            try:
                self._run_question(question)
            except BaseException as error:
                with self._lock:
                    if self._error is None:
                        self._error = error
                self.cancel()
                return

    def _run_question(self, question: Question) -> None:
        started = time.monotonic()
        attempt_number, refusal = self._open(question)
        episode_id = episode_id_of(question.question_id, attempt_number)
        if refusal is not None:
            self._enter(
                question,
                attempt_number,
                Prediction(failure=FailureKind.OBSERVATION_FAILED, reason=refusal),
                Cost(),
                (),
                Ledger(episode_id),
                started,
            )
            return
        attempt = Attempt(
            question,
            episode_id,
            lambda step: self._on_step(question, step),
            self._options.grace,
        )
        with self._lock:
            self._running.add(attempt)
        try:
            if self._cancelled.is_set():
                attempt.cancel()
            else:
                with self._lock:
                    self._tell(lambda listener: listener.on_question(question, episode_id))
            prediction, cost, steps = attempt.ask(self._asker, self._options.question_deadline)
        finally:
            with self._lock:
                self._running.discard(attempt)
            ledger = self._close(episode_id)
        if prediction.failure is FailureKind.CANCELLED and self._cancelled.is_set():
            return
        self._enter(question, attempt_number, prediction, cost, steps, ledger, started)

    def _open(self, question: Question) -> tuple[int, str | None]:
        """Open an episode; return its attempt number, and why it was refused where it was.

        An id that the host knows already, from a run that was cancelled while the host lived on,
        is passed over.
        """
        first = self._attempts.get(question.question_id, 0) + 1
        for number in range(first, first + _ID_TRIES):
            episode_id = episode_id_of(question.question_id, number)
            response = self._host.open_episode(episode_specification(question, episode_id))
            if response.status is OpenStatus.OK:
                return number, None
            if response.status is not OpenStatus.EPISODE_EXISTS:
                return number, f"episode refused ({response.status.name}): {response.message}"
        raise RunStoppedError(
            f"the serving side knows {_ID_TRIES} episodes of {question.question_id} already; "
            "start it afresh"
        )

    def _close(self, episode_id: str) -> Ledger:
        response = self._host.close_episode(episode_id)
        if response.status is not CloseStatus.OK or response.ledger is None:
            raise RunStoppedError(
                f"the serving side lost episode {episode_id} ({response.message}); "
                "start it afresh and run the same command again to go on"
            )
        return response.ledger

    def _enter(
        self,
        question: Question,
        attempt_number: int,
        prediction: Prediction,
        cost: Cost,
        steps: tuple[Step, ...],
        ledger: Ledger,
        started: float,
    ) -> None:
        score = self._scorer(question, self._keys[question.question_id], prediction, ledger)
        result = SampleResult(
            question_id=question.question_id,
            family=question.family,
            answer_mode=question.answer_mode,
            sequence=question.sequence,
            attempt=attempt_number,
            prediction=prediction,
            score=score,
            cost=charged(cost, ledger, time.monotonic() - started),
        )
        self._folder.finish(result, steps, ledger)
        with self._lock:
            self._attempts[question.question_id] = attempt_number
            self._rates.add(result)
            self._done += 1
            self._tell(lambda listener: listener.on_result(result, self._progress()))
            gone = self._away.gone(prediction.failure is FailureKind.MODEL_UNAVAILABLE)
        if gone:
            raise RunStoppedError(
                f"the model was out of reach {self._away.most} times in a row "
                f"({prediction.reason}); what finished is kept in {self._folder.path}; "
                "run the same command again once the model answers"
            )

    def _on_step(self, question: Question, step: Step) -> None:
        with self._lock:
            self._tell(lambda listener: listener.on_step(question, step))

    def _progress(self) -> Progress:
        return Progress(self._done, len(self._questions), self._rates.rates())

    def _tell(self, call: Callable[[RunListener], None]) -> None:
        for listener in self._listeners:
            call(listener)


def charged(cost: Cost, ledger: Ledger, seconds: float) -> Cost:
    """A cost with observations and given frames as the ledger has them, and the time taken."""
    return cost.model_copy(
        update={
            "observations": _granted(ledger.records, LedgerKind.OBSERVATION),
            "given_frames": _granted(ledger.records, LedgerKind.GIVEN_FRAME),
            "seconds": seconds,
        }
    )


def _granted(records: Sequence[LedgerRecord], kind: LedgerKind) -> int:
    return sum(record.granted and record.kind is kind for record in records)
