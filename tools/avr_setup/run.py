"""Running the programs that set-up is made of."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from avr_setup.errors import SetupError

# A sourced ROS installation or another environment would be found before the packages set up here.
LEAKING_VARIABLES = (
    "AMENT_PREFIX_PATH",
    "CMAKE_PREFIX_PATH",
    "COLCON_PREFIX_PATH",
    "LD_LIBRARY_PATH",
    "PYTHONHOME",
    "PYTHONPATH",
    "ROS_PYTHON_VERSION",
    "ROS_VERSION",
    "VIRTUAL_ENV",
    "_ROS_WHEELS_BOOTSTRAP_COMPLETE",
)


def clean_variables(variables: Mapping[str, str]) -> dict[str, str]:
    """A copy of environment variables without those that a sourced environment leaves."""
    return {key: value for key, value in variables.items() if key not in LEAKING_VARIABLES}


def run(
    command: Sequence[str | Path],
    variables: Mapping[str, str],
    log: Path,
    lock: int,
    folder: Path | None = None,
) -> None:
    """Run a command with its output in a log file; `lock` stays held while the command lives.

    Raises SetupError, with the end of the log, when the command fails.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    words = [str(word) for word in command]
    with log.open("w", encoding="utf-8") as output:
        result = subprocess.run(
            words,
            env=dict(variables),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=(lock,),
            check=False,
        )
    if result.returncode != 0:
        last_lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-30:]
        raise SetupError(
            "\n".join([*last_lines, f"{words[0]} failed ({result.returncode}): see {log}"])
        )
