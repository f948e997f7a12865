"""Publishes what happens in a run, and keeps count of it for the recorder."""

import threading
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from avr_ros.evaluation.listener import Progress, RunListener
from avr_ros.evaluation.recording_check import Manifest
from avr_ros.evaluation.run_folder import episode_id_of
from avr_ros.messages.episode import ledger_record_message
from avr_ros.messages.question import question_message
from avr_ros.messages.report import report_message
from avr_ros.messages.result import sample_result_message
from avr_ros.messages.step import step_message
from avr_ros.nodes import qos
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.message_types import ros_types
from avr_ros.schema.episode import Ledger
from avr_ros.schema.question import Question
from avr_ros.schema.report import Report
from avr_ros.schema.result import SampleResult
from avr_ros.schema.step import Step


class RunTopics:
    """The scorer's topics. May be used by several threads."""

    def __init__(self, node: AvrNode[Any]) -> None:
        """Declare them."""
        self._node = node

        def topic(name: str, type_name: str, profile: Any = qos.RECORDED) -> Any:
            events = node.diagnostics.publisher_events(name)
            return node.create_publisher(
                ros_types(type_name), name, profile, event_callbacks=events
            )

        self.questions = topic("~/questions", "avr_ros/msg/Question")
        self.results = topic("~/sample_results", "avr_ros/msg/SampleResult")
        self.report = topic("~/report", "avr_ros/msg/EvaluationReport", qos.LATEST)
        self.manifest = topic("~/manifest", "std_msgs/msg/String", qos.LATEST)
        self.observations = topic("~/observations", "avr_ros/msg/LedgerRecord")
        self.steps = topic("~/steps", "avr_ros/msg/Step")


class RunPublisher(RunListener):
    """Publishes one run and counts what it and the nodes that it drives have published.

    ``ledger_of`` gives the ledger of an episode that was closed in this session, ``revision_of``
    the revision of its world model.
    """

    def __init__(
        self,
        node: AvrNode[Any],
        topics: RunTopics,
        run_id: str,
        ledger_of: Callable[[str], Ledger | None],
        revision_of: Callable[[str], int],
    ) -> None:
        """Publish a run of a name."""
        self.session = uuid.uuid4().hex
        self._node = node
        self._topics = topics
        self._run_id = run_id
        self._ledger_of = ledger_of
        self._revision_of = revision_of
        self._lock = threading.Lock()
        self._questions: tuple[str, ...] = ()
        self._ledger: dict[str, int] = {}
        self._steps: dict[str, int] = {}
        self._results: dict[str, int] = {}
        self._annotated = 0
        self._reported = False

    def publish_questions(self, questions: Sequence[Question]) -> None:
        """Publish what is asked."""
        for question in questions:
            self._topics.questions.publish(question_message(question, ros_types))
        self._questions = tuple(question.question_id for question in questions)

    def publish_again(
        self,
        results: Iterable[SampleResult],
        ledgers: Mapping[str, Ledger],
        steps: Mapping[str, Sequence[Step]],
    ) -> None:
        """Publish results of earlier starts, with ledgers and steps by question id."""
        stamp = self._node.now_ns()
        for result in results:
            name = result.question_id
            ledger = ledgers.get(name)
            episode_id = episode_id_of(name, result.attempt)
            if ledger is not None:
                for record in ledger.records:
                    self._topics.observations.publish(ledger_record_message(record, "", ros_types))
                self._ledger[episode_id] = len(ledger.records)
            for step in steps.get(name, ()):
                self._topics.steps.publish(step_message(step, stamp, ros_types))
            self._steps[episode_id] = len(steps.get(name, ()))
            self._publish(result)

    def on_result(self, result: SampleResult, progress: Progress) -> None:
        """Publish a result."""
        episode_id = episode_id_of(result.question_id, result.attempt)
        ledger = self._ledger_of(episode_id)
        with self._lock:
            self._steps[episode_id] = result.cost.steps
            if ledger is not None:
                self._ledger[episode_id] = len(ledger.records)
                self._annotated += _has_picture(result, ledger)
        self._publish(result)

    def publish_report(self, report: Report) -> None:
        """Publish the report."""
        message = report_message(report, self._run_id, self._node.now_ns(), ros_types)
        self._topics.report.publish(message)
        self._reported = True

    def publish_manifest(self) -> None:
        """Say what the recorder must hold."""
        with self._lock:
            manifest = Manifest(
                session=self.session,
                questions=self._questions,
                ledger=self._ledger,
                steps=self._steps,
                graphs={name: self._revision_of(name) for name in self._ledger},
                results=self._results,
                annotated=self._annotated,
                report=self._reported,
            )
        text = ros_types("std_msgs/msg/String")(data=manifest.model_dump_json())
        self._topics.manifest.publish(text)

    def _publish(self, result: SampleResult) -> None:
        stamp = self._node.now_ns()
        self._topics.results.publish(sample_result_message(result, self._run_id, stamp, ros_types))
        with self._lock:
            self._results[result.question_id] = result.attempt
        self._node.diagnostics.count("results")


def _has_picture(result: SampleResult, ledger: Ledger) -> bool:
    """Whether the agent node has published a picture of the evidence of a result."""
    evidence = result.prediction.evidence
    return evidence is not None and any(
        record.granted and record.observation_id == evidence.observation_id
        for record in ledger.records
    )
