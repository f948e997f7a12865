"""Random access to one image of a bag against a bare ``os.pread`` of the same bytes.

    python benchmarks/bag_random_access.py [--frames 50 500] [--rounds 300]

For bags without compression the ratio is to stay within 3, whatever the bag's length. For
compressed ones the baseline is a ``pread`` of one chunk and its decompression, which a frame may
cost besides; they are written at the last length alone, which their cache of chunks must not hold.
Every frame is read from the operating system's cache; panoramas are read, not decoded.
"""

from __future__ import annotations

import argparse
import os
import struct
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import lz4.frame
import numpy as np
from interleaved import interleaved, ratio
from mcap.reader import make_reader
from mcap.writer import CompressionType
from mcap.writer import Writer as McapWriter
from rosbags.rosbag1 import Reader as Rosbag1Reader
from rosbags.rosbag1 import Writer as Rosbag1Writer
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as Rosbag2Writer
from rosbags.typesys import Stores, get_typestore

from avr_ros.recordings import jpeg
from avr_ros.recordings.decompression import decompress
from avr_ros.recordings.open_recording import open_recording
from avr_ros.recordings.stored_recording import StoredRecording
from avr_ros.recordings.topics import STITCHED_TOPIC

COMPRESSED_IMAGE = "sensor_msgs/msg/CompressedImage"
TARGET = 3.0
OTHER_MESSAGES_A_FRAME = 20


def panorama_jpeg() -> bytes:
    """Return a noisy panorama as JPEG, about half a megabyte as JRDB's are."""
    generator = np.random.default_rng(0)
    columns = np.linspace(0, 40, 3760)[None, :, None]
    pixels = 127 + 80 * np.sin(columns) + generator.normal(0, 9, (480, 3760, 3))
    return jpeg.encode(np.clip(pixels, 0, 255).astype(np.uint8))


def messages(data: bytes, frame: int, *, ros1: bool) -> tuple[int, bytes, bytes]:
    """Return a frame's log time, its image message, and a small message of another topic."""
    stamp = 1_550_000_000 + frame // 15, frame % 15 * 66_000_000
    if ros1:
        head = struct.pack("<III", frame, *stamp) + struct.pack("<I", 5) + b"occam"
        head += struct.pack("<I", 4) + b"jpeg"
        other = struct.pack("<I", 296) + bytes(296)
    else:
        head = b"\0\1\0\0" + struct.pack("<iI", *stamp) + struct.pack("<I", 6) + b"occam\0\0\0"
        head += struct.pack("<I", 5) + b"jpeg\0\0\0\0"
        other = b"\0\1\0\0" + struct.pack("<I", 292) + bytes(292)
    message = head + struct.pack("<I", len(data)) + data
    return stamp[0] * 10**9 + stamp[1], message, other


def write_mcap(path: Path, data: bytes, frames: int, compression: CompressionType) -> Path:
    """Write an MCAP file with chunks of 1 MiB."""
    with path.open("wb") as file:
        writer = McapWriter(file, compression=compression)
        writer.start("ros2", "benchmark")
        kinds = [writer.register_schema(name, "ros2msg", b"") for name in (COMPRESSED_IMAGE, "x/X")]
        images = writer.register_channel(f"/{STITCHED_TOPIC}", "cdr", kinds[0])
        others = writer.register_channel("/other", "cdr", kinds[1])
        for frame in range(frames):
            time_ns, message, other = messages(data, frame, ros1=False)
            for _ in range(OTHER_MESSAGES_A_FRAME):
                writer.add_message(others, time_ns, other, time_ns)
            writer.add_message(images, time_ns, message, time_ns, frame)
        writer.finish()
    return path


def write_rosbag1(path: Path, data: bytes, frames: int, compression: str = "") -> Path:
    """Write a ROS 1 bag with chunks of 1 MiB."""
    store = get_typestore(Stores.ROS1_NOETIC)
    bag = Rosbag1Writer(path)
    if compression:
        bag.set_compression(Rosbag1Writer.CompressionFormat[compression])
    with bag as writer:
        images = writer.add_connection(STITCHED_TOPIC, COMPRESSED_IMAGE, typestore=store)
        others = writer.add_connection("other", "std_msgs/msg/String", typestore=store)
        for frame in range(frames):
            time_ns, message, other = messages(data, frame, ros1=True)
            for _ in range(OTHER_MESSAGES_A_FRAME):
                writer.write(others, time_ns, other)
            writer.write(images, time_ns, message)
    return path


