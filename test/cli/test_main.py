"""The command as a whole: help, version, errors, exit codes, pipes, signals."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command import avr, command, environment, only_line

from avr_ros.cli import main as main_module
from avr_ros.cli.main import main


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    """Run Python code that uses the command, to its end."""
    return subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=False
    )


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    for name in ("up", "sample", "generate", "evaluate", "score", "report", "inspect"):
        assert f" {name} " in text


def test_help_needs_no_heavy_library() -> None:
    code = (
        "import sys\n"
        "from avr_ros.cli.main import main\n"
        "main(['--help'])\n"
        "heavy = {'numpy', 'cv2', 'pydantic', 'scipy', 'jinja2', 'rosbags', 'mcap', 'networkx'}\n"
        "print('loaded:', sorted(heavy & set(sys.modules)))\n"
    )
    done = run_python(code)
    done.check_returncode()
    assert done.stdout.splitlines()[-1] == "loaded: []"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("avr_ros 0.")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["inspekt"], "inspect"),
        (["report"], "avr report --help"),
        (["inspect", "/nowhere/at/all"], "nothing at /nowhere/at/all"),
        (["report", "/nowhere"], "is it a run folder"),
        (["score", "/nowhere", "--keys", "/none"], "neither a run folder nor"),
    ],
)
def test_wrong_use_is_one_line_and_code_2(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert expected in only_line(shown.err)
    assert shown.out == ""


def test_without_arguments_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    shown = capsys.readouterr()
    assert "Usage" in shown.out + shown.err


def test_a_reader_that_leaves_is_no_traceback(tmp_path: Path) -> None:
    script = f"{' '.join(command('evaluate', '--help'))} | true"
    done = subprocess.run(
        ["sh", "-c", script], env=environment(), capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr


def test_termination_is_one_line(tmp_path: Path) -> None:
    """A command that waits is ended by SIGTERM: here it reads a pipe that nobody writes to."""
    pipe = tmp_path / "questions.jsonl"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        command("blind", tmp_path), env=environment(), stderr=subprocess.PIPE, text=True
    )
    # Opening for writing returns once the command has opened the other end.
    descriptor = os.open(pipe, os.O_WRONLY)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    os.close(descriptor)
    assert process.returncode == 1
    assert only_line(errors) == "avr: interrupted"


def test_termination_while_an_error_is_told_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The signal arrives between an error and its line, where a process has no time to wait."""
    tell = main_module._fail

    def terminated_first(text: str, code: int) -> int:
        if text != "interrupted":
            os.kill(os.getpid(), signal.SIGTERM)
        return tell(text, code)

    monkeypatch.setattr(main_module, "_fail", terminated_first)
    assert main(["inspect", "/nowhere/at/all"]) == 1
    assert only_line(capsys.readouterr().err) == "avr: interrupted"


def test_module_and_function_agree() -> None:
    done = avr("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("avr_ros")


def test_a_thread_left_in_native_code_does_not_abort_the_process() -> None:
    """The thread comes back to Python while the process ends, again and again."""
    code = (
        "import sys, threading\n"
        "import numpy as np\n"
        "from avr_ros.cli.main import run\n"
        "numbers = np.zeros(1000)\n"
        "def work():\n"
        "    while True:\n"
        "        numbers.sort()\n"
        "threading.Thread(target=work, daemon=True).start()\n"
        "sys.argv = ['avr', 'inspect', '/nowhere/at/all']\n"
        "run()\n"
    )
    done = run_python(code)
    assert done.returncode == 2, done.stderr
    assert "nothing at /nowhere/at/all" in only_line(done.stderr)
    assert done.stdout == ""
