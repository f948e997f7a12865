"""A whole run over ROS, from what is asked for to the run's files."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from avr_ros.benchmark.scoring.score import score
from avr_ros.evaluation.driver import DriverOptions, EvaluationDriver
from avr_ros.evaluation.errors import RunStoppedError
from avr_ros.evaluation.latest import point_latest
from avr_ros.evaluation.listener import RunListener
from avr_ros.evaluation.prepare import (
    RunQuestions,
    check_labels,
    check_recording,
    open_labels,
    read_run_questions,
)
from avr_ros.evaluation.request import RunRequest
from avr_ros.evaluation.run_folder import RunFolder
from avr_ros.evaluation.run_settings import run_settings, specification_of
from avr_ros.evaluation.specification import ProtocolSettings, RunSpecification
from avr_ros.evaluation.stored_run import load_run
from avr_ros.messages.fact import read_request_message
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.errors import CallEndedError, ServiceUnavailableError
from avr_ros.nodes.message_types import ros_types
from avr_ros.nodes.peer_check import Peer
from avr_ros.nodes.recorder_client import RecorderClient
from avr_ros.nodes.ros_asker import RosAsker, RosEpisodeHost
from avr_ros.nodes.run_publisher import RunPublisher, RunTopics
from avr_ros.nodes.service_client import ServiceClient
from avr_ros.recordings.open_recording import open_recording
from avr_ros.recordings.recording import Recording
from avr_ros.report.write_report import write_report
from avr_ros.schema.episode import CloseResponse, EpisodeSpecification, Ledger, OpenResponse
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.fact import FactPattern
from avr_ros.schema.report import Report
from avr_ros.srv import ListRecordings, ReadFacts

START_TIMEOUT = 60.0
"""Seconds that the nodes that a run drives have to appear."""

REVISION_TIMEOUT = 10.0
"""Seconds that the world-model node has to say an episode's revision."""

NOTHING = FactPattern(first_frame=2**62)
"""A pattern that no fact matches: only the revision is asked for."""


class RunClients:
    """The clients of a node that drives runs; made once, before the first run."""

    def __init__(self, node: AvrNode[Any]) -> None:
        """Make them."""
        self.recordings = ServiceClient(node, ListRecordings, "list_recordings", node.closing)
        self.facts = ServiceClient(node, ReadFacts, "read_facts", node.closing)
        self.host = RosEpisodeHost(node, ProtocolSettings().panorama_width)
        self.asker = RosAsker(node)
        self.recorder = RecorderClient(node)
        self.topics = RunTopics(node)
        self.replay = Peer(node, "replay")
        self.agent = Peer(node, "agent")
        self.perceptions = {"oracle": Peer(node, "oracle_perception")}


class KeepingHost:
    """An episode host that remembers the ledgers of the episodes that were closed."""

    def __init__(self, host: RosEpisodeHost) -> None:
        """Pass everything on to ``host``."""
        self._host = host
        self._lock = threading.Lock()
        self._ledgers: dict[str, Ledger] = {}

    def open_episode(self, specification: EpisodeSpecification) -> OpenResponse:
        """Open an episode."""
        return self._host.open_episode(specification)

    def close_episode(self, episode_id: str) -> CloseResponse:
        """Close an episode and remember its ledger."""
        response = self._host.close_episode(episode_id)
        if response.ledger is not None:
            with self._lock:
                self._ledgers[episode_id] = response.ledger
        return response

    def take_ledger(self, episode_id: str) -> Ledger | None:
        """The ledger of a closed episode, once."""
        with self._lock:
            return self._ledgers.pop(episode_id, None)


@dataclass(frozen=True)
class _Prepared:
    """A request that was checked, with what it names opened."""

    request: RunRequest
    questions: RunQuestions
    recording: Recording
    specification: RunSpecification


