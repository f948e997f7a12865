"""The tools that an agent is handed for one episode, over ROS."""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from avr_ros.agents.tools import (
    EpisodeCancelledError,
    ObservationRefusedError,
    Panorama,
    SequenceTimes,
    ToolFailedError,
    View,
)
from avr_ros.evaluation.cancellation import Cancellation
from avr_ros.geometry.panorama import Cylinder
from avr_ros.messages.detection import detection_from_message
from avr_ros.messages.fact import (
    fact_from_message,
    fact_message,
    read_request_message,
    write_outcome_from_message,
)
from avr_ros.messages.message_types import MessageContentError
from avr_ros.messages.observation import (
    given_frame_response_from_message,
    observe_request_message,
    observe_response_from_message,
)
from avr_ros.messages.recording import SequenceDescription, sequence_from_message
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.errors import CallEndedError, ServiceUnavailableError
from avr_ros.nodes.message_types import ros_types
from avr_ros.nodes.service_client import ServiceClient
from avr_ros.recordings import jpeg
from avr_ros.recordings.errors import RecordingError
from avr_ros.schema.detection import Detection
from avr_ros.schema.fact import Fact, FactPattern, WriteOutcome
from avr_ros.schema.observation import ObserveRequest
from avr_ros.schema.prediction import FailureKind
from avr_ros.schema.question import Question
from avr_ros.srv import Detect, GetGivenFrame, ListRecordings, Observe, ReadFacts, WriteFacts

CALL_TIMEOUT = 30.0
"""Seconds that any one call of a service may take, discovery and repetitions included."""


class ToolClients:
    """The service clients behind the tools; one set serves all episodes of a node."""

    def __init__(self, node: AvrNode[Any]) -> None:
        """Make the clients."""
        self.observe = ServiceClient(node, Observe, "observe", node.closing)
        self.given_frame = ServiceClient(node, GetGivenFrame, "get_given_frame", node.closing)
        self.recordings = ServiceClient(node, ListRecordings, "list_recordings", node.closing)
        self.write_facts = ServiceClient(node, WriteFacts, "write_facts", node.closing)
        self.read_facts = ServiceClient(node, ReadFacts, "read_facts", node.closing)
        self.detect = ServiceClient(node, Detect, "detect", node.closing)


class EpisodeCalls:
    """Calls services on behalf of one episode, until it ends."""

    def __init__(self, cancel: Cancellation) -> None:
        """Call until ``cancel`` is set."""
        self._cancel = cancel

    def call(self, client: ServiceClient, request: Any, failure: FailureKind) -> Any:
        """Return the response.

        Raises EpisodeCancelledError when the episode has ended, ToolFailedError with the kind
        ``failure`` when no answer comes.
        """
        if self._cancel.kind is not None:
            raise EpisodeCancelledError(self._cancel.kind)
        try:
            return client.call(request, CALL_TIMEOUT, lambda: self._cancel.kind is not None)
        except ServiceUnavailableError as error:
            raise ToolFailedError(failure, str(error)) from error
        except CallEndedError as error:
            raise EpisodeCancelledError(self._cancel.kind or FailureKind.CANCELLED) from error


def describe_sequence(
    clients: ToolClients, calls: EpisodeCalls, sequence: str
) -> SequenceDescription:
    """The named sequence of the serving node, or its only one. Raises ToolFailedError."""
    request = ListRecordings.Request(sequence=sequence, with_stamps=True)
    response = calls.call(clients.recordings, request, FailureKind.OBSERVATION_FAILED)
    if not response.success:
        raise ToolFailedError(FailureKind.OBSERVATION_FAILED, response.message)
    if len(response.sequences) != 1:
        raise ToolFailedError(
            FailureKind.OBSERVATION_FAILED,
            f"the question names none of the {len(response.sequences)} sequences"
            if response.sequences
            else "nothing is being served: the stream has not begun",
        )
    return sequence_from_message(response.sequences[0])


