"""Serves views of recordings."""

from collections.abc import Callable, Sequence

from pydantic import Field

from avr_ros.benchmark.protocol.service import ObservationService
from avr_ros.nodes.allocator import reserve_memory
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.errors import ParameterError
from avr_ros.nodes.geometry_parameters import PanoramaParameters
from avr_ros.nodes.observation_services import ObservationServices
from avr_ros.nodes.recording_stream import RecordingStream
from avr_ros.nodes.run_node import run_node
from avr_ros.recordings.open_recording import open_recording
from avr_ros.recordings.stored_recording import DEFAULT_CACHE_BYTES
from avr_ros.schema.episode import LedgerRecord

STREAM_END = 1.0
"""Seconds that the stream's thread has to end."""


class ReplayParameters(PanoramaParameters):
    """Parameters of the replay node."""

    dataset: str = Field(
        default="", description="JRDB folder, ROS 1 bag or ROS 2 bag with panoramas; required"
    )
    topic: str = Field(
        default="", description="topic of the panoramas in a bag, empty: JRDB's stitched image"
    )
    free_mode: bool = Field(
        default=False, description="whether views are also served without an episode, uncharged"
    )
    stream: bool = Field(
        default=False, description="whether a sequence is played on an image topic"
    )
    stream_sequence: str = Field(default="", description="which sequence, empty: the only one")
    stream_rate: float = Field(
        default=1.0, ge=0.01, le=1000.0, description="factor on the recorded pace"
    )
    stream_loop: bool = Field(default=False, description="whether it starts again at its end")
    stream_clock: bool = Field(
        default=False, description="whether each frame's stamp is published on /clock before it"
    )
    stream_wait_for_subscriber: bool = Field(
        default=True, description="whether the first frame waits for a subscriber"
    )


class ReplayNode(AvrNode[ReplayParameters]):
    """Serves views of recordings under the rules of episodes.

    Services: ``observe``, ``open_episode``, ``close_episode``, ``get_given_frame``,
    ``list_recordings``. Topics: ``~/observations`` (every exchange, avr_ros/LedgerRecord); with
    ``stream`` also ``panorama/compressed`` or ``panorama/image`` and, if asked for, ``/clock``.
    Parameters: :class:`ReplayParameters`.
    """

    def __init__(self) -> None:
        """Make the node."""
        super().__init__("replay", ReplayParameters)
        self._stream: RecordingStream | None = None

    def setup(self) -> None:
        """Open the recording and serve it."""
        parameters = self.parameters
        if not parameters.dataset:
            raise ParameterError(f"{self.get_name()}: set parameter 'dataset' to a recording")
        if parameters.stream_clock and self.get_parameter("use_sim_time").value:
            raise ParameterError(
                f"{self.get_name()}: it cannot wait for the /clock that it publishes; "
                "unset use_sim_time or stream_clock"
            )
        recording = open_recording(parameters.dataset, parameters.topic or None)
        reserve_memory(DEFAULT_CACHE_BYTES)

        def make_service(on_record: Callable[[LedgerRecord], None]) -> ObservationService:
            return ObservationService(
                recording,
                cylinder=parameters.cylinder,
                free_mode=parameters.free_mode,
                jpeg_quality=parameters.jpeg_quality,
                on_record=on_record,
            )

        ObservationServices(self, parameters, make_service)
        if parameters.stream:
            self._stream = RecordingStream(
                self,
                recording,
                parameters.stream_sequence,
                parameters.camera_frame,
                rate=parameters.stream_rate,
                loop=parameters.stream_loop,
                clock=parameters.stream_clock,
                wait_for_subscriber=parameters.stream_wait_for_subscriber,
            )
        sequences = len(recording.sequences())
        self.get_logger().info(f"serving {sequences} sequences of {parameters.dataset}")

    def close(self) -> None:
        """Let the stream end."""
        if self._stream is not None:
            self._stream.join(STREAM_END)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the node."""
    return run_node(ReplayNode, arguments)
