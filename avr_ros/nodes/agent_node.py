"""Answers questions by asking for views."""

import threading
from collections.abc import Sequence
from typing import Any

from pydantic import Field
from rclpy.action import ActionServer, CancelResponse, GoalResponse

from avr_ros.action import Ask
from avr_ros.agents.agent import AgentTools
from avr_ros.agents.registry import agent_settings_type, make_agent
from avr_ros.agents.tools import EpisodeCancelledError, Perceiver, ToolFailedError, View
from avr_ros.evaluation.ask_agent import ask_agent
from avr_ros.evaluation.driver import charged
from avr_ros.evaluation.episode_specification import episode_specification
from avr_ros.geometry.crop import CropWindow
from avr_ros.messages.episode import (
    close_response_from_message,
    open_request_message,
    open_response_from_message,
)
from avr_ros.messages.image import compressed_image_message
from avr_ros.messages.message_types import MessageContentError
from avr_ros.messages.prediction import prediction_message
from avr_ros.messages.question import deadline_of_goal, question_from_message
from avr_ros.messages.recording import SequenceDescription
from avr_ros.messages.result import cost_message
from avr_ros.messages.step import step_message
from avr_ros.nodes import qos
from avr_ros.nodes.agent_goal import AgentGoal, Outcome
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.errors import (
    CallEndedError,
    ParameterError,
    PoolFullError,
    ServiceUnavailableError,
)
from avr_ros.nodes.message_types import ros_types
from avr_ros.nodes.onnx_perceiver import OnnxPerceiver
from avr_ros.nodes.parameters import NodeParameters, json_settings
from avr_ros.nodes.ros_episode import (
    EpisodeCalls,
    RosObserver,
    RosOraclePerceiver,
    RosWorldModel,
    ToolClients,
    describe_sequence,
)
from avr_ros.nodes.run_node import run_node
from avr_ros.nodes.service_client import ServiceClient
from avr_ros.nodes.worker_pool import WorkerPool
from avr_ros.perception.onnx_perception import OnnxPerception
from avr_ros.perception.onnx_settings import OnnxSettings
from avr_ros.reasoning.make_backend import make_backend, model_settings_type
from avr_ros.recordings import jpeg
from avr_ros.report.annotated_view import annotated_view
from avr_ros.schema.episode import CloseResponse, OpenStatus
from avr_ros.schema.prediction import FailureKind, Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.result import Cost
from avr_ros.schema.step import Step
from avr_ros.srv import CloseEpisode, OpenEpisode

ORACLE = "oracle"
ONNX = "onnx"

RESULT_TIMEOUT = 300
"""Seconds that a finished goal's result can still be fetched."""

CLOSE_TIMEOUT = 5.0
"""Seconds that the end of an own episode may take."""


class AgentParameters(NodeParameters):
    """Parameters of the agent node."""

    agent: str = Field(default="avr", description="agent that answers")
    model: str = Field(
        default="local",
        description="model behind the agent: local, openai:URL#NAME or replay:RUN; a server's key "
        "comes from the environment variable AVR_API_KEY",
    )
    perception: str = Field(
        default="oracle",
        description="perception of the views: oracle asks the oracle perception node, onnx runs a "
        "detector in this process",
    )
    perception_settings: str = Field(
        default="{}", description="the settings of perception onnx as a JSON object"
    )
    settings: str = Field(default="{}", description="the agent's settings as a JSON object")
    model_settings: str = Field(default="{}", description="the model's settings as a JSON object")
    max_goals: int = Field(
        default=4, ge=1, le=256, description="questions answered at once; further ones are refused"
    )
    question_deadline: float = Field(
        default=600.0, ge=0.001, le=1e6, description="s that a question may take if it names none"
    )
    camera_frame: str = Field(
        default="panorama", description="coordinate frame of the camera, in headers"
    )


