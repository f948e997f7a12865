"""Writes everything that an evaluation publishes into its bag."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rclpy.serialization
from pydantic import Field, ValidationError
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

from avr_ros.evaluation.bag_reader import EvaluationBag, read_bag
from avr_ros.evaluation.bag_writer import BagTopic, BagWriter, attempt_files, repair
from avr_ros.evaluation.errors import RunFolderError
from avr_ros.evaluation.recording_check import Manifest, Recorded, RecorderStatus
from avr_ros.messages.diagnostics import Level
from avr_ros.nodes import qos
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.errors import ParameterError
from avr_ros.nodes.message_definitions import full_definition
from avr_ros.nodes.message_types import ros_types
from avr_ros.nodes.parameters import NodeParameters
from avr_ros.nodes.run_node import run_node

MANIFEST = "manifest"


class RecorderParameters(NodeParameters):
    """Parameters of the recorder node."""

    bag: str = Field(default="", description="folder of the bag; required")


@dataclass(frozen=True)
class _Topic:
    """A topic to record, by its name before remapping; ``note`` looks at what was written."""

    name: str
    type_name: str
    profile: QoSProfile
    note: Callable[[Any], None] | None = None


class RecorderNode(AvrNode[RecorderParameters]):
    """Records an evaluation: one MCAP file each time it is started, all in one bag folder.

    Subscriptions (remap them to their publishers): ``questions``, ``observations``, ``steps``,
    ``graph``, ``sample_results``, ``report``, ``annotated``, ``manifest``, those of an earlier
    start that are published again (``again/observations``, ``again/steps``), ``/diagnostics`` and
    ``/clock``. Topic: ``~/status`` (latched JSON: what is recorded, and whether it is all that the
    last manifest names). Parameters: :class:`RecorderParameters`.
    """

    def __init__(self) -> None:
        """Make the node."""
        super().__init__("recorder", RecorderParameters)
        self._recorded = Recorded()
        self._earlier: dict[str, int] = {}
        self._manifest: Manifest | None = None
        self._confirmed = ""
        self._writer: BagWriter | None = None

    def setup(self) -> None:
        """Open the bag and subscribe."""
        if not self.parameters.bag:
            raise ParameterError(f"{self.get_name()}: set parameter 'bag' to a folder")
        folder = Path(self.parameters.bag)
        try:
            repaired = [path.name for path in attempt_files(folder) if repair(path)]
            if attempt_files(folder):
                self._earlier = whole_results(read_bag(folder))
            writer = BagWriter(folder, os.environ.get("ROS_DISTRO", ""))
        except OSError as error:
            raise ParameterError(f"cannot write the bag {folder}: {error.strerror}") from error
        for name in repaired:
            self.get_logger().warning(f"{name} had been cut off; it was put in order")
        self._writer = writer
        self._status = self.create_publisher(
            ros_types("std_msgs/msg/String"), "~/status", qos.LATEST
        )
        for topic in self._topics():
            self._record(writer, topic)
        self.diagnostics.add_values(
            lambda: {"messages": writer.messages, "gaps": self._recorded.gaps}
        )
        self._publish_status()

    def close(self) -> None:
        """Finish the file, so that any reader opens it."""
        if self._writer is not None:
            try:
                self._writer.close()
            except (OSError, RunFolderError) as error:
                self._fail(error)

    def _topics(self) -> tuple[_Topic, ...]:
        recorded = self._recorded
        return (
            _Topic(
                "questions",
                "avr_ros/msg/Question",
                qos.RECORDED,
                lambda message: recorded.questions.add(message.question_id),
            ),
            *(
                _Topic(
                    name,
                    "avr_ros/msg/LedgerRecord",
                    qos.RECORDED,
                    lambda message: recorded.add_ledger(
                        message.episode_id, message.sequence_number
                    ),
                )
                for name in ("observations", "again/observations")
            ),
            *(
                _Topic(
                    name,
                    "avr_ros/msg/Step",
                    profile,
                    lambda message: recorded.add_step(message.episode_id, message.number),
                )
                for name, profile in (("steps", qos.STEPS), ("again/steps", qos.RECORDED))
            ),
            _Topic(
                "graph",
                "avr_ros/msg/WorldModelGraph",
                qos.GRAPH,
                lambda message: recorded.add_graph(message.episode_id, message.revision),
            ),
            _Topic(
                "sample_results",
                "avr_ros/msg/SampleResult",
                qos.RECORDED,
                lambda message: recorded.results.update({message.question_id: message.attempt}),
            ),
            _Topic("report", "avr_ros/msg/EvaluationReport", qos.LATEST, self._note_report),
            _Topic(
                "annotated",
                "sensor_msgs/msg/CompressedImage",
                qos.ANNOTATED,
                self._note_annotated,
            ),
            _Topic(MANIFEST, "std_msgs/msg/String", qos.LATEST, self._note_manifest),
            _Topic("/diagnostics", "diagnostic_msgs/msg/DiagnosticArray", qos.DIAGNOSTICS),
            _Topic("/clock", "rosgraph_msgs/msg/Clock", qos.CLOCK_LISTENER),
        )

    def _record(self, writer: BagWriter, topic: _Topic) -> None:
        message_type = ros_types(topic.type_name)
        name = self.resolve_topic_name(topic.name)
        number = writer.add_topic(
            BagTopic(
                name, topic.type_name, full_definition(topic.type_name), _qos_yaml(topic.profile)
            )
        )

        def take(data: bytes) -> None:
            try:
                written = writer.write(number, data, self.now_ns())
            except (OSError, RunFolderError) as error:
                self._fail(error)
                return
            if written and topic.note is not None:
                topic.note(rclpy.serialization.deserialize_message(data, message_type))
                if self._manifest is not None:
                    self._check()

        self.create_subscription(
            message_type,
            topic.name,
            take,
            topic.profile,
            raw=True,
            event_callbacks=self.diagnostics.subscription_events(name),
        )

    def _note_report(self, message: Any) -> None:
        self._recorded.reports += 1

    def _note_annotated(self, message: Any) -> None:
        self._recorded.annotated += 1

    def _note_manifest(self, message: Any) -> None:
        try:
            self._manifest = Manifest.model_validate_json(message.data)
        except ValidationError as error:
            self.diagnostics.problem(MANIFEST, Level.ERROR, str(error.errors()[0]["msg"]))

    def _check(self) -> None:
        """Say so once everything that the manifest names has been written."""
        manifest = self._manifest
        assert manifest is not None
        if self._recorded.missing(manifest):
            self._publish_status()
            return
        self._manifest = None
        self._confirmed = manifest.session
        self._publish_status()

    def _publish_status(self) -> None:
        assert self._writer is not None
        missing = () if self._manifest is None else self._recorded.missing(self._manifest)
        status = RecorderStatus(
            folder=str(self._writer.folder),
            file=self._writer.path.name,
            recorded=self._earlier,
            confirmed=self._confirmed,
            missing=missing,
        )
        self._status.publish(ros_types("std_msgs/msg/String")(data=status.model_dump_json()))

    def _fail(self, error: OSError | RunFolderError) -> None:
        reason = error.strerror if isinstance(error, OSError) else ""
        self.get_logger().error(f"cannot write the bag: {reason or error}")
        self.finish(1)


def whole_results(bag: EvaluationBag) -> dict[str, int]:
    """The attempt of each question whose result, steps and granted views a bag holds whole."""
    whole: dict[str, int] = {}
    for question_id, result in bag.results.items():
        ledger = bag.ledger_of(result)
        granted = sum(record.granted for record in ledger.records)
        steps = bag.steps.get(ledger.episode_id, [])
        cost = result.cost
        if granted >= cost.observations + cost.given_frames and len(steps) >= cost.steps:
            whole[question_id] = result.attempt
    return whole


def _qos_yaml(profile: QoSProfile) -> str:
    """A profile as rosbag2 stores it with a topic."""
    history = 1 if profile.history == HistoryPolicy.KEEP_LAST else 2
    reliability = 1 if profile.reliability == ReliabilityPolicy.RELIABLE else 2
    durability = 1 if profile.durability == DurabilityPolicy.TRANSIENT_LOCAL else 2
    unlimited = "{sec: 9223372036, nsec: 854775807}"
    return (
        f"- history: {history}\n  depth: {profile.depth}\n  reliability: {reliability}\n"
        f"  durability: {durability}\n  deadline: {unlimited}\n  lifespan: {unlimited}\n"
        f"  liveliness: 1\n  liveliness_lease_duration: {unlimited}\n"
        "  avoid_ros_namespace_conventions: false\n"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the node."""
    return run_node(RecorderNode, arguments)
