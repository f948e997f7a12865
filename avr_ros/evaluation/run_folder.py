"""The folder of a run; this is the only code that writes its files.

``run.json`` the frozen specification; ``questions.jsonl`` the questions file that it runs;
``journal.jsonl`` one line for each question as it ends; ``samples.jsonl`` the results in the
questions' order; ``steps.jsonl``, ``calls.jsonl`` and ``ledger.jsonl`` what happened in each
finished attempt; ``report.json``, ``report.html``; ``bag/`` is the recorder's.

A run may be killed at any moment. Started again with the same specification it goes on: what is
in the journal is kept, whatever else was begun is dropped and done again.
"""

import os
import threading
import time
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType

from pydantic import ValidationError

from avr_ros.evaluation.attempt_files import NAMES as ATTEMPT_FILE_NAMES
from avr_ros.evaluation.attempt_files import AttemptFiles, attempt_blocks
from avr_ros.evaluation.errors import RunDiffersError, RunFolderError
from avr_ros.evaluation.files import replace_file
from avr_ros.evaluation.journal import (
    JOURNAL_NAME,
    TORN_NAME,
    Journal,
    JournalEntry,
    latest_results,
)
from avr_ros.evaluation.run_lock import LOCK_NAME, RunLock
from avr_ros.evaluation.sample_line import sample_line
from avr_ros.evaluation.specification import RunSpecification, differences
from avr_ros.schema.episode import Ledger
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.report import Report
from avr_ros.schema.result import SampleResult
from avr_ros.schema.step import Step

SPECIFICATION_NAME = "run.json"
QUESTIONS_NAME = "questions.jsonl"
SAMPLES_NAME = "samples.jsonl"
REPORT_NAME = "report.json"
HTML_NAME = "report.html"
BAG_NAME = "bag"

_OWN_NAMES = frozenset(
    {
        SPECIFICATION_NAME,
        QUESTIONS_NAME,
        SAMPLES_NAME,
        REPORT_NAME,
        HTML_NAME,
        BAG_NAME,
        JOURNAL_NAME,
        TORN_NAME,
        LOCK_NAME,
        *ATTEMPT_FILE_NAMES,
    }
)


def episode_id_of(question_id: str, attempt: int) -> str:
    """The episode id of one attempt at a question."""
    return f"{question_id}#{attempt}"


