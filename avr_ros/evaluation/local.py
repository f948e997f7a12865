"""A run in one process: the episodes' host and the asker without ROS."""

import threading
from collections.abc import Callable

from avr_ros.agents.agent import Agent, AgentTools
from avr_ros.agents.tools import StepSink
from avr_ros.benchmark.protocol.service import ObservationService
from avr_ros.evaluation.ask_agent import ask_agent
from avr_ros.evaluation.cancellation import Cancellation
from avr_ros.evaluation.local_episode import (
    LocalEpisode,
    LocalObserver,
    LocalPerceiver,
    LocalWorldModel,
)
from avr_ros.evaluation.view_perception import ViewPerception
from avr_ros.recordings.recording import Recording
from avr_ros.schema.episode import (
    CloseResponse,
    EpisodeSpecification,
    LedgerRecord,
    OpenResponse,
    OpenStatus,
)
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.result import Cost


class LocalWorld:
    """Serves the episodes of a recording and asks an agent, all in this process.

    It is both the episode host and the asker of a run. The agent is handed client objects only.
    """

    def __init__(
        self,
        recording: Recording,
        agent: Agent,
        perception: ViewPerception,
        *,
        jpeg_quality: int,
        on_record: Callable[[LedgerRecord], None] | None = None,
    ) -> None:
        """Serve ``recording``; ``on_record`` hears of every ledger record too."""
        self._agent = agent
        self._perception = perception
        self._on_record = on_record
        self._lock = threading.Lock()
        self._episodes: dict[str, LocalEpisode] = {}
        self._service = ObservationService(
            recording, free_mode=False, jpeg_quality=jpeg_quality, on_record=self._take_record
        )

    def open_episode(self, specification: EpisodeSpecification) -> OpenResponse:
        """Open an episode and start its world model."""
        response = self._service.open_episode(specification)
        if response.status is OpenStatus.OK:
            with self._lock:
                self._episodes.setdefault(
                    specification.episode_id, LocalEpisode(specification.episode_id)
                )
        return response

    def close_episode(self, episode_id: str) -> CloseResponse:
        """Close an episode and return its ledger."""
        response = self._service.close_episode(episode_id)
        with self._lock:
            self._episodes.pop(episode_id, None)
        return response

    def ask(
        self,
        question: Question,
        episode_id: str,
        deadline: float,
        on_step: StepSink,
        cancel: Cancellation,
    ) -> tuple[Prediction, Cost]:
        """Ask the agent in an open episode, see :class:`avr_ros.evaluation.asker.Asker`."""
        with self._lock:
            episode = self._episodes[episode_id]
        tools = AgentTools(
            observer=LocalObserver(self._service, question, episode_id, cancel),
            perceiver=LocalPerceiver(self._perception, episode, cancel),
            world_model=LocalWorldModel(episode.world_model, cancel),
            record_step=on_step,
            episode_id=episode_id,
        )
        return ask_agent(self._agent, question, tools)

    def _take_record(self, record: LedgerRecord) -> None:
        with self._lock:
            episode = self._episodes.get(record.episode_id)
        if episode is not None:
            episode.add_record(record)
        if self._on_record is not None:
            self._on_record(record)
