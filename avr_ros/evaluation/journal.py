"""journal.jsonl: one line for each question as it ends, on the disk before the next is counted."""

from pathlib import Path

from pydantic import Field, ValidationError

from avr_ros.evaluation.errors import RunFolderError
from avr_ros.evaluation.files import AppendedFile, sync_folder
from avr_ros.schema.prediction import RETRIED_ON_RESUME
from avr_ros.schema.result import SampleResult

JOURNAL_NAME = "journal.jsonl"
TORN_NAME = "journal.torn"


class JournalEntry(SampleResult):
    """A result with when it came.

    ``session`` counts the starts of the run that finished at least one question, from 1;
    ``session_seconds`` is the time since that start.
    """

    session: int = Field(ge=1)
    session_seconds: float = Field(ge=0)
    finished_at: str

    def result(self) -> SampleResult:
        """The result alone."""
        names = SampleResult.model_fields
        return SampleResult.model_construct(**{name: getattr(self, name) for name in names})


def to_retry(result: SampleResult) -> bool:
    """Whether a resumed run asks the question again: it failed for no fault of the agent."""
    return result.prediction.failure in RETRIED_ON_RESUME


def read_journal(path: Path) -> list[JournalEntry]:
    """Read a journal; a last line that a kill or a power cut has torn is left out.

    Raises RunFolderError where the file cannot be read or an earlier line is damaged.
    """
    return _parse(path)[0]


def latest_results(entries: list[JournalEntry]) -> dict[str, JournalEntry]:
    """The entry of each question's last attempt, by question id."""
    latest: dict[str, JournalEntry] = {}
    for entry in entries:
        kept = latest.get(entry.question_id)
        if kept is None or kept.attempt <= entry.attempt:
            latest[entry.question_id] = entry
    return latest


class Journal:
    """The journal of a run that is being written. Not thread-safe; one writer only."""

    def __init__(self, folder: Path) -> None:
        """Open the journal of a run folder, setting a torn last line aside in journal.torn.

        ``torn`` says whether there was one. Raises RunFolderError.
        """
        path = folder / JOURNAL_NAME
        self.entries, good = _parse(path) if path.exists() else ([], 0)
        self._file = AppendedFile(path)
        self.torn = self._file.size > good
        if self.torn:
            with open(path, "rb") as file:
                file.seek(good)
                torn = file.read()
            aside = AppendedFile(folder / TORN_NAME)
            aside.append(torn.rstrip(b"\n") + b"\n")
            aside.close()
            self._file.take_back(good)
        sync_folder(folder)

    def append(self, entry: JournalEntry) -> None:
        """Add a line and wait until it is on the disk. Raises RunFolderError."""
        self._file.append(entry.model_dump_json().encode() + b"\n")
        self.entries.append(entry)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _parse(path: Path) -> tuple[list[JournalEntry], int]:
    """The entries of a journal and the length in bytes of its undamaged part."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise RunFolderError(f"cannot read {path}: {error.strerror}") from error
    entries: list[JournalEntry] = []
    good = 0
    lines = content.split(b"\n")
    complete = lines[:-1]
    for number, line in enumerate(complete, start=1):
        try:
            entries.append(JournalEntry.model_validate_json(line))
        except ValidationError as error:
            if number == len(complete) and not lines[-1]:
                break
            first = error.errors(include_url=False)[0]
            raise RunFolderError(
                f"{path}, line {number}: {first['msg']}; the journal was changed from outside, "
                "restore the line or start a new run folder"
            ) from error
        good += len(line) + 1
    return entries, good
