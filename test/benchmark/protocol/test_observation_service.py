"""The observation service: refusals by status, budgets, request ids, ledgers."""

import json
import math
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from avr_ros.benchmark.protocol.episode import REFUSALS_KEPT
from avr_ros.benchmark.protocol.service import (
    CLOSED_EPISODES_KEPT,
    MAX_OPEN_EPISODES,
    ObservationService,
)
from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW, cut
from avr_ros.recordings.jpeg import decode, encode
from avr_ros.recordings.open_recording import open_recording
from avr_ros.recordings.recording import Recording
from avr_ros.schema.episode import (
    CloseStatus,
    EpisodeSpecification,
    LedgerKind,
    LedgerRecord,
    OpenStatus,
)
from avr_ros.schema.observation import ImageFormat, ObserveRequest, ObserveStatus

FRAMES = 8
STAMPS_US = [1_555_960_991_466_809 + 68_500 * frame for frame in range(FRAMES)]
UNREADABLE = 6


def _panorama(frame: int) -> np.ndarray:
    columns = np.linspace(0, 255, 3760, dtype=np.uint8)
    picture = np.repeat(columns[None, :, None], 480, axis=0).repeat(3, axis=2)
    picture = picture.copy()
    picture[:, :, 0] = 20 * frame
    return picture


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recording]:
    """Two sequences of a JRDB folder, the first with one damaged image."""
    root = tmp_path_factory.mktemp("recording")
    for name in ("hall", "street"):
        images = root / "images" / "image_stitched" / name
        images.mkdir(parents=True)
        entries = []
        for frame in range(FRAMES):
            data = encode(_panorama(frame))
            if name == "hall" and frame == UNREADABLE:
                data = data[: len(data) // 2]
            (images / f"{frame:06d}.jpg").write_bytes(data)
            stamp = STAMPS_US[frame] / 1e6
            url = f"{name}/stitched_image0/{frame:06d}.jpg"
            entries.append(
                {
                    "frame_id": frame,
                    "timestamp": stamp,
                    "cameras": [{"name": "stitched_image0", "url": url, "timestamp": stamp}],
                }
            )
        stamps = root / "timestamps" / name
        stamps.mkdir(parents=True)
        (stamps / "frames_img.json").write_text(json.dumps({"data": entries}))
    opened = open_recording(root)
    yield opened
    opened.close()


@pytest.fixture
def service(recording: Recording) -> ObservationService:
    """A service with one open episode, ``q``: frames 1 to 6, three observations."""
    made = ObservationService(recording)
    opened = made.open_episode(_specification())
    assert opened.status is OpenStatus.OK, opened.message
    return made


def _specification(**changes: object) -> EpisodeSpecification:
    return replace(
        EpisodeSpecification(
            episode_id="q",
            sequence="hall",
            legal_frames=(1, 2, 3, 4, 5, 6),
            max_observations=3,
            given_frames=(2, 4),
        ),
        **changes,  # type: ignore[arg-type]
    )


def _request(**changes: object) -> ObserveRequest:
    return replace(
        ObserveRequest(frame_id=2, azimuth=0.5, episode_id="q"),
        **changes,  # type: ignore[arg-type]
    )


def test_a_view_is_the_crop_of_the_stored_frame(
    service: ObservationService, recording: Recording
) -> None:
    response = service.observe(_request(azimuth=math.pi, image_format=ImageFormat.RAW))
    assert response.status is ObserveStatus.OK
    assert response.remaining_observations == 2
    observation = response.observation
    assert observation is not None and observation.raw is not None
    assert observation.observation_id == "q/1"
    assert observation.stamp_ns == STAMPS_US[2] * 1000
    assert (observation.crop.left, observation.crop.width) == (3520, 480)
    expected = cut(recording.panorama("hall", 2), observation.crop)
    assert np.array_equal(observation.raw, expected)
    again = service.observe(_request(azimuth=math.pi)).observation
    assert again is not None and again.jpeg is not None
    assert again.jpeg == encode(expected)
    assert decode(again.jpeg).shape == (480, 480, 3)


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"frame_id": 0}, ObserveStatus.FRAME_NOT_LEGAL),
        ({"frame_id": 99}, ObserveStatus.FRAME_NOT_LEGAL),
        ({"frame_id": -2}, ObserveStatus.FRAME_NOT_LEGAL),
        ({"azimuth": math.nan}, ObserveStatus.INVALID_AZIMUTH),
        ({"azimuth": math.inf}, ObserveStatus.INVALID_AZIMUTH),
        ({"azimuth": 3.2}, ObserveStatus.INVALID_AZIMUTH),
        ({"field_of_view": 1.0}, ObserveStatus.INVALID_FIELD_OF_VIEW),
        ({"field_of_view": 0.4}, ObserveStatus.INVALID_FIELD_OF_VIEW),
        ({"field_of_view": math.nan}, ObserveStatus.INVALID_FIELD_OF_VIEW),
        ({"image_format": 7}, ObserveStatus.INVALID_FORMAT),
        ({"sequence": "street"}, ObserveStatus.UNKNOWN_SEQUENCE),
        ({"sequence": "../hall"}, ObserveStatus.UNKNOWN_SEQUENCE),
        ({"episode_id": "nobody"}, ObserveStatus.UNKNOWN_EPISODE),
        ({"episode_id": ""}, ObserveStatus.FREE_MODE_DISABLED),
        ({"frame_id": -1, "stamp_ns": 0}, ObserveStatus.TIME_NOT_FOUND),
        ({"frame_id": -1, "stamp_ns": STAMPS_US[0] * 1000}, ObserveStatus.FRAME_NOT_LEGAL),
        ({"frame_id": UNREADABLE}, ObserveStatus.UNREADABLE_FRAME),
    ],
)
def test_refusals_carry_their_status_and_cost_nothing(
    service: ObservationService, changes: dict[str, object], status: ObserveStatus
) -> None:
    response = service.observe(_request(**changes))
    assert response.status is status
    assert response.message
    assert response.observation is None
    assert service.observe(_request()).remaining_observations == 2


