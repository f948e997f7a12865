"""Bags that were cut off or damaged: what is whole stays usable, what is lost is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcap.reader import make_reader
from mcap.writer import CompressionType
from recording_files import KINDS, TOPIC, Frame, frames, write_mcap, write_rosbag1, write_timestamps
from rosbags.rosbag1 import Reader as Rosbag1Reader

from avr_ros.recordings.errors import RecordingError, UnreadableFrame
from avr_ros.recordings.open_recording import open_recording
from avr_ros.recordings.recording import NO_STAMP, NoticeKind, SequenceInfo

CONTENT = frames(9)
FILES = {
    "rosbag1": "walk.bag",
    "rosbag1 bz2": "walk.bag",
    "rosbag1 lz4": "walk.bag",
    "mcap bare": "walk.mcap",
    "mcap lz4": "walk.mcap",
    "mcap zstd": "walk.mcap",
    "mcap one message a chunk": "walk.mcap",
    "mcap without chunks": "walk.mcap",
    "mcap by rosbags": "walk/walk.mcap",
    "sqlite": "walk/walk.db3",
    "sqlite bare": "walk/walk.db3",
}


@pytest.fixture(scope="module", params=FILES)
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("whole")
    KINDS[request.param](root, CONTENT)
    return root / FILES[request.param]


def kinds_of(info: SequenceInfo) -> set[NoticeKind]:
    return {notice.kind for notice in info.notices}


def check_prefix(path: Path) -> int:
    """Check that the readable frames are the first ones, unchanged; return how many there are."""
    try:
        recording = open_recording(path, prefetch=False)
    except RecordingError as error:
        assert str(path.name) in str(error)
        return 0
    with recording:
        (name,) = recording.sequences()
        info = recording.sequence(name)
        count = info.frame_ids.size
        assert info.frame_ids.tolist() == list(range(count))
        assert info.stamps_us.tolist() == [frame.stamp_us for frame in CONTENT[:count]]
        readable = 0
        for frame_id in range(count):
            try:
                assert recording.encoded(name, frame_id) == CONTENT[frame_id].jpeg
                recording.panorama(name, frame_id)
            except UnreadableFrame as error:
                assert error.path == str(path)
            else:
                assert readable == frame_id
                readable += 1
        if readable < len(CONTENT):
            assert NoticeKind.TRUNCATED in kinds_of(info)
        else:
            # Whatever was cut off, it was no frame.
            assert not kinds_of(info) & {NoticeKind.DAMAGED, NoticeKind.FRAMES_MISSING}
        return readable


def test_a_bag_cut_off_anywhere_is_read_up_to_there(whole: Path, tmp_path: Path) -> None:
    data = whole.read_bytes()
    cut = tmp_path / whole.name
    steps = np.unique(np.linspace(0, len(data), 70).astype(int))
    counts = []
    for size in steps:
        cut.write_bytes(data[:size])
        counts.append(check_prefix(cut))
    assert counts == sorted(counts)
    assert counts[0] == 0
    assert counts[-1] == len(CONTENT)
    one_chunk = whole.parent.name == "walk"  # What rosbags writes of so few frames.
    assert len(set(counts)) > 2 or one_chunk


@settings(max_examples=30)
@given(data=st.data())
def test_a_bag_cut_off_at_random(whole: Path, data: st.DataObject) -> None:
    content = whole.read_bytes()
    size = data.draw(st.integers(0, len(content)))
    cut = whole.with_name("cut" + whole.suffix)
    cut.write_bytes(content[:size])
    check_prefix(cut)


@settings(max_examples=30)
@given(data=st.data())
def test_bytes_changed_at_random_give_frames_or_this_rooms_errors(
    whole: Path, data: st.DataObject
) -> None:
    content = bytearray(whole.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    new = data.draw(st.binary(min_size=1, max_size=16))
    content[at : at + len(new)] = new
    changed = whole.with_name("changed" + whole.suffix)
    changed.write_bytes(content)
    try:
        with open_recording(changed, prefetch=False) as recording:
            for name in recording.sequences():
                for frame_id in recording.sequence(name).frame_ids:
                    try:
                        recording.panorama(name, int(frame_id))
                    except UnreadableFrame as error:
                        assert error.path == str(changed)
    except RecordingError:
        pass


def test_every_whole_chunk_of_a_cut_off_mcap_is_read(tmp_path: Path) -> None:
    path = write_mcap(tmp_path / "walk.mcap", CONTENT, chunk_size=10_000)
    with path.open("rb") as file:
        summary = make_reader(file).get_summary()
    assert summary is not None
    images = next(i for i, channel in summary.channels.items() if channel.topic == "/" + TOPIC)
    data = path.read_bytes()
    whole_frames = 0
    for chunk in summary.chunk_indexes:
        end = chunk.chunk_start_offset + chunk.chunk_length
        path.write_bytes(data[: end - 1])
        assert check_prefix(path) == whole_frames
        path.write_bytes(data)
        with path.open("rb") as file:
            whole_frames = sum(
                message.log_time <= chunk.message_end_time
                for _, _, message in make_reader(file).iter_messages(topics=["/" + TOPIC])
            )
        path.write_bytes(data[:end])
        assert check_prefix(path) == whole_frames
    assert images and whole_frames == len(CONTENT)


def test_what_was_lost_is_said(tmp_path: Path) -> None:
    path = write_mcap(tmp_path / "walk.mcap", CONTENT, chunk_size=1)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with open_recording(path) as recording:
        (notice,) = recording.sequence("walk").notices
    assert notice.kind is NoticeKind.TRUNCATED
    assert f"passes the end, {len(data) // 2}" in notice.message
    assert "bytes from byte" in notice.message
    assert "messages of ros_indigosdk_node/stitched_image0/compressed were found" in notice.message


def test_metadata_say_how_many_messages_were_lost(tmp_path: Path) -> None:
    folder = KINDS["mcap by rosbags"](tmp_path, frames(400))
    file = folder / "walk.mcap"
    data = file.read_bytes()
    assert len(data) > 1 << 20, "more than one of the writer's chunks"
    file.write_bytes(data[: len(data) - (len(data) - (1 << 20)) // 2])
    with open_recording(folder) as recording:
        info = recording.sequence("walk")
        assert 0 < info.frame_ids.size < 400
        assert any(
            f"count 400 messages of {TOPIC}, of which {info.frame_ids.size} were found"
            in notice.message
            for notice in info.notices
        )


def _spoil(path: Path, needle: bytes, count: int = 1) -> None:
    """Change bytes in the middle of every place where ``needle`` occurs."""
    data = bytearray(path.read_bytes())
    at = data.find(needle)
    assert at >= 0 and data.count(needle) == count
    middle = at + len(needle) // 2
    data[middle : middle + 8] = bytes(byte ^ 0xFF for byte in data[middle : middle + 8])
    path.write_bytes(data)


def _compressed_chunks(path: Path) -> list[tuple[int, int]]:
    """Return start and size of every chunk's stored data."""
    if path.suffix == ".bag":
        with Rosbag1Reader(path) as reader:
            return [(chunk.datapos, chunk.datasize) for _, chunk in sorted(reader.chunks.items())]
    with path.open("rb") as file:
        summary = make_reader(file).get_summary()
    assert summary is not None
    return [
        (
            index.chunk_start_offset + index.chunk_length - index.compressed_size,
            index.compressed_size,
        )
        for index in summary.chunk_indexes
    ]


