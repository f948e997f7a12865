"""Streamed frames in the live node are those of the recording, until they have left its buffer."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from avr_ros.action import Ask
from avr_ros.srv import GetGivenFrame, ListRecordings, Observe, OpenEpisode
from diagnostic_msgs.msg import DiagnosticArray
from node_processes import PATIENCE, Client, NodeProcess
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import CompressedImage, Image
from small_recording import FRAMES, HALL, PLAZA, expected_view, stamp_us, stored_pixels
from small_scene import FRAMES as SCENE_FRAMES
from small_scene import SEQUENCE, Scene

from avr_ros.benchmark.question_files import read_questions
from avr_ros.messages.image import compressed_image_message, image_message
from avr_ros.messages.prediction import prediction_from_message
from avr_ros.messages.question import question_message
from avr_ros.nodes import qos
from avr_ros.nodes.message_types import ros_types

SPACES = itertools.count(1)


def frames_of(client: Client, space: str) -> list[int]:
    response = client.call(ListRecordings, f"{space}/list_recordings", ListRecordings.Request())
    assert response.success and response.free_mode
    return list(response.sequences[0].frame_ids) if response.sequences else []


def wait_for_frames(client: Client, space: str, wanted: Any) -> list[int]:
    """Ask until the frames held are as wanted; nothing announces them."""
    deadline = time.monotonic() + PATIENCE
    while True:
        frames = frames_of(client, space)
        if wanted(frames):
            return frames
        assert time.monotonic() < deadline, f"frames {frames}"


def view(client: Client, space: str, **fields: Any) -> Any:
    request = Observe.Request(**{"image_format": Observe.Request.RAW, **fields})
    return client.call(Observe, f"{space}/observe", request)


def pixels(response: Any) -> Any:
    raw = response.observation.raw
    return np.frombuffer(raw.data, np.uint8).reshape(raw.height, raw.width, 3)


@pytest.fixture(scope="module")
def streamed(client: Client, logs: Path, recording: Path) -> Iterator[str]:
    """A recording that is streamed once at real pace into a live node, in a namespace."""
    space = "streamed"
    player = {"dataset": str(recording), "stream": True, "stream_sequence": HALL}
    with ExitStack() as stack:
        for executable, name, values in (
            ("live_node", "live", {"seconds": 30.0}),
            ("replay_node", "player", player),
        ):
            services = {} if name == "live" else {"observe": "player/observe"}
            for service in ("open_episode", "close_episode", "get_given_frame", "list_recordings"):
                if name == "player":
                    services[service] = f"player/{service}"
            stack.enter_context(
                NodeProcess(logs, executable, name, values, services, namespace=space)
            )
        wait_for_frames(client, space, lambda frames: len(frames) == FRAMES)
        yield space


@pytest.mark.parametrize(("frame_id", "azimuth"), [(0, 0.0), (5, 3.1), (FRAMES - 1, -2.0)])
def test_streamed_views_are_pixel_equal(
    client: Client,
    streamed: str,
    free_replay: NodeProcess,
    recording: Path,
    frame_id: int,
    azimuth: float,
) -> None:
    live = view(client, streamed, frame_id=frame_id, azimuth=azimuth)
    assert live.status == Observe.Response.OK, live.message
    expected = expected_view(stored_pixels(recording, HALL, frame_id), azimuth)
    assert np.array_equal(pixels(live), expected)
    replayed = view(client, "free", sequence=HALL, frame_id=frame_id, azimuth=azimuth)
    assert np.array_equal(pixels(live), pixels(replayed))
    assert live.observation.header.stamp == replayed.observation.header.stamp
    assert live.observation.sequence == "live"


def test_streamed_views_by_time(client: Client, streamed: str) -> None:
    request = Observe.Request(frame_id=-1)
    request.stamp.sec, request.stamp.nanosec = divmod(stamp_us(4) * 1000, 10**9)
    response = client.call(Observe, f"{streamed}/observe", request)
    assert response.observation.frame_id == 4


def test_given_frames_of_a_stream_are_the_bytes_that_came(
    client: Client, streamed: str, recording: Path
) -> None:
    opened = OpenEpisode.Request(episode_id="given", max_observations=1, given_frames=[3])
    assert client.call(OpenEpisode, f"{streamed}/open_episode", opened).status == 0
    request = GetGivenFrame.Request(episode_id="given", frame_id=3)
    response = client.call(GetGivenFrame, f"{streamed}/get_given_frame", request)
    path = recording / "images" / "image_stitched" / HALL / "000003.jpg"
    assert bytes(response.jpeg.data) == path.read_bytes()


@pytest.fixture
def live(client: Client, logs: Path) -> Iterator[str]:
    """A live node with half a second of buffer in a namespace of its own."""
    space = f"live{next(SPACES)}"
    values = {"seconds": 0.5, "topic": "camera"}
    with NodeProcess(logs, "live_node", "live", values, namespace=space):
        yield space


def publish(client: Client, space: str, profile: Any, messages: list[Any]) -> Any:
    """Publish messages once the live node has subscribed."""
    topic = f"{space}/camera"
    publisher = client.node.create_publisher(type(messages[0]), topic, profile)
    # A service call takes part in nothing but time; the subscription comes with discovery.
    while not publisher.get_subscription_count():
        frames_of(client, space)
    for message in messages:
        publisher.publish(message)
    return publisher


def jpeg(recording: Path, frame_id: int, stamp_ns: int) -> Any:
    path = recording / "images" / "image_stitched" / PLAZA / f"{frame_id:06d}.jpg"
    return compressed_image_message(path.read_bytes(), stamp_ns, "camera", ros_types)


def test_frames_that_have_left_the_buffer_are_refused(
    client: Client, live: str, recording: Path
) -> None:
    stamps = [10**18 + 200_000_000 * number for number in range(6)]
    messages = [jpeg(recording, number, stamp) for number, stamp in enumerate(stamps)]
    publisher = publish(client, live, qos.STREAM, messages)
    frames = wait_for_frames(client, live, lambda frames: frames[-1:] == [5])
    assert frames == [3, 4, 5]
    assert view(client, live, frame_id=3).status == Observe.Response.OK
    expired = view(client, live, frame_id=2)
    assert expired.status == Observe.Response.FRAME_NOT_LEGAL and expired.message
    later = Observe.Request(frame_id=-1)
    later.stamp.sec = stamps[0] // 10**9
    response = client.call(Observe, f"{live}/observe", later)
    assert response.status == Observe.Response.TIME_NOT_FOUND
    client.node.destroy_publisher(publisher)


def test_an_episode_loses_frames_that_leave_the_buffer(
    client: Client, live: str, recording: Path
) -> None:
    publisher = publish(client, live, qos.STREAM, [jpeg(recording, 0, 10**18)])
    wait_for_frames(client, live, lambda frames: frames == [0])
    opened = OpenEpisode.Request(episode_id="e", max_observations=5)
    assert client.call(OpenEpisode, f"{live}/open_episode", opened).status == 0
    assert view(client, live, episode_id="e", frame_id=0).remaining_observations == 4
    publisher.publish(jpeg(recording, 1, 10**18 + 10**9))
    wait_for_frames(client, live, lambda frames: frames == [1])
    refused = view(client, live, episode_id="e", frame_id=0)
    assert refused.status == Observe.Response.FRAME_NOT_LEGAL
    assert refused.remaining_observations == 4
    assert view(client, live, episode_id="e", frame_id=1).remaining_observations == 3
    client.node.destroy_publisher(publisher)


def test_raw_images_from_a_best_effort_camera(client: Client, live: str, recording: Path) -> None:
    stored = stored_pixels(recording, PLAZA, 2)
    profile = QoSProfile(depth=5, reliability=ReliabilityPolicy.BEST_EFFORT)
    message = image_message(stored, 10**18, "camera", ros_types)
    assert isinstance(message, Image)
    publisher = publish(client, live, profile, [message])

    def arrived(frames: list[int]) -> bool:
        if not frames:
            # A best-effort camera goes on publishing.
            message.header.stamp.nanosec += 1_000_000
            publisher.publish(message)
        return bool(frames)

    frame_id = wait_for_frames(client, live, arrived)[-1]
    response = view(client, live, frame_id=frame_id, azimuth=1.0)
    assert np.array_equal(pixels(response), expected_view(stored, 1.0))
    client.node.destroy_publisher(publisher)


def test_diagnostics_name_what_is_wrong_with_the_stream(
    client: Client, live: str, recording: Path
) -> None:
    diagnostics = client.collect(DiagnosticArray, "/diagnostics", qos.DIAGNOSTICS)

    def said(text: str) -> Any:
        return lambda messages: any(
            message.status[0].name == f"{live}/live" and text in message.status[0].message
            for message in messages
        )

    diagnostics.wait_for(said("no publisher"))
    first = client.node.create_publisher(CompressedImage, f"{live}/camera", qos.STREAM)
    second = client.node.create_publisher(CompressedImage, f"{live}/camera", qos.ANY_PUBLISHER)
    diagnostics.wait_for(said("differ in quality of service"))
    client.node.destroy_publisher(second)
    diagnostics.wait_for(said("running"))
    publish(client, live, qos.STREAM, [jpeg(recording, 7, 10**18)])
    client.node.destroy_publisher(first)
    diagnostics.close()


def test_a_topic_of_another_type_is_named(client: Client, logs: Path) -> None:
    diagnostics = client.collect(DiagnosticArray, "/diagnostics", qos.DIAGNOSTICS)
    with NodeProcess(logs, "live_node", "live", {"topic": "/diagnostics"}, namespace="mistaken"):
        diagnostics.wait_for(
            lambda messages: any(
                message.status[0].name == "mistaken/live"
                and "diagnostic_msgs/msg/DiagnosticArray" in message.status[0].message
                for message in messages
            )
        )
    diagnostics.close()


def test_an_ask_goal_without_an_episode_is_answered(
    client: Client, logs: Path, scene: Scene
) -> None:
    """The whole live set-up, with a played recording in place of a camera."""
    from avr_ros.processes.live import LIVE

    space = "robot"
    processes = LIVE.processes(
        {
            "play": SEQUENCE,
            "dataset": str(scene.dataset),
            "namespace": space,
            "seconds": "600",
        }
    )
    with ExitStack() as stack:
        for process in processes:
            stack.enter_context(
                NodeProcess(
                    logs,
                    process.executable,
                    process.name,
                    process.parameters,
                    process.remappings,
                    process.namespace,
                )
            )
        wait_for_frames(client, space, lambda frames: len(frames) >= SCENE_FRAMES)
        # The stream's frames are numbered as they come, so the question names none.
        asked = next(
            question
            for question in read_questions(scene.questions).questions
            if question.answer_mode.value == "frame"
        ).model_copy(update={"sequence": "", "legal_frames": (), "given_frames": ()})
        goal = Ask.Goal(question=question_message(asked, ros_types))
        steps: list[Any] = []
        handle = client.send_goal(Ask, f"{space}/ask", goal, steps.append)
        assert handle.accepted
        response = client.result(handle)
        prediction = prediction_from_message(response.result.prediction)
        assert prediction.failure is None, prediction.reason
        assert response.result.episode_id.startswith("ask-")
        assert response.result.cost.observations > 0
        assert response.result.cost.steps > 0
        assert steps