def test_a_time_takes_the_nearest_frame_within_half_the_gap(service: ObservationService) -> None:
    stamp_ns = STAMPS_US[3] * 1000 + 34_000_000
    response = service.observe(_request(frame_id=-1, stamp_ns=stamp_ns))
    assert response.observation is not None
    assert response.observation.frame_id == 3


def test_an_exhausted_budget_refuses_and_stays_exhausted(service: ObservationService) -> None:
    left = [service.observe(_request(frame_id=frame)).remaining_observations for frame in (1, 2, 3)]
    assert left == [2, 1, 0]
    response = service.observe(_request(frame_id=4))
    assert response.status is ObserveStatus.BUDGET_EXHAUSTED
    assert response.remaining_observations == 0


def test_the_same_request_id_is_charged_once_and_answered_alike(
    service: ObservationService,
) -> None:
    first = service.observe(_request(request_id="a"))
    service.observe(_request(request_id="b", frame_id=3))
    again = service.observe(_request(request_id="a"))
    assert first.observation is not None and again.observation is not None
    assert again.observation.jpeg == first.observation.jpeg
    assert again.observation.observation_id == first.observation.observation_id
    assert again.remaining_observations == first.remaining_observations == 2
    closed = service.close_episode("q")
    assert closed.ledger is not None
    assert [record.request_id for record in closed.ledger.records] == ["a", "b"]


def test_a_repeated_request_by_time_is_answered_with_the_frame_of_the_first(
    service: ObservationService,
) -> None:
    by_time = _request(request_id="t", frame_id=-1, stamp_ns=STAMPS_US[4] * 1000)
    first, again = service.observe(by_time), service.observe(by_time)
    assert first.observation is not None and again.observation is not None
    assert again.observation.frame_id == first.observation.frame_id == 4
    assert again.remaining_observations == 2


@pytest.mark.parametrize("first", [{}, {"frame_id": 0}])
def test_a_request_id_with_other_content_is_a_conflict(
    service: ObservationService, first: dict[str, object]
) -> None:
    service.observe(_request(request_id="a", **first))
    response = service.observe(_request(request_id="a", frame_id=3))
    assert response.status is ObserveStatus.REQUEST_ID_CONFLICT


def test_a_repeat_is_served_when_the_budget_is_gone(service: ObservationService) -> None:
    for name in ("a", "b", "c"):
        service.observe(_request(request_id=name))
    assert service.observe(_request(request_id="a")).status is ObserveStatus.OK


