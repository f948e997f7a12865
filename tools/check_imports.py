"""Checks the contracts of pyproject.toml about which rooms of avr_ros import which.

The package that is checked is the one that Python finds, the built overlay: only there do the
generated modules exist that the contracts name.
"""

import os
import sys
import tempfile
from pathlib import Path

from importlinter.cli import lint_imports


def main(configuration: Path) -> int:
    """Check all contracts; returns the exit code."""
    # import-linter looks into the current folder first, where the source folder would hide the
    # overlay.
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        return lint_imports(config_filename=str(configuration), no_cache=True, no_logo=True)


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parent.parent / "pyproject.toml"))
