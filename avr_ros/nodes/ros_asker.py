"""A run's episode host and asker over ROS."""

import threading
import time
from collections.abc import Callable
from typing import Any

from action_msgs.msg import GoalStatus
from rclpy.action import ActionClient

from avr_ros.action import Ask
from avr_ros.agents.tools import EpisodeCancelledError, StepSink, ToolFailedError
from avr_ros.evaluation.cancellation import Cancellation
from avr_ros.evaluation.errors import RunStoppedError
from avr_ros.messages.episode import (
    close_response_from_message,
    open_request_message,
    open_response_from_message,
)
from avr_ros.messages.message_types import MessageContentError
from avr_ros.messages.prediction import prediction_from_message
from avr_ros.messages.question import question_message
from avr_ros.messages.result import cost_from_message
from avr_ros.messages.step import step_from_message
from avr_ros.nodes import qos
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.errors import CallEndedError, ServiceUnavailableError
from avr_ros.nodes.message_types import ros_types
from avr_ros.nodes.service_client import ServiceClient
from avr_ros.schema.episode import CloseResponse, EpisodeSpecification, OpenResponse
from avr_ros.schema.prediction import FailureKind, Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.result import Cost
from avr_ros.schema.step import Step
from avr_ros.srv import CloseEpisode, OpenEpisode

CALL_TIMEOUT = 30.0
"""Seconds that opening or closing an episode may take."""

ACCEPT_TIMEOUT = 10.0
"""Seconds that the agent node has to accept a goal."""

STEPS_TIMEOUT = 5.0
"""Seconds after a result within which the last of its steps must have come."""

LOOK_PERIOD = 0.02
"""Seconds between two looks for the agent node; there is no event to wait for."""

CHECK_PERIOD = 0.2
"""Seconds between two looks whether the agent node is still there."""


class RosEpisodeHost:
    """Opens and closes episodes at the serving node."""

    def __init__(self, node: AvrNode[Any], panorama_width: int) -> None:
        """Use the services of a panorama of a width in pixels."""
        self._panorama_width = panorama_width
        self._open = ServiceClient(node, OpenEpisode, "open_episode", node.closing)
        self._close = ServiceClient(node, CloseEpisode, "close_episode", node.closing)

    def open_episode(self, specification: EpisodeSpecification) -> OpenResponse:
        """Open an episode; refusals are statuses. Raises RunStoppedError."""
        message = _call(self._open, open_request_message(specification, ros_types))
        return open_response_from_message(message)

    def close_episode(self, episode_id: str) -> CloseResponse:
        """Close an episode and return its ledger. Raises RunStoppedError."""
        message = _call(self._close, CloseEpisode.Request(episode_id=episode_id))
        return close_response_from_message(message, episode_id, self._panorama_width)


def _call(client: ServiceClient, request: Any) -> Any:
    try:
        return client.call(request, CALL_TIMEOUT)
    except (ServiceUnavailableError, CallEndedError) as error:
        raise RunStoppedError(str(error)) from error


