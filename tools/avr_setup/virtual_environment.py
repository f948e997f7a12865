"""The virtual environment: Python, ROS and every library from the lock file."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from avr_setup.errors import SetupError
from avr_setup.flavour import Flavour
from avr_setup.include_paths import correct_include_paths
from avr_setup.locks import SOURCE_ONLY
from avr_setup.run import clean_variables, run
from avr_setup.stamp import digest_of_files, read_stamp, write_stamp

STAMP_NAME = "avr-environment.json"


def python_version() -> tuple[int, int]:
    """The version of the Python that runs set-up, which is the environment's too."""
    return sys.version_info[:2]


def wanted_stamp(flavour: Flavour) -> dict[str, str]:
    """What the environment is made from: lock file, Python, place, and the code that makes it.

    Raises SetupError when the Python version has no lock file.
    """
    version = python_version()
    if version not in flavour.pythons:
        supported = ", ".join(f"{major}.{minor}" for major, minor in flavour.pythons)
        raise SetupError(
            f"Python {version[0]}.{version[1]} has no lock file for {flavour.name}: "
            f"set PYTHON to one of {supported}."
        )
    code = [Path(__file__), Path(__file__).with_name("include_paths.py")]
    site_code = Path(__file__).with_name("site_environment.py")
    return {
        "path": str(flavour.environment),
        "python": sys.version.split()[0],
        "base": sys.base_prefix,
        "lock": digest_of_files([flavour.lock(version)], flavour.root),
        "maker": digest_of_files([*code, site_code], Path(__file__).parent),
    }


def is_complete(flavour: Flavour, wanted: dict[str, str]) -> bool:
    """Whether the environment was finished from exactly what is wanted, and its Python exists."""
    return (
        read_stamp(flavour.environment / STAMP_NAME) == wanted
        and (flavour.environment / "bin" / "python").exists()
    )


def make_environment(flavour: Flavour, wanted: dict[str, str], lock: int) -> None:
    """Make the environment anew; an unfinished or outdated one is deleted first.

    Raises SetupError when a step fails.
    """
    environment = flavour.environment
    shutil.rmtree(environment, ignore_errors=True)
    if environment.exists():
        raise SetupError(f"{environment} cannot be deleted: remove it by hand.")
    flavour.build.mkdir(parents=True, exist_ok=True)
    log = flavour.build / "packages.log"
    variables = clean_variables(os.environ)
    python = environment / "bin" / "python"
    run([sys.executable, "-m", "venv", environment], variables, log, lock)

    lock_file = flavour.lock(python_version())
    install: list[str | Path] = [
        python,
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--require-hashes",
        "--no-build-isolation",
    ]
    install += ["--use-pep517", "--disable-pip-version-check", "--only-binary", ":all:"]
    # Most modules are never imported; those that are get compiled at their first import.
    install += ["--no-compile"]
    install += ["--no-binary", ",".join(SOURCE_ONLY)]
    # Source archives are built with the locked setuptools, which must therefore be there before
    # them.
    builder = environment / "build-requirements.txt"
    lines = lock_file.read_text(encoding="utf-8").splitlines()
    builder.write_text(
        "\n".join(x for x in lines if x.startswith("setuptools==")), encoding="utf-8"
    )
    run([*install, "-r", builder], variables, log, lock)
    run([*install, "-r", lock_file], variables, log, lock)

    question = (
        "import sysconfig, numpy; print(sysconfig.get_path('include')); print(numpy.get_include())"
    )
    answer = subprocess.run(
        [python, "-c", question], env=variables, capture_output=True, text=True, check=True
    )
    python_include, numpy_include = answer.stdout.splitlines()
    correct_include_paths(environment, Path(python_include), Path(numpy_include))
    install_site_environment(flavour)
    write_stamp(environment / STAMP_NAME, wanted)


def site_packages(flavour: Flavour) -> Path:
    """The environment's folder of installed packages."""
    version = python_version()
    return flavour.environment / "lib" / f"python{version[0]}.{version[1]}" / "site-packages"


def overlay_packages(flavour: Flavour) -> Path:
    """The overlay's folder of Python packages, which holds the one importable copy of avr_ros."""
    version = python_version()
    return flavour.install / "lib" / f"python{version[0]}.{version[1]}" / "site-packages"


def install_site_environment(flavour: Flavour) -> None:
    """Let every Python of the environment find the overlay and its libraries without any sourcing.

    Files named .pth are read in the order of their names; this one must come before the wheels' own
    (ros_wheels_bootstrapper.pth), which starts Python a second time.
    """
    folder = site_packages(flavour)
    module = Path(__file__).with_name("site_environment.py")
    shutil.copyfile(module, folder / "avr_site_environment.py")
    arguments = f"{str(flavour.root)!r}, {str(flavour.install)!r}"
    lines = [
        str(overlay_packages(flavour)),
        f"import avr_site_environment; avr_site_environment.enter({arguments})",
    ]
    (folder / "avr_overlay.pth").write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = flavour.environment / "bin" / "avr"
    command.write_text(
        f'#!/bin/sh\nexec {shlex.quote(str(flavour.install / "lib" / "avr_ros" / "avr"))} "$@"\n',
        encoding="utf-8",
    )
    command.chmod(0o755)
