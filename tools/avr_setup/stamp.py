"""Stamps: what a finished step was made from, so that a repeat can tell that nothing changed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path


def read_stamp(path: Path) -> dict[str, str] | None:
    """The stamp at a path, or None when there is none that can be read (an unfinished step)."""
    try:
        stamp = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return stamp if isinstance(stamp, dict) else None


def write_stamp(path: Path, stamp: Mapping[str, str]) -> None:
    """Write a stamp so that it is either whole or absent, whatever interrupts it."""
    temporary = path.with_name(path.name + ".part")
    with temporary.open("w", encoding="utf-8") as file:
        json.dump(dict(stamp), file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def digest_of_files(paths: Iterable[Path], root: Path) -> str:
    """SHA-256 over the names (relative to root) and contents of files, ordered by name."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root)}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def digest_of_names(paths: Iterable[Path], root: Path) -> str:
    """SHA-256 over the names of files alone, relative to root."""
    names = "\0".join(sorted(str(path.relative_to(root)) for path in paths))
    return hashlib.sha256(names.encode()).hexdigest()
