"""Order, stamps, kinds of messages and odd writers of bags."""

from __future__ import annotations

import bz2
import struct
from pathlib import Path

import cv2
import lz4.frame
import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from mcap.writer import CompressionType
from recording_files import (
    HEIGHT,
    TOPIC,
    WIDTH,
    Frame,
    cdr_image,
    frames,
    jpeg_of,
    pixels_of,
    write_mcap,
    write_rosbag1,
    write_timestamps,
)
from rosbags.rosbag1 import Writer as Rosbag1Writer
from rosbags.typesys import Stores, get_typestore

from avr_ros.recordings import jpeg
from avr_ros.recordings.decompression import KINDS, MAX_CHUNK_BYTES, DamagedChunk, decompress
from avr_ros.recordings.errors import (
    DamagedRecording,
    MalformedTimestamps,
    UnreadableFrame,
    UnsupportedRecording,
)
from avr_ros.recordings.image_message import (
    ImageType,
    MalformedMessage,
    Serialization,
    read_head,
)
from avr_ros.recordings.open_recording import open_recording
from avr_ros.recordings.recording import NoticeKind, StoredAs

CONTENT = frames(8)


def test_frames_are_ordered_by_their_own_stamps_not_by_the_recorders(tmp_path: Path) -> None:
    disordered = [CONTENT[at] for at in (3, 1, 0, 2, 7, 5, 4, 6)]
    for path in (
        write_rosbag1(tmp_path / "walk.bag", disordered),
        write_mcap(tmp_path / "walk.mcap", disordered, log_of=lambda frame: 5),
    ):
        with open_recording(path) as recording:
            info = recording.sequence("walk")
            assert info.stamps_us.tolist() == [frame.stamp_us for frame in CONTENT]
            for at, frame in enumerate(CONTENT):
                assert recording.encoded("walk", at) == frame.jpeg
            assert info.notices == ()