def test_closing_returns_the_ledger_and_again_the_same(service: ObservationService) -> None:
    service.observe(_request())
    service.observe(_request(frame_id=0))
    assert service.given_frame("q", 4).status is ObserveStatus.OK
    assert service.given_frame("q", 4).status is ObserveStatus.OK
    assert service.given_frame("q", 3).status is ObserveStatus.FRAME_NOT_LEGAL
    closed = service.close_episode("q")
    assert closed.status is CloseStatus.OK and closed.ledger is not None
    summary = [(r.sequence_number, r.kind, r.status) for r in closed.ledger.records]
    assert summary == [
        (1, LedgerKind.OBSERVATION, ObserveStatus.OK),
        (2, LedgerKind.OBSERVATION, ObserveStatus.FRAME_NOT_LEGAL),
        (3, LedgerKind.GIVEN_FRAME, ObserveStatus.OK),
        (4, LedgerKind.GIVEN_FRAME, ObserveStatus.FRAME_NOT_LEGAL),
    ]
    assert service.close_episode("q") == closed
    assert service.observe(_request()).status is ObserveStatus.EPISODE_CLOSED
    assert service.given_frame("q", 4).status is ObserveStatus.EPISODE_CLOSED
    assert service.open_episode(_specification()).status is OpenStatus.EPISODE_EXISTS
    assert service.close_episode("nobody").status is CloseStatus.UNKNOWN_EPISODE


def test_a_given_frame_is_the_stored_file(
    service: ObservationService, recording: Recording
) -> None:
    response = service.given_frame("q", 4)
    assert response.frame is not None
    assert response.frame.jpeg == recording.encoded("hall", 4)
    assert response.frame.observation_id == "q/given/4"
    assert service.observe(_request()).remaining_observations == 2


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"episode_id": ""}, OpenStatus.INVALID_EPISODE_ID),
        ({"episode_id": "a\nb"}, OpenStatus.INVALID_EPISODE_ID),
        ({"episode_id": "x" * 257}, OpenStatus.INVALID_EPISODE_ID),
        ({"max_observations": 4}, OpenStatus.EPISODE_EXISTS),
        ({"episode_id": "n", "sequence": ""}, OpenStatus.UNKNOWN_SEQUENCE),
        ({"episode_id": "n", "sequence": "nowhere"}, OpenStatus.UNKNOWN_SEQUENCE),
        ({"episode_id": "n", "sequence": "/hall"}, OpenStatus.UNKNOWN_SEQUENCE),
        ({"episode_id": "n", "legal_frames": (1, 8)}, OpenStatus.INVALID_LEGAL_FRAMES),
        ({"episode_id": "n", "given_frames": (7,)}, OpenStatus.INVALID_GIVEN_FRAMES),
        ({"episode_id": "n", "max_observations": 0}, OpenStatus.INVALID_BUDGET),
        ({"episode_id": "n", "max_observations": 10_001}, OpenStatus.INVALID_BUDGET),
        ({"episode_id": "n", "fields_of_view": (1.0,)}, OpenStatus.INVALID_FIELD_OF_VIEW),
        ({"episode_id": "n", "fields_of_view": (math.nan,)}, OpenStatus.INVALID_FIELD_OF_VIEW),
        ({"episode_id": "n", "fields_of_view": (0.0,)}, OpenStatus.INVALID_FIELD_OF_VIEW),
    ],
)
def test_an_episode_that_makes_no_sense_is_not_opened(
    service: ObservationService, changes: dict[str, object], status: OpenStatus
) -> None:
    response = service.open_episode(_specification(**changes))
    assert response.status is status
    assert response.message


def test_opening_again_with_the_same_content_is_no_error(service: ObservationService) -> None:
    service.observe(_request())
    assert service.open_episode(_specification()).status is OpenStatus.OK
    assert service.observe(_request()).remaining_observations == 1


def test_a_narrower_view_is_served_where_the_episode_lists_it(recording: Recording) -> None:
    service = ObservationService(recording)
    narrow = DEFAULT_FIELD_OF_VIEW / 2
    service.open_episode(_specification(fields_of_view=(narrow,)))
    default = service.observe(_request())
    assert default.status is ObserveStatus.INVALID_FIELD_OF_VIEW
    response = service.observe(_request(field_of_view=narrow, image_format=ImageFormat.RAW))
    assert response.observation is not None and response.observation.raw is not None
    crop = response.observation.crop
    assert (crop.width, crop.height, crop.top) == (240, 240, 120)
    assert response.observation.raw.shape == (480, 480, 3)


