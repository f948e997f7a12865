"""Question and key files: round trips, and every refusal with its line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from avr_ros.benchmark.identity import (
    check_annotations,
    check_sequence,
    label_files_hash,
    recording_hash,
    sequence_identity,
)
from avr_ros.benchmark.question_files import (
    questions_header,
    read_keys,
    read_questions,
    write_question_files,
)
from avr_ros.schema.answer import ChoiceAnswer, FrameAnswer
from avr_ros.schema.answer_key import AnswerKey, EvidenceFrame
from avr_ros.schema.box import Box
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.question import FrameSpan, Question
from avr_ros.schema.vocabulary import AnswerMode, Family

FRAMES = np.arange(100, dtype=np.int64)
STAMPS = 1_550_000_000_000_000 + FRAMES * 68_493
IDENTITY = sequence_identity("hall", FRAMES, STAMPS, "a" * 64)

QUESTIONS = (
    Question(
        question_id="action_boundary-1",
        family=Family.ACTION_BOUNDARY,
        answer_mode=AnswerMode.FRAME,
        text="When does the person sit down? “Frame” only…",
        sequence="hall",
        tolerance=5.0,
        legal_frames=(FrameSpan(first=0, last=99),),
        given_frames=(0, 50, 99),
    ),
    Question(
        question_id="relation_chain-1",
        family=Family.RELATION_CHAIN,
        answer_mode=AnswerMode.CHOICE,
        text="What?",
        sequence="hall",
        choices=("walking", "sitting"),
    ),
)
KEYS = (
    AnswerKey(
        question_id="action_boundary-1",
        answer=FrameAnswer(frame_id=40),
        tolerance=5.0,
        target="pedestrian:3",
        evidence=(
            EvidenceFrame(
                frame_id=40, box=Box(3700.0, 80.5, 90.0, 200.0), others=(Box(1.0, 2.0, 3.0, 4.0),)
            ),
            EvidenceFrame(frame_id=41, box=None),
        ),
    ),
    AnswerKey(
        question_id="relation_chain-1",
        answer=ChoiceAnswer(choice=1),
        target="pedestrian:4",
        evidence=(EvidenceFrame(frame_id=2, box=Box(1.0, 2.0, 3.0, 4.0)),),
    ),
)
Edit = Callable[[list[dict[str, Any]]], object]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    header = questions_header([IDENTITY], seed=7, generator="test 1", count=2)
    return write_question_files(tmp_path, header, QUESTIONS, KEYS)


def edit(path: Path, change: Edit) -> None:
    """Apply a change to the objects of a file's lines."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    change(rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_round_trip(files: tuple[Path, Path]) -> None:
    questions = read_questions(files[0])
    assert questions.questions == QUESTIONS
    assert questions.header.seed == 7
    assert questions.header.recording == recording_hash([IDENTITY])
    assert questions.sequence("hall") == IDENTITY
    keys = read_keys(files[1], questions)
    assert [keys[item.question_id] for item in QUESTIONS] == list(KEYS)
    assert list(keys) == [item.question_id for item in QUESTIONS]


def test_same_content_same_bytes(files: tuple[Path, Path], tmp_path: Path) -> None:
    header = questions_header([IDENTITY], seed=7, generator="test 1", count=2)
    again = write_question_files(tmp_path / "again", header, QUESTIONS, KEYS)
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in files]


def test_questions_hold_nothing_of_the_keys(files: tuple[Path, Path]) -> None:
    text = files[0].read_text()
    assert "pedestrian" not in text
    assert "evidence" not in text


def test_keys_in_another_order_are_the_same_keys(files: tuple[Path, Path]) -> None:
    lines = files[1].read_text().splitlines(keepends=True)
    files[1].write_text(lines[0] + lines[2] + lines[1])
    assert list(read_keys(files[1], read_questions(files[0]))) == [
        item.question_id for item in QUESTIONS
    ]


def change_row(number: int, **values: object) -> Edit:
    """An edit of one line."""

    def change(rows: list[dict[str, Any]]) -> None:
        rows[number - 1].update(values)

    return change


def drop(number: int, name: str) -> Edit:
    """An edit that takes a field out of one line."""

    def change(rows: list[dict[str, Any]]) -> None:
        del rows[number - 1][name]

    return change


QUESTION_FAULTS: dict[str, tuple[Edit, str]] = {
    "version": (change_row(1, version=2), ":1: avr_ros/questions version 2"),
    "format": (change_row(1, format="avr_ros/keys"), ":1: not the header"),
    "header field": (change_row(1, colour="red"), ":1: colour: Extra inputs"),
    "header hash": (change_row(1, recording="0" * 64), ":1: the header's hashes"),
    "count": (change_row(1, count=3), ":1: the header announces 3 questions, the file has 2"),
    "unknown field": (change_row(3, answer=1), ":3: answer: Extra inputs"),
    "type": (change_row(2, max_observations="32"), ":2: max_observations: Input should be a valid"),
    "missing": (drop(2, "text"), ":2: text: Field required"),
    "mode": (change_row(3, choices=[]), ":3: the line: Value error, choices belong"),
    "family": (change_row(3, family="sudoku"), ":3: family: Input should be"),
    "duplicate": (
        change_row(3, question_id="action_boundary-1"),
        ":3: question id action_boundary-1 was used in line 2",
    ),
    "sequence": (change_row(3, sequence="yard"), ":3: sequence 'yard' is not among"),
}


