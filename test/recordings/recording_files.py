"""Writes the same small sequence in every kind of storage that recordings are read from."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from mcap.writer import CompressionType, IndexType
from mcap.writer import Writer as McapWriter
from rosbags.rosbag1 import Writer as Rosbag1Writer
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin
from rosbags.rosbag2 import Writer as Rosbag2Writer
from rosbags.typesys import Stores, get_typestore

TOPIC = "ros_indigosdk_node/stitched_image0/compressed"
OTHER_TOPIC = "/imu/data"
WIDTH, HEIGHT = 188, 24
START_US = 1_555_960_991_466_809

_ROS1 = get_typestore(Stores.ROS1_NOETIC)
_ROS2 = get_typestore(Stores.ROS2_JAZZY)
_SCHEMA = "sensor_msgs/msg/CompressedImage"


@dataclass(frozen=True)
class Frame:
    stamp_us: int
    jpeg: bytes


def frames(count: int, seed: int = 0) -> list[Frame]:
    """Return frames with irregular stamps, about 14.6 a second."""
    generator = np.random.default_rng(seed)
    gaps = generator.integers(40_000, 97_000, count)
    stamps = START_US + np.cumsum(gaps)
    return [Frame(int(stamp), jpeg_of(at, seed)) for at, stamp in enumerate(stamps)]


def pixels_of(number: int, seed: int = 0) -> npt.NDArray[np.uint8]:
    generator = np.random.default_rng([seed, number])
    small = generator.integers(0, 256, (6, 47, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(small, (WIDTH, HEIGHT)), np.uint8)


def jpeg_of(number: int, seed: int = 0) -> bytes:
    done, buffer = cv2.imencode(".jpg", pixels_of(number, seed), [cv2.IMWRITE_JPEG_QUALITY, 90])
    assert done
    return buffer.tobytes()


def cdr_image(frame: Frame, *, order: str = "<", camera: str = "occam") -> bytes:
    """Return a sensor_msgs/CompressedImage in CDR, written by hand to be independent."""
    stamp = divmod(frame.stamp_us, 1_000_000)
    body = struct.pack(f"{order}iI", stamp[0], stamp[1] * 1000)
    body += _cdr_text(camera, order)
    body += b"\0" * (-len(body) % 4) + _cdr_text("jpeg", order)
    body += b"\0" * (-len(body) % 4) + struct.pack(f"{order}I", len(frame.jpeg)) + frame.jpeg
    return (b"\0\1\0\0" if order == "<" else b"\0\0\0\0") + body


def _cdr_text(text: str, order: str) -> bytes:
    return struct.pack(f"{order}I", len(text) + 1) + text.encode() + b"\0"


def _message(typestore: object, frame: Frame, number: int) -> object:
    types = typestore.types  # type: ignore[attr-defined]
    stamp = types["builtin_interfaces/msg/Time"](
        sec=frame.stamp_us // 1_000_000, nanosec=frame.stamp_us % 1_000_000 * 1000
    )
    header = types["std_msgs/msg/Header"]
    if typestore is _ROS1:
        made = header(seq=number, stamp=stamp, frame_id="occam")
    else:
        made = header(stamp=stamp, frame_id="occam")
    return types[_SCHEMA](header=made, format="jpeg", data=np.frombuffer(frame.jpeg, np.uint8))


def write_timestamps(root: Path, sequence: str, listed: dict[int, int]) -> Path:
    """Write frames_img.json for frame ids and their stamps in microseconds."""
    file = root / "timestamps" / sequence / "frames_img.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    data = [
        {
            "frame_id": frame_id,
            "timestamp": stamp / 1e6,
            "cameras": [
                {
                    "name": "image0",
                    "url": f"x/{sequence}/image0/{frame_id:06d}.jpg",
                    "timestamp": max(stamp / 1e6 - 0.02, 0),
                },
                {
                    "name": "stitched_image0",
                    "url": f"x/{sequence}/stitched_image0/{frame_id:06d}.jpg",
                    "timestamp": stamp / 1e6,
                },
            ],
        }
        for frame_id, stamp in listed.items()
    ]
    file.write_text(json.dumps({"data": data}))
    return file


def write_folder(root: Path, sequence: str, content: Sequence[Frame]) -> Path:
    """Write a JRDB data set of one sequence; return its root."""
    folder = root / "images" / "image_stitched" / sequence
    folder.mkdir(parents=True)
    for at, frame in enumerate(content):
        (folder / f"{at:06d}.jpg").write_bytes(frame.jpeg)
    write_timestamps(root, sequence, {at: frame.stamp_us for at, frame in enumerate(content)})
    return root


def write_rosbag1(
    path: Path,
    content: Sequence[Frame],
    *,
    topic: str = TOPIC,
    compression: str = "none",
    chunk_size: int = 20_000,
) -> Path:
    writer = Rosbag1Writer(path)
    if compression != "none":
        writer.set_compression(Rosbag1Writer.CompressionFormat[compression.upper()])
    writer.chunk_threshold = chunk_size
    with writer:
        images = writer.add_connection(topic, _SCHEMA, typestore=_ROS1)
        others = writer.add_connection(OTHER_TOPIC, "std_msgs/msg/String", typestore=_ROS1)
        for number, frame in enumerate(content):
            log = frame.stamp_us * 1000 + 7_000_000
            data = bytes(_ROS1.serialize_ros1(_message(_ROS1, frame, number), _SCHEMA))
            for _ in range(3):
                writer.write(others, log, b"\4\0\0\0tick")
            writer.write(images, log, data)
    return path


def write_rosbag2(
    folder: Path,
    content: Sequence[Frame],
    plugin: StoragePlugin,
    *,
    topic: str = "/" + TOPIC,
    compressed: bool = False,
) -> Path:
    writer = Rosbag2Writer(folder, version=9, storage_plugin=plugin)
    if compressed:
        writer.set_compression(CompressionMode.STORAGE, CompressionFormat.ZSTD)
    with writer:
        images = writer.add_connection(topic, _SCHEMA, typestore=_ROS2)
        others = writer.add_connection(OTHER_TOPIC, "std_msgs/msg/String", typestore=_ROS2)
        for number, frame in enumerate(content):
            log = frame.stamp_us * 1000 + 7_000_000
            for _ in range(3):
                writer.write(others, log, b"\0\1\0\0\5\0\0\0tick\0")
            data = bytes(_ROS2.serialize_cdr(_message(_ROS2, frame, number), _SCHEMA))
            writer.write(images, log, data)
    return folder


def write_mcap(
    path: Path,
    content: Sequence[Frame],
    *,
    topic: str = "/" + TOPIC,
    compression: CompressionType = CompressionType.NONE,
    chunk_size: int = 20_000,
    finish: bool = True,
    serialize: Callable[[Frame], bytes] = cdr_image,
    schema: str = _SCHEMA,
    encoding: str = "cdr",
    use_chunking: bool = True,
    index_types: IndexType = IndexType.ALL,
    use_statistics: bool = True,
    enable_crcs: bool = True,
    repeat_channels: bool = True,
    log_of: Callable[[Frame], int] = lambda frame: frame.stamp_us * 1000 + 7_000_000,
) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        writer = McapWriter(
            file,
            compression=compression,
            chunk_size=chunk_size,
            use_chunking=use_chunking,
            index_types=index_types,
            use_statistics=use_statistics,
            enable_crcs=enable_crcs,
            repeat_channels=repeat_channels,
        )
        writer.start(profile="ros2", library="test")
        other = writer.register_channel(
            OTHER_TOPIC,
            "cdr",
            writer.register_schema("std_msgs/msg/String", "ros2msg", b"string data"),
        )
        images = writer.register_channel(
            topic, encoding, writer.register_schema(schema, "ros2msg", b"")
        )
        for number, frame in enumerate(content):
            log = log_of(frame)
            for _ in range(3):
                writer.add_message(other, log, b"\0\1\0\0\5\0\0\0tick\0", log)
            writer.add_message(images, log, serialize(frame), log, number)
        if finish:
            writer.finish()
    return path


def _mcap_kind(**options: object) -> Callable[[Path, Sequence[Frame]], Path]:
    def write(root: Path, content: Sequence[Frame]) -> Path:
        return write_mcap(root / "walk.mcap", content, **options)  # type: ignore[arg-type]

    return write


def _rosbag1_kind(**options: object) -> Callable[[Path, Sequence[Frame]], Path]:
    def write(root: Path, content: Sequence[Frame]) -> Path:
        return write_rosbag1(root / "walk.bag", content, **options)  # type: ignore[arg-type]

    return write


def _rosbag2_kind(
    plugin: StoragePlugin, *, metadata: bool = True, bare: bool = False, compressed: bool = False
) -> Callable[[Path, Sequence[Frame]], Path]:
    def write(root: Path, content: Sequence[Frame]) -> Path:
        folder = write_rosbag2(root / "walk", content, plugin, compressed=compressed)
        if not metadata:
            (folder / "metadata.yaml").unlink()
        return next(folder.glob("walk.*")) if bare else folder

    return write


def _split_mcap(*, metadata: bool) -> Callable[[Path, Sequence[Frame]], Path]:
    """Three files, and more than ten to see that 10 comes after 9."""

    def write(root: Path, content: Sequence[Frame]) -> Path:
        folder = root / "walk"
        names = []
        for at, frame in enumerate(content):
            names.append(f"walk_{at}.mcap")
            write_mcap(folder / names[-1], [frame])
        if metadata:
            listed = "".join(f"    - {name}\n" for name in names)
            (folder / "metadata.yaml").write_text(
                "rosbag2_bagfile_information:\n  version: 9\n  storage_identifier: mcap\n"
                f"  relative_file_paths:\n{listed}  compression_mode: ''\n"
            )
        return folder

    return write


def _folder_kind(root: Path, content: Sequence[Frame]) -> Path:
    return write_folder(root, "walk", content)


KINDS: dict[str, Callable[[Path, Sequence[Frame]], Path]] = {
    "folder": _folder_kind,
    "rosbag1": _rosbag1_kind(),
    "rosbag1 with a slash": _rosbag1_kind(topic="/" + TOPIC),
    "rosbag1 bz2": _rosbag1_kind(compression="bz2"),
    "rosbag1 lz4": _rosbag1_kind(compression="lz4"),
    "mcap by rosbags": _rosbag2_kind(StoragePlugin.MCAP),
    "mcap by rosbags, zstd": _rosbag2_kind(StoragePlugin.MCAP, compressed=True),
    "mcap by rosbags, no metadata": _rosbag2_kind(StoragePlugin.MCAP, metadata=False),
    "mcap bare": _mcap_kind(),
    "mcap without a slash": _mcap_kind(topic=TOPIC),
    "mcap lz4": _mcap_kind(compression=CompressionType.LZ4),
    "mcap zstd": _mcap_kind(compression=CompressionType.ZSTD),
    "mcap zstd without checksums": _mcap_kind(compression=CompressionType.ZSTD, enable_crcs=False),
    "mcap one message a chunk": _mcap_kind(chunk_size=1),
    "mcap one chunk": _mcap_kind(chunk_size=1 << 24),
    "mcap without chunks": _mcap_kind(use_chunking=False),
    "mcap without index": _mcap_kind(index_types=IndexType.NONE),
    "mcap without message index": _mcap_kind(index_types=IndexType.CHUNK),
    "mcap zstd without message index": _mcap_kind(
        index_types=IndexType.CHUNK, compression=CompressionType.ZSTD
    ),
    "mcap without statistics": _mcap_kind(use_statistics=False),
    "mcap without channels in its index": _mcap_kind(repeat_channels=False),
    "mcap unfinished": _mcap_kind(chunk_size=1, finish=False),
    "mcap in files": _split_mcap(metadata=True),
    "mcap in files, no metadata": _split_mcap(metadata=False),
    "sqlite": _rosbag2_kind(StoragePlugin.SQLITE3),
    "sqlite no metadata": _rosbag2_kind(StoragePlugin.SQLITE3, metadata=False),
    "sqlite bare": _rosbag2_kind(StoragePlugin.SQLITE3, bare=True),
}
