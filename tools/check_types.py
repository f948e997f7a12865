"""Checks types where the installed libraries declare theirs as the code expects.

Older NumPy and SciPy (Python 3.10, a robot's versions) and another ROS distribution declare the
same functions differently, so that no one text satisfies all of them.
"""

import subprocess
import sys
from pathlib import Path

from avr_setup.flavour import Flavour, flavour_from_variables


def main(root: Path) -> int:
    """Run mypy, or say why not; returns the exit code."""
    flavour = flavour_from_variables(root)
    if flavour != Flavour(root, "jazzy", robot=False) or sys.version_info < (3, 11):
        print("Types are checked with Jazzy, Python 3.11 or newer and its newest libraries alone.")
        return 0
    return subprocess.run([sys.executable, "-m", "mypy"], cwd=root, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parent.parent))
