"""The link ``latest`` beside run folders."""

import os
from datetime import datetime
from pathlib import Path

from avr_ros.evaluation.errors import RunFolderError
from avr_ros.schema.errors import BadInputError

RUNS_NAME = "runs"
LATEST_NAME = "latest"


def point_latest(folder: Path) -> None:
    """Let ``runs/latest`` point to a run folder in a folder named ``runs``, replaced at once.

    Run folders elsewhere get no link. Raises BadInputError where ``latest`` is no link, so that
    nothing of the user's is overwritten.
    """
    parent = folder.absolute().parent
    if parent.name != RUNS_NAME or folder.name == LATEST_NAME:
        return
    link = parent / LATEST_NAME
    if link.exists() and not link.is_symlink():
        raise BadInputError(
            f"{link} is not a link; move it away, it is where the last run is shown"
        )
    partial = parent / f".{LATEST_NAME}.{os.getpid()}"
    try:
        partial.unlink(missing_ok=True)
        partial.symlink_to(folder.name)
        os.replace(partial, link)
    except OSError as error:
        raise RunFolderError(f"cannot make the link {link}: {error.strerror}") from error


def new_run_folder(runs: Path) -> Path:
    """A path for a new run below ``runs``, named by the time, that does not exist yet."""
    name = datetime.now().strftime("%Y-%m-%d_%H-%M-%S")
    folder = runs / name
    number = 2
    while folder.exists():
        folder = runs / f"{name}_{number}"
        number += 1
    return folder
