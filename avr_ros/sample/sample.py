"""A sample data set on disk: made once, reused when it is the same, never left half done."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from avr_ros.sample.calibration import calibration_files
from avr_ros.sample.folders import write_sequence
from avr_ros.sample.specification import SampleSpecification
from avr_ros.schema.errors import AvrError, BadInputError

MANIFEST: Final = "sample.json"
"""File in the data set's root: what it was made from, its sequences, and the faults put in."""

Progress = Callable[[int, int], None]
"""Called with the number of frames done and of all frames."""


class SampleError(AvrError):
    """A sample data set could not be made."""


@dataclass(frozen=True)
class Sample:
    """A data set on disk; ``reused`` tells that it was there already."""

    directory: Path
    specification: SampleSpecification
    reused: bool


def ensure_sample(
    directory: Path,
    specification: SampleSpecification,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Sample:
    """Make the data set in ``directory`` unless the same one is there.

    ``workers`` processes share the sequences (default: two, or fewer where there are fewer cores
    or sequences). The set is written beside ``directory`` and renamed at the end, so that
    an interrupted attempt is never taken for a data set; its remains are removed by the next one.
    Raises BadInputError where ``directory`` holds anything else, SampleError where the disk fails.
    """
    directory = Path(directory)
    if directory.exists():
        found = _manifest(directory)
        if found is not None and found.get("specification") == specification.model_dump():
            return Sample(directory, specification, reused=True)
        if not directory.is_dir() or any(directory.iterdir()):
            what = "another sample" if found is not None else "something that is not a sample"
            raise BadInputError(
                f"{directory} holds {what}: choose another directory or remove this one"
            )
    partial = directory.with_name(f".{directory.name}.partial")
    try:
        if partial.exists():
            shutil.rmtree(partial)
        partial.mkdir(parents=True)
        rows = _write(partial, specification, workers, progress)
        _write_calibration(partial)
        manifest = {"specification": specification.model_dump(), "sequences": rows}
        (partial / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")
        os.replace(partial, directory)
    except OSError as error:
        raise SampleError(
            f"cannot write the sample to {directory}: {error.strerror or error}; "
            "free some space or choose another directory"
        ) from error
    return Sample(directory, specification, reused=False)


def _manifest(directory: Path) -> dict[str, Any] | None:
    path = directory / MANIFEST
    if not path.is_file():
        return None
    try:
        content = json.loads(path.read_text())
    except (ValueError, OSError):
        return None
    return content if isinstance(content, dict) else None


def _write_calibration(root: Path) -> None:
    folder = root / "calibration"
    folder.mkdir()
    for name, text in calibration_files().items():
        (folder / name).write_text(text)


def _write(
    root: Path, specification: SampleSpecification, workers: int | None, progress: Progress | None
) -> list[dict[str, Any]]:
    total = specification.sequences * specification.frames
    count = min(workers or min(2, os.cpu_count() or 1), specification.sequences)
    if count <= 1:
        rows = []
        for index in range(specification.sequences):
            before = index * specification.frames

            def report(done: int, before: int = before) -> None:
                if progress is not None:
                    progress(before + done, total)

            rows.append(write_sequence(specification, index, root, report))
        return rows
    # Not forked: the caller may have threads.
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        futures = [
            pool.submit(write_sequence, specification, index, root)
            for index in range(specification.sequences)
        ]
        try:
            _follow(futures, root, total, progress)
            return [future.result() for future in futures]
        except BaseException:
            for future in futures:
                future.cancel()
            raise


def _follow(
    futures: list[Future[dict[str, Any]]], root: Path, total: int, progress: Progress | None
) -> None:
    """Wait for the workers, counting the pictures that they have written."""
    images = root / "images" / "image_stitched"
    waiting = set(futures)
    while waiting:
        done, waiting = wait(waiting, timeout=0.5, return_when=FIRST_COMPLETED)
        for future in done:
            future.result()
        if progress is not None and images.is_dir():
            written = sum(len(os.listdir(folder)) for folder in images.iterdir())
            progress(min(written, total), total)
