"""Lets each Python of a virtual environment find the overlay; copied into the environment.

The dynamic loader reads LD_LIBRARY_PATH once, when a process begins, so a Python that was started
without it starts itself again with it. A process that inherits the variables (each node, each child
of the runner, a shell that sourced env.sh) does not.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

# Set by the ROS wheels' own bootstrap module, which does the same for the environment alone.
_BOOTSTRAPPED = "_ROS_WHEELS_BOOTSTRAP_COMPLETE"

# Set while the overlay is being built, which must not see itself.
BUILDING = "AVR_ROS_BUILDING"


def _entries(variables: Mapping[str, str], name: str) -> list[str]:
    return [entry for entry in variables.get(name, "").split(os.pathsep) if entry]


def ros_variables(environment: str, overlay: str, variables: Mapping[str, str]) -> dict[str, str]:
    """The variables to set, given those of the process; empty when all are as they should be.

    `environment` is the virtual environment, `overlay` the prefix that colcon installed into. Where
    another ROS installation or environment is active, it is left: its prefixes, libraries and
    Python packages go.
    """
    packages = sorted(Path(environment, "lib").glob("python3.*/site-packages"))
    libraries = [str(Path(overlay, "lib")), str(Path(environment, "lib"))]
    libraries += [str(path) for folder in packages for path in sorted(folder.glob("ros_*.libs"))]
    prefixes = [overlay, environment]

    present = _entries(variables, "AMENT_PREFIX_PATH")
    if (
        all(prefix in present for prefix in prefixes)
        and set(libraries) <= set(_entries(variables, "LD_LIBRARY_PATH"))
        and variables.get(_BOOTSTRAPPED)
    ):
        return {}

    def keep(name: str, own: list[str]) -> list[str]:
        foreign = [prefix.rstrip("/") + "/" for prefix in present]
        return [
            entry
            for entry in _entries(variables, name)
            if entry not in own and not (entry + "/").startswith(tuple(foreign))
        ]

    changed = {
        "AMENT_PREFIX_PATH": os.pathsep.join(prefixes),
        "LD_LIBRARY_PATH": os.pathsep.join(libraries + keep("LD_LIBRARY_PATH", libraries)),
        _BOOTSTRAPPED: "1",
    }
    if "PYTHONPATH" in variables:
        changed["PYTHONPATH"] = os.pathsep.join(keep("PYTHONPATH", []))
    return changed


class SourceFolderSkipper(MetaPathFinder):
    """Finds avr_ros wherever Python looks for it, but for the checkout itself.

    There the folder avr_ros lacks the generated modules, and would hide the overlay from every
    Python that is started in the checkout.
    """

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Search sys.path without the checkout, for avr_ros alone."""
        if fullname != "avr_ros":
            return None
        entries = [entry for entry in sys.path if os.path.realpath(entry) != self.root]
        return PathFinder.find_spec(fullname, entries, target)


def enter(root: str, overlay: str) -> None:
    """Let this Python find the overlay of a checkout, if it was built.

    Starts the Python again when it lacks variables; raises OSError when that fails.
    """
    if os.environ.get(BUILDING) or not os.path.isdir(overlay):
        return
    changed = ros_variables(sys.prefix, overlay, os.environ)
    if changed:
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **changed})
    sys.meta_path.insert(0, SourceFolderSkipper(root))
