"""Files that Fast DDS leaves in /dev/shm when a process is killed."""

import re
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path("/dev/shm")

_NAME = re.compile(r"(?:sem\.)?(?:fastrtps|fastdds)_[A-Za-z0-9_]+")
_PORT = re.compile(r"(?:sem\.)?(?:fastrtps|fastdds)_port(\d+)")


class SharedMemory:
    """Learns which files some processes use, and deletes those that they leave behind.

    Only files that these processes have had open, or that belong to the ports of their domain,
    are deleted, and never one that a living process uses.
    """

    def __init__(self, ports: Iterable[int], folder: Path = FOLDER) -> None:
        """Look after the ports of a domain, empty: of none."""
        self._ports = frozenset(ports)
        self._folder = folder
        self._seen: set[str] = set()

    def look(self, pids: Iterable[int]) -> None:
        """Remember what processes use now."""
        for pid in pids:
            self._seen |= files_in_use(pid)

    def clean(self) -> list[str]:
        """Delete what was left behind, once the processes have ended; return the names."""
        if not self._folder.is_dir():
            return []
        names = [entry.name for entry in self._folder.iterdir()]
        candidates = {name for name in names if self._is_ours(name)}
        if not candidates:
            return []
        candidates -= _used_by_anyone()
        deleted = []
        for name in sorted(candidates):
            try:
                (self._folder / name).unlink()
            except OSError:
                continue
            deleted.append(name)
        return deleted

    def _is_ours(self, name: str) -> bool:
        if not _NAME.fullmatch(name):
            return False
        port = _PORT.match(name)
        return name in self._seen or (port is not None and int(port[1]) in self._ports)


def files_in_use(pid: int) -> set[str]:
    """The names of Fast DDS's shared-memory files that a process has mapped or open."""
    names: set[str] = set()
    process = Path("/proc", str(pid))
    try:
        names |= set(_NAME.findall((process / "maps").read_text()))
        for entry in (process / "fd").iterdir():
            names |= set(_NAME.findall(str(entry.readlink())))
    except OSError:
        # It has ended, or belongs to somebody else.
        pass
    return names


def _used_by_anyone() -> set[str]:
    names: set[str] = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            names |= files_in_use(int(entry.name))
    return names
