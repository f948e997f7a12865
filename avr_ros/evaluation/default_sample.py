"""The sample that is used where no data set is given: made on first use, kept for the next.

It lies in ``data/sample/`` of the checkout that the code runs from, else in
``$XDG_CACHE_HOME/avr_ros/sample/`` (``~/.cache`` where that is not set).
"""

import fcntl
import logging
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from avr_ros.benchmark.question_files import (
    KEYS_NAME,
    QUESTIONS_NAME,
    read_keys,
    read_questions,
)
from avr_ros.benchmark.settings import GENERATOR, GenerationSettings
from avr_ros.evaluation.errors import RunFolderError
from avr_ros.sample.specification import SampleSpecification
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.vocabulary import Family

SAMPLE: Final = SampleSpecification()
"""The data set of the sample."""

QUESTIONS: Final = GenerationSettings(
    seed=SAMPLE.seed, per_family=64, families=(Family.ACTION_BOUNDARY,)
)
"""The questions about it: of the families that an agent answers."""

Advance = Callable[[str, int, int], None]
"""Called with what is being made, how much of it is done, and how much there is."""

_LOG = logging.getLogger(__name__)
_SETTINGS_NAME = "settings.txt"
_SOURCE = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class DatasetPaths:
    """A data set with its questions and keys."""

    dataset: Path
    questions: Path
    keys: Path


def sample_or(
    dataset: Path | None,
    questions: Path | None,
    keys: Path | None,
    advance: Advance | None = None,
) -> DatasetPaths:
    """The paths given, or the sample's where none is. Raises BadInputError for a part of them."""
    if dataset is None and questions is None and keys is None:
        return ensure_default_sample(advance)
    if dataset is None or questions is None or keys is None:
        named = (("a data set", dataset), ("questions", questions), ("keys", keys))
        missing = [name for name, path in named if path is None]
        raise BadInputError(
            f"give {' and '.join(missing)} too, or none of the three for the sample"
        )
    return DatasetPaths(dataset, questions, keys)


def ensure_default_sample(
    advance: Advance | None = None,
    root: Path | None = None,
    specification: SampleSpecification = SAMPLE,
    settings: GenerationSettings = QUESTIONS,
) -> DatasetPaths:
    """Make the sample data set and its questions unless they are there.

    Without ``advance`` the log says that the sample is being made.

    An interrupted attempt is never taken for a whole one, and of two processes that start at
    once one waits for the other. Raises AvrError where the disk fails.
    """
    # What makes the sample is not needed by those who bring a data set.
    from avr_ros.sample.sample import ensure_sample

    folder = (root or sample_root()) / f"{specification.seed}-{specification.version}"
    with _held(folder):
        if advance is None and not (folder / "dataset").exists():
            _LOG.warning("making the sample in %s, once; this takes a minute or two", folder)
        ensure_sample(
            folder / "dataset",
            specification,
            progress=None
            if advance is None
            else lambda done, total: advance("sample frames", done, total),
        )
        questions = folder / "questions"
        if not _questions_are_there(questions, settings):
            _make_questions(folder / "dataset", questions, settings, advance)
    return DatasetPaths(folder / "dataset", questions / QUESTIONS_NAME, questions / KEYS_NAME)


def sample_root() -> Path:
    """The folder below which samples are kept."""
    if (_SOURCE / "package.xml").is_file() and (_SOURCE / "Makefile").is_file():
        return _SOURCE / "data" / "sample"
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "avr_ros" / "sample"


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Let one process at a time into a folder; a killed one lets go of it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise RunFolderError(
            f"cannot write the sample to {folder}: {error.strerror}; "
            "give a data set, questions and keys instead"
        ) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _questions_are_there(folder: Path, settings: GenerationSettings) -> bool:
    """Whether a folder holds questions and keys that these settings and this program give.

    Their folder is put in place whole, so that damaged files are somebody's doing and told.
    """
    if not folder.exists():
        return False
    kept = folder / _SETTINGS_NAME
    if not kept.exists() or kept.read_text() != _settings_text(settings):
        return False
    read_keys(folder / KEYS_NAME, read_questions(folder / QUESTIONS_NAME))
    return True


def _settings_text(settings: GenerationSettings) -> str:
    return f"{GENERATOR}\n{settings.model_dump_json()}\n"


def _make_questions(
    dataset: Path, folder: Path, settings: GenerationSettings, advance: Advance | None
) -> None:
    from avr_ros.annotations.annotation_set import open_annotations
    from avr_ros.benchmark.generate_files import generate_files
    from avr_ros.recordings.open_recording import open_recording

    partial = folder.with_name(f".{folder.name}.partial")
    try:
        shutil.rmtree(partial, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)
        recording = open_recording(dataset)
        try:
            generate_files(
                recording,
                open_annotations(dataset),
                settings,
                partial,
                (lambda done, total: None)
                if advance is None
                else lambda done, total: advance("sample questions", done, total),
            )
        finally:
            recording.close()
        (partial / _SETTINGS_NAME).write_text(_settings_text(settings))
        os.replace(partial, folder)
    except OSError as error:
        raise RunFolderError(
            f"cannot write the sample's questions to {folder}: {error.strerror}"
        ) from error