class RosObserver:
    """Requests views of one episode; keeps the stored bytes of what it saw."""

    def __init__(
        self,
        clients: ToolClients,
        calls: EpisodeCalls,
        question: Question,
        episode_id: str,
        description: SequenceDescription,
    ) -> None:
        """Observe in an open episode of a question."""
        self._clients = clients
        self._calls = calls
        self._episode_id = episode_id
        self._cylinder = description.cylinder
        self._remaining = question.max_observations
        self._requests = 0
        self._times = _times(description, question)
        self._seen: dict[str, View | Panorama] = {}

    @property
    def times(self) -> SequenceTimes:
        """The frames that may be asked for."""
        return self._times

    @property
    def remaining(self) -> int:
        """What is left of the budget."""
        return self._remaining

    @property
    def cylinder(self) -> Cylinder:
        """The panorama's geometry."""
        return self._cylinder

    def seen(self, observation_id: str) -> View | Panorama | None:
        """A view or panorama that was granted before."""
        return self._seen.get(observation_id)

    def observe(self, frame_id: int, azimuth: float, field_of_view: float = 0.0) -> View:
        """Return the view of a frame at an azimuth (radians); 0 is the default field of view."""
        self._requests += 1
        request = ObserveRequest(
            frame_id=frame_id,
            azimuth=azimuth,
            episode_id=self._episode_id,
            request_id=str(self._requests),
            field_of_view=field_of_view,
        )
        message = self._calls.call(
            self._clients.observe,
            observe_request_message(request, ros_types),
            FailureKind.OBSERVATION_FAILED,
        )
        try:
            response = observe_response_from_message(message, self._cylinder.width)
        except MessageContentError as error:
            raise ToolFailedError(FailureKind.OBSERVATION_FAILED, str(error)) from error
        if response.remaining_observations >= 0:
            self._remaining = response.remaining_observations
        observation = response.observation
        if observation is None:
            raise ObservationRefusedError(response.status, response.message)
        if observation.jpeg is None:
            raise ToolFailedError(
                FailureKind.OBSERVATION_FAILED,
                f"observation {observation.observation_id} came without its JPEG",
            )
        view = View(observation, _decode(observation.jpeg))
        self._seen[observation.observation_id] = view
        return view

    def given_frame(self, frame_id: int) -> Panorama:
        """Return a given panorama."""
        message = self._calls.call(
            self._clients.given_frame,
            GetGivenFrame.Request(episode_id=self._episode_id, frame_id=frame_id),
            FailureKind.OBSERVATION_FAILED,
        )
        response = given_frame_response_from_message(message, frame_id)
        if response.frame is None:
            raise ObservationRefusedError(response.status, response.message)
        panorama = Panorama(response.frame, _decode(response.frame.jpeg))
        self._seen[response.frame.observation_id] = panorama
        return panorama


class RosOraclePerceiver:
    """Asks the oracle perception node."""

    def __init__(self, clients: ToolClients, calls: EpisodeCalls, episode_id: str) -> None:
        """Perceive in an episode."""
        self._clients = clients
        self._calls = calls
        self._episode_id = episode_id

    def detect(self, view: View | Panorama) -> list[Detection]:
        """Return the people in a view, by rising ``box.x``."""
        granted = view.observation if isinstance(view, View) else view.frame
        response = self._calls.call(
            self._clients.detect,
            Detect.Request(episode_id=self._episode_id, observation_id=granted.observation_id),
            FailureKind.PERCEPTION_FAILED,
        )
        if response.status != Detect.Response.OK:
            raise ToolFailedError(FailureKind.PERCEPTION_FAILED, response.message)
        return [detection_from_message(item) for item in response.detections]


class RosWorldModel:
    """Writes and reads one episode's world model in its node."""

    def __init__(self, clients: ToolClients, calls: EpisodeCalls, episode_id: str) -> None:
        """Use an episode's world model."""
        self._clients = clients
        self._calls = calls
        self._episode_id = episode_id
        self._lock = threading.Lock()
        self._requests = 0

    def write(self, facts: Sequence[Fact]) -> WriteOutcome:
        """Write facts; those not grounded in a granted observation are refused."""
        with self._lock:
            self._requests += 1
            request_id = str(self._requests)
        request = WriteFacts.Request(
            request_id=request_id,
            episode_id=self._episode_id,
            facts=[fact_message(fact, ros_types) for fact in facts],
        )
        response = self._calls.call(self._clients.write_facts, request, FailureKind.AGENT_ERROR)
        return write_outcome_from_message(response)

    def read(self, pattern: FactPattern) -> list[Fact]:
        """Return the facts that match, in the order of their writing."""
        request = read_request_message(self._episode_id, pattern, ros_types)
        response = self._calls.call(self._clients.read_facts, request, FailureKind.AGENT_ERROR)
        if not response.success:
            raise ToolFailedError(FailureKind.AGENT_ERROR, response.message)
        return [fact_from_message(item) for item in response.facts]


def _decode(data: bytes) -> Any:
    try:
        return jpeg.decode(data)
    except RecordingError as error:
        raise ToolFailedError(FailureKind.OBSERVATION_FAILED, str(error)) from error


def _times(description: SequenceDescription, question: Question) -> SequenceTimes:
    frames, stamps = description.frame_ids, description.stamps_us
    if stamps.shape != frames.shape:
        stamps = np.full(frames.shape, -1, dtype=np.int64)
    legal = np.ones(len(frames), dtype=bool)
    if question.legal_frames:
        legal[:] = False
        for span in question.legal_frames:
            legal |= (frames >= span.first) & (frames <= span.last)
    return SequenceTimes(description.name, frames[legal], stamps[legal])
