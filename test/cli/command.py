"""Runs the ``avr`` command as a user does: in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import avr_ros


def command(*arguments: object) -> list[str]:
    """The command line of ``avr`` with arguments."""
    return [sys.executable, "-m", "avr_ros.cli.main", *map(str, arguments)]


def environment() -> dict[str, str]:
    """The environment in which the tested copy of the package is found, from any folder.

    Without git, so that a commit made while tests run does not make a run another one.
    """
    package = Path(avr_ros.__file__).parents[1]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join([str(package), *_inherited()]),
        "GIT_DIR": os.devnull,
    }


def avr(*arguments: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``avr`` to its end."""
    return subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        env=environment(),
        cwd=folder,
        check=False,
    )


def only_line(text: str) -> str:
    """The one line that a text is."""
    (line,) = text.splitlines()
    return line


def evaluate_arguments(paths: object, out: Path, *more: object) -> Sequence[object]:
    """Arguments of ``avr evaluate`` for a sample's paths."""
    return (
        "evaluate",
        paths.dataset,  # type: ignore[attr-defined]
        "--questions",
        paths.questions,  # type: ignore[attr-defined]
        "--keys",
        paths.keys,  # type: ignore[attr-defined]
        "--out",
        out,
        *more,
    )


def _inherited() -> list[str]:
    value = os.environ.get("PYTHONPATH", "")
    return [value] if value else []