def write_sqlite(path: Path, data: bytes, frames: int) -> Path:
    """Write a ROS 2 bag in SQLite."""
    store = get_typestore(Stores.ROS2_JAZZY)
    with Rosbag2Writer(path, version=9, storage_plugin=StoragePlugin.SQLITE3) as writer:
        images = writer.add_connection(f"/{STITCHED_TOPIC}", COMPRESSED_IMAGE, typestore=store)
        others = writer.add_connection("/other", "std_msgs/msg/String", typestore=store)
        for frame in range(frames):
            time_ns, message, other = messages(data, frame, ros1=False)
            for _ in range(OTHER_MESSAGES_A_FRAME):
                writer.write(others, time_ns, other)
            writer.write(images, time_ns, message)
    return path


def reader(recording: StoredRecording, frames: int) -> Callable[[int], object]:
    """Return a function that reads a frame drawn by the round's number."""
    (name,) = recording.sequences()
    order = np.random.default_rng(1).integers(0, frames, 100_000).tolist()
    return lambda turn: recording.encoded(name, order[turn])


def bare(path: Path, size: int, frames: int) -> Callable[[int], object]:
    """Return a function that reads as many bytes at a place drawn by the round's number."""
    descriptor = os.open(path, os.O_RDONLY)
    places = np.random.default_rng(2).integers(0, frames, 100_000)
    starts = (places * (path.stat().st_size - size) // frames).tolist()
    return lambda turn: os.pread(descriptor, size, starts[turn])


def one_chunk(path: Path) -> Callable[[int], object]:
    """Return a function that reads and decompresses a chunk drawn by the round's number."""
    places: list[tuple[int, int, int]]
    if path.suffix == ".bag":
        kind = "lz4"
        with Rosbag1Reader(path) as bag:
            places = [(c.datapos, c.datasize, 0) for _, c in sorted(bag.chunks.items())]
    else:
        with path.open("rb") as file:
            summary = make_reader(file).get_summary()
        assert summary is not None
        kind = summary.chunk_indexes[0].compression
        places = [
            (
                chunk.chunk_start_offset + chunk.chunk_length - chunk.compressed_size,
                chunk.compressed_size,
                chunk.uncompressed_size,
            )
            for chunk in summary.chunk_indexes
        ]
    descriptor = os.open(path, os.O_RDONLY)
    order = np.random.default_rng(3).integers(0, len(places), 100_000).tolist()

    def read(turn: int) -> object:
        start, stored, size = places[order[turn]]
        data = os.pread(descriptor, stored, start)
        return decompress(kind, data, size) if size else lz4.frame.decompress(data)

    return read


def main() -> None:
    """Write the bags, time everything in one run and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, nargs="+", default=[50, 500])
    parser.add_argument("--rounds", type=int, default=300)
    options = parser.parse_args()
    data = panorama_jpeg()
    functions: dict[str, Callable[[int], object]] = {}
    baselines: dict[str, str] = {}
    plain: list[str] = []
    print(f"one image has {len(data):,} bytes; {options.rounds} rounds")
    with tempfile.TemporaryDirectory() as folder:
        for frames in options.frames:
            root = Path(folder) / str(frames)
            root.mkdir()
            bags = {
                "mcap": write_mcap(root / "a.mcap", data, frames, CompressionType.NONE),
                "rosbag1": write_rosbag1(root / "b.bag", data, frames),
                "sqlite": write_sqlite(root / "c", data, frames),
            }
            if frames == options.frames[-1]:
                bags |= {
                    "mcap lz4": write_mcap(root / "d.mcap", data, frames, CompressionType.LZ4),
                    "mcap zstd": write_mcap(root / "e.mcap", data, frames, CompressionType.ZSTD),
                    "rosbag1 lz4": write_rosbag1(root / "f.bag", data, frames, "LZ4"),
                }
            for kind, path in bags.items():
                before = time.perf_counter()
                recording = open_recording(path, prefetch=False)
                opening = time.perf_counter() - before
                name = f"{kind}, {frames} frames"
                print(f"{name}: opened in {opening:.3f} s")
                functions[name] = reader(recording, frames)
                file = next(path.glob("*.db3")) if path.is_dir() else path
                baselines[name] = f"baseline of {name}"
                compressed = " " in kind
                functions[baselines[name]] = (
                    one_chunk(file) if compressed else bare(file, len(data), frames)
                )
                if not compressed:
                    plain.append(name)
        seconds = interleaved(functions, options.rounds)
    print(f"{'':24}{'median ms':>10}{'baseline':>10}{'ratio':>8}")
    for name, baseline in baselines.items():
        measured = ratio(seconds[name], seconds[baseline])
        note = "to a chunk's decompression"
        if name in plain:
            note = f"to a pread, {'within' if measured <= TARGET else 'ABOVE'} {TARGET:g}"
        times = np.median(seconds[name]) * 1e3, np.median(seconds[baseline]) * 1e3
        print(f"{name:24}{times[0]:10.3f}{times[1]:10.3f}{measured:8.2f}  {note}")


if __name__ == "__main__":
    main()
