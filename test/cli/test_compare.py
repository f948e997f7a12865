"""``avr compare`` as a user runs it."""

import json
from pathlib import Path

import pytest
from command import avr, only_line
from written_runs import write_questions, write_run

RIGHT, WRONG = (True, True), (False, False)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    questions = write_questions(folder / "files", 12)
    write_run(folder / "avr", questions, [RIGHT] * 10 + [WRONG] * 2, agent="avr")
    write_run(
        folder / "blind", questions, [RIGHT] * 3 + [WRONG] * 9, agent="blind", stand_in_model=True
    )
    write_run(folder / "started", questions, [RIGHT] * 3, agent="passive")
    others = write_questions(folder / "others", 12, seed=2, recording=1)
    write_run(folder / "elsewhere", others, [RIGHT] * 12, agent="avr")
    write_run(folder / "blind-elsewhere", others, [WRONG] * 12, agent="blind", stand_in_model=True)
    return folder


def test_tables_json_and_latex(runs: Path, tmp_path: Path) -> None:
    latex = tmp_path / "table.tex"
    done = avr("compare", runs / "avr", runs / "blind", "--latex", latex)
    assert done.returncode == 0, done.stderr
    assert "avr against blind†" in done.stdout
    assert "Stand-in model (blind)" in done.stdout
    assert "+58.33" in done.stdout
    assert r"\begin{tabular}" in latex.read_text()
    asked = avr("compare", runs / "avr", runs / "blind", "--json", "--measure", "combined")
    found = json.loads(asked.stdout)
    assert found["format"] == "avr_ros/comparison"
    assert found["stand_in_model"] is True
    (difference, _) = found["pairs"][0]["differences"]
    assert (difference["n_plus"], difference["n_minus"]) == (7, 0)
    assert difference["p"] == difference["p_holm"] == pytest.approx(2 / 2**7)


def test_several_question_files(runs: Path, tmp_path: Path) -> None:
    latex = tmp_path / "table.tex"
    done = avr(
        "compare", "avr", "blind", "elsewhere", "blind-elsewhere", "--latex", latex, folder=runs
    )
    assert done.returncode == 0, done.stderr
    assert "2 systems on the same 24 questions of 6 sequences in 2 question files" in done.stdout
    assert "24 questions of 6 sequences in 2 question files" in latex.read_text()
    # 10 and 3 of 12 in one file, 12 and 0 of 12 in the other.
    assert "+79.17" in done.stdout and "19/0" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["avr"], "no two systems"),
        (["avr", "elsewhere"], "no two systems"),
        (["avr", "blind-elsewhere"], "another questions file"),
        (["avr", "blind", "elsewhere"], "blind has no run on"),
        (["avr", "started"], "is not finished"),
        (["avr", "absent"], "neither a run nor an evaluation bag"),
        (["avr", "avr"], "given 2 times"),
        ([], "Missing argument"),
    ],
)
def test_bad_input_is_one_line(runs: Path, arguments: list[str], text: str) -> None:
    done = avr("compare", *arguments, folder=runs)
    assert done.returncode == 2
    assert text in only_line(done.stderr)
    assert done.stdout == ""


def test_an_unwritable_latex_file_fails(runs: Path, tmp_path: Path) -> None:
    done = avr(
        "compare", runs / "avr", runs / "blind", "--latex", tmp_path / "absent" / "table.tex"
    )
    assert done.returncode == 1
    assert "cannot write" in only_line(done.stderr)