@pytest.mark.parametrize(
    "kind",
    ["rosbag1 bz2", "rosbag1 lz4", "mcap lz4", "mcap zstd", "mcap zstd without checksums"],
)
def test_a_damaged_chunk_costs_its_own_frames_and_moves_no_id(kind: str, tmp_path: Path) -> None:
    content = frames(30)
    path = KINDS[kind](tmp_path, content)
    start, size = _compressed_chunks(path)[1]
    data = bytearray(path.read_bytes())
    for at in range(start, start + min(size, 40)):
        data[at] ^= 0xFF
    path.write_bytes(data)
    with open_recording(path) as recording:
        info = recording.sequence("walk")
        assert info.frame_ids.tolist() == list(range(30))
        assert NoticeKind.DAMAGED in kinds_of(info)
        lost = [at for at in range(30) if info.stamps_us[at] == NO_STAMP]
        assert 0 < len(lost) < 15 and lost == list(range(lost[0], lost[-1] + 1)) and lost[0] > 0
        for at, frame in enumerate(content):
            if at in lost:
                with pytest.raises(UnreadableFrame, match=f"{path.name} at byte"):
                    recording.panorama("walk", at)
            else:
                assert recording.encoded("walk", at) == frame.jpeg
                assert recording.frame_at("walk", frame.stamp_us) == at


