"""Detects people from labels, inside granted views only."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import Field

from avr_ros.evaluation.prepare import open_labels
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.messages.detection import detection_message
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.errors import ParameterError
from avr_ros.nodes.ledger_listener import LedgerListener
from avr_ros.nodes.message_types import ros_types
from avr_ros.nodes.parameters import NodeParameters, json_settings
from avr_ros.nodes.run_node import run_node
from avr_ros.nodes.worker_pool import WorkerPool
from avr_ros.perception.errors import NoLabelsError, NotGrantedError
from avr_ros.perception.oracle import OraclePerception
from avr_ros.perception.oracle_settings import OracleSettings
from avr_ros.recordings.errors import RecordingError
from avr_ros.recordings.open_recording import open_recording
from avr_ros.recordings.recording import Recording
from avr_ros.schema.detection import Detection
from avr_ros.schema.episode import LedgerRecord
from avr_ros.srv import Detect

WORKERS = 2
WAITING = 1000


class OraclePerceptionParameters(NodeParameters):
    """Parameters of the oracle perception node."""

    dataset: str = Field(default="", description="data set with labels; required")
    record_timeout: float = Field(
        default=5.0,
        ge=0.01,
        le=600.0,
        description="s that a request waits for the ledger record it names",
    )
    live_sequence: str = Field(
        default="",
        description="sequence whose labels belong to a live stream of it, found by stamp; "
        "empty: records name sequence and frame themselves",
    )
    settings: str = Field(
        default="{}", description="the oracle's settings, faults among them, as a JSON object"
    )


class OraclePerceptionNode(AvrNode[OraclePerceptionParameters]):
    """Detects people from labels in what the ledger says was granted.

    Service: ``detect``. Subscription: ``observations`` (remap it to the serving node's ledger).
    Parameters: :class:`OraclePerceptionParameters`. It runs only where it is asked for.
    """

    def __init__(self) -> None:
        """Make the node."""
        super().__init__("oracle_perception", OraclePerceptionParameters)

    def setup(self) -> None:
        """Open the labels and serve."""
        parameters = self.parameters
        if not parameters.dataset:
            raise ParameterError(
                f"{self.get_name()}: set parameter 'dataset' to a labelled data set"
            )
        self._oracle = OraclePerception(
            open_labels(Path(parameters.dataset)),
            json_settings(self.get_name(), "settings", OracleSettings, parameters.settings),
        )
        self._labelled: Recording | None = None
        if parameters.live_sequence:
            self._labelled = open_recording(parameters.dataset)
        self._pool = WorkerPool(WORKERS, WAITING, "oracle")
        self._ledger = LedgerListener(self, JRDB_CYLINDER.width)
        self.create_service(Detect, "detect", self._detect, callback_group=self.waiting_group)
        self.get_logger().info(f"labels of {parameters.dataset}")

    async def _detect(self, request: Any, response: Any) -> Any:
        record = await self._ledger.wait_for(
            str(request.episode_id), str(request.observation_id), self.parameters.record_timeout
        )
        if record is None:
            response.status = Detect.Response.NOT_GRANTED
            response.message = (
                f"no record grants observation {request.observation_id!r} in episode "
                f"{request.episode_id!r} (waited {self.parameters.record_timeout:g} s)"
            )
            self.diagnostics.count("not_granted")
            return response
        granted: LedgerRecord = record
        try:
            detections = await self.in_pool(self._pool, lambda: self._look(granted))
        except NotGrantedError as error:
            response.status = Detect.Response.NOT_GRANTED
            response.message = str(error)
            return response
        except (NoLabelsError, RecordingError) as error:
            response.status = Detect.Response.NO_LABELS
            response.message = str(error)
            return response
        response.detections = [detection_message(item, ros_types) for item in detections]
        self.diagnostics.count("views")
        return response

    def _look(self, record: LedgerRecord) -> list[Detection]:
        if self._labelled is not None:
            sequence = self.parameters.live_sequence
            frame_id = self._labelled.frame_at(sequence, record.stamp_ns // 1000)
            record = replace(record, sequence=sequence, frame_id=frame_id)
        return self._oracle.detect(record)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the node."""
    return run_node(OraclePerceptionNode, arguments)