class RunFolder:
    """A run folder held for writing. Thread-safe."""

    def __init__(
        self, path: Path, specification: RunSpecification, questions: bytes | None = None
    ) -> None:
        """Create the run, or go on with the one in the folder, and hold it until closed.

        ``questions`` are the bytes of the questions file, kept beside the results so that a
        report can be made from the folder alone.

        Raises RunDiffersError where the folder holds a run with another specification,
        BadInputError where it holds something else, RunFolderBusyError where another process is
        writing it, RunFolderError where it cannot be written.
        """
        self.path = path
        if path.exists() and not path.is_dir():
            raise BadInputError(f"{path} is a file; choose a folder for the run")
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunFolderError(f"cannot make the run folder {path}: {error.strerror}") from error
        _refuse_strangers(path)
        self._lock_file = RunLock(path)
        try:
            self.specification = self._settle(specification)
            if questions is not None and not (path / QUESTIONS_NAME).exists():
                replace_file(path / QUESTIONS_NAME, questions)
            self._journal = Journal(path)
            finished = {
                episode_id_of(entry.question_id, entry.attempt) for entry in self._journal.entries
            }
            self._files = AttemptFiles(path, finished)
        except BaseException:
            self._lock_file.close()
            raise
        self._lock = threading.Lock()
        self._session = max((entry.session for entry in self._journal.entries), default=0) + 1
        self._started = time.monotonic()

    def __enter__(self) -> "RunFolder":
        """Return the folder itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the folder."""
        self.close()

    @property
    def torn_line(self) -> bool:
        """Whether a torn last line of the journal was set aside when the folder was opened."""
        return self._journal.torn

    def entries(self) -> dict[str, JournalEntry]:
        """The journal's last entry of each question that has one, by question id."""
        with self._lock:
            return latest_results(self._journal.entries)

    def all_entries(self) -> list[JournalEntry]:
        """Every journal entry, earlier attempts included."""
        with self._lock:
            return list(self._journal.entries)

    def finish(self, result: SampleResult, steps: Sequence[Step], ledger: Ledger) -> JournalEntry:
        """Enter a question that ended. It is on the disk when this returns.

        Raises RunFolderError; the question then counts as not finished.
        """
        blocks = attempt_blocks(steps, ledger)
        with self._lock:
            entry = JournalEntry(
                **dict(result),
                session=self._session,
                session_seconds=time.monotonic() - self._started,
                finished_at=now(),
            )
            before = self._files.sizes()
            self._files.append(blocks)
            try:
                self._journal.append(entry)
            except RunFolderError:
                self._files.take_back(before)
                raise
            return entry

    def write_samples(self, order: Sequence[str]) -> None:
        """Write samples.jsonl: the results so far in the order of the question ids ``order``."""
        with self._lock:
            latest = latest_results(self._journal.entries)
            lines = [
                sample_line(latest[question_id].result()).encode() + b"\n"
                for question_id in order
                if question_id in latest
            ]
            replace_file(self.path / SAMPLES_NAME, b"".join(lines))

    def sort_attempt_files(self, order: Sequence[str]) -> None:
        """Put steps, calls and ledgers in the order of the question ids ``order``."""
        rank = {question_id: index for index, question_id in enumerate(order)}
        with self._lock:
            attempts = sorted(
                {
                    (rank[entry.question_id], entry.attempt, entry.question_id)
                    for entry in self._journal.entries
                }
            )
            self._files.sort([episode_id_of(name, attempt) for _, attempt, name in attempts])

    def write_report(self, report: Report) -> None:
        """Write report.json."""
        replace_file(self.path / REPORT_NAME, (report.model_dump_json(indent=2) + "\n").encode())

    def forget_report(self) -> None:
        """Remove report.json: questions are about to get other results than it tells of."""
        try:
            (self.path / REPORT_NAME).unlink(missing_ok=True)
        except OSError as error:
            raise RunFolderError(
                f"cannot remove {self.path / REPORT_NAME}: {error.strerror}"
            ) from error

    def write_html(self, page: str) -> None:
        """Write report.html."""
        replace_file(self.path / HTML_NAME, page.encode())

    def close(self) -> None:
        """Give the folder back."""
        self._journal.close()
        self._files.close()
        self._lock_file.close()

    def _settle(self, asked: RunSpecification) -> RunSpecification:
        path = self.path / SPECIFICATION_NAME
        if not path.exists():
            replace_file(path, (asked.model_dump_json(indent=2) + "\n").encode())
            return asked
        kept = read_specification(self.path)
        found = differences(kept, asked)
        if found:
            raise RunDiffersError(
                f"{self.path} holds another run ({'; '.join(found)}); "
                "ask for the same run to go on with it, or choose another folder"
            )
        return kept


def read_specification(folder: Path) -> RunSpecification:
    """Read a run's run.json. Raises BadInputError where there is none or it is damaged."""
    path = folder / SPECIFICATION_NAME
    try:
        return RunSpecification.model_validate_json(path.read_bytes())
    except OSError as error:
        raise BadInputError(f"cannot read {path}: {error.strerror}; is it a run folder?") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BadInputError(
            f"{path}: {place + ': ' if place else ''}{first['msg']}; "
            "it was written by another version or damaged, start a new run folder"
        ) from error


def now() -> str:
    """The time in UTC as ISO 8601 text with seconds."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def _refuse_strangers(path: Path) -> None:
    """Refuse a folder that has files but no run, so that nobody's files are mixed with a run's."""
    try:
        names = set(os.listdir(path))
    except OSError as error:
        raise BadInputError(f"{path} is not a folder that can be read: {error.strerror}") from error
    if SPECIFICATION_NAME in names:
        return
    strangers = sorted(name for name in names if name.removesuffix(".partial") not in _OWN_NAMES)
    if strangers:
        raise BadInputError(
            f"{path} is not empty and not a run folder (it holds {strangers[0]}); "
            "choose another folder"
        )
