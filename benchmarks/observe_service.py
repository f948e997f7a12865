"""Observe over ROS beside a bare rclpy service with the same payload, interleaved in one run.

Targets: raw at most 1.25 times the bare service; jpeg at most 1.25 times the bare service that
encodes the view once; a frame that was not decoded yet at most 1.3 times the time that one decoding
adds to the bare service.

Encoding and decoding are done in the bare service, since there they cost what they cost in a node:
its caches are cold after the wait for the request, and a large response that comes after 10 ms of
silence is delivered later than one that comes at once (measured here: about 10 ms later, in the
bare service as in ours). What both take in this busy process is printed beside it.

The client has an executor thread and waits for an event, as engineering of rclpy clients demands:
spinning the caller's own node for each call takes milliseconds by itself.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from array import array
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import rclpy
from avr_ros.srv import Observe
from interleaved import interleaved
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor

from avr_ros.processes.description import Process
from avr_ros.processes.domain import FreshDomain
from avr_ros.processes.executables import find_executable
from avr_ros.recordings import jpeg

SEQUENCE = "benchmark-2019-01-01_0"
ROUNDS = 300
WARM_UP = 20
FRAMES = 200
COLD_FRAMES = range(5, FRAMES - 5, 5)
"""Far enough apart that the neighbours that are decoded ahead are none of them."""

ENCODE = "encode"
DECODE = "decode"
"""Work that the bare service is asked for."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--images", type=Path, default=Path(), help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    if given.serve:
        serve_bare(given.serve, given.images)
        return
    domain = FreshDomain()
    os.environ["ROS_DOMAIN_ID"] = str(domain.number)
    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    with tempfile.TemporaryDirectory() as folder:
        write_recording(Path(folder))
        processes = [start_replay(folder)]
        try:
            measure(Path(folder), given.rounds, processes)
        finally:
            for process in processes:
                process.send_signal(signal.SIGINT)
            for process in processes:
                process.wait()
            domain.close()


def write_recording(root: Path) -> None:
    """Panoramas that take as many bytes as JRDB's."""
    images = root / "images" / "image_stitched" / SEQUENCE
    stamps = root / "timestamps" / SEQUENCE
    images.mkdir(parents=True)
    stamps.mkdir(parents=True)
    frames = []
    generator = np.random.default_rng(7)
    for number in range(FRAMES):
        coarse = generator.integers(0, 256, (60, 470, 3), dtype=np.uint8)
        smooth = cv2.resize(coarse, (3760, 480), interpolation=cv2.INTER_CUBIC).astype(np.int16)
        noise = generator.normal(0.0, 2.2, smooth.shape).astype(np.int16)
        image = np.clip(smooth + noise, 0, 255).astype(np.uint8)
        name = f"{number:06d}.jpg"
        (images / name).write_bytes(jpeg.encode(image))
        at = 1_560_000_000 + number / 15
        camera = {"name": "stitched_image0", "url": f"x/{name}", "timestamp": at}
        frames.append({"frame_id": number, "timestamp": at, "cameras": [camera]})
    (stamps / "frames_img.json").write_text(json.dumps({"data": frames}))


def start_replay(folder: str) -> subprocess.Popen[bytes]:
    """The replay node in free mode."""
    process = Process("replay_node", "replay", {"dataset": folder, "free_mode": True})
    path = find_executable("avr_ros", process.executable, os.environ)
    return subprocess.Popen([str(path), "--ros-args", *process.ros_arguments()])


def serve_bare(jpeg_bytes: int, images: Path) -> None:
    """A service that returns a fixed response of the same size, raw or jpeg as asked.

    It does the work that the request's ``episode_id`` names before: nothing, one encoding of a
    view or one decoding of the frame asked for.
    """
    files = [path.read_bytes() for path in sorted(images.iterdir())]
    view = np.ascontiguousarray(jpeg.decode(files[0])[:, :480])
    work: dict[str, Callable[[int], object]] = {
        "": lambda frame_id: None,
        ENCODE: lambda frame_id: jpeg.encode(view),
        DECODE: lambda frame_id: jpeg.decode(files[frame_id]),
    }
    rclpy.init()
    node = rclpy.create_node("bare")
    raw = array("B", bytes(480 * 480 * 3))
    compressed = array("B", bytes(jpeg_bytes))

    def answer(request: Any, response: Any) -> Any:
        work[request.episode_id](request.frame_id)
        if request.image_format == Observe.Request.RAW:
            response.observation.raw.data = raw
        else:
            response.observation.jpeg.data = compressed
        return response

    node.create_service(Observe, "bare", answer)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    with suppress(KeyboardInterrupt, ExternalShutdownException):
        executor.spin()


