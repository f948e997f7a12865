"""Drives evaluations and scores them; the only process that holds answer keys."""

import shlex
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError
from rclpy.action import ActionServer, CancelResponse, GoalResponse

from avr_ros.action import Evaluate
from avr_ros.cli.output import print_table
from avr_ros.cli.run_progress import run_progress
from avr_ros.evaluation.errors import RunInterruptedError
from avr_ros.evaluation.listener import Progress, RunListener
from avr_ros.evaluation.request import RunRequest
from avr_ros.evaluation.specification import DEFAULT_QUESTION_DEADLINE
from avr_ros.messages.report import rates_message, report_message
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.errors import ParameterError
from avr_ros.nodes.message_types import ros_types
from avr_ros.nodes.parameters import NodeParameters
from avr_ros.nodes.printed_progress import PrintedProgress
from avr_ros.nodes.ros_run import RosRun, RunClients
from avr_ros.nodes.run_node import run_node
from avr_ros.nodes.worker_pool import WorkerPool
from avr_ros.report.table import report_tables
from avr_ros.schema.errors import AvrError, BadInputError
from avr_ros.schema.report import Report
from avr_ros.schema.result import SampleResult

RESULT_TIMEOUT = 300
"""Seconds that a finished goal's result can still be fetched."""

CLOSE_TIMEOUT = 3.0
"""Seconds that a run has to stop when the node ends."""


class ScorerParameters(NodeParameters):
    """Parameters of the scorer node; those of the run are used with ``autostart`` alone."""

    autostart: bool = Field(
        default=False, description="whether the run below starts at once and ends the node"
    )
    wait_for_recorder: bool = Field(
        default=True, description="whether a run waits until the recorder has written everything"
    )
    dataset: str = Field(default="", description="recording and labels that the questions are of")
    questions: str = Field(default="", description="questions.jsonl")
    keys: str = Field(default="", description="keys.jsonl")
    out: str = Field(default="", description="run folder; an unfinished run in it goes on")
    agent: str = Field(default="avr", description="agent that the agent node runs")
    model: str = Field(default="local", description="model behind the agent")
    perception: str = Field(default="oracle", description="perception of the views")
    seed: int = Field(default=0, ge=0, description="seed of everything random in the run")
    workers: int = Field(default=1, ge=1, le=256, description="questions in parallel")
    limit: int = Field(
        default=0, ge=0, le=1_000_000_000, description="first questions only, 0: all"
    )
    question_deadline: float = Field(
        default=DEFAULT_QUESTION_DEADLINE,
        ge=0.001,
        le=1e6,
        description="s that a question may take",
    )
    settings: str = Field(
        default="", description="further settings as name=value, quoted as in a shell"
    )


class ScorerNode(AvrNode[ScorerParameters]):
    """Drives evaluations, scores answers and writes the run's files.

    Action: ``evaluate`` (one run at a time). Topics: ``~/questions``, ``~/sample_results``,
    ``~/report`` (latched), ``~/manifest`` (latched JSON, for the recorder), and what an earlier
    recorder lost, ``~/observations`` and ``~/steps``. Subscriptions: ``recorder_status`` and
    ``steps`` (remap them to the recorder's and the agent's). It calls ``open_episode``,
    ``close_episode``, ``list_recordings``, ``read_facts``, the action ``ask``, and the parameter
    services of the nodes ``replay``, ``agent`` and ``oracle_perception``. Parameters:
    :class:`ScorerParameters`.
    """

    def __init__(self) -> None:
        """Make the node."""
        super().__init__("scorer", ScorerParameters)
        self._lock = threading.Lock()
        self._run: RosRun | None = None
        self._busy = False

    def setup(self) -> None:
        """Serve, and start the run of the parameters where they say so."""
        self._run_clients = RunClients(self)
        self._pool = WorkerPool(1, 0, "run")
        self._server = ActionServer(
            self,
            Evaluate,
            "evaluate",
            self._execute,
            goal_callback=self._accept,
            cancel_callback=self._cancel,
            result_timeout=RESULT_TIMEOUT,
        )
        if self.parameters.autostart:
            request = _request_of(self.parameters)
            self._busy = True
            self._pool.submit(lambda: self._autostart(request))

    def close(self) -> None:
        """Stop a run; what finished is kept."""
        self._cancel_run()
        self._pool.close(CLOSE_TIMEOUT)

    def _autostart(self, request: RunRequest) -> None:
        try:
            with _progress() as listener:
                report = self._evaluate(request, (listener,))
            print_table(report_tables(report))
            print(request.out / "report.html", flush=True)
        except AvrError as error:
            if self.closing.is_set() and not isinstance(error, BadInputError):
                print(f"interrupted: {error}", file=sys.stderr)
                self.finish(0)
                return
            print(f"error: {error}", file=sys.stderr)
            self.finish(2 if isinstance(error, BadInputError) else 1)
        except BaseException:
            self.finish(1)
            raise
        else:
            self.finish(0)

    def _evaluate(self, request: RunRequest, listeners: Sequence[RunListener]) -> Report:
        run = RosRun(self, self._run_clients, request, listeners, self.parameters.wait_for_recorder)
        with self._lock:
            self._run = run
        if self.closing.is_set():
            run.cancel()
        try:
            return run.run()
        finally:
            with self._lock:
                self._run = None
                self._busy = False

    def _accept(self, request: Any) -> GoalResponse:
        with self._lock:
            if self._busy or self.closing.is_set():
                self.get_logger().warning("a goal was refused: a run is going on")
                return GoalResponse.REJECT
            self._busy = True
        return GoalResponse.ACCEPT

    def _cancel(self, goal_handle: Any) -> CancelResponse:
        self._cancel_run()
        return CancelResponse.ACCEPT

    def _cancel_run(self) -> None:
        with self._lock:
            run = self._run
        if run is not None:
            run.cancel()

    async def _execute(self, goal_handle: Any) -> Any:
        try:
            request = _request_of_message(goal_handle.request.specification)
            listener = _Feedback(goal_handle)
            report = await self.in_pool(self._pool, lambda: self._evaluate(request, (listener,)))
        except AvrError as error:
            with self._lock:
                self._busy = False
            return _failed(goal_handle, error)
        goal_handle.succeed()
        return Evaluate.Result(
            status=Evaluate.Result.DONE,
            report=report_message(report, request.out.name, self.now_ns(), ros_types),
        )


