"""One view through the detector that ships, on one core, beside a bare onnxruntime call.

    python benchmarks/perception.py [--rounds 60]

Prints the milliseconds of `OnnxPerception.find`, from decoded pixels to people, and of a bare
``InferenceSession.run`` of the same file with the same options and the same input, in turns. The
first is to stay within 25 ms and within 1.3 times the second.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
from interleaved import interleaved, ratio

from avr_ros.geometry.crop import CropWindow, cut
from avr_ros.perception.detector_description import SHIPPED, read_description
from avr_ros.perception.onnx_perception import OnnxPerception
from avr_ros.sample.render import Renderer
from avr_ros.sample.specification import SampleSpecification
from avr_ros.sample.world import simulate

TARGET_MS = 25.0
TARGET_RATIO = 1.3


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    world = simulate(SampleSpecification(seed=1960, sequences=1, frames=30, style="daylight"), 0)
    panorama, sights, _ = Renderer(world).frame(10)
    seen = max(sights, key=lambda sight: sight.pixels)
    window = CropWindow(int(seen.outline[0] - 150) % 3760, 0, 480, 480, 3760)
    view = cut(panorama, window)

    perception = OnnxPerception()
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    settings.inter_op_num_threads = 1
    settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
    file = Path(read_description(SHIPPED).file)
    bare = onnxruntime.InferenceSession(
        file.read_bytes(), settings, providers=["CPUExecutionProvider"]
    )
    batch = view[None]
    for _ in range(3):
        perception.find(view, window)
        bare.run(None, {"image": batch})
    seconds = interleaved(
        {
            "OnnxPerception.find": lambda turn: perception.find(view, window),
            "bare onnxruntime": lambda turn: bare.run(None, {"image": batch}),
        },
        options.rounds,
    )
    for name, values in seconds.items():
        low, middle = np.percentile(values * 1e3, [10, 50])
        print(f"{name:22s} {middle:7.2f} ms median, {low:7.2f} ms fastest tenth")
    before = time.thread_time()
    for _ in range(options.rounds):
        perception.find(view, window)
    busy = (time.thread_time() - before) / options.rounds * 1e3
    print(f"{'processor time of find':22s} {busy:7.2f} ms mean, what other programs took left out")
    found = len(perception.find(view, window))
    times = ratio(seconds["OnnxPerception.find"], seconds["bare onnxruntime"])
    print(
        f"{found} people, {file.stat().st_size / 1e6:.2f} MB; target {TARGET_MS:.0f} ms; "
        f"ratio {times:.2f}, target {TARGET_RATIO}"
    )


if __name__ == "__main__":
    main()