class Caller:
    """Calls services from the main thread while another one runs the executor."""

    def __init__(self) -> None:
        rclpy.init()
        self.node = rclpy.create_node("benchmark")
        executor = SingleThreadedExecutor()
        executor.add_node(self.node)
        threading.Thread(target=executor.spin, daemon=True).start()

    def client(self, name: str) -> Callable[[Any], Any]:
        """A function that calls a service."""
        client = self.node.create_client(Observe, name)
        if not client.wait_for_service(30.0):
            raise SystemExit(f"no service {name}")

        def call(request: Any) -> Any:
            for _ in range(5):
                done = threading.Event()
                future = client.call_async(request)
                future.add_done_callback(lambda _, done=done: done.set())
                if done.wait(5.0):
                    return future.result()
                client.remove_pending_request(future)
            raise SystemExit(f"{name} does not answer")

        return call


def measure(folder: Path, rounds: int, processes: list[subprocess.Popen[bytes]]) -> None:
    """Time all kinds of calls in turn and print medians and ratios."""
    caller = Caller()
    observe = caller.client("observe")

    def request(frame_id: int, image_format: int, episode_id: str = "") -> Any:
        return Observe.Request(
            frame_id=frame_id, azimuth=0.3, image_format=image_format, episode_id=episode_id
        )

    raw_format, jpeg_format = Observe.Request.RAW, Observe.Request.JPEG
    view = observe(request(0, jpeg_format)).observation
    raw = observe(request(0, raw_format)).observation.raw
    pixels = np.frombuffer(raw.data, np.uint8).reshape(480, 480, 3)
    images = folder / "images" / "image_stitched" / SEQUENCE
    command = [sys.executable, __file__, "--serve", str(len(view.jpeg.data))]
    processes.append(subprocess.Popen([*command, "--images", str(images)]))
    bare = caller.client("bare")

    kinds: dict[str, Callable[[int], Any]] = {
        "bare raw": lambda turn: bare(request(0, raw_format)),
        "observe raw": lambda turn: observe(request(0, raw_format)),
        "bare jpeg": lambda turn: bare(request(0, jpeg_format)),
        "bare encoding": lambda turn: bare(request(0, jpeg_format, ENCODE)),
        "observe jpeg": lambda turn: observe(request(0, jpeg_format)),
        "encoding here": lambda turn: jpeg.encode(pixels),
    }
    interleaved(kinds, WARM_UP)
    times = interleaved(kinds, rounds)
    order = np.random.default_rng(3).permutation(np.array(COLD_FRAMES)).tolist()
    data = [(images / f"{frame_id:06d}.jpg").read_bytes() for frame_id in order]
    first = interleaved(
        {
            "cold": lambda turn: observe(request(order[turn], raw_format)),
            "warm": lambda turn: observe(request(0, raw_format)),
            "bare decoding": lambda turn: bare(request(order[turn], raw_format, DECODE)),
            "bare": lambda turn: bare(request(0, raw_format)),
            "decoding here": lambda turn: jpeg.decode(data[turn]),
        },
        len(order),
    )
    seconds = {**times, **first}
    size = sum(len(item) for item in data) / len(data)
    print(f"{rounds} rounds; decoding by {jpeg.decoder()}, {size / 1e3:.0f} kB a panorama")
    for share, what in ((50, "median"), (10, "fastest tenth, which other load disturbs least")):
        print(what)
        report({name: float(np.percentile(values, share)) for name, values in seconds.items()})


def report(seconds: dict[str, float]) -> None:
    """Print times and their ratios."""
    print("  " + ", ".join(f"{name} {value * 1e3:.2f} ms" for name, value in seconds.items()))
    show("observe raw / bare raw", seconds["observe raw"] / seconds["bare raw"], 1.25)
    jpeg_time, cold = seconds["observe jpeg"], seconds["cold"] - seconds["warm"]
    show("observe jpeg / bare encoding", jpeg_time / seconds["bare encoding"], 1.25)
    decoding = seconds["bare decoding"] - seconds["bare"]
    show("(cold - warm) / (bare decoding - bare)", cold / decoding, 1.3)
    elsewhere = seconds["bare jpeg"] + seconds["encoding here"]
    print(f"  observe jpeg / (bare jpeg + encoding here): {jpeg_time / elsewhere:.2f}")
    print(f"  (cold - warm) / decoding here: {cold / seconds['decoding here']:.2f}")


def show(what: str, ratio: float, target: float) -> None:
    """Print a ratio beside its target."""
    met = "met" if ratio <= target else "missed"
    print(f"  {what}: {ratio:.2f} (target {target}, {met})")


if __name__ == "__main__":
    main()
