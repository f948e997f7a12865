"""What the system itself must bring: a compiler, Python's headers, and venv."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from avr_setup.errors import SetupError


def missing_packages() -> list[str]:
    """The Debian or Ubuntu packages that would bring what this system lacks; empty when nothing is.

    Raises SetupError when this Python lacks something that no system package brings.
    """
    packages = []
    if not (shutil.which("cc") and shutil.which("c++")):
        packages.append("build-essential")
    lacking = []
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        lacking.append("dev")
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        lacking.append("venv")
    if lacking and sys.base_prefix != "/usr":
        raise SetupError(
            f"{sys.executable} lacks "
            + " and ".join({"dev": "headers", "venv": "venv"}[x] for x in lacking)
            + ": set PYTHON to another Python 3.10 to 3.13."
        )
    return packages + [
        f"python{sys.version_info[0]}.{sys.version_info[1]}-{kind}" for kind in lacking
    ]


def install_missing() -> None:
    """Install what the system lacks where that is possible, else say which command does.

    Raises SetupError with that command.
    """
    packages = missing_packages()
    if not packages:
        return
    names = " ".join(packages)
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise SetupError(
            f"The system lacks {names}. Run:\n"
            f"  sudo apt-get update && sudo apt-get install -y {names}\n"
            "or install the same with your system's package manager."
        )
    print(f"Installing {names} with apt-get.", flush=True)
    variables = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "-q"], ["apt-get", "install", "-y", "-q", *packages]):
        result = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise SetupError(f"{result.stdout}{result.stderr}\n{' '.join(command)} failed.")
    if missing_packages():
        raise SetupError(
            f"The system still lacks {' '.join(missing_packages())} after installing them."
        )