def test_a_damaged_chunk_that_nothing_indexes_costs_its_own_frames(tmp_path: Path) -> None:
    content = frames(30)
    path = KINDS["mcap zstd without message index"](tmp_path, content)
    start, size = _compressed_chunks(path)[1]
    data = bytearray(path.read_bytes())
    data[start : start + 4] = b"none"
    path.write_bytes(data)
    with open_recording(path) as recording:
        info = recording.sequence("walk")
        assert NoticeKind.DAMAGED in kinds_of(info)
        by_stamp = {frame.stamp_us: frame.jpeg for frame in content}
        assert 15 < info.frame_ids.size < 30 and size
        for frame_id, stamp in zip(info.frame_ids.tolist(), info.stamps_us.tolist(), strict=True):
            assert recording.encoded("walk", frame_id) == by_stamp[stamp]


def test_a_damaged_chunk_beside_a_timestamps_file_leaves_the_other_ids(tmp_path: Path) -> None:
    content = frames(30)
    (tmp_path / "rosbags").mkdir()
    path = write_mcap(tmp_path / "rosbags" / "walk.mcap", content, compression=CompressionType.ZSTD)
    write_timestamps(tmp_path, "walk", {at * 2: f.stamp_us for at, f in enumerate(content)})
    start, size = _compressed_chunks(path)[1]
    data = bytearray(path.read_bytes())
    data[start + size // 3] ^= 0xFF
    path.write_bytes(data)
    with open_recording(path) as recording:
        info = recording.sequence("walk")
        assert 15 < info.frame_ids.size < 30
        assert {NoticeKind.DAMAGED, NoticeKind.FRAMES_MISSING} <= kinds_of(info)
        for frame_id in info.frame_ids.tolist():
            assert recording.encoded("walk", frame_id) == content[frame_id // 2].jpeg


def test_a_scanned_chunk_with_a_wrong_checksum_is_refused_with_its_stamps_kept(
    tmp_path: Path,
) -> None:
    path = write_mcap(tmp_path / "walk.mcap", CONTENT, chunk_size=1, finish=False)
    _spoil(path, CONTENT[4].jpeg)
    with open_recording(path) as recording:
        info = recording.sequence("walk")
        assert info.stamps_us.tolist() == [frame.stamp_us for frame in CONTENT]
        with pytest.raises(UnreadableFrame, match="checksum is wrong"):
            recording.panorama("walk", 4)
        assert recording.encoded("walk", 5) == CONTENT[5].jpeg


@pytest.mark.parametrize("kind", ["folder", "rosbag1", "mcap bare", "sqlite"])
def test_an_image_that_does_not_decode_costs_itself(kind: str, tmp_path: Path) -> None:
    content = list(CONTENT)
    content[0] = Frame(content[0].stamp_us, content[0].jpeg[:-40])
    content[3] = Frame(content[3].stamp_us, b"GIF89a" + content[3].jpeg)
    content[6] = Frame(content[6].stamp_us, b"")
    path = KINDS[kind](tmp_path, content)
    with open_recording(path) as recording:
        info = recording.sequence("walk")
        assert info.frame_ids.tolist() == list(range(9))
        for at, frame in enumerate(content):
            assert recording.encoded("walk", at) == frame.jpeg
            if at not in (0, 3, 6):
                recording.panorama("walk", at)
                continue
            with pytest.raises(UnreadableFrame) as caught:
                recording.panorama("walk", at)
            assert caught.value.path in str(caught.value)
            assert caught.value.position in str(caught.value)
        for at, reason in {0: "no end marker", 3: "47 49 46 38", 6: "nothing"}.items():
            with pytest.raises(UnreadableFrame, match=reason):
                recording.panorama("walk", at)


def test_the_named_offset_is_where_the_image_starts(tmp_path: Path) -> None:
    content = [Frame(frame.stamp_us, frame.jpeg) for frame in CONTENT]
    content[2] = Frame(content[2].stamp_us, b"GIF89a" + content[2].jpeg)
    for path in (
        write_mcap(tmp_path / "walk.mcap", content),
        write_rosbag1(tmp_path / "walk.bag", content),
    ):
        with open_recording(path) as recording, pytest.raises(UnreadableFrame) as caught:
            recording.panorama("walk", 2)
        offset = int(caught.value.position.removeprefix("byte "))
        assert path.read_bytes()[offset : offset + 6] == b"GIF89a"
