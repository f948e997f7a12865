"""Corrects include folders in the CMake files that ROS wheels bring."""

from __future__ import annotations

import re
from pathlib import Path

# The wheels' exported targets name the folders of the machine that built them:
# /opt/python/cp311-cp311/include/python3.11, and NumPy's below that Python's site-packages.
_PYTHON_INCLUDE = re.compile(r"/opt/python/[^/;\"]+/include/python3\.\d+")
_NUMPY_INCLUDE = re.compile(
    r"/opt/python/[^/;\"]+/lib/python3\.\d+/site-packages/numpy/(?:_core|core)/include"
)


def correct_include_paths(environment: Path, python_include: Path, numpy_include: Path) -> int:
    """Let every exported CMake file of an environment name this machine's include folders.

    Returns how many files were changed; a second call changes none.
    """
    changed = 0
    for path in sorted((environment / "share").rglob("*.cmake")):
        text = path.read_text(encoding="utf-8")
        corrected = _NUMPY_INCLUDE.sub(lambda _: str(numpy_include), text)
        corrected = _PYTHON_INCLUDE.sub(lambda _: str(python_include), corrected)
        if corrected != text:
            path.write_text(corrected, encoding="utf-8")
            changed += 1
    return changed
