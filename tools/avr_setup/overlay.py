"""The built overlay: interfaces and the modules beside them, in a ROS prefix of its own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from avr_setup.errors import SetupError
from avr_setup.flavour import Flavour
from avr_setup.run import clean_variables, run
from avr_setup.site_environment import BUILDING, ros_variables
from avr_setup.stamp import digest_of_files, digest_of_names, read_stamp, write_stamp
from avr_setup.virtual_environment import STAMP_NAME as ENVIRONMENT_STAMP_NAME

STAMP_NAME = "avr-overlay.json"
_FAILED = {"result": "failed"}

# Files of these folders are compiled; those of the others are linked, so that only their names
# matter.
_COMPILED_FILES = ("package.xml", "CMakeLists.txt")
_COMPILED_FOLDERS = ("msg", "srv", "action", "cmake")
_LINKED_FOLDERS = ("avr_ros", "launch", "config")


def _files(folder: Path) -> Iterator[Path]:
    """The files of a folder that a build may take up, without caches and editors' files."""
    for base, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__" and name[0] != "."]
        for name in names:
            if name[0] != "." and not name.endswith((".pyc", "~")):
                yield Path(base, name)


def wanted_stamp(flavour: Flavour) -> dict[str, str]:
    """What the overlay is built from."""
    root = flavour.root
    compiled = [root / name for name in _COMPILED_FILES]
    compiled += [path for name in _COMPILED_FOLDERS for path in _files(root / name)]
    linked = [path for name in _LINKED_FOLDERS for path in _files(root / name)]
    environment = flavour.environment / ENVIRONMENT_STAMP_NAME
    return {
        "path": str(root),
        "environment": digest_of_files([environment], root),
        "compiled": digest_of_files(compiled, root),
        "linked": digest_of_names(linked, root),
        "maker": digest_of_files([Path(__file__)], root),
    }


def is_complete(flavour: Flavour, wanted: dict[str, str]) -> bool:
    """Whether the overlay was built from exactly what is wanted."""
    return read_stamp(flavour.build / STAMP_NAME) == wanted and flavour.install.is_dir()


def build_overlay(flavour: Flavour, wanted: dict[str, str], lock: int) -> None:
    """Build what changed since the last build, or everything when that is not known to be sound.

    Raises SetupError when the build fails; the next one then goes on from there.
    """
    stamp = flavour.build / STAMP_NAME
    before = read_stamp(stamp)
    stamp.unlink(missing_ok=True)
    same_ground = before is not None and all(
        before.get(key) == wanted[key] for key in ("path", "environment", "maker")
    )
    if before is None or not same_ground:
        shutil.rmtree(flavour.build / "build", ignore_errors=True)
    if before is None or not same_ground or before.get("compiled") != wanted["compiled"]:
        shutil.rmtree(flavour.install, ignore_errors=True)
    _link_source(flavour)
    try:
        _run_colcon(flavour, lock)
    except SetupError:
        write_stamp(stamp, {**wanted, **_FAILED})
        raise
    remove_dangling_links(flavour.install)
    write_stamp(stamp, wanted)


def _link_source(flavour: Flavour) -> None:
    """Make the folder that colcon takes for the package: links to what the package is built from.

    CMake refuses targets that export an include folder below their source folder, as NumPy's would
    be with the environment in the checkout.
    """
    source = flavour.build / "source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    for name in (*_COMPILED_FILES, *_COMPILED_FOLDERS, *_LINKED_FOLDERS):
        if (flavour.root / name).exists():
            (source / name).symlink_to(flavour.root / name)


def _run_colcon(flavour: Flavour, lock: int) -> None:
    environment = flavour.environment
    python = environment / "bin" / "python"
    variables = clean_variables(os.environ)
    variables.update(ros_variables(str(environment), str(environment), variables))
    variables["PATH"] = os.pathsep.join(
        [str(environment / "bin"), variables.get("PATH", os.defpath)]
    )
    variables["VIRTUAL_ENV"] = str(environment)
    variables["AMENT_PREFIX_PATH"] = str(environment)
    variables["CMAKE_PREFIX_PATH"] = str(environment)
    variables[BUILDING] = "1"
    command: list[str | Path] = [
        python,
        "-m",
        "colcon",
        "--log-base",
        flavour.build / "log",
        "build",
    ]
    command += ["--base-paths", flavour.build / "source", "--packages-select", "avr_ros"]
    command += ["--build-base", flavour.build / "build", "--install-base", flavour.install]
    command += ["--merge-install", "--symlink-install", "--event-handlers", "console_direct+"]
    command += [
        "--cmake-force-configure",
        "--cmake-args",
        "-GNinja",
        "-DBUILD_TESTING=OFF",
        "-DAVR_ROS_PYTHON_ONLY=ON",
    ]
    command += [f"-DPython3_EXECUTABLE={python}", "-DPython3_FIND_VIRTUALENV=ONLY"]
    run(command, variables, flavour.build / "colcon.log", lock, folder=flavour.build)


def remove_dangling_links(folder: Path) -> None:
    """Delete links to files that are gone, and the folders that this empties.

    colcon links each file when it appears, and forgets none.
    """
    for base, _, names in os.walk(folder, topdown=False):
        path = Path(base)
        for name in names:
            entry = path / name
            if entry.is_symlink() and not entry.exists():
                entry.unlink()
        remaining = list(path.iterdir())
        empty = all(entry.name == "__pycache__" for entry in remaining)
        if empty and path != folder and path.name != "__pycache__":
            shutil.rmtree(path)
