"""steps.jsonl, calls.jsonl and ledger.jsonl: what happened in each finished attempt.

Every line names its episode, ``<question id>#<attempt>``. An attempt's lines reach the disk
before its line in the journal, so a kill can leave lines of an attempt that never finished:
they are dropped when the run goes on.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from avr_ros.evaluation.errors import RunFolderError
from avr_ros.evaluation.files import AppendedFile, replace_file
from avr_ros.evaluation.ledger_line import ledger_to_json
from avr_ros.schema.episode import Ledger
from avr_ros.schema.step import Step, StepKind

STEPS_NAME = "steps.jsonl"
CALLS_NAME = "calls.jsonl"
LEDGER_NAME = "ledger.jsonl"
NAMES = (STEPS_NAME, CALLS_NAME, LEDGER_NAME)


@dataclass(frozen=True)
class _Line:
    """Where a line lies in its file and whose it is; ``number`` orders lines of one episode."""

    episode_id: str
    number: int
    start: int
    length: int


def attempt_blocks(steps: Sequence[Step], ledger: Ledger) -> dict[str, bytes]:
    """What one attempt adds to each file.

    A model call's details (the exchange itself) are in calls.jsonl; in steps.jsonl its line has
    none, so that neither file repeats the other.
    """
    step_lines = [
        step.model_copy(update={"details": {}}) if step.kind is StepKind.MODEL_CALL else step
        for step in steps
    ]
    calls = [step for step in steps if step.kind is StepKind.MODEL_CALL]
    return {
        STEPS_NAME: b"".join(step.model_dump_json().encode() + b"\n" for step in step_lines),
        CALLS_NAME: b"".join(call.model_dump_json().encode() + b"\n" for call in calls),
        LEDGER_NAME: ledger_to_json(ledger).encode() + b"\n",
    }


class AttemptFiles:
    """The three files of a run that is being written. Not thread-safe; one writer only."""

    def __init__(self, folder: Path, finished: set[str]) -> None:
        """Open the files, dropping lines of episodes that are not among the ``finished`` ones.

        Raises RunFolderError.
        """
        self._folder = folder
        self._files: dict[str, AppendedFile] = {}
        for name in NAMES:
            _keep(folder / name, finished)
            self._files[name] = AppendedFile(folder / name)

    def append(self, blocks: dict[str, bytes]) -> None:
        """Add an attempt's blocks, all or none. Raises RunFolderError."""
        before = {name: self._files[name].size for name in blocks}
        try:
            for name, block in blocks.items():
                if block:
                    self._files[name].append(block)
        except RunFolderError:
            self.take_back(before)
            raise

    def sizes(self) -> dict[str, int]:
        """Length of each file in bytes, for :meth:`take_back`."""
        return {name: file.size for name, file in self._files.items()}

    def take_back(self, sizes: dict[str, int]) -> None:
        """Shorten the files to earlier sizes."""
        for name, size in sizes.items():
            if self._files[name].size != size:
                self._files[name].take_back(size)

    def sort(self, episodes: Sequence[str]) -> None:
        """Rewrite each file in the order of ``episodes``, each at once. Raises RunFolderError."""
        rank = {episode_id: index for index, episode_id in enumerate(episodes)}
        for name in NAMES:
            path = self._folder / name
            lines = list(_lines(path))
            ordered = sorted(lines, key=lambda line: (rank[line.episode_id], line.number))
            if ordered != lines:
                self._files.pop(name).close()
                _rewrite(path, ordered)
                self._files[name] = AppendedFile(path)

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            file.close()


def read_lines(path: Path) -> Iterator[str]:
    """The complete lines of one of the files; none where the file is absent."""
    if not path.exists():
        return
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.endswith("\n"):
                yield line


def _lines(path: Path) -> Iterator[_Line]:
    """The complete, readable lines of a file. A torn one can only be the last of its block."""
    if not path.exists():
        return
    start = 0
    with open(path, "rb") as file:
        for line in file:
            try:
                value = json.loads(line) if line.endswith(b"\n") else None
            except ValueError:
                value = None
            if isinstance(value, dict) and isinstance(value.get("episode_id"), str):
                yield _Line(value["episode_id"], int(value.get("number", 0)), start, len(line))
            start += len(line)


def _keep(path: Path, finished: set[str]) -> None:
    lines = list(_lines(path))
    kept = [line for line in lines if line.episode_id in finished]
    size = path.stat().st_size if path.exists() else 0
    if sum(line.length for line in kept) != size:
        _rewrite(path, kept)


def _rewrite(path: Path, lines: Sequence[_Line]) -> None:
    content = path.read_bytes()
    replace_file(path, b"".join(content[line.start : line.start + line.length] for line in lines))
