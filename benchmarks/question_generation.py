"""Time and memory of making questions, at a quarter, a half and the whole of the real size.

    python benchmarks/question_generation.py [--questions 2000] [--fractions 0.25 0.5 1]

Labels of 27 sequences, 27,661 frames and about 950,000 boxes are written to a temporary folder
first, which is not counted. Each size is measured in a process of its own: loading the labels,
searching, validating and choosing, writing the files. Beside the clock's seconds stand those of the
CPU, which tell more on a machine that does something else as well. The whole is to give 2,000
questions within 10 minutes and 4 GB on two cores, growing linearly.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from synthetic_labels import FULL_SIZE, sequence_frames, write_sequence

from avr_ros.annotations.annotation_set import AnnotationSet, open_annotations
from avr_ros.benchmark.dataset_identity import annotations_hash_of
from avr_ros.benchmark.generation import generate
from avr_ros.benchmark.identity import sequence_identity
from avr_ros.benchmark.question_files import questions_header, write_question_files
from avr_ros.benchmark.settings import GENERATOR, GenerationSettings
from avr_ros.schema.vocabulary import Family

SECONDS_TARGET = 600.0
MEGABYTES_TARGET = 4096.0
SEED = 20


def main() -> None:
    """Write the labels, measure every size, print a row each."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--questions", type=int, default=2000, help="questions of the whole size")
    parser.add_argument("--fractions", type=float, nargs="+", default=[0.25, 0.5, 1.0])
    parser.add_argument("--measure", nargs=2, metavar=("FOLDER", "PER_FAMILY"), help="internal")
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(Path(options.measure[0]), int(options.measure[1]))))
        return
    print("sequences  frames   boxes  questions  seconds  of CPU  CPU s/Mbox  peak MB")
    for fraction in options.fractions:
        with tempfile.TemporaryDirectory() as folder:
            boxes, frames, sequences = write_labels(Path(folder), fraction)
            # Some families find fewer than asked for, so a third more is asked of each.
            per_family = round(1.35 * fraction * options.questions / len(Family)) + 1
            row = in_own_process(Path(folder), per_family)
        print(
            f"{sequences:9d} {frames:7d} {boxes:7d} {row['questions']:10.0f} "
            f"{row['seconds']:8.1f} {row['cpu']:7.1f} {row['cpu'] / boxes * 1e6:11.1f} "
            f"{row['megabytes']:8.0f}",
            flush=True,
        )
        if fraction == 1.0:
            good = row["seconds"] <= SECONDS_TARGET and row["megabytes"] <= MEGABYTES_TARGET
            enough = row["questions"] >= options.questions
            print("targets met" if good and enough else "targets missed")


def write_labels(root: Path, fraction: float) -> tuple[int, int, int]:
    """Write a part of the full-size set; return numbers of boxes, frames and sequences."""
    sequences, frames, people = FULL_SIZE
    counts = sequence_frames(sequences, frames)
    kept = [counts[index] for index in range(0, sequences, round(1 / fraction))]
    boxes = sum(
        write_sequence(root, f"crowd-{index:02d}", count, people, SEED)
        for index, count in enumerate(kept)
    )
    return boxes, sum(kept), len(kept)


def in_own_process(root: Path, per_family: int) -> dict[str, float]:
    """Measure in a fresh process, whose peak memory is its own."""
    command = [sys.executable, __file__, "--measure", str(root), str(per_family)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def measure(root: Path, per_family: int) -> dict[str, float]:
    """Make questions; return their number, seconds, those of the CPU and peak memory in MB."""
    start = time.monotonic()
    annotations = open_annotations(root)
    names = annotations.sequences()
    frames = {name: annotations.scene_graph(name).frames.astype(np.int64) for name in names}
    settings = GenerationSettings(seed=SEED, per_family=per_family)
    generated = generate(annotations, frames, settings)
    identities = [_identity(annotations, name, frames[name]) for name in names]
    header = questions_header(identities, SEED, GENERATOR, len(generated.pairs))
    questions = [pair.question for pair in generated.pairs]
    write_question_files(root / "out", header, questions, [pair.key for pair in generated.pairs])
    return {
        "questions": len(questions),
        "seconds": time.monotonic() - start,
        "cpu": time.process_time(),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _identity(annotations: AnnotationSet, name: str, frames: np.ndarray):  # type: ignore[no-untyped-def]
    stamps = annotations.scene_graph(name).stamps_us
    return sequence_identity(name, frames, stamps, annotations_hash_of(annotations, name))


if __name__ == "__main__":
    main()
