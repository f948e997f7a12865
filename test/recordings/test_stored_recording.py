"""Decoding once, prefetching neighbours, many threads at once, closing under load."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from recording_files import HEIGHT, KINDS, WIDTH, frames

from avr_ros.recordings import jpeg
from avr_ros.recordings.errors import RecordingClosed
from avr_ros.recordings.open_recording import open_recording
from avr_ros.recordings.stored_recording import StoredRecording

CONTENT = frames(20)
PANORAMA = WIDTH * HEIGHT * 3
SECONDS = 20.0
SAMPLED_KINDS = ["folder", "rosbag1", "rosbag1 lz4", "mcap bare", "mcap zstd", "sqlite"]


@pytest.fixture
def decodings(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[bytes]]:
    """Count how often each JPEG is decoded."""
    count: Counter[bytes] = Counter()
    lock = threading.Lock()
    decode = jpeg.decode

    def counted(data: bytes) -> npt.NDArray[np.uint8]:
        with lock:
            count[data] += 1
        return decode(data)

    monkeypatch.setattr(jpeg, "decode", counted)
    return count


def idle(recording: StoredRecording) -> None:
    prefetcher = recording._prefetcher
    assert prefetcher is not None and prefetcher.wait_idle(SECONDS)


@pytest.mark.parametrize("kind", SAMPLED_KINDS)
def test_many_threads_get_the_right_pixels_and_decode_each_frame_once(
    kind: str, tmp_path: Path, decodings: Counter[bytes]
) -> None:
    path = KINDS[kind](tmp_path, CONTENT)
    expected = [jpeg.decode(frame.jpeg) for frame in CONTENT]
    decodings.clear()
    barrier = threading.Barrier(8)

    with open_recording(path, cache_bytes=PANORAMA * 20) as recording:

        def ask(start: int) -> None:
            barrier.wait(SECONDS)
            for step in range(100):
                frame_id = (start * 7 + step * step) % 20
                assert np.array_equal(recording.panorama("walk", frame_id), expected[frame_id])
                assert recording.encoded("walk", frame_id) == CONTENT[frame_id].jpeg
                assert recording.frame_at("walk", CONTENT[frame_id].stamp_us) == frame_id

        with ThreadPoolExecutor(8) as pool:
            for future in [pool.submit(ask, start) for start in range(8)]:
                future.result(SECONDS)
        idle(recording)
    assert max(decodings.values()) == 1


def test_decoded_panoramas_stay_within_the_bound(tmp_path: Path, decodings: Counter[bytes]) -> None:
    path = KINDS["mcap bare"](tmp_path, CONTENT)
    bound = PANORAMA * 3 + 10
    with open_recording(path, cache_bytes=bound, prefetch=False) as recording:
        for frame_id in [*range(20), *range(20)]:
            recording.panorama("walk", frame_id)
            assert recording._panoramas.bytes_held <= bound
        assert len(recording._panoramas) == 3
        assert set(decodings.values()) == {2}
        recording.panorama("walk", 19)
        assert set(decodings.values()) == {2}
    with open_recording(path, cache_bytes=0, prefetch=False) as recording:
        assert recording.panorama("walk", 1).shape == (HEIGHT, WIDTH, 3)
        assert len(recording._panoramas) == 0


def test_frames_in_a_row_are_decoded_ahead_scattered_ones_are_not(
    tmp_path: Path, decodings: Counter[bytes]
) -> None:
    def decoded() -> set[int]:
        idle(recording)
        return {at for at, frame in enumerate(CONTENT) if decodings[frame.jpeg]}

    with open_recording(KINDS["rosbag1"](tmp_path, CONTENT)) as recording:
        for frame_id in (5, 15, 10, 18):
            recording.panorama("walk", frame_id)
        assert decoded() == {5, 10, 15, 18}
        recording.panorama("walk", 6)
        assert decoded() == {5, 6, 7, 10, 15, 18}
        recording.panorama("walk", 7)
        assert decoded() == {5, 6, 7, 8, 10, 15, 18}
        recording.panorama("walk", 14)
        assert decoded() == {5, 6, 7, 8, 10, 13, 14, 15, 18}
        recording.panorama("walk", 19)
        assert decoded() == {5, 6, 7, 8, 10, 13, 14, 15, 18, 19}
        assert set(decodings.values()) == {1}


def test_prefetching_can_be_switched_off(tmp_path: Path, decodings: Counter[bytes]) -> None:
    threads = threading.active_count()
    with open_recording(KINDS["rosbag1"](tmp_path, CONTENT), prefetch=False) as recording:
        for frame_id in range(10):
            recording.panorama("walk", frame_id)
        assert threading.active_count() == threads
    assert len(decodings) == 10


@pytest.mark.parametrize("kind", SAMPLED_KINDS)
def test_closing_under_load_is_clean(kind: str, tmp_path: Path) -> None:
    path = KINDS[kind](tmp_path, CONTENT)
    recording = open_recording(path, cache_bytes=PANORAMA * 2)
    started = threading.Barrier(5)
    wrong: list[BaseException] = []

    def ask(start: int) -> None:
        started.wait(SECONDS)
        try:
            for step in range(100_000):
                frame_id = (start + step) % 20
                assert recording.encoded("walk", frame_id) == CONTENT[frame_id].jpeg
                recording.panorama("walk", frame_id)
        except RecordingClosed:
            return
        except BaseException as error:
            wrong.append(error)
            raise
        wrong.append(AssertionError("was never closed"))

    threads = [threading.Thread(target=ask, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    started.wait(SECONDS)
    recording.close()
    recording.close()
    for thread in threads:
        thread.join(SECONDS)
        assert not thread.is_alive()
    assert wrong == []
    assert "prefetch" not in {thread.name for thread in threading.enumerate()}


def test_files_are_closed(tmp_path: Path) -> None:
    def open_files() -> set[str]:
        return {
            str(link.resolve())
            for link in Path("/proc/self/fd").iterdir()
            if str(link.resolve()).startswith(str(tmp_path))
        }

    for kind in SAMPLED_KINDS:
        folder = tmp_path / kind
        folder.mkdir()
        path = KINDS[kind](folder, CONTENT)
        with open_recording(path) as recording:
            recording.encoded("walk", 3)
            assert kind == "folder" or open_files()
        assert open_files() == set()
    for name in ("a.bag", "b.mcap", "c.db3"):
        broken = tmp_path / name
        heads = {"a": b"#ROSBAG V2.0\n", "b": b"\x89MCAP0\r\n", "c": b"SQLite format 3\0"}
        broken.write_bytes(heads[name[0]] + bytes(100))
        with pytest.raises(Exception, match=name):
            open_recording(broken)
        assert open_files() == set()
