"""The sample of commands without a data set."""

import os
from pathlib import Path

import pytest

from avr_ros.benchmark.question_files import read_keys, read_questions
from avr_ros.benchmark.settings import GENERATOR
from avr_ros.evaluation import default_sample
from avr_ros.evaluation.default_sample import (
    QUESTIONS,
    DatasetPaths,
    ensure_default_sample,
    sample_or,
    sample_root,
)
from avr_ros.schema.errors import BadInputError

# The sample is made on first use, which takes a minute or two.
pytestmark = pytest.mark.timeout(900)


def test_a_part_of_the_paths_is_refused() -> None:
    given = Path("somewhere")
    assert sample_or(given, given, given) == DatasetPaths(given, given, given)
    with pytest.raises(BadInputError, match="give keys too"):
        sample_or(given, given, None)
    with pytest.raises(BadInputError, match="give a data set and keys too"):
        sample_or(None, given, None)


def test_it_lies_in_the_checkout_or_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sample_root() == Path(__file__).parents[2] / "data" / "sample"
    monkeypatch.setattr(default_sample, "_SOURCE", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert sample_root() == tmp_path / "cache" / "avr_ros" / "sample"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert sample_root() == tmp_path / ".cache" / "avr_ros" / "sample"


def test_it_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = ensure_default_sample()
    before = {path: path.stat().st_mtime_ns for path in (paths.questions, paths.keys)}
    made: list[str] = []
    again = ensure_default_sample(lambda what, done, total: made.append(what))
    assert again == paths
    assert made == []
    assert {path: path.stat().st_mtime_ns for path in before} == before
    question_set = read_questions(paths.questions)
    assert question_set.header.generator == GENERATOR
    assert {item.family for item in question_set.questions} == set(QUESTIONS.families)
    assert len(read_keys(paths.keys, question_set)) == len(question_set.questions) >= 40


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(default_sample.RunFolderError, match="give a data set"):
        ensure_default_sample(root=tmp_path / "file")
    assert os.listdir(tmp_path) == ["file"]
