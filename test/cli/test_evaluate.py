"""Whole runs by ``avr evaluate`` on a sample: scores, resuming after kills, refusals."""

import contextlib
import json
import resource
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from board_checks import check_answering_calls, check_boards, check_page
from command import avr, command, environment, evaluate_arguments, only_line

from avr_ros.cli.main import main
from avr_ros.evaluation.default_sample import DatasetPaths
from avr_ros.evaluation.run_folder import episode_id_of
from avr_ros.evaluation.stored_run import load_run
from avr_ros.evaluation.times import without_times

# The sample is made on first use, which takes a minute or two.
pytestmark = pytest.mark.timeout(900)
QUESTIONS = 32
LIMIT = ("--limit", QUESTIONS)
FILES = ("samples.jsonl", "steps.jsonl", "calls.jsonl", "ledger.jsonl")


def timeless_lines(path: Path) -> list[object]:
    return [without_times(json.loads(line)) for line in path.read_text().splitlines()]


def timeless(path: Path) -> object:
    return without_times(json.loads(path.read_text()))


@pytest.fixture(scope="module")
def undisturbed(sample: DatasetPaths, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "runs" / "undisturbed"
    done = avr(*evaluate_arguments(sample, folder, *LIMIT))
    assert done.returncode == 0, done.stderr
    return folder


def test_a_run_leaves_its_files_and_scores_well(undisturbed: Path, sample: DatasetPaths) -> None:
    report = json.loads((undisturbed / "report.json").read_text())
    assert report["n"] == QUESTIONS
    assert report["oracle_perception"] is True
    assert report["stand_in_model"] is True
    assert report["combined"] >= 75
    assert report["observations"]["action_boundary"]["reference"] is not None
    page = (undisturbed / "report.html").read_text()
    assert "data:image/jpeg;base64," in page
    assert (undisturbed.parent / "latest").resolve() == undisturbed.resolve()
    ids = [
        json.loads(line)["question_id"] for line in sample.questions.read_text().splitlines()[1:]
    ][:QUESTIONS]
    samples = timeless_lines(undisturbed / "samples.jsonl")
    assert [item["question_id"] for item in samples] == ids  # type: ignore[index]


def test_workers_change_nothing(undisturbed: Path, sample: DatasetPaths, tmp_path: Path) -> None:
    done = avr(*evaluate_arguments(sample, tmp_path / "run", *LIMIT, "--workers", 4, "--json"))
    assert done.returncode == 0, done.stderr
    for name in FILES:
        assert timeless_lines(tmp_path / "run" / name) == timeless_lines(undisturbed / name)
    assert without_times(json.loads(done.stdout)) == timeless(undisturbed / "report.json")


def test_killed_at_any_moment_a_run_goes_on(
    undisturbed: Path, sample: DatasetPaths, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    arguments = command(*evaluate_arguments(sample, out, *LIMIT, "--workers", 2))
    for finished, kill in ((0, signal.SIGKILL), (1, signal.SIGINT), (3, signal.SIGKILL)):
        process = subprocess.Popen(
            arguments,
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        # Killed once so many questions have finished, in the middle of whatever goes on then.
        while process.poll() is None and _journal_lines(out) < finished:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.005)
        process.send_signal(kill)
        _, errors = process.communicate()
        assert "Traceback" not in errors
        if kill == signal.SIGINT:
            assert process.returncode == 1, errors
            assert "run the same command again to go on" in errors.splitlines()[-1]
    assert 3 <= _journal_lines(out) < QUESTIONS + 1
    done = avr(*evaluate_arguments(sample, out, *LIMIT, "--workers", 2))
    assert done.returncode == 0, done.stderr
    for name in FILES:
        assert timeless_lines(out / name) == timeless_lines(undisturbed / name)
    assert timeless(out / "report.json") == timeless(undisturbed / "report.json")


def _journal_lines(out: Path) -> int:
    """Lines of the journal, less than none before there is one."""
    try:
        return (out / "journal.jsonl").read_bytes().count(b"\n")
    except OSError:
        return -1


def test_another_run_in_the_folder_is_refused(undisturbed: Path, sample: DatasetPaths) -> None:
    before = {path.name: path.read_bytes() for path in undisturbed.iterdir() if path.is_file()}
    done = avr(*evaluate_arguments(sample, undisturbed, *LIMIT, "--set", "misses=0.5"))
    assert done.returncode == 2
    assert "perception_settings.misses: 0.0 there, 0.5 asked for" in only_line(done.stderr)
    after = {path.name: path.read_bytes() for path in undisturbed.iterdir() if path.is_file()}
    assert {name for name in before if before[name] != after[name]} <= {"run.lock"}


def test_what_cannot_be_run_is_refused_before_anything_is_written(
    sample: DatasetPaths, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    broken = tmp_path / "questions.jsonl"
    lines = sample.questions.read_text().splitlines(keepends=True)
    broken.write_text("".join([*lines[:2], "{}\n", *lines[3:]]))
    base = list(evaluate_arguments(sample, out))
    with_broken = [broken if item == sample.questions else item for item in base]
    for arguments, expected in (
        ([*base, "--agent", "avrr"], "did you mean 'avr'"),
        ([*base, "--perception", "oracel"], "did you mean 'oracle'"),
        ([*base, "--model", "gpt"], "gpt"),
        ([*base, "--set", "mises=1"], "did you mean 'misses'"),
        ([*base, "--set", "misses=2"], "less than or equal to 1"),
        ([*base, "--workers", "0"], "--workers"),
        ([*base, "--bogus"], "--bogus"),
        (base[:2], "give questions and keys too"),
        (with_broken, "questions.jsonl:3"),
        (["evaluate", tmp_path, *base[2:]], str(tmp_path)),
    ):
        code = main([str(item) for item in arguments])
        shown = capsys.readouterr()
        assert code == 2, shown.err
        assert expected in only_line(shown.err)
        assert shown.out == ""
        assert not out.exists()


def test_eviseeks_boards_lead_to_granted_views(sample: DatasetPaths, tmp_path: Path) -> None:
    done = avr(*evaluate_arguments(sample, tmp_path / "run", "--agent", "eviseek", "--limit", 12))
    assert done.returncode == 0, done.stderr
    run = load_run(tmp_path / "run")
    results = run.results
    assert len(results) == 12 and not any(result.prediction.failure for result in results)
    states = check_boards(run.steps(results), run.ledgers(results))
    assert sum(len(state.board) for state in states.values()) >= 12
    episodes = {
        episode_id_of(result.question_id, result.attempt): states[result.question_id]
        for result in results
    }
    calls = [call for listed in run.calls(results).values() for call in listed]
    assert check_answering_calls(calls, episodes) == 12
    check_page((tmp_path / "run" / "report.html").read_text(), states)


def test_labels_of_another_data_set_are_refused(sample: DatasetPaths, tmp_path: Path) -> None:
    dataset = tmp_path / "dataset"
    without_bags = shutil.ignore_patterns("rosbags", "*.bag", "*.mcap")
    shutil.copytree(sample.dataset, dataset, ignore=without_bags)
    for labels in (dataset / "labels").glob("labels_2d*/*.json"):
        labels.write_text(labels.read_text() + " ")
    moved = DatasetPaths(dataset, sample.questions, sample.keys)
    done = avr(*evaluate_arguments(moved, tmp_path / "run"))
    assert done.returncode == 2
    assert "labels of sequence" in only_line(done.stderr)
    assert not (tmp_path / "run").exists()


def test_a_disk_that_takes_no_more_ends_the_run_which_then_goes_on(
    undisturbed: Path, sample: DatasetPaths, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    size = (undisturbed / "steps.jsonl").stat().st_size // 2

    def allow_small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    done = subprocess.run(
        command(*evaluate_arguments(sample, out, *LIMIT)),
        env=environment(),
        capture_output=True,
        text=True,
        preexec_fn=allow_small_files,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "File too large; what finished is kept" in done.stderr.splitlines()[-1]
    assert 0 < _journal_lines(out) < _journal_lines(undisturbed)
    again = avr(*evaluate_arguments(sample, out, *LIMIT))
    assert again.returncode == 0, again.stderr
    for name in FILES:
        assert timeless_lines(out / name) == timeless_lines(undisturbed / name)
