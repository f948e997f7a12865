"""Where a package's executables are."""

import os
from collections.abc import Mapping
from pathlib import Path

import avr_ros
from avr_ros.processes.errors import ExecutableNotFoundError


def find_executable(package: str, executable: str, variables: Mapping[str, str]) -> Path:
    """The path of a package's executable, as ``ros2 run`` looks for it.

    Prefixes are those of AMENT_PREFIX_PATH, and the one that this package is installed in.
    Raises ExecutableNotFoundError.
    """
    prefixes = [Path(entry) for entry in variables.get("AMENT_PREFIX_PATH", "").split(os.pathsep)]
    # <prefix>/lib/python3.x/site-packages/avr_ros
    prefixes.append(Path(avr_ros.__file__).parents[4])
    for prefix in prefixes:
        path = prefix / "lib" / package / executable
        if path.is_file() and os.access(path, os.X_OK):
            return path
    raise ExecutableNotFoundError(
        f"executable {executable} of package {package} was not found below "
        f"{', '.join(str(prefix) for prefix in prefixes)}: build the workspace "
        "(make setup) and start from its environment"
    )
