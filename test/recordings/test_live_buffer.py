"""A stream's last seconds: ids, what expires, bounds, reading while frames come."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from recording_files import HEIGHT, WIDTH, frames, jpeg_of, pixels_of

from avr_ros.recordings import jpeg
from avr_ros.recordings.errors import (
    FrameExpired,
    FrameNotFound,
    FrameRefused,
    InvalidSequenceName,
    RecordingClosed,
    StampNotIncreasing,
    TimeNotFound,
    UnknownSequence,
)
from avr_ros.recordings.live_buffer import LiveBuffer
from avr_ros.recordings.raw_image import RawFormat
from avr_ros.recordings.recording import Recording, StoredAs

SECONDS = 20.0
JPEGS = [jpeg_of(number) for number in range(12)]


def test_it_serves_what_a_recording_serves() -> None:
    content = frames(10)
    buffer = LiveBuffer("front", seconds=60)
    recording: Recording = buffer
    assert recording.sequences() == ()
    with pytest.raises(UnknownSequence, match="no frame yet"):
        recording.sequence("front")
    assert [buffer.push(frame.stamp_us, frame.jpeg) for frame in content] == list(range(10))
    assert recording.sequences() == ("front",)
    info = recording.sequence("front")
    assert info.frame_ids.tolist() == list(range(10))
    assert info.stamps_us.tolist() == [frame.stamp_us for frame in content]
    assert (info.width, info.height, info.stored_as) == (WIDTH, HEIGHT, StoredAs.JPEG)
    for at, frame in enumerate(content):
        assert recording.encoded("front", at) == frame.jpeg
        panorama = recording.panorama("front", at)
        assert np.array_equal(panorama, jpeg.decode(frame.jpeg))
        assert not panorama.flags.writeable
        assert recording.frame_at("front", frame.stamp_us + 5) == at
    with pytest.raises(FrameNotFound):
        recording.panorama("front", 10)
    with pytest.raises(TimeNotFound):
        recording.frame_at("front", content[0].stamp_us - 10**6)
    with pytest.raises(UnknownSequence):
        recording.encoded("back", 0)
    with pytest.raises(InvalidSequenceName):
        recording.encoded("../front", 0)
    recording.close()
    recording.close()
    for ask in (
        lambda: recording.sequences(),
        lambda: recording.panorama("front", 9),
        lambda: buffer.push(1 << 52, content[0].jpeg),
    ):
        with pytest.raises(RecordingClosed):
            ask()


def test_frames_older_than_the_window_expire() -> None:
    buffer = LiveBuffer(seconds=0.3)
    for at in range(6):
        buffer.push(1_000_000 + at * 100_000, JPEGS[at])
        buffer.panorama("live", at)
    assert buffer.sequence("live").frame_ids.tolist() == [2, 3, 4, 5], "both ends included"
    for ask in (buffer.panorama, buffer.encoded):
        with pytest.raises(FrameExpired, match="Frame 1 has left the stream live; it holds 2 to 5"):
            ask("live", 1)
        with pytest.raises(FrameNotFound) as caught:
            ask("live", 6)
        assert not isinstance(caught.value, FrameExpired)
        with pytest.raises(FrameNotFound) as caught:
            ask("live", -1)
        assert not isinstance(caught.value, FrameExpired)
    assert 1 not in buffer._panoramas and 2 in buffer._panoramas
    buffer.push(9_000_000, JPEGS[6])
    assert buffer.sequence("live").frame_ids.tolist() == [6]


def test_bytes_are_bounded_too() -> None:
    largest = max(map(len, JPEGS))
    buffer = LiveBuffer(seconds=3600, max_bytes=largest * 3)
    for at, data in enumerate(JPEGS):
        buffer.push(at, data)
        held = buffer.sequence("live").frame_ids
        assert buffer.bytes_held == sum(len(JPEGS[held_id]) for held_id in held) <= largest * 3
    assert 3 <= buffer.sequence("live").frame_ids.size < 6
    small = LiveBuffer(max_bytes=10)
    with pytest.raises(FrameRefused, match="its whole buffer 10"):
        small.push(1, JPEGS[0])


def test_refused_frames_take_no_id() -> None:
    buffer = LiveBuffer()
    buffer.push(100, JPEGS[0])
    for stamp in (100, 99, 0):
        with pytest.raises(StampNotIncreasing, match="came after one at 100 us"):
            buffer.push(stamp, JPEGS[1])
    for data in (b"", b"no image", JPEGS[1][:-50]):
        with pytest.raises(FrameRefused, match="stream live at 200 us"):
            buffer.push(200, data)
    with pytest.raises(FrameRefused, match="turned to 16 x 8 px"):
        buffer.push(200, jpeg.encode(np.zeros((8, 16, 3), np.uint8)))
    with pytest.raises(FrameRefused, match="of -5 us"):
        buffer.push(-5, JPEGS[1])
    assert buffer.push(200, JPEGS[1]) == 1
    assert buffer.sequence("live").frame_ids.tolist() == [0, 1]


def test_a_restart_lets_everything_expire_and_ids_go_on() -> None:
    buffer = LiveBuffer()
    for at in range(3):
        buffer.push(1000 + at, JPEGS[at])
    buffer.restart()
    assert buffer.sequences() == ()
    with pytest.raises(FrameExpired, match="it holds none"):
        buffer.panorama("live", 2)
    with pytest.raises(FrameNotFound):
        buffer.panorama("live", 3)
    assert buffer.push(5, jpeg.encode(np.zeros((8, 16, 3), np.uint8))) == 3
    assert buffer.panorama("live", 3).shape == (8, 16, 3)
    with pytest.raises(FrameExpired):
        buffer.panorama("live", 0)


def test_raw_images() -> None:
    buffer = LiveBuffer()
    form = RawFormat(WIDTH, HEIGHT, WIDTH * 3, "rgb8")
    buffer.push(1, pixels_of(0)[:, :, ::-1].tobytes(), form)
    assert buffer.sequence("live").stored_as is StoredAs.RAW
    assert np.array_equal(buffer.panorama("live", 0), pixels_of(0))
    assert buffer.encoded("live", 0) == jpeg.encode(pixels_of(0))
    for wrong in (RawFormat(WIDTH, HEIGHT, 3, "rgb8"), RawFormat(WIDTH, HEIGHT, WIDTH, "yuv422")):
        with pytest.raises(FrameRefused):
            buffer.push(2, b"x" * 10_000, wrong)
    with pytest.raises(FrameRefused, match="turned to"):
        buffer.push(2, JPEGS[0])


@given(
    st.lists(st.integers(-30, 120), max_size=40),
    st.integers(1, 300),
    st.integers(max(map(len, JPEGS)), sum(map(len, JPEGS))),
)
def test_it_equals_a_plain_list_of_what_was_pushed(
    gaps: list[int], window_us: int, max_bytes: int
) -> None:
    buffer = LiveBuffer(seconds=window_us / 1e6, max_bytes=max_bytes)
    held: list[tuple[int, int, bytes]] = []
    now, next_id = 1000, 0
    for at, gap in enumerate(gaps):
        data = JPEGS[at % len(JPEGS)]
        if gap <= 0 and held:
            with pytest.raises(StampNotIncreasing):
                buffer.push(held[-1][1] + gap, data)
            continue
        now += abs(gap)
        assert buffer.push(now, data) == next_id
        held.append((next_id, now, data))
        next_id += 1
        held = [frame for frame in held if frame[1] >= now - window_us]
        while sum(len(frame[2]) for frame in held) > max_bytes:
            held.pop(0)
        info = buffer.sequence("live")
        assert list(zip(info.frame_ids.tolist(), info.stamps_us.tolist(), strict=True)) == [
            frame[:2] for frame in held
        ]
        for frame_id, stamp, image in held:
            assert buffer.encoded("live", frame_id) == image
            assert buffer.frame_at("live", stamp) == frame_id
        for frame_id in range(held[0][0]):
            with pytest.raises(FrameExpired):
                buffer.encoded("live", frame_id)


def test_reading_while_frames_come() -> None:
    buffer = LiveBuffer(seconds=0.01, cache_bytes=WIDTH * HEIGHT * 3 * 4)
    expected = [jpeg.decode(data) for data in JPEGS]
    buffer.push(0, JPEGS[0])
    done = threading.Event()

    def read(seed: int) -> int:
        generator = np.random.default_rng(seed)
        read_frames = 0
        while not done.is_set() or read_frames == 0:
            info = buffer.sequence("live")
            ids = info.frame_ids
            assert np.array_equal(np.diff(ids), np.ones(ids.size - 1))
            frame_id = int(generator.choice(ids))
            try:
                panorama = buffer.panorama("live", frame_id)
                data = buffer.encoded("live", frame_id)
            except FrameExpired:
                continue
            assert data == JPEGS[frame_id % len(JPEGS)]
            assert np.array_equal(panorama, expected[frame_id % len(JPEGS)])
            read_frames += 1
        return read_frames

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read, seed) for seed in range(4)]
        try:
            for at in range(1, 3000):
                buffer.push(at * 1000, JPEGS[at % len(JPEGS)])
        finally:
            done.set()
        assert all(reader.result(SECONDS) for reader in readers)


def test_a_buffer_must_be_able_to_hold_something() -> None:
    for seconds, max_bytes in ((0.0, 10), (float("nan"), 10), (1.0, 0)):
        with pytest.raises(ValueError, match="cannot hold"):
            LiveBuffer(seconds=seconds, max_bytes=max_bytes)
    with pytest.raises(InvalidSequenceName):
        LiveBuffer("a/b")
