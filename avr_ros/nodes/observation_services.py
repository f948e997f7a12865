"""The services by which a node hands out views, the same for recordings and live cameras."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from avr_ros.benchmark.protocol.service import ObservationService
from avr_ros.geometry.crop import CROP_SIZE
from avr_ros.messages.episode import (
    close_response_message,
    ledger_record_message,
    open_response_message,
    specification_from_message,
)
from avr_ros.messages.image import ReusedImage
from avr_ros.messages.observation import (
    fill_observe_response,
    given_frame_response_message,
    observe_request_from_message,
)
from avr_ros.messages.recording import SequenceDescription, sequence_message
from avr_ros.nodes import qos
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.geometry_parameters import PanoramaParameters
from avr_ros.nodes.message_types import ros_types
from avr_ros.recordings.recording import Recording
from avr_ros.schema.episode import LedgerRecord
from avr_ros.schema.errors import AvrError
from avr_ros.srv import CloseEpisode, GetGivenFrame, ListRecordings, Observe, OpenEpisode


class ObservationServices:
    """Declares ``observe``, ``open_episode``, ``close_episode``, ``get_given_frame``,
    ``list_recordings`` and the topic ``~/observations``, and delegates to an ObservationService.

    Requests are answered in the executor's thread: a view of a decoded frame takes less time than
    handing it to another thread and back, and the service's lock orders them anyway.
    """

    def __init__(
        self,
        node: AvrNode[Any],
        parameters: PanoramaParameters,
        make_service: Callable[[Callable[[LedgerRecord], None]], ObservationService],
    ) -> None:
        """Declare everything; ``make_service`` is given the listener for ledger records."""
        self._node = node
        self._frame = parameters.camera_frame
        self._ground_height = parameters.ground_height
        self._ledger = node.create_publisher(
            ros_types("avr_ros/msg/LedgerRecord"),
            "~/observations",
            qos.RECORDED,
            event_callbacks=node.diagnostics.publisher_events("~/observations"),
        )
        self._service = make_service(self._on_record)
        # One for all responses, which are sent one after the other.
        self._picture = ReusedImage(CROP_SIZE, CROP_SIZE, ros_types)
        node.create_service(Observe, "observe", self._observe)
        node.create_service(OpenEpisode, "open_episode", self._open)
        node.create_service(CloseEpisode, "close_episode", self._close)
        node.create_service(GetGivenFrame, "get_given_frame", self._give)
        node.create_service(ListRecordings, "list_recordings", self._list)
        node.diagnostics.add_values(
            lambda: {
                "open_episodes": self._service.open_episodes,
                "free_mode": self._service.free_mode,
            }
        )

    @property
    def recording(self) -> Recording:
        """What is served."""
        return self._service.recording

    def _on_record(self, record: LedgerRecord) -> None:
        self._node.diagnostics.count("granted" if record.granted else "refused")
        # After the response: the client need not wait for it.
        self._node.in_executor(lambda: self._publish(record))

    def _publish(self, record: LedgerRecord) -> None:
        self._ledger.publish(ledger_record_message(record, self._frame, ros_types))

    def _observe(self, request: Any, response: Any) -> Any:
        answer = self._service.observe(observe_request_from_message(request))
        return fill_observe_response(response, answer, self._frame, self._picture)

    def _open(self, request: Any, response: Any) -> Any:
        answer = self._service.open_episode(specification_from_message(request))
        return open_response_message(answer, ros_types)

    def _close(self, request: Any, response: Any) -> Any:
        answer = self._service.close_episode(str(request.episode_id))
        return close_response_message(answer, self._frame, ros_types)

    def _give(self, request: Any, response: Any) -> Any:
        answer = self._service.given_frame(str(request.episode_id), int(request.frame_id))
        return given_frame_response_message(answer, self._frame, ros_types)

    def _list(self, request: Any, response: Any) -> Any:
        recording = self._service.recording
        response.free_mode = self._service.free_mode
        try:
            names = (request.sequence,) if request.sequence else recording.sequences()
            response.sequences = [
                sequence_message(self._describe(name, bool(request.with_stamps)), ros_types)
                for name in names
            ]
            response.success = True
        except AvrError as error:
            response.success = False
            response.message = str(error)
        return response

    def _describe(self, name: str, with_stamps: bool) -> SequenceDescription:
        info = self._service.recording.sequence(name)
        cylinder = replace(self._service.cylinder, width=info.width, height=info.height)
        return SequenceDescription(
            name=info.name,
            frame_ids=info.frame_ids,
            stamps_us=info.stamps_us if with_stamps else info.stamps_us[:0],
            cylinder=cylinder,
            ground_height=self._ground_height,
        )
