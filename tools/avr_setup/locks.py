"""Lock files: every package with its version and hash, for each Python version and flavour."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from avr_setup.errors import SetupError
from avr_setup.flavour import Flavour, all_flavours

# Sources beside the package index, which another machine does not have.
_OTHER_SOURCES = ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL")

# What has no wheels, only source archives.
SOURCE_ONLY = ("empy",)


@dataclass(frozen=True)
class Pin:
    """One package of a lock file: its name, version, and the SHA-256 of its file."""

    name: str
    version: str
    sha256: str


def normalised(name: str) -> str:
    """A package's name as indexes spell it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins_of_report(report: dict[str, object]) -> list[Pin]:
    """The packages that pip's installation report (format version 1) would install, by name.

    Raises SetupError for a package without a hash, or without a wheel though it is not known as
    such.
    """
    pins = []
    installs = report["install"]
    assert isinstance(installs, list)
    for item in installs:
        name = normalised(item["metadata"]["name"])
        origin = item["download_info"]
        sha256 = origin.get("archive_info", {}).get("hashes", {}).get("sha256")
        if sha256 is None or (name not in SOURCE_ONLY and not origin["url"].endswith(".whl")):
            raise SetupError(f"{name}: no wheel with a SHA-256 hash was found for it.")
        pins.append(Pin(name, item["metadata"]["version"], sha256))
    return sorted(pins, key=lambda pin: pin.name)


def lock_text(pins: Iterable[Pin], inputs: Iterable[Path]) -> str:
    """The text of a lock file, which pip reads with --require-hashes."""
    lines = ["# Made by `make lock` from " + ", ".join(path.name for path in inputs) + "."]
    lines += [f"{pin.name}=={pin.version} --hash=sha256:{pin.sha256}" for pin in pins]
    return "\n".join(lines) + "\n"


def resolve(interpreter: Path, inputs: Iterable[Path]) -> list[Pin]:
    """What pip would install for the inputs into an empty environment of an interpreter.

    Raises SetupError where pip finds no solution.
    """
    variables = {key: value for key, value in os.environ.items() if key not in _OTHER_SOURCES}
    variables["PIP_CONFIG_FILE"] = os.devnull
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "environment"
        subprocess.run([str(interpreter), "-m", "venv", str(environment)], check=True)
        python = str(environment / "bin" / "python")
        # Older pips neither report hashes of cached wheels nor solve as fast.
        upgrade = [python, "-m", "pip", "install", "--quiet", "--upgrade", "pip"]
        subprocess.run(upgrade, env=variables, check=True)
        report = Path(folder) / "report.json"
        command = [python, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
        command += ["--only-binary", ":all:", "--no-binary", ",".join(SOURCE_ONLY)]
        command += ["--report", str(report)]
        for path in inputs:
            command += ["-r", str(path)]
        if subprocess.run(command, env=variables, check=False).returncode != 0:
            raise SetupError(f"pip found no versions for {interpreter}: see its message above.")
        return pins_of_report(json.loads(report.read_text(encoding="utf-8")))


def find_interpreter(version: tuple[int, int], given: Iterable[Path]) -> Path:
    """An interpreter of a version: one that was given, else pythonX.Y of PATH or pyenv.

    Raises SetupError when there is none.
    """
    name = f"python{version[0]}.{version[1]}"
    candidates = [path for path in given if path.name == name]
    candidates += [Path(folder) / name for folder in os.environ.get("PATH", "").split(os.pathsep)]
    candidates += sorted((Path.home() / ".pyenv" / "versions").glob(f"*/bin/{name}"))
    for candidate in candidates:
        if not candidate.is_file():
            continue
        check = [str(candidate), "-c", "import ensurepip, venv"]
        if subprocess.run(check, capture_output=True, check=False).returncode == 0:
            return candidate
    raise SetupError(f"{name} with venv was not found: install it, or give its path.")


def write_lock(flavour: Flavour, version: tuple[int, int], interpreter: Path) -> Path:
    """Resolve one lock file anew and write it; returns its path."""
    path = flavour.lock(version)
    path.write_text(
        lock_text(resolve(interpreter, flavour.inputs), flavour.inputs), encoding="utf-8"
    )
    return path


def main(arguments: list[str], root: Path) -> int:
    """Write the lock files again, all or those that `arguments` name; returns the exit code."""
    parser = argparse.ArgumentParser(prog="make_locks.py", description=__doc__)
    parser.add_argument("--flavour", action="append", help="jazzy, kilted or jazzy-robot")
    parser.add_argument("--version", action="append", help="a Python version such as 3.11")
    parser.add_argument("--interpreter", action="append", type=Path, default=[])
    options = parser.parse_args(arguments)
    try:
        for flavour in all_flavours(root):
            for version in flavour.pythons:
                if options.flavour and flavour.name not in options.flavour:
                    continue
                if options.version and f"{version[0]}.{version[1]}" not in options.version:
                    continue
                interpreter = find_interpreter(version, options.interpreter)
                print(f"{write_lock(flavour, version, interpreter).relative_to(root)}", flush=True)
    except SetupError as error:
        print(f"make lock: {error}", file=sys.stderr)
        return 1
    return 0
