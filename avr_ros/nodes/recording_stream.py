"""Plays a recorded sequence on an image topic at its own pace."""

import threading
import time
from typing import Any

from avr_ros.messages.image import compressed_image_message, image_message
from avr_ros.messages.time import time_message
from avr_ros.nodes import qos
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.message_types import ros_types
from avr_ros.recordings.recording import NO_STAMP, Recording, SequenceInfo, StoredAs
from avr_ros.schema.errors import AvrError, BadInputError

COMPRESSED_TOPIC = "panorama/compressed"
RAW_TOPIC = "panorama/image"
CLOCK_TOPIC = "/clock"

LOOK_PERIOD = 0.02
"""Seconds between two looks for a subscriber; there is no event to wait for in every release."""


class RecordingStream:
    """Publishes the frames of a sequence with their own stamps.

    Stored JPEGs go out as ``sensor_msgs/CompressedImage`` on ``panorama/compressed``, raw images
    as ``sensor_msgs/Image`` on ``panorama/image``, both with the recorded pixels. Times between
    frames are those of the stamps divided by ``rate``; a frame that is late is sent at once.
    """

    def __init__(
        self,
        node: AvrNode[Any],
        recording: Recording,
        sequence: str,
        camera_frame: str,
        *,
        rate: float,
        loop: bool,
        clock: bool,
        wait_for_subscriber: bool,
    ) -> None:
        """Declare the topics and start. Raises BadInputError where the stamps are not known."""
        self._node = node
        self._recording = recording
        self._info = _sequence(recording, sequence)
        self._camera_frame = camera_frame
        self._rate = rate
        self._loop = loop
        self._wait_for_subscriber = wait_for_subscriber
        self._raw = self._info.stored_as is StoredAs.RAW
        topic = RAW_TOPIC if self._raw else COMPRESSED_TOPIC
        kind = "Image" if self._raw else "CompressedImage"
        self._images = node.create_publisher(
            ros_types(f"sensor_msgs/msg/{kind}"),
            topic,
            qos.STREAM,
            event_callbacks=node.diagnostics.publisher_events(topic),
        )
        self._clock: Any = None
        if clock:
            self._clock = node.create_publisher(
                ros_types("rosgraph_msgs/msg/Clock"), CLOCK_TOPIC, qos.CLOCK
            )
        self._thread = threading.Thread(target=self._run, name="stream", daemon=True)
        self._thread.start()

    def join(self, timeout: float) -> None:
        """Wait for the end, which comes soon after the node began to close."""
        self._thread.join(timeout)

    def _run(self) -> None:
        closing = self._node.closing
        while self._wait_for_subscriber and not self._images.get_subscription_count():
            if closing.wait(LOOK_PERIOD):
                return
        while self._play_once() and self._loop:
            self._node.diagnostics.count("loops")

    def _play_once(self) -> bool:
        """Publish all frames; say whether it came to the end."""
        stamps = self._info.stamps_us.tolist()
        started = time.monotonic()
        for frame_id, stamp in zip(self._info.frame_ids.tolist(), stamps, strict=True):
            due = started + (stamp - stamps[0]) / 1e6 / self._rate
            if self._node.closing.wait(max(0.0, due - time.monotonic())):
                return False
            self._publish(frame_id, stamp * 1000)
        # The last frame is shown for as long as frames are on average.
        gap = (stamps[-1] - stamps[0]) / 1e6 / self._rate / max(1, len(stamps) - 1)
        return not self._node.closing.wait(gap)

    def _publish(self, frame_id: int, stamp_ns: int) -> None:
        name = self._info.name
        try:
            if self._raw:
                pixels = self._recording.panorama(name, frame_id)
                message = image_message(pixels, stamp_ns, self._camera_frame, ros_types)
            else:
                jpeg = self._recording.encoded(name, frame_id)
                message = compressed_image_message(jpeg, stamp_ns, self._camera_frame, ros_types)
        except AvrError as error:
            self._node.diagnostics.count("unreadable_frames")
            self._node.get_logger().warning(f"frame {frame_id} is left out: {error}")
            return
        if self._clock is not None:
            clock = ros_types("rosgraph_msgs/msg/Clock")
            self._clock.publish(clock(clock=time_message(stamp_ns, ros_types)))
        self._images.publish(message)
        self._node.diagnostics.count("streamed_frames")


def _sequence(recording: Recording, name: str) -> SequenceInfo:
    names = recording.sequences()
    if not name:
        if len(names) != 1:
            raise BadInputError(
                f"stream_sequence must name one of the {len(names)} sequences: {', '.join(names)}"
            )
        name = names[0]
    info = recording.sequence(name)
    if not info.frame_ids.size or bool((info.stamps_us == NO_STAMP).any()):
        raise BadInputError(
            f"sequence {name!r} cannot be streamed at its own pace: it has no stamps for all frames"
        )
    return info
