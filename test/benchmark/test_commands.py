"""``avr generate`` and ``avr blind`` on a small data set with empty pictures."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from label_files import write_labels
from random_world import random_graph

from avr_ros.benchmark.question_files import KEYS_NAME, QUESTIONS_NAME, read_keys, read_questions
from avr_ros.benchmark.report import REPORT_NAME
from avr_ros.cli.main import BAD_INPUT, DONE, FAILED, main
from avr_ros.recordings.jpeg import encode

FRAMES = 180


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """JRDB folders with labels and black panoramas."""
    root = tmp_path_factory.mktemp("dataset")
    picture = root / "black.jpg"
    picture.write_bytes(encode(np.zeros((480, 3760, 3), dtype=np.uint8)))
    for index in range(2):
        graph = random_graph(1, index, frames=FRAMES, people=15)
        write_labels(root, graph)
        folder = root / "images" / "image_stitched" / graph.sequence
        folder.mkdir(parents=True)
        for frame in range(FRAMES):
            os.link(picture, folder / f"{frame:06d}.jpg")
    picture.unlink()
    return root


def generate(dataset: Path, out: Path, *more: str) -> int:
    """Run the command for two families."""
    families = "unique_anchor_state,relation_chain"
    arguments = ["generate", str(dataset), "--out", str(out), "--seed", "4", "--per-family", "10"]
    return main([*arguments, "--families", families, *more])


def test_generate_writes_files_that_belong_together(dataset: Path, tmp_path: Path) -> None:
    assert generate(dataset, tmp_path / "first") == DONE
    assert generate(dataset, tmp_path / "second") == DONE
    questions = read_questions(tmp_path / "first" / QUESTIONS_NAME)
    assert len(read_keys(tmp_path / "first" / KEYS_NAME, questions)) > 10
    for name in (QUESTIONS_NAME, KEYS_NAME, REPORT_NAME):
        first, second = (tmp_path / folder / name for folder in ("first", "second"))
        assert first.read_bytes() == second.read_bytes()


def test_generate_prints_json(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generate(dataset, tmp_path / "out", "--json") == DONE
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((tmp_path / "out" / REPORT_NAME).read_text())
    assert set(printed["families"]) == {"unique_anchor_state", "relation_chain"}


def test_blind_reports_every_baseline(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    generate(dataset, tmp_path / "out")
    capsys.readouterr()
    code = main(["blind", str(tmp_path / "out"), str(tmp_path / "out"), "--json"])
    printed = json.loads(capsys.readouterr().out)
    assert code == (DONE if printed["passed"] else FAILED)
    assert set(printed["groups"][0]["right"]) == {
        "constant_position",
        "majority",
        "random",
        "text_prior",
    }
    main(["blind", str(tmp_path / "out")])
    assert "text prior" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["generate", "{dataset}", "--out", "{out}", "--families", "sudoku"], "sudoku"),
        (["generate", "{dataset}/absent", "--out", "{out}"], "absent"),
        (["generate", "{dataset}", "--out", "{out}", "--per-family", "0"], "per-family"),
        (["blind", "{dataset}"], "questions.jsonl"),
        (["score", "{dataset}", "--keys", "{out}/keys.jsonl"], "neither a run folder nor"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(
    dataset: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    filled = [item.format(dataset=dataset, out=tmp_path / "out") for item in arguments]
    assert main(filled) == BAD_INPUT
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