def test_free_mode_serves_without_a_budget(recording: Recording) -> None:
    records: list[LedgerRecord] = []
    service = ObservationService(recording, free_mode=True, on_record=records.append)
    free = _request(episode_id="", sequence="street")
    assert service.observe(free).remaining_observations == -1
    assert service.observe(replace(free, sequence="")).status is ObserveStatus.UNKNOWN_SEQUENCE
    assert [record.sequence_number for record in records] == [0, 0]


def test_memory_is_bounded(recording: Recording) -> None:
    service = ObservationService(recording)
    for number in range(MAX_OPEN_EPISODES):
        name = f"e{number}"
        assert service.open_episode(_specification(episode_id=name)).status is OpenStatus.OK
    full = service.open_episode(_specification(episode_id="more"))
    assert full.status is OpenStatus.TOO_MANY_EPISODES
    for _ in range(REFUSALS_KEPT + 5):
        service.observe(_request(episode_id="e0", frame_id=0))
    ledger = service.close_episode("e0").ledger
    assert ledger is not None
    assert len(ledger.records) == REFUSALS_KEPT
    assert ledger.refusals_not_recorded == 5
    for number in range(CLOSED_EPISODES_KEPT):
        service.open_episode(_specification(episode_id=f"c{number}"))
        service.close_episode(f"c{number}")
    assert service.close_episode("e0").status is CloseStatus.UNKNOWN_EPISODE


def test_parallel_requests_never_pass_the_budget(recording: Recording) -> None:
    records: list[LedgerRecord] = []
    service = ObservationService(recording, on_record=records.append)
    service.open_episode(_specification(max_observations=50))
    start = threading.Barrier(8)

    def ask(worker: int) -> None:
        start.wait()
        for number in range(20):
            service.observe(_request(request_id=f"{worker % 4}-{number}", frame_id=1 + number % 5))

    workers = [threading.Thread(target=ask, args=(worker,)) for worker in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    ledger = service.close_episode("q").ledger
    assert ledger is not None
    granted = [record for record in ledger.records if record.granted]
    assert len(granted) == 50
    assert [r.remaining_observations for r in granted] == list(range(49, -1, -1))
    assert len({record.request_id for record in granted}) == 50
    assert [record.sequence_number for record in records] == list(range(1, len(records) + 1))
    assert tuple(records) == ledger.records


ANY_REQUEST = st.builds(
    ObserveRequest,
    frame_id=st.one_of(st.integers(-3, 9), st.integers(-(2**63), 2**63 - 1)),
    azimuth=st.one_of(st.floats(-math.pi, math.pi), st.floats()),
    episode_id=st.sampled_from(["q", "q", "q", "", "nobody", "\x00"]),
    request_id=st.sampled_from(["", "a", "b", "c"]),
    sequence=st.one_of(st.sampled_from(["", "hall", "street", "../hall", "/"]), st.text()),
    stamp_ns=st.one_of(
        st.sampled_from([stamp * 1000 for stamp in STAMPS_US]),
        st.integers(-(2**31) * 10**9, 2**31 * 10**9),
    ),
    field_of_view=st.one_of(st.just(0.0), st.floats()),
    image_format=st.one_of(st.sampled_from([0, 1]), st.integers(0, 255)),
)


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(requests=st.lists(ANY_REQUEST, max_size=40))
def test_no_sequence_of_requests_breaks_the_rules(
    recording: Recording, requests: list[ObserveRequest]
) -> None:
    service = ObservationService(recording)
    service.open_episode(_specification())
    for request in requests:
        response = service.observe(request)
        assert (response.observation is not None) == (response.status is ObserveStatus.OK)
        assert bool(response.message) == (response.status is not ObserveStatus.OK)
        assert response.remaining_observations >= 0 or not request.episode_id
    ledger = service.close_episode("q").ledger
    assert ledger is not None
    granted = [record for record in ledger.records if record.granted]
    assert len(granted) <= 3
    for record in granted:
        assert record.frame_id in range(1, 7)
        assert abs(record.azimuth) <= math.pi
        assert record.field_of_view == DEFAULT_FIELD_OF_VIEW


def test_paths_in_the_test_stay_in_the_data_set(recording: Recording, tmp_path: Path) -> None:
    outside = tmp_path / "images" / "image_stitched" / "secret"
    outside.mkdir(parents=True)
    cv2.imwrite(str(outside / "000000.jpg"), _panorama(0))
    service = ObservationService(recording, free_mode=True)
    response = service.observe(_request(episode_id="", sequence=str(outside), frame_id=0))
    assert response.status is ObserveStatus.UNKNOWN_SEQUENCE
