"""questions.jsonl (public) and keys.jsonl (private): written, read, and refused where wrong.

The first line of each file is a header object, every further line one question or one key. Keys
name the questions file by its hash, and both name the recording and the annotations they came
from.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field

from avr_ros.benchmark.identity import SequenceIdentity, annotations_hash, recording_hash
from avr_ros.benchmark.json_lines import (
    malformed,
    parse_line,
    read_content,
    split_lines,
    write_lines,
)
from avr_ros.schema.answer import ChoiceAnswer
from avr_ros.schema.answer_key import AnswerKey
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record
from avr_ros.schema.question import Question

QUESTIONS_NAME = "questions.jsonl"
KEYS_NAME = "keys.jsonl"

QUESTIONS_FORMAT = "avr_ros/questions"
KEYS_FORMAT = "avr_ros/keys"
VERSION = 1
"""Version of both file formats; another version is refused."""


HeaderType = TypeVar("HeaderType", "QuestionsHeader", "KeysHeader")


class QuestionsHeader(Record):
    """First line of questions.jsonl.

    ``recording`` and ``annotations`` are SHA-256 sums over ``sequences``; ``seed`` is none where
    the questions were not generated; ``generator`` names the program and its version.
    """

    format: Literal["avr_ros/questions"] = "avr_ros/questions"
    version: Literal[1] = 1
    recording: str
    annotations: str
    sequences: tuple[SequenceIdentity, ...] = Field(min_length=1)
    seed: int | None
    generator: str
    count: int = Field(ge=0)


class KeysHeader(Record):
    """First line of keys.jsonl; ``questions`` is the SHA-256 of the questions file."""

    format: Literal["avr_ros/keys"] = "avr_ros/keys"
    version: Literal[1] = 1
    questions: str
    recording: str
    annotations: str
    seed: int | None
    generator: str
    count: int = Field(ge=0)


@dataclass(frozen=True)
class QuestionSet:
    """A questions file: its header, its questions in order, and the SHA-256 of its bytes."""

    path: Path
    header: QuestionsHeader
    questions: tuple[Question, ...]
    sha256: str

    def sequence(self, name: str) -> SequenceIdentity:
        """The identity of a sequence that the header names; KeyError otherwise."""
        for item in self.header.sequences:
            if item.name == name:
                return item
        raise KeyError(name)


@dataclass(frozen=True)
class KeySet(Mapping[str, AnswerKey]):
    """A keys file that belongs to a questions file: keys by question id, in the same order."""

    path: Path
    header: KeysHeader
    sha256: str
    keys_by_id: dict[str, AnswerKey] = field(repr=False)

    def __getitem__(self, question_id: str) -> AnswerKey:
        return self.keys_by_id[question_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys_by_id)

    def __len__(self) -> int:
        return len(self.keys_by_id)


def questions_header(
    sequences: Sequence[SequenceIdentity], seed: int | None, generator: str, count: int
) -> QuestionsHeader:
    """The header for ``count`` questions made from the given sequences."""
    return QuestionsHeader(
        recording=recording_hash(sequences),
        annotations=annotations_hash(sequences),
        sequences=tuple(sequences),
        seed=seed,
        generator=generator,
        count=count,
    )


def write_question_files(
    folder: Path, header: QuestionsHeader, questions: Sequence[Question], keys: Iterable[AnswerKey]
) -> tuple[Path, Path]:
    """Write questions.jsonl and keys.jsonl into a folder, which is made if absent.

    Keys are given in the questions' order. Returns both paths.
    """
    folder.mkdir(parents=True, exist_ok=True)
    questions_path = folder / QUESTIONS_NAME
    keys_path = folder / KEYS_NAME
    content = write_lines(questions_path, [header, *questions])
    keys_header = KeysHeader(
        questions=_sha256(content),
        recording=header.recording,
        annotations=header.annotations,
        seed=header.seed,
        generator=header.generator,
        count=header.count,
    )
    write_lines(keys_path, [keys_header, *keys])
    return questions_path, keys_path


def read_questions(path: Path | str) -> QuestionSet:
    """Read questions.jsonl; raises BadInputError with file and line number for anything wrong."""
    path = Path(path)
    content = read_content(path)
    lines = split_lines(content)
    header = _header(QuestionsHeader, lines, path, QUESTIONS_FORMAT)
    if (header.recording, header.annotations) != (
        recording_hash(header.sequences),
        annotations_hash(header.sequences),
    ):
        raise malformed(path, 1, "the header's hashes do not agree with its sequences")
    names = {item.name for item in header.sequences}
    questions: list[Question] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(lines[1:], start=2):
        question = parse_line(Question, line, path, number)
        _refuse_repeat(seen, question.question_id, path, number)
        if question.sequence not in names:
            raise malformed(
                path, number, f"sequence {question.sequence!r} is not among the header's"
            )
        questions.append(question)
    _check_count(header.count, len(questions), "questions", path)
    return QuestionSet(path, header, tuple(questions), _sha256(content))


def read_keys(path: Path | str, questions: QuestionSet) -> KeySet:
    """Read the keys.jsonl of a questions file.

    Raises BadInputError with file and line number for anything malformed, and for keys that were
    not written with exactly these questions.
    """
    path = Path(path)
    content = read_content(path)
    lines = split_lines(content)
    header = _header(KeysHeader, lines, path, KEYS_FORMAT)
    if header.questions != questions.sha256:
        raise BadInputError(
            f"{path}:1: keys belong to a questions file with SHA-256 {header.questions[:12]}…, "
            f"not to {questions.path} ({questions.sha256[:12]}…); give the two that were "
            "written together"
        )
    if (header.recording, header.annotations) != (
        questions.header.recording,
        questions.header.annotations,
    ):
        raise BadInputError(
            f"{path}:1: keys and questions name different recordings or annotations; give the "
            "two files that were written together"
        )
    by_id = {question.question_id: question for question in questions.questions}
    seen: dict[str, int] = {}
    keys: dict[str, AnswerKey] = {}
    for number, line in enumerate(lines[1:], start=2):
        key = parse_line(AnswerKey, line, path, number)
        _refuse_repeat(seen, key.question_id, path, number)
        question = by_id.get(key.question_id)
        if question is None:
            raise malformed(path, number, f"key {key.question_id} has no question")
        _check_belongs(key, question, path, number)
        keys[key.question_id] = key
    missing = [item.question_id for item in questions.questions if item.question_id not in keys]
    if missing:
        line_number = 2 + next(
            index
            for index, item in enumerate(questions.questions)
            if item.question_id == missing[0]
        )
        raise BadInputError(
            f"{path}: {len(missing)} questions have no key, first {missing[0]} "
            f"({questions.path}:{line_number}); give the keys written with these questions"
        )
    _check_count(header.count, len(keys), "keys", path)
    ordered = {item.question_id: keys[item.question_id] for item in questions.questions}
    return KeySet(path, header, _sha256(content), ordered)


def _header(model: type[HeaderType], lines: list[bytes], path: Path, name: str) -> HeaderType:
    if not lines:
        raise BadInputError(f"{path}:1: the file is empty; give a file of format {name}")
    try:
        content = json.loads(lines[0])
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or content.get("format") != name:
        raise BadInputError(
            f"{path}:1: not the header of a file of format {name}; give such a file"
        )
    if content.get("version") != VERSION:
        raise BadInputError(
            f"{path}:1: {name} version {content.get('version')!r}, this program reads version "
            f"{VERSION}; generate the files again"
        )
    return parse_line(model, lines[0], path, 1)


def _check_belongs(key: AnswerKey, question: Question, path: Path, number: int) -> None:
    """Raise where a key contradicts its question."""
    where = f"key {key.question_id}"
    if key.answer.mode != question.answer_mode.value:
        raise malformed(
            path,
            number,
            f"{where} answers by {key.answer.mode}, its question by {question.answer_mode.value}",
        )
    if key.tolerance != question.tolerance:
        raise malformed(
            path,
            number,
            f"{where} has tolerance {key.tolerance}, its question {question.tolerance}",
        )
    if isinstance(key.answer, ChoiceAnswer) and key.answer.choice >= len(question.choices):
        raise malformed(
            path,
            number,
            f"{where} has choice {key.answer.choice} of {len(question.choices)}",
        )


def _refuse_repeat(seen: dict[str, int], question_id: str, path: Path, number: int) -> None:
    if question_id in seen:
        raise malformed(
            path, number, f"question id {question_id} was used in line {seen[question_id]}"
        )
    seen[question_id] = number


def _check_count(expected: int, found: int, what: str, path: Path) -> None:
    if expected != found:
        raise BadInputError(
            f"{path}:1: the header announces {expected} {what}, the file has {found}; it may be "
            "cut short: write it again"
        )


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