class RosAsker:
    """Asks the agent node by ``ask`` goals and takes the steps from the topic ``steps``."""

    def __init__(self, node: AvrNode[Any]) -> None:
        """Make the action client."""
        self._node = node
        self._closing = node.closing
        self._client = ActionClient(node, Ask, "ask")
        self._lock = threading.Lock()
        self._listening: dict[str, _Steps] = {}
        # Not the goals' feedback: an action client drops what comes after or with the result.
        node.create_subscription(
            ros_types("avr_ros/msg/Step"),
            "steps",
            self._take_step,
            qos.STEPS,
            event_callbacks=node.diagnostics.subscription_events("steps"),
        )

    def wait_until_ready(self, timeout: float, ended: Callable[[], bool] = lambda: False) -> None:
        """Wait for the agent node. Raises RunStoppedError after ``timeout`` seconds."""
        deadline = time.monotonic() + timeout
        while not self._client.server_is_ready():
            if time.monotonic() > deadline:
                raise RunStoppedError(
                    f"action ask did not appear within {timeout:g} s: is the agent node running, "
                    "in the same ROS domain and namespace?"
                )
            if self._closing.wait(LOOK_PERIOD) or ended():
                raise RunStoppedError("no longer waiting for the agent node")

    def ask(
        self,
        question: Question,
        episode_id: str,
        deadline: float,
        on_step: StepSink,
        cancel: Cancellation,
    ) -> tuple[Prediction, Cost]:
        """Ask in an open episode, see :class:`avr_ros.evaluation.asker.Asker`."""
        steps = _Steps(on_step)
        with self._lock:
            self._listening[episode_id] = steps
        try:
            return self._ask(question, episode_id, deadline, steps, cancel)
        finally:
            with self._lock:
                self._listening.pop(episode_id, None)

    def _take_step(self, message: Any) -> None:
        with self._lock:
            steps = self._listening.get(message.episode_id)
        if steps is not None:
            steps.take(step_from_message(message))

    def _ask(
        self,
        question: Question,
        episode_id: str,
        deadline: float,
        steps: "_Steps",
        cancel: Cancellation,
    ) -> tuple[Prediction, Cost]:
        goal = Ask.Goal(
            question=question_message(question, ros_types),
            episode_id=episode_id,
            deadline=float(deadline),
        )
        # All requests of an action client are sent in the executor's thread: it registers each one
        # only after sending it, and would drop a response that another thread takes in between.
        handle = self._wait(
            lambda: self._client.send_goal_async(goal),
            time.monotonic() + ACCEPT_TIMEOUT,
            cancel,
        )
        if handle is None:
            raise ToolFailedError(
                FailureKind.AGENT_ERROR,
                f"the agent node did not answer to a goal within {ACCEPT_TIMEOUT:g} s",
            )
        if not handle.accepted:
            raise ToolFailedError(
                FailureKind.AGENT_ERROR,
                "the agent node refused the goal: raise its max_goals or lower the run's workers",
            )
        cancel.add_callback(lambda kind: self._node.in_executor(handle.cancel_goal_async))
        response = self._wait(handle.get_result_async, None, None)
        return _reply(response, steps)

    def _wait(
        self,
        send: Callable[[], Any],
        deadline: float | None,
        cancel: Cancellation | None,
    ) -> Any:
        """Send a request and return its future's result, none where the deadline passes first.

        Raises RunStoppedError when the agent node is gone or this one ends,
        EpisodeCancelledError when ``cancel`` is set.
        """
        done = threading.Event()
        sent: list[Any] = []

        def start() -> None:
            sent.append(send())
            sent[0].add_done_callback(lambda _: done.set())

        self._node.in_executor(start)
        while not done.wait(CHECK_PERIOD):
            if self._closing.is_set():
                raise RunStoppedError("shutting down while a question is being answered")
            if not self._client.server_is_ready():
                raise RunStoppedError("the agent node is gone; start it again to go on")
            if cancel is not None and cancel.kind is not None:
                self._node.in_executor(lambda: _give_up(sent))
                raise EpisodeCancelledError(cancel.kind)
            if deadline is not None and time.monotonic() > deadline:
                self._node.in_executor(lambda: _give_up(sent))
                return None
        return sent[0].result()


def _give_up(sent: list[Any]) -> None:
    for future in sent:
        future.add_done_callback(_cancel_when_accepted)


def _cancel_when_accepted(future: Any) -> None:
    """Let a goal that nobody waits for any more end at once."""
    handle = future.result()
    if handle is not None and handle.accepted:
        handle.cancel_goal_async()


def _reply(response: Any, steps: "_Steps") -> tuple[Prediction, Cost]:
    aborted = response.status == GoalStatus.STATUS_ABORTED
    if aborted and not response.result.prediction.failure:
        raise ToolFailedError(FailureKind.AGENT_ERROR, "the agent node aborted the goal")
    try:
        prediction = prediction_from_message(response.result.prediction)
        cost = cost_from_message(response.result.cost)
    except MessageContentError as error:
        raise ToolFailedError(FailureKind.AGENT_ERROR, str(error)) from error
    missing = steps.missing(cost.steps, STEPS_TIMEOUT)
    if missing:
        raise ToolFailedError(
            FailureKind.AGENT_ERROR,
            f"{len(missing)} of {cost.steps} steps did not come within {STEPS_TIMEOUT:g} s after "
            f"the answer, the first is {missing[0]}",
        )
    return prediction, cost


class _Steps:
    """Passes on the steps of one goal, which travel apart from its result."""

    def __init__(self, on_step: StepSink) -> None:
        self._on_step = on_step
        self._changed = threading.Condition()
        self._received: set[int] = set()

    def take(self, step: Step) -> None:
        self._on_step(step)
        with self._changed:
            self._received.add(step.number)
            self._changed.notify_all()

    def missing(self, count: int, timeout: float) -> list[int]:
        """Numbers up to ``count`` that have not come within ``timeout`` seconds."""
        wanted = set(range(1, count + 1))
        with self._changed:
            self._changed.wait_for(lambda: wanted <= self._received, timeout)
            return sorted(wanted - self._received)
