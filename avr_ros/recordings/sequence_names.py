"""Names of sequences and paths inside a data set; nothing here may lead out of it."""

from __future__ import annotations

from pathlib import Path

from avr_ros.recordings.errors import InvalidSequenceName, OutsideDataSet


def check_sequence_name(name: str) -> str:
    """Return a sequence name that is safe as one component of a path.

    :raises InvalidSequenceName: empty, a path, ``.`` or ``..``, or holds control characters.
    """
    if name in ("", ".", "..") or "/" in name or "\\" in name or not name.isprintable():
        raise InvalidSequenceName(
            f"{name!r} is not a sequence name; give one of the recording's names, not a path."
        )
    return name


def inside(root: Path, path: Path) -> Path:
    """Return ``path`` with its symlinks resolved.

    :raises OutsideDataSet: it leads out of ``root``, or nowhere.
    """
    try:
        resolved = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        # Python before 3.13 reports a loop of symlinks as a RuntimeError.
        raise OutsideDataSet(f"{path} leads nowhere ({error}).") from error
    if not resolved.is_relative_to(root.resolve()):
        raise OutsideDataSet(
            f"{path} leads out of the data set, to {resolved}; copy it in or open that folder."
        )
    return resolved
