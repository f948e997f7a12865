"""One episode in this process: the client objects that an agent is handed.

They hold what the agent may use and refuse everything once the question has ended. The
observation service, the labels and the keys stay behind them.
"""

import threading
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from avr_ros.agents.tools import (
    EpisodeCancelledError,
    ObservationRefusedError,
    Panorama,
    SequenceTimes,
    ToolFailedError,
    View,
)
from avr_ros.benchmark.protocol.service import ObservationService
from avr_ros.evaluation.cancellation import Cancellation
from avr_ros.evaluation.view_perception import ViewPerception
from avr_ros.perception.errors import PerceptionError
from avr_ros.recordings import jpeg
from avr_ros.recordings.errors import RecordingError
from avr_ros.schema.detection import Detection
from avr_ros.schema.episode import LedgerRecord
from avr_ros.schema.fact import Fact, FactPattern, WriteOutcome
from avr_ros.schema.observation import ObserveRequest, ObserveStatus
from avr_ros.schema.prediction import FailureKind
from avr_ros.schema.question import Question
from avr_ros.world.world_model import WorldModel


class LocalEpisode:
    """What this process keeps of an open episode: its world model and the records of its views."""

    def __init__(self, episode_id: str) -> None:
        """Start empty."""
        self.world_model = WorldModel(episode_id)
        self._lock = threading.Lock()
        self._records: dict[str, LedgerRecord] = {}

    def add_record(self, record: LedgerRecord) -> None:
        """Take a ledger record as it is written."""
        if record.granted:
            with self._lock:
                self._records[record.observation_id] = record
        self.world_model.add_record(record)

    def record(self, observation_id: str) -> LedgerRecord | None:
        """The record that granted an observation, none where there is none."""
        with self._lock:
            return self._records.get(observation_id)


class LocalObserver:
    """Requests views from the service in this process; perceives the bytes that it serves."""

    def __init__(
        self,
        service: ObservationService,
        question: Question,
        episode_id: str,
        cancel: Cancellation,
    ) -> None:
        """Observe in an open episode of a question."""
        self._service = service
        self._episode_id = episode_id
        self._cancel = cancel
        self._remaining = question.max_observations
        self._requests = 0
        self._times = _times(service, question)

    @property
    def times(self) -> SequenceTimes:
        """The frames that may be asked for."""
        return self._times

    @property
    def remaining(self) -> int:
        """What is left of the budget."""
        return self._remaining

    def observe(self, frame_id: int, azimuth: float, field_of_view: float = 0.0) -> View:
        """Return the view of a frame at an azimuth (radians); 0 is the default field of view."""
        _stop_if_ended(self._cancel)
        self._requests += 1
        response = self._service.observe(
            ObserveRequest(
                frame_id=frame_id,
                azimuth=azimuth,
                episode_id=self._episode_id,
                request_id=str(self._requests),
                field_of_view=field_of_view,
            )
        )
        if response.remaining_observations >= 0:
            self._remaining = response.remaining_observations
        observation = response.observation
        if response.status is not ObserveStatus.OK or observation is None:
            raise ObservationRefusedError(response.status, response.message)
        if observation.jpeg is None:
            raise ToolFailedError(
                FailureKind.OBSERVATION_FAILED,
                f"observation {observation.observation_id} came without its JPEG",
            )
        return View(observation, _decoded(observation.jpeg))

    def given_frame(self, frame_id: int) -> Panorama:
        """Return a given panorama."""
        _stop_if_ended(self._cancel)
        response = self._service.given_frame(self._episode_id, frame_id)
        if response.status is not ObserveStatus.OK or response.frame is None:
            raise ObservationRefusedError(response.status, response.message)
        return Panorama(response.frame, _decoded(response.frame.jpeg))


class LocalPerceiver:
    """Finds people in the granted images of one episode."""

    def __init__(
        self, perception: ViewPerception, episode: LocalEpisode, cancel: Cancellation
    ) -> None:
        """Perceive in an episode."""
        self._perception = perception
        self._episode = episode
        self._cancel = cancel

    def detect(self, view: View | Panorama) -> list[Detection]:
        """Return the people in a view, by rising ``box.x``."""
        _stop_if_ended(self._cancel)
        granted = view.observation if isinstance(view, View) else view.frame
        record = self._episode.record(granted.observation_id)
        if record is None:
            raise ToolFailedError(
                FailureKind.PERCEPTION_FAILED,
                f"view {granted.observation_id} was not granted in this episode",
            )
        try:
            return self._perception.detect(record, view.image)
        except PerceptionError as error:
            raise ToolFailedError(FailureKind.PERCEPTION_FAILED, str(error)) from error


class LocalWorldModel:
    """Writes and reads the world model of one episode."""

    def __init__(self, world_model: WorldModel, cancel: Cancellation) -> None:
        """Use an episode's world model."""
        self._world_model = world_model
        self._cancel = cancel

    def write(self, facts: Sequence[Fact]) -> WriteOutcome:
        """Write facts; those not grounded in a granted observation are refused."""
        _stop_if_ended(self._cancel)
        return self._world_model.write(facts)

    def read(self, pattern: FactPattern) -> list[Fact]:
        """Return the facts that match, in the order of their writing."""
        _stop_if_ended(self._cancel)
        return self._world_model.read(pattern)


def _decoded(data: bytes) -> npt.NDArray[np.uint8]:
    try:
        return jpeg.decode(data)
    except RecordingError as error:
        raise ToolFailedError(FailureKind.OBSERVATION_FAILED, str(error)) from error


def _stop_if_ended(cancel: Cancellation) -> None:
    if cancel.kind is not None:
        raise EpisodeCancelledError(cancel.kind)


def _times(service: ObservationService, question: Question) -> SequenceTimes:
    recording = service.recording
    info = recording.sequence(question.sequence or recording.sequences()[0])
    legal = np.ones(len(info.frame_ids), dtype=bool)
    if question.legal_frames:
        legal[:] = False
        for span in question.legal_frames:
            legal |= (info.frame_ids >= span.first) & (info.frame_ids <= span.last)
    return SequenceTimes(info.name, info.frame_ids[legal], info.stamps_us[legal])