@pytest.mark.parametrize("chunk_size", [1, 5000, 1 << 20])
def test_equal_stamps_are_ordered_by_sequence_number_and_reported(
    chunk_size: int, tmp_path: Path
) -> None:
    repeated = [Frame(CONTENT[at // 3].stamp_us, jpeg_of(at)) for at in range(6)]
    for path in (
        write_rosbag1(tmp_path / "walk.bag", repeated, chunk_size=chunk_size),
        write_mcap(tmp_path / "walk.mcap", repeated, chunk_size=chunk_size),
    ):
        with open_recording(path) as recording:
            info = recording.sequence("walk")
            assert [recording.encoded("walk", at) for at in range(6)] == [
                frame.jpeg for frame in repeated
            ]
            (notice,) = info.notices
            assert notice.kind is NoticeKind.DUPLICATE_STAMP
            assert "4 frames" in notice.message
            assert recording.frame_at("walk", CONTENT[1].stamp_us) == 3


def test_the_numbers_of_a_ros1_header_decide_between_equal_stamps(tmp_path: Path) -> None:
    store = get_typestore(Stores.ROS1_NOETIC)
    kind = "sensor_msgs/msg/CompressedImage"
    with Rosbag1Writer(tmp_path / "walk.bag") as writer:
        images = writer.add_connection(TOPIC, kind, typestore=store)
        for number in (2, 0, 1):
            head = struct.pack("<III", number, 100, 0) + struct.pack("<I", 0) * 2
            data = jpeg_of(number)
            writer.write(images, 5, head + struct.pack("<I", len(data)) + data)
    with open_recording(tmp_path / "walk.bag") as recording:
        assert [recording.encoded("walk", at) for at in range(3)] == [jpeg_of(n) for n in range(3)]


def test_stamps_are_rounded_to_whole_microseconds(tmp_path: Path) -> None:
    def late(frame: Frame) -> bytes:
        message = bytearray(cdr_image(frame))
        (nanoseconds,) = struct.unpack_from("<I", message, 8)
        struct.pack_into("<I", message, 8, nanoseconds + 620)
        return bytes(message)

    with open_recording(write_mcap(tmp_path / "a.mcap", CONTENT, serialize=late)) as recording:
        assert recording.sequence("a").stamps_us.tolist() == [f.stamp_us + 1 for f in CONTENT]


def raw_image(
    number: int, encoding: str, step: int, order: str = "<", said_step: int | None = None
) -> bytes:
    """Return a sensor_msgs/Image in CDR, by hand; rows are padded to ``step`` bytes."""
    pixels = pixels_of(number)
    if encoding == "rgb8":
        pixels = pixels[:, :, ::-1]
    if encoding not in ("rgb8", "bgr8"):
        pixels = pixels[:, :, :1]
    rows = np.full((HEIGHT, step), 255, np.uint8)
    rows[:, : WIDTH * pixels.shape[2]] = pixels.reshape(HEIGHT, -1)
    body = struct.pack(f"{order}iI", 100 + number, 0) + struct.pack(f"{order}I", 4) + b"cam\0"
    body += struct.pack(f"{order}II", HEIGHT, WIDTH)
    body += struct.pack(f"{order}I", len(encoding) + 1) + encoding.encode() + b"\0"
    body += b"\0"
    body += b"\0" * (-len(body) % 4)
    body += struct.pack(f"{order}II", said_step or step, rows.size) + rows.tobytes()
    return (b"\0\1\0\0" if order == "<" else b"\0\0\0\0") + body


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(
    ("encoding", "step"),
    [("bgr8", WIDTH * 3), ("bgr8", WIDTH * 3 + 5), ("rgb8", WIDTH * 3 + 4), ("mono8", WIDTH + 3)],
)
def test_raw_images_with_padded_rows(encoding: str, step: int, order: str, tmp_path: Path) -> None:
    path = write_mcap(
        tmp_path / "walk.mcap",
        CONTENT[:3],
        topic="/camera/image",
        schema="sensor_msgs/msg/Image",
        serialize=lambda frame: raw_image(CONTENT.index(frame), encoding, step, order),
    )
    with open_recording(path, "camera/image") as recording:
        info = recording.sequence("walk")
        assert (info.width, info.height, info.stored_as) == (WIDTH, HEIGHT, StoredAs.RAW)
        assert info.stamps_us.tolist() == [100_000_000, 101_000_000, 102_000_000]
        for at in range(3):
            expected = pixels_of(at)
            if encoding == "mono8":
                expected = np.repeat(expected[:, :, :1], 3, axis=2)
            panorama = recording.panorama("walk", at)
            assert np.array_equal(panorama, expected)
            assert not panorama.flags.writeable
            assert recording.encoded("walk", at) == jpeg.encode(expected)


def test_raw_images_of_a_ros1_bag(tmp_path: Path) -> None:
    store = get_typestore(Stores.ROS1_NOETIC)
    types = store.types
    message = types["sensor_msgs/msg/Image"](
        header=types["std_msgs/msg/Header"](
            seq=1, stamp=types["builtin_interfaces/msg/Time"](sec=7, nanosec=8000), frame_id="cam"
        ),
        height=HEIGHT,
        width=WIDTH,
        encoding="rgb8",
        is_bigendian=0,
        step=WIDTH * 3,
        data=pixels_of(0)[:, :, ::-1].reshape(-1),
    )
    with Rosbag1Writer(tmp_path / "walk.bag") as writer:
        images = writer.add_connection("image", "sensor_msgs/msg/Image", typestore=store)
        writer.write(images, 9, store.serialize_ros1(message, "sensor_msgs/msg/Image"))
    with open_recording(tmp_path / "walk.bag", "image") as recording:
        assert recording.sequence("walk").stamps_us.tolist() == [7_000_008]
        assert np.array_equal(recording.panorama("walk", 0), pixels_of(0))


@pytest.mark.parametrize(
    ("encoding", "said_step", "said"),
    [
        ("bayer_rggb8", WIDTH, "'bayer_rggb8'; bgr8, rgb8, mono8"),
        ("mono8", WIDTH - 1, "a row of 188 px cannot lie in 187 bytes"),
        ("mono8", WIDTH + 1, "24 rows of 189 bytes cannot lie in 4512 bytes"),
        ("mono8", 1 << 30, "cannot lie"),
    ],
)
def test_raw_images_that_cannot_be_read(
    encoding: str, said_step: int, said: str, tmp_path: Path
) -> None:
    path = write_mcap(
        tmp_path / "walk.mcap",
        CONTENT[:1],
        schema="sensor_msgs/msg/Image",
        serialize=lambda frame: raw_image(0, encoding, WIDTH, said_step=said_step),
    )
    with pytest.raises((UnsupportedRecording, DamagedRecording), match=said):
        open_recording(path)


def test_big_endian_messages_and_ros1_messages_in_an_mcap(tmp_path: Path) -> None:
    big = write_mcap(
        tmp_path / "a.mcap", CONTENT, serialize=lambda frame: cdr_image(frame, order=">")
    )

    def ros1(frame: Frame) -> bytes:
        seconds, rest = divmod(frame.stamp_us, 1_000_000)
        text = struct.pack("<I", 4) + b"jpeg"
        head = struct.pack("<III", 1, seconds, rest * 1000) + text + text
        return head + struct.pack("<I", len(frame.jpeg)) + frame.jpeg

    old = write_mcap(
        tmp_path / "b.mcap",
        CONTENT,
        serialize=ros1,
        schema="sensor_msgs/CompressedImage",
        encoding="ros1",
    )
    for path in (big, old):
        with open_recording(path) as recording:
            info = recording.sequence(path.stem)
            assert info.stamps_us.tolist() == [frame.stamp_us for frame in CONTENT]
            assert recording.encoded(path.stem, 7) == CONTENT[7].jpeg
    odd = write_mcap(tmp_path / "c.mcap", CONTENT, encoding="protobuf")
    with pytest.raises(UnsupportedRecording, match="protobuf"):
        open_recording(odd)


def test_messages_that_the_index_passes_over_are_found_by_a_scan(tmp_path: Path) -> None:
    path = write_mcap(tmp_path / "walk.mcap", CONTENT, chunk_size=1)
    data = path.read_bytes()
    whole = bytearray(data)
    # The message index of one chunk is emptied, as writers do for messages larger than a chunk.
    (image,) = [at for at in range(len(data)) if data.startswith(CONTENT[5].jpeg, at)]
    index = data.index(b"\x07\x16\0\0\0\0\0\0\0\2\0\x10\0\0\0", image)
    whole[index + 11] = 0
    path.write_bytes(whole)
    with open_recording(path) as recording:
        info = recording.sequence("walk")
        assert [recording.encoded("walk", at) for at in range(8)] == [f.jpeg for f in CONTENT]
        (notice,) = info.notices
        assert notice.kind is NoticeKind.NOT_INDEXED
        assert "its index has 7 of 8 messages of the topic" in notice.message


@pytest.mark.parametrize("compression", [CompressionType.NONE, CompressionType.ZSTD])
def test_a_message_larger_than_a_chunk(compression: CompressionType, tmp_path: Path) -> None:
    large = pixels_of(0).repeat(30, axis=0).repeat(3, axis=1)
    large ^= np.random.default_rng(0).integers(0, 16, large.shape, dtype=np.uint8)
    content = [Frame(CONTENT[at].stamp_us, jpeg.encode(large, 90 - at)) for at in range(5)]
    assert len(content[0].jpeg) > 100_000
    path = write_mcap(tmp_path / "walk.mcap", content, chunk_size=1000, compression=compression)
    with open_recording(path) as recording:
        assert [recording.encoded("walk", at) for at in range(5)] == [f.jpeg for f in content]


def test_two_connections_on_one_topic_are_one_sequence(tmp_path: Path) -> None:
    store = get_typestore(Stores.ROS1_NOETIC)
    kind = "sensor_msgs/msg/CompressedImage"
    with Rosbag1Writer(tmp_path / "walk.bag") as writer:
        connections = [
            writer.add_connection(TOPIC, kind, typestore=store, callerid=f"/camera{at}")
            for at in range(2)
        ]
        for number in range(6):
            data = jpeg_of(number)
            head = struct.pack("<III", number, 100 + number, 0) + struct.pack("<I", 0) * 2
            message = head + struct.pack("<I", len(data)) + data
            writer.write(connections[number % 2], 5 + number, message)
    with open_recording(tmp_path / "walk.bag") as recording:
        assert [recording.encoded("walk", at) for at in range(6)] == [jpeg_of(n) for n in range(6)]


def test_an_encrypted_bag_is_refused(tmp_path: Path) -> None:
    path = write_rosbag1(tmp_path / "walk.bag", CONTENT)
    data = path.read_bytes()
    fields = b""
    for field in (
        b"op=\x03",
        b"index_pos=" + bytes(8),
        b"conn_count=" + bytes(4),
        b"chunk_count=" + bytes(4),
        b"encryptor=rosbag/AesCbcEncryptor",
    ):
        fields += struct.pack("<I", len(field)) + field
    head = struct.pack("<I", len(fields)) + fields + struct.pack("<I", 0)
    path.write_bytes(data[:13] + head + data[13 + 4096 :])
    with pytest.raises(UnsupportedRecording, match="encrypted"):
        open_recording(path)


def test_a_bag_that_was_never_closed_is_scanned(tmp_path: Path) -> None:
    path = write_rosbag1(tmp_path / "walk.bag", CONTENT, chunk_size=1)
    data = bytearray(path.read_bytes())
    at = data.index(b"index_pos=") + 10
    data[at : at + 8] = bytes(8)
    path.write_bytes(data)
    with open_recording(path) as recording:
        info = recording.sequence("walk")
        assert info.stamps_us.tolist() == [frame.stamp_us for frame in CONTENT]
        assert [notice.kind for notice in info.notices] == [NoticeKind.NOT_INDEXED]


def test_images_of_another_size_cost_themselves(tmp_path: Path) -> None:
    small = cv2.resize(pixels_of(0), (60, HEIGHT))
    content = [*CONTENT[:2], Frame(CONTENT[2].stamp_us, jpeg.encode(np.asarray(small, np.uint8)))]
    with open_recording(write_mcap(tmp_path / "walk.mcap", content)) as recording:
        recording.panorama("walk", 1)
        with pytest.raises(UnreadableFrame, match=f"60 x {HEIGHT} px, .* {WIDTH} x {HEIGHT}"):
            recording.panorama("walk", 2)


@given(
    st.sampled_from(["<", ">"]),
    st.text(max_size=30),
    st.integers(0, 2**31 * 10**6 - 1),
    st.binary(max_size=50),
)
def test_the_head_of_a_message_says_where_its_pixels_lie(
    order: str, camera: str, stamp_us: int, pixels: bytes
) -> None:
    text = camera.encode("ascii", "ignore").decode().replace("\0", "")
    message = cdr_image(Frame(stamp_us, pixels), order=order, camera=text)
    head = read_head(message, len(message), ImageType.COMPRESSED, Serialization.CDR)
    assert head.stamp_ns == stamp_us * 1000
    assert message[head.start : head.start + head.size] == pixels
    for size in range(len(message)):
        with pytest.raises(MalformedMessage):
            read_head(message[:size], size, ImageType.COMPRESSED, Serialization.CDR)


@given(st.binary(max_size=80), st.sampled_from(ImageType), st.sampled_from(Serialization))
def test_no_bytes_crash_the_head_reader(
    data: bytes, image_type: ImageType, serialization: Serialization
) -> None:
    try:
        head = read_head(data, len(data), image_type, serialization)
    except MalformedMessage:
        return
    assert head.start + head.size <= len(data)


@pytest.mark.parametrize("kind", KINDS)
def test_chunks_decompress_to_what_they_declare_or_not_at_all(kind: str) -> None:
    plain = bytes(range(256)) * 40
    packers = {
        "bz2": [bz2.compress],
        "lz4": [lz4.frame.compress, lambda data: lz4.frame.compress(data, store_size=False)],
        "zstd": [
            zstandard.compress,
            zstandard.ZstdCompressor(write_content_size=False).compress,
        ],
    }
    for pack in packers[kind]:
        packed = pack(plain)
        assert decompress(kind, packed, len(plain)) == plain
        for size in (0, len(plain) - 1, len(plain) + 1, MAX_CHUNK_BYTES + 1, 1 << 60):
            with pytest.raises(DamagedChunk):
                decompress(kind, packed, size)
        for cut in (0, 3, len(packed) // 2, len(packed) - 9):
            with pytest.raises(DamagedChunk):
                decompress(kind, packed[:cut], len(plain))
        bomb = pack(bytes(50_000_000))
        with pytest.raises(DamagedChunk):
            decompress(kind, bomb, 1000)
    with pytest.raises(DamagedChunk, match="unknown compression"):
        decompress("rar", b"", 0)


def test_timestamps_too_far_from_the_stamps(tmp_path: Path) -> None:
    path = write_mcap(tmp_path / "walk.mcap", CONTENT)
    write_timestamps(tmp_path, "walk", {at: f.stamp_us + 2 for at, f in enumerate(CONTENT)})
    with pytest.raises(MalformedTimestamps, match="No image in"):
        open_recording(path)
