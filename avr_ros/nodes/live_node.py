"""Serves views of the last seconds of a live panorama."""

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import Field
from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.qos import DurabilityPolicy, ReliabilityPolicy

from avr_ros.benchmark.protocol.service import ObservationService
from avr_ros.messages.arrays import to_bytes
from avr_ros.messages.diagnostics import Level
from avr_ros.messages.time import stamp_ns
from avr_ros.nodes import qos
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.geometry_parameters import PanoramaParameters
from avr_ros.nodes.message_types import ros_types
from avr_ros.nodes.observation_services import ObservationServices
from avr_ros.nodes.run_node import run_node
from avr_ros.recordings.errors import FrameRefused, StampNotIncreasing
from avr_ros.recordings.live_buffer import LiveBuffer
from avr_ros.recordings.raw_image import RawFormat
from avr_ros.recordings.recording import whole_microseconds
from avr_ros.schema.episode import LedgerRecord

COMPRESSED_IMAGE = "sensor_msgs/msg/CompressedImage"
IMAGE = "sensor_msgs/msg/Image"

LOOK_PERIOD = 0.2
"""Seconds between two looks for publishers."""

SETBACK = 1_000_000
"""Microseconds by which a stamp must be earlier to mean that the stream's clock was set back."""


class LiveParameters(PanoramaParameters):
    """Parameters of the live node."""

    topic: str = Field(
        default="panorama/compressed",
        description="topic of the panoramas, sensor_msgs/CompressedImage or sensor_msgs/Image",
    )
    sequence: str = Field(default="live", description="name that the stream is served under")
    seconds: float = Field(
        default=30.0, ge=0.1, le=3600.0, description="s of the stream that are kept"
    )
    max_megabytes: int = Field(
        default=512, ge=1, le=1_000_000, description="MB of images kept at most, as they came"
    )
    free_mode: bool = Field(
        default=True, description="whether views are also served without an episode, uncharged"
    )


class LiveNode(AvrNode[LiveParameters]):
    """Keeps the last seconds of a panorama topic and serves views of them, as the replay node does.

    Services: ``observe``, ``open_episode``, ``close_episode``, ``get_given_frame``,
    ``list_recordings``. Topic: ``~/observations``. Subscription: the topic of parameter ``topic``,
    of the type and with the quality of service of the publishers found. Parameters:
    :class:`LiveParameters`.
    """

    def __init__(self) -> None:
        """Make the node."""
        super().__init__("live", LiveParameters)
        self._subscription: Any = None
        self._subscribed_as: tuple[str, bool] | None = None
        self._newest_us = 0

    def setup(self) -> None:
        """Serve, and look for the stream."""
        parameters = self.parameters
        self._buffer = LiveBuffer(
            parameters.sequence,
            seconds=parameters.seconds,
            max_bytes=parameters.max_megabytes << 20,
        )

        def make_service(on_record: Callable[[LedgerRecord], None]) -> ObservationService:
            return ObservationService(
                self._buffer,
                cylinder=parameters.cylinder,
                free_mode=parameters.free_mode,
                jpeg_quality=parameters.jpeg_quality,
                on_record=on_record,
            )

        ObservationServices(self, parameters, make_service)
        self.diagnostics.add_values(self._values)
        self._topic = self.resolve_topic_name(parameters.topic)
        self._wall_clock = Clock(clock_type=ClockType.STEADY_TIME)
        self.create_timer(LOOK_PERIOD, self._look, clock=self._wall_clock)
        self._look()

    def _look(self) -> None:
        """Subscribe as the publishers publish, again where they have changed."""
        publishers = self.get_publishers_info_by_topic(self._topic)
        types = sorted({publisher.topic_type for publisher in publishers})
        usable = [name for name in types if name in (COMPRESSED_IMAGE, IMAGE)]
        if not publishers:
            self.diagnostics.problem(
                self._topic, Level.WARN, "no publisher: is the camera running, is the topic right?"
            )
            return
        if not usable:
            self.diagnostics.problem(
                self._topic,
                Level.ERROR,
                f"published as {', '.join(types)}; needed is {COMPRESSED_IMAGE} or {IMAGE}",
            )
            return
        wanted = usable[0]
        profiles = [item.qos_profile for item in publishers if item.topic_type == wanted]
        reliable = all(item.reliability == ReliabilityPolicy.RELIABLE for item in profiles)
        self._report(types, wanted, profiles)
        if self._subscribed_as == (wanted, reliable):
            return
        if self._subscription is not None:
            self.destroy_subscription(self._subscription)
        self._subscription = self.create_subscription(
            ros_types(wanted),
            self.parameters.topic,
            self._take_compressed if wanted == COMPRESSED_IMAGE else self._take_raw,
            qos.RELIABLE_PUBLISHER if reliable else qos.ANY_PUBLISHER,
            event_callbacks=self.diagnostics.subscription_events(self._topic),
        )
        self._subscribed_as = (wanted, reliable)

    def _report(self, types: list[str], wanted: str, profiles: list[Any]) -> None:
        reliabilities = {item.reliability for item in profiles}
        durabilities = {item.durability for item in profiles}
        if len(types) > 1:
            self.diagnostics.problem(
                self._topic, Level.WARN, f"published as {', '.join(types)}; {wanted} is taken"
            )
        elif len(reliabilities) > 1 or len(durabilities) > 1:
            self.diagnostics.problem(
                self._topic,
                Level.WARN,
                "publishers differ in quality of service; the weakest is taken",
            )
        else:
            self.diagnostics.solved(self._topic)
        self._offered = ", ".join(
            sorted(
                f"{ReliabilityPolicy(item.reliability).name.lower()} "
                f"{DurabilityPolicy(item.durability).name.lower()}"
                for item in profiles
            )
        )

    _offered = ""

    def _take_compressed(self, message: Any) -> None:
        self._push(message, to_bytes(message.data), None)

    def _take_raw(self, message: Any) -> None:
        layout = RawFormat(
            int(message.width), int(message.height), int(message.step), str(message.encoding)
        )
        self._push(message, to_bytes(message.data), layout)

    def _push(self, message: Any, data: bytes, layout: RawFormat | None) -> None:
        stamp_us = whole_microseconds(stamp_ns(message.header.stamp))
        try:
            try:
                self._buffer.push(stamp_us, data, layout)
            except StampNotIncreasing:
                if stamp_us > self._newest_us - SETBACK:
                    raise
                # The stream began again, such as a bag that is played in a loop.
                self._buffer.restart()
                self.diagnostics.count("restarts")
                self._buffer.push(stamp_us, data, layout)
        except FrameRefused as error:
            self.diagnostics.count("refused_frames")
            self.diagnostics.problem("stream", Level.WARN, str(error))
            return
        self._newest_us = stamp_us
        self.diagnostics.count("frames")
        self.diagnostics.solved("stream")

    def _values(self) -> dict[str, object]:
        names = self._buffer.sequences()
        values: dict[str, object] = {
            "buffer_bytes": self._buffer.bytes_held,
            "publishers": self._offered or "none",
        }
        if names:
            info = self._buffer.sequence(names[0])
            span = int(info.stamps_us[-1] - info.stamps_us[0]) / 1e6
            values.update(
                {
                    "buffer_frames": len(info.frame_ids),
                    "buffer_first_frame": int(info.frame_ids[0]),
                    "buffer_last_frame": int(info.frame_ids[-1]),
                    "buffer_seconds": f"{span:.3f}",
                }
            )
        return values


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the node."""
    return run_node(LiveNode, arguments)
