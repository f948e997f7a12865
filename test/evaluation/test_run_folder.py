"""Run folders: torn lines, other runs, other writers, full disks."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_doubles import run_folder, specification

from avr_ros.evaluation.errors import RunDiffersError, RunFolderBusyError, RunFolderError
from avr_ros.evaluation.journal import read_journal
from avr_ros.evaluation.run_folder import RunFolder
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.episode import Ledger
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.result import Cost, EvidenceReason, SampleResult, Score
from avr_ros.schema.step import Step, StepKind
from avr_ros.schema.vocabulary import AnswerMode


def result(number: int) -> SampleResult:
    return SampleResult(
        question_id=f"q{number}",
        family=None,
        answer_mode=AnswerMode.FRAME,
        sequence="s",
        attempt=1,
        prediction=Prediction(answer=FrameAnswer(frame_id=number)),
        score=Score(
            answer=True,
            evidence=False,
            combined=False,
            evidence_reason=EvidenceReason.NO_EVIDENCE,
        ),
        cost=Cost(seconds=0.5),
    )


def steps(number: int) -> list[Step]:
    kinds = (StepKind.PLAN, StepKind.MODEL_CALL, StepKind.ANSWER)
    return [
        Step(
            episode_id=f"q{number}#1",
            number=index,
            kind=kind,
            summary="s",
            details={"x": 1},
        )
        for index, kind in enumerate(kinds, start=1)
    ]


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def fill(path: Path, numbers: range) -> None:
    with run_folder(path) as folder:
        for number in numbers:
            folder.finish(result(number), steps(number), Ledger(f"q{number}#1"))


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "three"
    fill(path, range(3))
    return path


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_cut_of_the_journal_keeps_the_whole_lines(
    three: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    journal = (three / "journal.jsonl").read_bytes()
    cut = data.draw(st.integers(0, len(journal)))
    garbage = data.draw(st.sampled_from([b"", b"\0\0\0", b"\0\0\n", b"{\n"]))
    path = tmp_path_factory.mktemp("cut")
    for name in ("run.json", "steps.jsonl", "calls.jsonl", "ledger.jsonl"):
        (path / name).write_bytes((three / name).read_bytes())
    (path / "journal.jsonl").write_bytes(journal[:cut] + garbage)
    whole = journal[:cut].count(b"\n")
    torn = journal[:cut].rpartition(b"\n")[2] + garbage
    with run_folder(path) as folder:
        assert sorted(folder.entries()) == [f"q{number}" for number in range(whole)]
        assert folder.torn_line == bool(torn)
        kept = {json.loads(line)["episode_id"] for line in lines(path / "steps.jsonl")}
        assert kept == {f"q{number}#1" for number in range(whole)}
        for number in range(whole, 3):
            folder.finish(result(number), steps(number), Ledger(f"q{number}#1"))
    if torn:
        assert (path / "journal.torn").read_bytes() == torn.rstrip(b"\n") + b"\n"
    assert [entry.question_id for entry in read_journal(path / "journal.jsonl")] == [
        "q0",
        "q1",
        "q2",
    ]
    for name in ("steps.jsonl", "calls.jsonl", "ledger.jsonl"):
        assert (path / name).read_bytes() == (three / name).read_bytes()


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_steps_of_an_unfinished_attempt_do_not_stay(
    three: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("cut")
    (path / "run.json").write_bytes((three / "run.json").read_bytes())
    whole_lines = (three / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (path / "journal.jsonl").write_bytes(b"".join(whole_lines[:2]))
    finished = b"".join((three / "steps.jsonl").read_bytes().splitlines(keepends=True)[:6])
    whole = (three / "steps.jsonl").read_bytes()
    cut = data.draw(st.integers(len(finished), len(whole)))
    (path / "steps.jsonl").write_bytes(whole[:cut])
    with run_folder(path) as folder:
        assert (path / "steps.jsonl").read_bytes() == finished
        folder.finish(result(2), steps(2), Ledger("q2#1"))
    assert (path / "steps.jsonl").read_bytes() == whole


def test_model_exchanges_are_in_calls_alone(three: Path) -> None:
    kinds = [json.loads(line) for line in lines(three / "steps.jsonl")]
    assert [line["details"] for line in kinds[:3]] == [{"x": 1}, {}, {"x": 1}]
    calls = [json.loads(line) for line in lines(three / "calls.jsonl")]
    assert [line["details"] for line in calls] == [{"x": 1}] * 3


def test_a_damaged_line_inside_the_journal_is_named(three: Path, tmp_path: Path) -> None:
    whole_lines = (three / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "run.json").write_bytes((three / "run.json").read_bytes())
    (tmp_path / "journal.jsonl").write_bytes(whole_lines[0] + b"{}\n" + whole_lines[2])
    with pytest.raises(RunFolderError, match="line 2"):
        run_folder(tmp_path)


def test_another_specification_is_refused_with_what_differs(three: Path) -> None:
    with pytest.raises(RunDiffersError) as caught:
        RunFolder(three, specification(seed=2, perception_settings={"misses": 0.5}))
    assert "seed: 1 there, 2 asked for" in str(caught.value)
    assert "perception_settings.misses: 0.0 there, 0.5 asked for" in str(caught.value)
    with RunFolder(three, specification(dataset="/moved", created_at="later")) as folder:
        assert folder.specification.dataset == "/data"


def test_folders_with_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(BadInputError, match=r"thesis\.tex"):
        run_folder(tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["thesis.tex"]


def test_a_folder_killed_before_its_first_file_is_taken(tmp_path: Path) -> None:
    (tmp_path / "run.lock").write_text("")
    (tmp_path / "run.json.partial").write_text("{")
    (tmp_path / "bag").mkdir()
    run_folder(tmp_path).close()


def test_two_processes_never_write_one_folder(tmp_path: Path) -> None:
    with run_folder(tmp_path / "run"):
        code = (
            "import sys\n"
            "from pathlib import Path\n"
            "from avr_ros.evaluation.errors import RunFolderBusyError\n"
            "from run_doubles import run_folder\n"
            "try:\n"
            "    run_folder(Path(sys.argv[1]))\n"
            "except RunFolderBusyError as error:\n"
            "    print(error)\n"
            "    sys.exit(7)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "run")],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 7, done.stderr
        assert str(os.getpid()) in done.stdout
    with pytest.raises(RunFolderBusyError), run_folder(tmp_path / "run"):
        run_folder(tmp_path / "run")


def test_a_full_disk_loses_nothing(
    three: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    budget = 0

    def limited(descriptor: int, block: bytes) -> int:
        nonlocal budget
        if budget <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = write(descriptor, block[:budget])
        budget -= written
        return written

    names = ("journal.jsonl", "steps.jsonl", "calls.jsonl", "ledger.jsonl")
    total = sum((three / name).stat().st_size for name in names) // 3
    for allowed in range(0, total, 97):
        path = tmp_path / str(allowed)
        fill(path, range(2))
        before = {name: (path / name).read_bytes() for name in names}
        folder = run_folder(path)
        budget = allowed
        monkeypatch.setattr(os, "write", limited)
        with pytest.raises(RunFolderError, match="No space left"):
            folder.finish(result(2), steps(2), Ledger("q2#1"))
        monkeypatch.undo()
        assert {name: (path / name).read_bytes() for name in names} == before
        folder.finish(result(2), steps(2), Ledger("q2#1"))
        folder.close()
        for name in names[1:]:
            assert (path / name).read_bytes() == (three / name).read_bytes()
