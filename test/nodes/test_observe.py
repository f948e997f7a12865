"""The observation services as a client that nobody here wrote calls them."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from avr_ros.msg import LedgerRecord
from avr_ros.srv import CloseEpisode, GetGivenFrame, ListRecordings, Observe, OpenEpisode
from diagnostic_msgs.msg import DiagnosticArray
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from node_processes import Client, NodeProcess
from rclpy.duration import Duration
from rclpy.qos import QoSProfile
from small_recording import FRAMES, HALL, PLAZA, UNREADABLE, expected_view, stamp_us, stored_pixels

from avr_ros.nodes import qos

NUMBERS = itertools.count(1)


def open_episode(client: Client, prefix: str = "", **limits: Any) -> str:
    episode_id = f"test-{next(NUMBERS)}"
    request = OpenEpisode.Request(episode_id=episode_id, **{"max_observations": 8, **limits})
    if not request.sequence:
        request.sequence = PLAZA
    response = client.call(OpenEpisode, f"{prefix}open_episode", request)
    assert response.status == OpenEpisode.Response.OK, response.message
    return episode_id


def observe(client: Client, episode_id: str, prefix: str = "", **fields: Any) -> Any:
    request = Observe.Request(episode_id=episode_id, **fields)
    return client.call(Observe, f"{prefix}observe", request)


def close(client: Client, episode_id: str) -> Any:
    return client.call(CloseEpisode, "close_episode", CloseEpisode.Request(episode_id=episode_id))


def raw_pixels(image: Any) -> Any:
    assert (image.encoding, image.step, image.is_bigendian) == ("bgr8", 1440, 0)
    return np.frombuffer(image.data, np.uint8).reshape(image.height, image.width, 3)


@pytest.mark.parametrize("azimuth", [0.0, 1.0, -2.5, math.pi, -math.pi, 3.1])
def test_a_raw_view_is_what_is_stored(
    client: Client, replay: NodeProcess, recording: Path, azimuth: float
) -> None:
    episode = open_episode(client)
    response = observe(
        client, episode, frame_id=3, azimuth=azimuth, image_format=Observe.Request.RAW
    )
    assert (response.status, response.message) == (Observe.Response.OK, "")
    assert response.remaining_observations == 7
    view = response.observation
    expected = expected_view(stored_pixels(recording, PLAZA, 3), azimuth)
    assert np.array_equal(raw_pixels(view.raw), expected)
    assert not view.jpeg.data
    assert (view.sequence, view.frame_id, view.azimuth) == (PLAZA, 3, azimuth)
    assert view.observation_id == f"{episode}/1"
    assert view.header.frame_id == view.raw.header.frame_id == "panorama"
    stamp = view.header.stamp.sec * 10**9 + view.header.stamp.nanosec
    assert abs(stamp - stamp_us(3) * 1000) <= 1000
    crop = view.crop
    assert (crop.y_offset, crop.width, crop.height) == (0, 480, 480)


def test_a_view_across_the_seam(client: Client, replay: NodeProcess, recording: Path) -> None:
    view = observe(client, open_episode(client), frame_id=0, azimuth=math.pi, image_format=1)
    crop = view.observation.crop
    assert (crop.x_offset, crop.x_offset + crop.width) == (3520, 4000)
    stored = stored_pixels(recording, PLAZA, 0)
    both = np.concatenate([stored[:, 3520:], stored[:, :240]], axis=1)
    assert np.array_equal(raw_pixels(view.observation.raw), both)


def test_jpeg_is_the_encoding_of_the_raw_view(client: Client, replay: NodeProcess) -> None:
    episode = open_episode(client)
    raw = observe(client, episode, frame_id=2, azimuth=0.7, image_format=1).observation
    view = observe(client, episode, frame_id=2, azimuth=0.7, image_format=0).observation
    assert not view.raw.data and view.jpeg.format == "jpeg"
    _, expected = cv2.imencode(".jpg", raw_pixels(raw.raw), [cv2.IMWRITE_JPEG_QUALITY, 90])
    assert bytes(view.jpeg.data) == expected.tobytes()


def test_by_time(client: Client, replay: NodeProcess) -> None:
    episode = open_episode(client)
    request = Observe.Request(episode_id=episode, frame_id=-1, azimuth=0.0)
    nanoseconds = (stamp_us(5) + 20_000) * 1000
    request.stamp.sec, request.stamp.nanosec = divmod(nanoseconds, 10**9)
    assert client.call(Observe, "observe", request).observation.frame_id == 5
    request.stamp.sec += 60
    assert client.call(Observe, "observe", request).status == Observe.Response.TIME_NOT_FOUND


REFUSED = {
    "frame outside of the sequence": ({"frame_id": FRAMES}, "FRAME_NOT_LEGAL"),
    "frame outside of the legal ones": ({"frame_id": 9}, "FRAME_NOT_LEGAL"),
    "negative frame": ({"frame_id": -2}, "FRAME_NOT_LEGAL"),
    "time of no frame": ({"frame_id": -1}, "TIME_NOT_FOUND"),
    "azimuth is no number": ({"azimuth": math.nan}, "INVALID_AZIMUTH"),
    "azimuth is infinite": ({"azimuth": math.inf}, "INVALID_AZIMUTH"),
    "azimuth out of range": ({"azimuth": 3.2}, "INVALID_AZIMUTH"),
    "field of view not listed": ({"field_of_view": 0.4}, "INVALID_FIELD_OF_VIEW"),
    "field of view is no number": ({"field_of_view": math.nan}, "INVALID_FIELD_OF_VIEW"),
    "image format": ({"image_format": 2}, "INVALID_FORMAT"),
    "another sequence": ({"sequence": HALL}, "UNKNOWN_SEQUENCE"),
    "unknown sequence": ({"sequence": "nowhere"}, "UNKNOWN_SEQUENCE"),
    "sequence that is a path": ({"sequence": "../" + PLAZA}, "UNKNOWN_SEQUENCE"),
    "absolute path": ({"sequence": "/etc"}, "UNKNOWN_SEQUENCE"),
    "unreadable frame": ({"frame_id": UNREADABLE}, "UNREADABLE_FRAME"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_have_a_status_and_are_not_charged(
    client: Client, replay: NodeProcess, name: str
) -> None:
    fields, status = REFUSED[name]
    episode = open_episode(client, legal_frames=[0, 1, 2, 3, UNREADABLE])
    response = observe(client, episode, **{"frame_id": 1, "azimuth": 0.0, **fields})
    assert response.status == getattr(Observe.Response, status), response.message
    assert response.message
    assert response.remaining_observations == 8
    assert not response.observation.observation_id
    ledger = close(client, episode).ledger
    assert [record.status for record in ledger] == [response.status]
    assert ledger[0].message == response.message


def test_episodes_that_are_not_open(client: Client, replay: NodeProcess) -> None:
    unknown = observe(client, "never opened", frame_id=0)
    assert unknown.status == Observe.Response.UNKNOWN_EPISODE
    episode = open_episode(client)
    close(client, episode)
    assert observe(client, episode, frame_id=0).status == Observe.Response.EPISODE_CLOSED
    assert close(client, "never opened").status == CloseEpisode.Response.UNKNOWN_EPISODE


def test_the_budget(client: Client, replay: NodeProcess) -> None:
    episode = open_episode(client, max_observations=2)
    left = [observe(client, episode, frame_id=0).remaining_observations for _ in range(2)]
    assert left == [1, 0]
    response = observe(client, episode, frame_id=0)
    assert response.status == Observe.Response.BUDGET_EXHAUSTED
    assert response.remaining_observations == 0


def test_a_repeated_request_is_charged_once(client: Client, replay: NodeProcess) -> None:
    episode = open_episode(client)
    fields = {"frame_id": 4, "azimuth": -1.0, "request_id": "a"}
    first = observe(client, episode, **fields)
    observe(client, episode, frame_id=5, request_id="b")
    assert observe(client, episode, **fields) == first
    other = observe(client, episode, **{**fields, "azimuth": 1.0})
    assert other.status == Observe.Response.REQUEST_ID_CONFLICT
    assert other.remaining_observations == 6
    assert sum(record.status == 0 for record in close(client, episode).ledger) == 2


def test_the_ledger_of_closing_twice_is_the_same(client: Client, replay: NodeProcess) -> None:
    episode = open_episode(client)
    observe(client, episode, frame_id=4, azimuth=0.3)
    observe(client, episode, frame_id=400)
    first = close(client, episode)
    assert [record.sequence_number for record in first.ledger] == [1, 2]
    assert close(client, episode) == first


def test_ledger_records_are_published(client: Client, replay: NodeProcess) -> None:
    records = client.collect(LedgerRecord, "replay/observations", qos.RECORDED)
    episode = open_episode(client)
    observe(client, episode, frame_id=4, azimuth=0.3)
    observe(client, episode, frame_id=400)
    ledger = close(client, episode).ledger

    def of_episode(messages: list[Any]) -> list[Any]:
        return [message for message in messages if message.episode_id == episode]

    records.wait_for(lambda messages: len(of_episode(messages)) == 2)
    assert of_episode(records.all) == ledger
    records.close()


def test_given_frames(client: Client, replay: NodeProcess, recording: Path) -> None:
    episode = open_episode(client, given_frames=[2, 6])
    request = GetGivenFrame.Request(episode_id=episode, frame_id=6)
    response = client.call(GetGivenFrame, "get_given_frame", request)
    path = recording / "images" / "image_stitched" / PLAZA / "000006.jpg"
    assert bytes(response.jpeg.data) == path.read_bytes()
    assert response.observation_id and response.sequence == PLAZA
    request.frame_id = 3
    refused = client.call(GetGivenFrame, "get_given_frame", request)
    assert refused.status == Observe.Response.FRAME_NOT_LEGAL and refused.message
    given, refusal = close(client, episode).ledger
    assert (given.kind, given.remaining_observations) == (LedgerRecord.GIVEN_FRAME, 8)
    assert (refusal.kind, refusal.status) == (LedgerRecord.GIVEN_FRAME, refused.status)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"episode_id": ""}, "INVALID_EPISODE_ID"),
        ({"episode_id": "line\nbreak"}, "INVALID_EPISODE_ID"),
        ({"episode_id": "x" * 257}, "INVALID_EPISODE_ID"),
        ({"sequence": "nowhere"}, "UNKNOWN_SEQUENCE"),
        ({"sequence": ""}, "UNKNOWN_SEQUENCE"),
        ({"legal_frames": [0, FRAMES]}, "INVALID_LEGAL_FRAMES"),
        ({"max_observations": 0}, "INVALID_BUDGET"),
        ({"max_observations": 10_001}, "INVALID_BUDGET"),
        ({"fields_of_view": [1.0]}, "INVALID_FIELD_OF_VIEW"),
        ({"fields_of_view": [math.nan]}, "INVALID_FIELD_OF_VIEW"),
        ({"given_frames": [FRAMES]}, "INVALID_GIVEN_FRAMES"),
    ],
)
def test_episodes_that_cannot_be_opened(
    client: Client, replay: NodeProcess, fields: dict[str, Any], status: str
) -> None:
    values = {"episode_id": "e", "sequence": PLAZA, "max_observations": 4, **fields}
    response = client.call(OpenEpisode, "open_episode", OpenEpisode.Request(**values))
    assert response.status == getattr(OpenEpisode.Response, status), response.message
    assert response.message


def test_opening_again(client: Client, replay: NodeProcess) -> None:
    episode = open_episode(client)
    request = OpenEpisode.Request(episode_id=episode, sequence=PLAZA, max_observations=8)
    assert client.call(OpenEpisode, "open_episode", request).status == OpenEpisode.Response.OK
    request.max_observations = 9
    response = client.call(OpenEpisode, "open_episode", request)
    assert response.status == OpenEpisode.Response.EPISODE_EXISTS


def test_a_narrower_field_of_view(client: Client, replay: NodeProcess) -> None:
    half = math.tau * 240 / 3760
    episode = open_episode(client, fields_of_view=[half])
    crop = observe(client, episode, frame_id=0, field_of_view=half).observation.crop
    assert (crop.width, crop.height, crop.y_offset) == (240, 240, 120)
    refused = observe(client, episode, frame_id=0)
    assert refused.status == Observe.Response.INVALID_FIELD_OF_VIEW


def test_list_recordings(client: Client, replay: NodeProcess) -> None:
    request = ListRecordings.Request(with_stamps=True)
    response = client.call(ListRecordings, "list_recordings", request)
    assert response.success and not response.free_mode
    assert [info.name for info in response.sequences] == [HALL, PLAZA]
    info = response.sequences[1]
    assert list(info.frame_ids) == list(range(FRAMES))
    assert (info.width, info.height) == (3760, 480)
    assert (info.vertical_focal_length, info.principal_row) == (482.924, 209.383)
    assert info.ground_height == -0.9
    times = [stamp.sec * 10**6 + stamp.nanosec // 1000 for stamp in info.stamps]
    assert np.abs(np.array(times) - [stamp_us(i) for i in range(FRAMES)]).max() <= 1
    named = client.call(ListRecordings, "list_recordings", ListRecordings.Request(sequence=HALL))
    assert [info.name for info in named.sequences] == [HALL]
    assert not named.sequences[0].stamps
    unknown = ListRecordings.Request(sequence="../elsewhere")
    refused = client.call(ListRecordings, "list_recordings", unknown)
    assert not refused.success and refused.message


def test_free_mode(client: Client, replay: NodeProcess, free_replay: NodeProcess) -> None:
    disabled = observe(client, "", sequence=PLAZA, frame_id=0)
    assert disabled.status == Observe.Response.FREE_MODE_DISABLED
    assert disabled.remaining_observations == -1
    response = observe(client, "", "free/", sequence=PLAZA, frame_id=0)
    assert (response.status, response.remaining_observations) == (0, -1)
    assert response.observation.header.frame_id == "mast"
    unnamed = observe(client, "", "free/", frame_id=0)
    assert unnamed.status == Observe.Response.UNKNOWN_SEQUENCE


def test_a_subscriber_that_asks_for_more_is_reported(client: Client, replay: NodeProcess) -> None:
    diagnostics = client.collect(DiagnosticArray, "/diagnostics", qos.DIAGNOSTICS)
    demanding = QoSProfile(depth=10, deadline=Duration(seconds=1))
    records = client.collect(LedgerRecord, "replay/observations", demanding)
    diagnostics.wait_for(
        lambda messages: any(
            message.status[0].name == "replay"
            and "quality of service of ~/observations" in message.status[0].message
            for message in messages
        )
    )
    records.close()
    diagnostics.close()


some_text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5)
some_fields = st.fixed_dictionaries(
    {},
    optional={
        "request_id": st.sampled_from(["", "a", "b"]) | some_text,
        "sequence": st.sampled_from(["", PLAZA, HALL]) | some_text,
        "frame_id": st.integers(-2, FRAMES + 1) | st.integers(-(2**63), 2**63 - 1),
        "azimuth": st.floats(-3.2, 3.2) | st.floats(),
        "field_of_view": st.just(0.0) | st.floats(),
        "image_format": st.integers(0, 1) | st.integers(0, 255),
    },
)


@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(requests=st.lists(some_fields, min_size=1, max_size=20), budget=st.integers(1, 6))
def test_random_requests_neither_crash_nor_overspend(
    client: Client, replay: NodeProcess, requests: list[dict[str, Any]], budget: int
) -> None:
    episode = open_episode(client, max_observations=budget)
    granted: set[str] = set()
    for fields in requests:
        response = observe(client, episode, **fields)
        if response.status == Observe.Response.OK:
            granted.add(response.observation.observation_id)
            assert abs(response.observation.azimuth) <= math.pi
        assert 0 <= response.remaining_observations <= budget - len(granted) + 1
    assert len(granted) <= budget
    ledger = close(client, episode).ledger
    assert {record.observation_id for record in ledger if record.status == 0} == granted
    assert [record.sequence_number for record in ledger] == list(range(1, len(ledger) + 1))
    assert replay.process.poll() is None