class AgentNode(AvrNode[AgentParameters]):
    """Answers questions by asking for views.

    Action: ``ask``. Topics: ``~/steps``, ``~/annotated`` (the evidence with its box, for people).
    It calls ``observe``, ``get_given_frame``, ``list_recordings``, ``write_facts``,
    ``read_facts``, with perception ``oracle`` also ``detect``, and, for goals without an episode,
    ``open_episode`` and ``close_episode``. Parameters: :class:`AgentParameters`.
    """

    def __init__(self) -> None:
        """Make the node."""
        super().__init__("agent", AgentParameters)

    def setup(self) -> None:
        """Make the agent and serve."""
        parameters = self.parameters
        self._model = make_backend(
            parameters.model,
            json_settings(
                self.get_name(),
                "model_settings",
                model_settings_type(parameters.model),
                parameters.model_settings,
            ),
        )
        self._agent = make_agent(
            parameters.agent,
            self._model,
            json_settings(
                self.get_name(),
                "settings",
                agent_settings_type(parameters.agent),
                parameters.settings,
            ),
        )
        self._detector: OnnxPerception | None = None
        if parameters.perception == ONNX:
            self._detector = OnnxPerception(
                json_settings(
                    self.get_name(),
                    "perception_settings",
                    OnnxSettings,
                    parameters.perception_settings,
                )
            )
        elif parameters.perception != ORACLE:
            raise ParameterError(
                f"{self.get_name()}: there is no perception {parameters.perception!r}; "
                f"known: {ORACLE}, {ONNX}"
            )
        self._tools = ToolClients(self)
        self._open = ServiceClient(self, OpenEpisode, "open_episode", self.closing)
        self._close = ServiceClient(self, CloseEpisode, "close_episode", self.closing)
        self._steps = self.create_publisher(
            ros_types("avr_ros/msg/Step"),
            "~/steps",
            qos.STEPS,
            event_callbacks=self.diagnostics.publisher_events("~/steps"),
        )
        self._annotated = self.create_publisher(
            ros_types("sensor_msgs/msg/CompressedImage"),
            "~/annotated",
            qos.ANNOTATED,
            event_callbacks=self.diagnostics.publisher_events("~/annotated"),
        )
        # Goals that ended without their agent still hold its thread, so there are some to spare.
        self._pool = WorkerPool(2 * parameters.max_goals, 0, "agent")
        self._lock = threading.Lock()
        self._goals: dict[bytes, AgentGoal] = {}
        self._server = ActionServer(
            self,
            Ask,
            "ask",
            self._execute,
            goal_callback=self._accept,
            handle_accepted_callback=self._start,
            cancel_callback=self._cancel,
            feedback_pub_qos_profile=qos.FEEDBACK,
            result_timeout=RESULT_TIMEOUT,
        )
        self.diagnostics.add_values(self._values)
        self.get_logger().info(
            f"agent {parameters.agent}, model {parameters.model}, "
            f"perception {parameters.perception}"
        )

    def close(self) -> None:
        """Cancel what is being answered."""
        with self._lock:
            goals = list(self._goals.values())
        for goal in goals:
            goal.cancellation.cancel(FailureKind.CANCELLED)
        self._pool.close(1.0)
        self._model.close()

    def _values(self) -> dict[str, object]:
        with self._lock:
            return {"goals": len(self._goals)}

    def _accept(self, request: Any) -> GoalResponse:
        with self._lock:
            busy = len(self._goals) >= self.parameters.max_goals
        if busy or self.closing.is_set():
            self.diagnostics.count("refused_goals")
            self.get_logger().warning("a goal was refused: max_goals questions are being answered")
            return GoalResponse.REJECT
        return GoalResponse.ACCEPT

    def _start(self, goal_handle: Any) -> None:
        executor = self.executor
        assert executor is not None
        goal = AgentGoal(goal_handle, executor)
        with self._lock:
            self._goals[_goal_id(goal_handle)] = goal
        goal_handle.execute()

    def _cancel(self, goal_handle: Any) -> CancelResponse:
        with self._lock:
            goal = self._goals.get(_goal_id(goal_handle))
        if goal is not None:
            goal.cancellation.cancel(FailureKind.CANCELLED)
        return CancelResponse.ACCEPT

    async def _execute(self, goal_handle: Any) -> Any:
        key = _goal_id(goal_handle)
        with self._lock:
            goal = self._goals[key]
        request = goal_handle.request
        episode_id = str(request.episode_id)
        try:
            question = question_from_message(request.question)
            deadline = deadline_of_goal(request.deadline, self.parameters.question_deadline)
        except MessageContentError as error:
            failed = Prediction(failure=FailureKind.INVALID_QUESTION, reason=str(error))
            outcome: Outcome = (failed, Cost(), episode_id)
        else:
            try:
                outcome = await goal.start(
                    self._pool, lambda: self._answer(goal, question, episode_id), deadline
                )
            except PoolFullError as error:
                failed = Prediction(failure=FailureKind.AGENT_ERROR, reason=str(error))
                outcome = (failed, Cost(), episode_id)
        with self._lock:
            self._goals.pop(key, None)
        prediction, cost, used = outcome
        self.diagnostics.count("answers" if prediction.answer is not None else "no_answers")
        if goal_handle.is_cancel_requested:
            goal_handle.canceled()
        elif prediction.failure is FailureKind.INVALID_QUESTION:
            goal_handle.abort()
        else:
            goal_handle.succeed()
        return Ask.Result(
            prediction=prediction_message(prediction, ros_types),
            cost=cost_message(cost, ros_types),
            episode_id=used,
        )

    def _answer(self, goal: AgentGoal, question: Question, episode_id: str) -> Outcome:
        """Answer a question in its episode or in one of the agent's own. In a worker's thread."""
        calls = EpisodeCalls(goal.cancellation)
        try:
            sequence = describe_sequence(self._tools, calls, question.sequence)
            if episode_id:
                return self._answer_in(goal, calls, question, episode_id, sequence)
            return self._answer_alone(goal, calls, question, sequence)
        except (ToolFailedError, EpisodeCancelledError) as error:
            return Prediction(failure=error.kind, reason=str(error)), Cost(), episode_id

    def _answer_alone(
        self,
        goal: AgentGoal,
        calls: EpisodeCalls,
        question: Question,
        sequence: SequenceDescription,
    ) -> Outcome:
        episode_id = f"ask-{_goal_id(goal.handle).hex()}"
        started = self.get_clock().now()
        response = open_response_from_message(
            calls.call(
                self._open,
                open_request_message(episode_specification(question, episode_id), ros_types),
                FailureKind.OBSERVATION_FAILED,
            )
        )
        if response.status is not OpenStatus.OK:
            raise ToolFailedError(
                FailureKind.OBSERVATION_FAILED,
                f"episode refused ({response.status.name}): {response.message}",
            )
        try:
            prediction, cost, _ = self._answer_in(goal, calls, question, episode_id, sequence)
        finally:
            closed = self._close_episode(episode_id, sequence.cylinder.width)
        seconds = (self.get_clock().now() - started).nanoseconds / 1e9
        if closed is not None and closed.ledger is not None:
            cost = charged(cost, closed.ledger, seconds)
        return prediction, cost, episode_id

    def _close_episode(self, episode_id: str, panorama_width: int) -> CloseResponse | None:
        """The closed episode, none where the serving node did not answer."""
        request = CloseEpisode.Request(episode_id=episode_id)
        try:
            message = self._close.call(request, CLOSE_TIMEOUT)
        except (ServiceUnavailableError, CallEndedError) as error:
            self.get_logger().warning(f"episode {episode_id} was left open: {error}")
            return None
        return close_response_from_message(message, episode_id, panorama_width)

    def _answer_in(
        self,
        goal: AgentGoal,
        calls: EpisodeCalls,
        question: Question,
        episode_id: str,
        sequence: SequenceDescription,
    ) -> Outcome:
        observer = RosObserver(self._tools, calls, question, episode_id, sequence)
        perceiver: Perceiver = RosOraclePerceiver(self._tools, calls, episode_id)
        if self._detector is not None:
            perceiver = OnnxPerceiver(self._detector, goal.cancellation, sequence.cylinder)
        tools = AgentTools(
            observer=observer,
            perceiver=perceiver,
            world_model=RosWorldModel(self._tools, calls, episode_id),
            record_step=lambda step: goal.publish(
                step, lambda sent: self._publish_step(goal, sent)
            ),
            episode_id=episode_id,
        )
        prediction, cost = ask_agent(self._agent, question, tools)
        if goal.cancellation.kind is None:
            self._publish_annotated(prediction, observer)
        return prediction, cost, episode_id

    def _publish_step(self, goal: AgentGoal, step: Step) -> None:
        message = step_message(step, self.now_ns(), ros_types)
        self._steps.publish(message)
        if goal.handle.is_active:
            goal.handle.publish_feedback(Ask.Feedback(step=message))
        self.diagnostics.count("steps")

    def _publish_annotated(self, prediction: Prediction, observer: RosObserver) -> None:
        evidence = prediction.evidence
        seen = observer.seen(evidence.observation_id) if evidence is not None else None
        if evidence is None or seen is None:
            return
        if isinstance(seen, View):
            window, stamp = seen.observation.crop, seen.observation.stamp_ns
        else:
            cylinder = observer.cylinder
            window = CropWindow(0, 0, cylinder.width, cylinder.height, cylinder.width)
            stamp = seen.frame.stamp_ns
        text = f"frame {evidence.frame_id}: {_answer_text(prediction)}"
        picture = annotated_view(seen.image, window, evidence.box, text)
        self._annotated.publish(
            compressed_image_message(
                jpeg.encode(picture), stamp, self.parameters.camera_frame, ros_types
            )
        )


def _goal_id(goal_handle: Any) -> bytes:
    return bytes(goal_handle.goal_id.uuid)


def _answer_text(prediction: Prediction) -> str:
    if prediction.answer is None:
        return "abstained" if prediction.abstained else "failed"
    values = prediction.answer.model_dump(exclude={"mode"})
    return ", ".join(f"{name} {value}" for name, value in values.items())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the node."""
    return run_node(AgentNode, arguments)
