"""A data set is made once, reused when it is the same, and never left half done."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from avr_ros.cli.sample import sample as sample_command
from avr_ros.sample import sample as module
from avr_ros.sample.sample import MANIFEST, Sample, SampleError, ensure_sample
from avr_ros.sample.specification import SampleSpecification
from avr_ros.schema.errors import BadInputError

TINY = SampleSpecification(seed=1, sequences=2, frames=3, people=4, bags=True)


def digest(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    return ensure_sample(tmp_path_factory.mktemp("tiny") / "set", TINY, workers=1)


def test_the_same_specification_gives_the_same_bytes_with_two_processes(
    tiny: Sample, tmp_path: Path
) -> None:
    counts: list[tuple[int, int]] = []
    again = ensure_sample(
        tmp_path / "set", TINY, workers=2, progress=lambda d, t: counts.append((d, t))
    )
    assert digest(again.directory) == digest(tiny.directory)
    assert not again.reused
    assert counts[-1] == (6, 6)


def test_another_seed_gives_other_pictures(tiny: Sample, tmp_path: Path) -> None:
    other = TINY.model_copy(update={"seed": 2, "sequences": 1, "bags": False})
    made = ensure_sample(tmp_path / "set", other, workers=1)
    mine = {v for k, v in digest(made.directory).items() if k.endswith(".jpg")}
    theirs = {v for k, v in digest(tiny.directory).items() if k.endswith(".jpg")}
    assert not mine & theirs


def test_the_same_sample_is_reused(tiny: Sample) -> None:
    before = digest(tiny.directory)
    again = ensure_sample(tiny.directory, TINY)
    assert again.reused
    assert digest(tiny.directory) == before


def test_another_sample_or_anything_else_is_refused(tiny: Sample, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="holds another sample"):
        ensure_sample(tiny.directory, TINY.model_copy(update={"seed": 9}))
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(BadInputError, match="not a sample"):
        ensure_sample(tmp_path, TINY)
    assert (tmp_path / "mine.txt").read_text() == "precious"
    with pytest.raises(BadInputError, match="not a sample"):
        ensure_sample(tmp_path / "mine.txt", TINY)


def test_a_manifest_that_cannot_be_read_is_not_a_sample(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text("{")
    with pytest.raises(BadInputError, match="not a sample"):
        ensure_sample(tmp_path, TINY)


def test_an_interrupted_attempt_leaves_nothing_that_looks_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "set"
    real = module.write_sequence

    def interrupted(specification: Any, index: int, root: Path, *rest: Any) -> Any:
        row = real(specification, index, root, *rest)
        if index == 1:
            raise KeyboardInterrupt
        return row

    small = TINY.model_copy(update={"bags": False})
    monkeypatch.setattr(module, "write_sequence", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ensure_sample(target, small, workers=1)
    assert not target.exists()
    monkeypatch.setattr(module, "write_sequence", real)
    made = ensure_sample(target, small, workers=1)
    assert not made.reused
    assert json.loads((target / MANIFEST).read_text())["specification"] == small.model_dump()
    assert [p.name for p in tmp_path.iterdir()] == ["set"]


def test_a_full_disk_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "write_sequence", full)
    with pytest.raises(SampleError, match="cannot write the sample to .*No space left"):
        ensure_sample(tmp_path / "set", TINY, workers=1)


def test_the_command_makes_and_reuses(tmp_path: Path) -> None:
    app = typer.Typer()
    app.command()(sample_command)
    arguments = [
        str(tmp_path / "set"),
        "--seed",
        "3",
        "--sequences",
        "1",
        "--frames",
        "2",
        "--people",
        "3",
        "--json",
    ]
    first = CliRunner().invoke(app, arguments)
    assert first.exit_code == 0, first.output
    made = json.loads(first.stdout)
    assert made["reused"] is False
    assert made["specification"]["people"] == 3
    assert json.loads(CliRunner().invoke(app, arguments).stdout)["reused"] is True


def test_the_command_names_a_wrong_option(tmp_path: Path) -> None:
    app = typer.Typer()
    app.command()(sample_command)
    result = CliRunner().invoke(app, [str(tmp_path / "set"), "--style", "sepia"])
    assert isinstance(result.exception, BadInputError)
    assert "--style" in str(result.exception)