def _failed(goal_handle: Any, error: AvrError) -> Any:
    if goal_handle.is_cancel_requested:
        goal_handle.canceled()
        status = Evaluate.Result.CANCELLED
    else:
        goal_handle.abort()
        bad = isinstance(error, BadInputError)
        status = Evaluate.Result.BAD_INPUT if bad else Evaluate.Result.FAILED
        if isinstance(error, RunInterruptedError):
            status = Evaluate.Result.CANCELLED
    return Evaluate.Result(status=status, message=str(error))


class _Feedback(RunListener):
    """Sends a goal's feedback."""

    def __init__(self, goal_handle: Any) -> None:
        self._goal_handle = goal_handle

    def on_start(self, progress: Progress) -> None:
        self._send("", progress)

    def on_result(self, result: SampleResult, progress: Progress) -> None:
        self._send(result.question_id, progress)

    def _send(self, question_id: str, progress: Progress) -> None:
        self._goal_handle.publish_feedback(
            Evaluate.Feedback(
                done=progress.done,
                total=progress.total,
                question_id=question_id,
                running=rates_message("", progress.running, ros_types),
            )
        )


@contextmanager
def _progress() -> Iterator[RunListener]:
    """A bar where there is a terminal, else lines."""
    if sys.stderr.isatty():
        with run_progress() as listener:
            yield listener
    else:
        yield PrintedProgress()


def _request_of(parameters: ScorerParameters) -> RunRequest:
    for name in ("dataset", "questions", "keys", "out"):
        if not getattr(parameters, name):
            raise ParameterError(f"scorer: set parameter {name!r} to start a run")
    return RunRequest(
        dataset=Path(parameters.dataset),
        questions=Path(parameters.questions),
        keys=Path(parameters.keys),
        out=Path(parameters.out),
        agent=parameters.agent,
        model=parameters.model,
        perception=parameters.perception,
        seed=parameters.seed,
        workers=parameters.workers,
        limit=parameters.limit,
        question_deadline=parameters.question_deadline,
        settings=tuple(shlex.split(parameters.settings)),
    )


def _request_of_message(message: Any) -> RunRequest:
    """What an ``Evaluate`` goal asks for. Raises BadInputError."""
    for name in ("dataset", "questions", "keys", "out", "agent", "model", "perception"):
        if not getattr(message, name):
            raise BadInputError(f"specification.{name} is empty; name one")
    try:
        return RunRequest(
            dataset=Path(message.dataset),
            questions=Path(message.questions),
            keys=Path(message.keys),
            out=Path(message.out),
            agent=message.agent,
            model=message.model,
            perception=message.perception,
            seed=message.seed,
            workers=message.workers or 1,
            limit=message.limit,
            question_deadline=message.question_deadline or DEFAULT_QUESTION_DEADLINE,
            settings=tuple(message.settings),
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(item) for item in first["loc"])
        raise BadInputError(f"specification.{name}: {first['msg']}") from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the node."""
    return run_node(ScorerNode, arguments)
