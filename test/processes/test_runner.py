"""The runner ends what it started, however that ends. Shell scripts stand in for nodes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from avr_ros.processes import runner
from avr_ros.processes.description import Process
from avr_ros.processes.errors import ExecutableNotFoundError
from avr_ros.processes.executables import find_executable

PATIENCE = 30.0

POLITE = "trap 'exit 0' INT TERM; while :; do sleep 0.01; done"
STUBBORN = "trap '' INT TERM; while :; do sleep 0.01; done"


class Prefix:
    """A ROS prefix with executables that are shell scripts."""

    def __init__(self, root: Path) -> None:
        self.root = root
        prefixes = [str(root), *os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)]
        self.variables = {**os.environ, "AMENT_PREFIX_PATH": os.pathsep.join(prefixes)}

    def process(self, name: str, script: str, **fields: bool) -> Process:
        folder = self.root / "lib" / "stand_ins"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / name
        path.write_text(f"#!/bin/sh\necho $$ > {self.root}/{name}.pid\n{script}\n")
        path.chmod(0o755)
        return Process(name, name, {}, package="stand_ins", **fields)

    def pid(self, name: str) -> int:
        deadline = time.monotonic() + PATIENCE
        path = self.root / f"{name}.pid"
        while not path.exists() or not path.read_text().strip():
            assert time.monotonic() < deadline
            time.sleep(0.005)
        return int(path.read_text())


@pytest.fixture
def prefix(tmp_path: Path) -> Prefix:
    return Prefix(tmp_path)


def run(prefix: Prefix, *processes: Process) -> tuple[int, list[str]]:
    said: list[str] = []
    code = runner.run(processes, fresh_domain=False, say=said.append, variables=prefix.variables)
    return code, said


def alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize("code", [0, 2])
def test_the_deciding_process_gives_its_code(prefix: Prefix, code: int) -> None:
    decides = prefix.process("decides", f"exit {code}", decides=True)
    assert run(prefix, prefix.process("other", POLITE), decides) == (code, [])
    assert not alive(prefix.pid("other"))


def test_a_required_process_ends_the_whole(prefix: Prefix) -> None:
    decides = prefix.process("decides", POLITE, decides=True)
    code, said = run(prefix, decides, prefix.process("fails", "exit 3"))
    assert code == 1
    assert said == ["fails ended (exit code 3): stopping"]
    assert not alive(prefix.pid("decides"))


def test_a_killed_process_is_named_with_its_signal(prefix: Prefix) -> None:
    code, said = run(prefix, prefix.process("dies", "kill -9 $$"))
    assert (code, said) == (1, ["dies ended (killed by SIGKILL): stopping"])


def test_a_process_that_is_not_required_may_end(prefix: Prefix) -> None:
    optional = prefix.process("optional", "exit 0", required=False)
    decides = prefix.process("decides", "sleep 0.3; exit 0", decides=True)
    code, said = run(prefix, optional, decides)
    assert (code, said) == (0, ["optional ended (exit code 0)"])


def test_processes_that_do_not_listen_are_killed(
    prefix: Prefix, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "PATIENCE", 0.2)
    stubborn = prefix.process("stubborn", STUBBORN)
    decides = prefix.process("decides", "sleep 0.3; exit 0", decides=True)
    code, said = run(prefix, stubborn, decides)
    assert code == 0
    assert said == ["stubborn did not end by SIGINT", "stubborn did not end by SIGTERM"]
    assert not alive(prefix.pid("stubborn"))


@pytest.mark.parametrize(
    ("decides", "code"), [(True, 1), (False, 0)], ids=["unfinished", "nothing to finish"]
)
def test_a_signal_ends_the_whole(prefix: Prefix, decides: bool, code: int) -> None:
    process = prefix.process("waits", POLITE, decides=decides)

    def interrupt() -> None:
        prefix.pid("waits")
        os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=interrupt)
    thread.start()
    assert run(prefix, process) == (code, ["SIGTERM: stopping"])
    thread.join()
    assert not alive(prefix.pid("waits"))


def test_the_environment_of_each_process(prefix: Prefix) -> None:
    prefix.variables["OPENAI_API_KEY"] = "secret"
    show = 'echo "key=$OPENAI_API_KEY" > {}/{}.txt'
    keeps = prefix.process(
        "keeps", show.format(prefix.root, "keeps"), holds_secrets=True, required=False
    )
    lacks = prefix.process("lacks", show.format(prefix.root, "lacks"), decides=True)
    run(prefix, keeps, lacks)
    prefix.pid("keeps")
    assert (prefix.root / "lacks.txt").read_text() == "key=\n"


def test_nothing_outlives_a_killed_runner(prefix: Prefix) -> None:
    prefix.process("waits", "while :; do sleep 0.01; done")
    program = (
        "from avr_ros.processes.description import Process\n"
        "from avr_ros.processes.runner import run\n"
        "run([Process('waits', 'waits', {}, package='stand_ins')], fresh_domain=False, say=print)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], env=prefix.variables)
    pid = prefix.pid("waits")
    process.kill()
    process.wait()
    deadline = time.monotonic() + PATIENCE
    while alive(pid):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_executables_that_are_not_there(prefix: Prefix) -> None:
    with pytest.raises(ExecutableNotFoundError, match="nothing"):
        find_executable("stand_ins", "nothing", prefix.variables)