class RosRun:
    """Runs one evaluation. :meth:`run` is called once; :meth:`cancel` works at any moment."""

    def __init__(
        self,
        node: AvrNode[Any],
        clients: RunClients,
        request: RunRequest,
        listeners: Sequence[RunListener],
        wait_for_recorder: bool,
    ) -> None:
        """Prepare a run of a request."""
        self._node = node
        self._clients = clients
        self._request = request
        self._listeners = tuple(listeners)
        self._wait_for_recorder = wait_for_recorder
        self._lock = threading.Lock()
        self._cancelled = False
        self._driver: EvaluationDriver | None = None

    def cancel(self) -> None:
        """End the run soon; what finished is kept."""
        with self._lock:
            self._cancelled = True
            driver = self._driver
        if driver is not None:
            driver.cancel()

    def run(self) -> Report:
        """Run to the end and return the report.

        Raises BadInputError, before anything is asked, for whatever is wrong with the request or
        the nodes; RunStoppedError, RunInterruptedError and RunFolderError as the driver does;
        BagIncompleteError where everything is done but the recording.
        """
        recording = open_recording(self._request.dataset)
        try:
            prepared = self._prepare(recording)
            self._check_nodes(prepared.specification)
            content = prepared.questions.content
            with RunFolder(self._request.out, prepared.specification, content) as folder:
                point_latest(self._request.out)
                done = len(folder.entries())
                word = f"going on with {folder.path} after" if done else f"writing {folder.path},"
                self._node.get_logger().info(f"{word} {done} questions")
                return self._run_in(folder, prepared)
        finally:
            recording.close()

    def _ended(self) -> bool:
        return self._cancelled

    def _prepare(self, recording: Recording) -> _Prepared:
        request = self._request
        questions = read_run_questions(request)
        check_recording(questions, recording, request.dataset)
        check_labels(questions, open_labels(request.dataset))
        specification = specification_of(request, questions)
        return _Prepared(request, questions, recording, specification)

    def _check_nodes(self, specification: RunSpecification) -> None:
        """Refuse nodes that would run something else than the specification says."""
        try:
            listed = self._clients.recordings.call(
                ListRecordings.Request(), START_TIMEOUT, self._ended
            )
        except (ServiceUnavailableError, CallEndedError) as error:
            raise RunStoppedError(str(error)) from error
        if listed.free_mode:
            raise BadInputError(
                "the serving node is in free mode, in which views go uncharged; "
                "start it with free_mode false to evaluate"
            )
        protocol = specification.protocol
        settings = run_settings(self._request)
        self._clients.replay.check(
            {
                "jpeg_quality": protocol.jpeg_quality,
                "panorama_width": protocol.panorama_width,
            },
            self._ended,
        )
        self._clients.agent.check(
            {
                "agent": specification.agent,
                "model": specification.model,
                "perception": specification.perception,
                "settings": settings.agent,
            },
            self._ended,
        )
        if specification.perception not in self._clients.perceptions:
            self._clients.agent.check({"perception_settings": settings.perception}, self._ended)
        perception = self._clients.perceptions.get(specification.perception)
        if perception is not None:
            perception.check({"settings": settings.perception}, self._ended)
        self._clients.asker.wait_until_ready(START_TIMEOUT, self._ended)

    def _run_in(self, folder: RunFolder, prepared: _Prepared) -> Report:
        request, questions = prepared.request, prepared.questions
        host = KeepingHost(self._clients.host)
        publisher = RunPublisher(
            self._node,
            self._clients.topics,
            folder.path.name,
            host.take_ledger,
            self._revision,
        )
        if self._wait_for_recorder:
            recorded = self._clients.recorder.wait_until_there(self._ended).recorded
            self._publish_missing(folder, publisher, recorded)
        publisher.publish_questions(questions.asked)
        driver = EvaluationDriver(
            questions.asked,
            questions.keys,
            host,
            self._clients.asker,
            score,
            folder,
            DriverOptions(workers=request.workers, question_deadline=request.question_deadline),
            (publisher, *self._listeners),
        )
        with self._lock:
            self._driver = driver
            if self._cancelled:
                driver.cancel()
        driver.run()
        report = write_report(folder, questions.keys, prepared.recording)
        publisher.publish_report(report)
        if self._wait_for_recorder:
            publisher.publish_manifest()
            self._clients.recorder.wait_for_confirmation(publisher.session)
        return report

    def _publish_missing(
        self, folder: RunFolder, publisher: RunPublisher, recorded: dict[str, int]
    ) -> None:
        """Publish again the results that a killed recorder did not write."""
        missing = [
            entry.result()
            for name, entry in folder.entries().items()
            if recorded.get(name, 0) < entry.attempt
        ]
        if missing:
            stored = load_run(folder.path)
            publisher.publish_again(missing, stored.ledgers(missing), stored.steps(missing))

    def _revision(self, episode_id: str) -> int:
        """The revision of an episode's world model."""
        request = read_request_message(episode_id, NOTHING, ros_types)
        try:
            return int(self._clients.facts.call(request, REVISION_TIMEOUT).revision)
        except (ServiceUnavailableError, CallEndedError) as error:
            raise RunStoppedError(str(error)) from error
