"""What set-up says and does where the system lacks a compiler, Python's headers or venv."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from avr_setup import system
from avr_setup.errors import SetupError

ROOT = Path(__file__).resolve().parents[2]
VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"


@pytest.fixture
def system_python(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let this Python pass for a complete one of the system; returns its folder of headers."""
    include = tmp_path / "include"
    include.mkdir()
    (include / "Python.h").touch()
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(include))
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    return include


def test_nothing_is_missing_on_a_complete_system(system_python: Path) -> None:
    assert system.missing_packages() == []
    system.install_missing()


def test_each_lack_names_its_package(system_python: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (system_python / "Python.h").unlink()
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert system.missing_packages() == [
        "build-essential",
        f"python{VERSION}-dev",
        f"python{VERSION}-venv",
    ]


def test_who_may_not_install_is_told_the_command(
    system_python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (system_python / "Python.h").unlink()
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SetupError, match=rf"sudo apt-get .* install -y python{VERSION}-dev\n"):
        system.install_missing()


def test_a_python_that_no_package_completes_is_refused(
    system_python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (system_python / "Python.h").unlink()
    monkeypatch.setattr(sys, "base_prefix", "/opt/python")
    with pytest.raises(SetupError, match="lacks headers: set PYTHON"):
        system.missing_packages()


def command(folder: Path, name: str, body: str) -> None:
    """Put a shell script into a folder as a command."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """A folder to be PATH, with what the shell script itself calls, run by an ordinary user."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("dirname", "sh"):
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    command(folder, "id", "echo 1000")
    return folder


def start(commands: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run with_python.sh with the given commands alone."""
    return subprocess.run(
        ["/bin/sh", str(ROOT / "tools" / "with_python.sh"), "script.py", "argument"],
        env={"PATH": str(commands), **variables},
        capture_output=True,
        text=True,
        check=False,
    )


# Answers the question whether it is complete, or says that it was started.
STUB = 'case "$2" in -c) {answer} ;; *) echo "$0 started: $*" ;; esac'


def test_the_first_complete_python_is_taken(commands: Path) -> None:
    command(commands, "python3", STUB.format(answer="echo incomplete"))
    command(commands, "python3.13", "exit 127")
    command(commands, "python3.12", STUB.format(answer="echo complete"))
    command(commands, "python3.11", STUB.format(answer="echo complete"))
    result = start(commands)
    assert result.returncode == 0, result.stderr
    script = ROOT / "tools" / "script.py"
    assert result.stdout == f"{commands}/python3.12 started: -I {script} argument\n"


def test_an_incomplete_python_is_better_than_none(commands: Path) -> None:
    command(commands, "python3", "exit 0")
    command(commands, "python3.11", STUB.format(answer="echo incomplete"))
    assert start(commands).stdout.startswith(f"{commands}/python3.11 started:")


def test_a_given_python_comes_first(commands: Path) -> None:
    command(commands, "python3", STUB.format(answer="echo complete"))
    command(commands, "mine", STUB.format(answer="echo complete"))
    assert start(commands, PYTHON="mine").stdout.startswith(f"{commands}/mine started:")


def test_a_given_python_that_does_not_fit_is_refused(commands: Path) -> None:
    command(commands, "python3", STUB.format(answer="echo complete"))
    command(commands, "old", "exit 0")
    for given in ("old", "absent"):
        result = start(commands, PYTHON=given)
        assert result.returncode == 1
        assert given in result.stderr and "set it" in result.stderr


def test_without_a_python_the_command_that_brings_one_is_said(commands: Path) -> None:
    command(commands, "python3", "exit 0")
    result = start(commands)
    assert result.returncode == 1
    assert "apt-get install -y python3 python3-dev python3-venv" in result.stderr
