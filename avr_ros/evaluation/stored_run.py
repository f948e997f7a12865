"""A run folder that is only read: by reports, re-scoring and inspection."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from avr_ros.benchmark.question_files import QuestionSet, read_questions
from avr_ros.evaluation.attempt_files import CALLS_NAME, LEDGER_NAME, STEPS_NAME, read_lines
from avr_ros.evaluation.journal import (
    JOURNAL_NAME,
    JournalEntry,
    latest_results,
    read_journal,
)
from avr_ros.evaluation.ledger_line import ledger_from_json
from avr_ros.evaluation.run_folder import (
    QUESTIONS_NAME,
    SPECIFICATION_NAME,
    episode_id_of,
    read_specification,
)
from avr_ros.evaluation.specification import RunSpecification
from avr_ros.schema.episode import Ledger
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.question import Question
from avr_ros.schema.result import SampleResult
from avr_ros.schema.step import Step


def is_run_folder(path: Path) -> bool:
    """Whether a folder holds a run."""
    return (path / SPECIFICATION_NAME).is_file()


@dataclass(frozen=True)
class StoredRun:
    """What a run folder holds.

    ``questions`` are those that the run asks, in order (its limit applied); ``entries`` every
    line of the journal.
    """

    folder: Path
    specification: RunSpecification
    question_set: QuestionSet
    questions: tuple[Question, ...]
    entries: tuple[JournalEntry, ...]

    @property
    def results(self) -> list[SampleResult]:
        """The last result of each question that has one, in the questions' order."""
        latest = latest_results(list(self.entries))
        return [
            latest[question.question_id].result()
            for question in self.questions
            if question.question_id in latest
        ]

    def steps(self, results: Collection[SampleResult]) -> dict[str, list[Step]]:
        """The steps of the attempts behind some results, by question id."""
        return self._steps_of(STEPS_NAME, results)

    def calls(self, results: Collection[SampleResult]) -> dict[str, list[Step]]:
        """The model calls of the attempts behind some results, whole, by question id."""
        return self._steps_of(CALLS_NAME, results)

    def ledgers(self, results: Collection[SampleResult]) -> dict[str, Ledger]:
        """The ledgers of the attempts behind some results, by question id."""
        wanted = _episodes(results)
        return {
            wanted[ledger.episode_id]: ledger
            for ledger in self._ledgers()
            if ledger.episode_id in wanted
        }

    def _steps_of(self, name: str, results: Collection[SampleResult]) -> dict[str, list[Step]]:
        wanted = _episodes(results)
        found: dict[str, list[Step]] = {result.question_id: [] for result in results}
        for line in read_lines(self.folder / name):
            if _named(line, wanted):
                try:
                    step = Step.model_validate_json(line)
                except ValidationError as error:
                    raise BadInputError(
                        f"{self.folder / name}: not a step: {line[:60]!r}; "
                        "the file was changed from outside"
                    ) from error
                found[wanted[step.episode_id]].append(step)
        return found

    def _ledgers(self) -> Iterator[Ledger]:
        for number, line in enumerate(read_lines(self.folder / LEDGER_NAME), start=1):
            try:
                yield ledger_from_json(line)
            except BadInputError as error:
                raise BadInputError(
                    f"{self.folder / LEDGER_NAME}, line {number}: {error}"
                ) from error


def load_run(folder: Path) -> StoredRun:
    """Read a run folder, finished or not. Raises BadInputError or RunFolderError."""
    specification = read_specification(folder)
    question_set = read_questions(folder / QUESTIONS_NAME)
    if question_set.sha256 != specification.hashes.get("questions"):
        raise BadInputError(
            f"{folder / QUESTIONS_NAME} is not the file that the run was started with; "
            "put that file back"
        )
    journal = folder / JOURNAL_NAME
    entries = tuple(read_journal(journal)) if journal.exists() else ()
    return StoredRun(
        folder,
        specification,
        question_set,
        limited(question_set.questions, specification.limit),
        entries,
    )


def limited(questions: tuple[Question, ...], limit: int) -> tuple[Question, ...]:
    """The first ``limit`` questions, all where it is 0."""
    return questions[:limit] if limit else questions


def _episodes(results: Collection[SampleResult]) -> dict[str, str]:
    return {
        episode_id_of(result.question_id, result.attempt): result.question_id for result in results
    }


def _named(line: str, wanted: Collection[str]) -> bool:
    """Whether a line is of a wanted episode, without reading all of it.

    The episode's id is its first value, and holds neither quotes nor escapes.
    """
    return line.split('"', 4)[3:4] != [] and line.split('"', 4)[3] in wanted