@pytest.mark.parametrize("fault", QUESTION_FAULTS)
def test_faulty_questions_are_refused_with_their_line(files: tuple[Path, Path], fault: str) -> None:
    change, message = QUESTION_FAULTS[fault]
    edit(files[0], change)
    with pytest.raises(BadInputError) as error:
        read_questions(files[0])
    assert f"{files[0]}{message}" in str(error.value)
    assert "\n" not in str(error.value)


KEY_FAULTS: dict[str, tuple[Edit, str]] = {
    "version": (change_row(1, version=0), ":1: avr_ros/keys version 0"),
    "questions": (change_row(1, questions="0" * 64), ":1: keys belong to a questions file"),
    "recording": (change_row(1, recording="0" * 64), ":1: keys and questions name different"),
    "count": (change_row(1, count=9), ":1: the header announces 9 keys, the file has 2"),
    "no question": (change_row(3, question_id="x"), ":3: key x has no question"),
    "duplicate": (
        change_row(3, question_id="action_boundary-1"),
        ":3: question id action_boundary-1 was used in line 2",
    ),
    "mode": (
        change_row(3, answer={"mode": "frame", "frame_id": 1}),
        ":3: key relation_chain-1 answers by frame, its question by choice",
    ),
    "choice": (
        change_row(3, answer={"mode": "choice", "choice": 2}),
        ":3: key relation_chain-1 has choice 2 of 2",
    ),
    "tolerance": (change_row(2, tolerance=6.0), ":2: key action_boundary-1 has tolerance 6.0"),
    "evidence": (change_row(2, evidence=[]), ":2: evidence: Tuple should have at least 1"),
    "span": (
        change_row(2, answer={"mode": "span", "start_frame": 5, "end_frame": 4}),
        ":2: answer.span: Value error, end_frame 4 lies before",
    ),
    "box": (
        change_row(2, evidence=[{"frame_id": 1, "box": [1, 2, 3]}]),
        ":2: evidence.0.box",
    ),
}


@pytest.mark.parametrize("fault", KEY_FAULTS)
def test_faulty_keys_are_refused_with_their_line(files: tuple[Path, Path], fault: str) -> None:
    change, message = KEY_FAULTS[fault]
    edit(files[1], change)
    with pytest.raises(BadInputError) as error:
        read_keys(files[1], read_questions(files[0]))
    assert f"{files[1]}{message}" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_question_without_a_key(files: tuple[Path, Path]) -> None:
    edit(files[1], lambda rows: rows.pop())
    with pytest.raises(BadInputError, match=r"1 questions have no key, first relation_chain-1"):
        read_keys(files[1], read_questions(files[0]))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("", "not JSON"),
        ('{"question_id": "a", "question_id": "b"}', "a key is given twice"),
        ('{"tolerance": NaN}', "NaN is not a JSON number"),
        ("[" * 100_000, "not JSON"),
        ("[]", "Input should be"),
    ],
)
def test_a_line_that_is_no_object(files: tuple[Path, Path], line: str, reason: str) -> None:
    with files[0].open("a") as stream:
        stream.write(line + "\n")
    with pytest.raises(BadInputError, match=":4: .*" + reason):
        read_questions(files[0])


def test_bytes_that_are_no_text(files: tuple[Path, Path]) -> None:
    with files[0].open("ab") as stream:
        stream.write(b'{"text": "\xff"}\n')
    with pytest.raises(BadInputError, match=":4: not JSON"):
        read_questions(files[0])


def test_an_empty_file_and_an_absent_one(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    with pytest.raises(BadInputError, match=":1: the file is empty"):
        read_questions(empty)
    with pytest.raises(BadInputError, match="cannot be read"):
        read_questions(tmp_path / "absent.jsonl")


def test_a_questions_file_cut_short(files: tuple[Path, Path]) -> None:
    lines = files[0].read_text().splitlines(keepends=True)
    files[0].write_text("".join(lines[:-1]))
    with pytest.raises(BadInputError, match="announces 2 questions, the file has 1"):
        read_questions(files[0])


def test_the_recording_is_known_by_frames_and_stamps_to_a_millisecond() -> None:
    check_sequence(IDENTITY, FRAMES, STAMPS, "rec")
    check_sequence(IDENTITY, FRAMES, STAMPS + 900, "rec")
    with pytest.raises(BadInputError, match="stamps 1001 us away"):
        check_sequence(IDENTITY, FRAMES, STAMPS + 1001, "rec")
    with pytest.raises(BadInputError, match="other frames"):
        check_sequence(IDENTITY, FRAMES[1:], STAMPS[1:], "rec")
    with pytest.raises(BadInputError, match="other frames"):
        check_sequence(IDENTITY, FRAMES + 1, STAMPS, "rec")


def test_annotations_are_known_by_their_files(tmp_path: Path) -> None:
    first, second = tmp_path / "labels_2d" / "a.json", tmp_path / "labels_3d" / "a.json"
    for path in (first, second):
        path.parent.mkdir()
        path.write_text("{}")
    before = label_files_hash({"stitched_2d": first, "boxes_3d": second})
    assert label_files_hash({"boxes_3d": second, "stitched_2d": first}) == before
    assert label_files_hash({"stitched_2d": first}) != before
    first.write_text("{ }")
    after = label_files_hash({"stitched_2d": first, "boxes_3d": second})
    assert after != before
    with pytest.raises(BadInputError, match="labels of sequence hall"):
        check_annotations(IDENTITY, after, "data")
    check_annotations(IDENTITY, IDENTITY.annotations, "data")
