"""Lets SQLite see only the whole pages of a database file that was cut off inside one.

SQLite fills up a page that the file holds a part of with zeros and takes them for data: rows of
zeros, images that end in zeros. Shown a file of whole pages, it says of what lies beyond that it is
missing.
"""

from __future__ import annotations

import threading
from pathlib import Path

import apsw

_PAGE_SIZE_AT = 16
_PAGE_SIZES = frozenset(1 << power for power in range(9, 17))
_lock = threading.Lock()
_file_systems: dict[str, apsw.VFS] = {}


def vfs_for(path: Path) -> str | None:
    """Return the name of the SQLite file system to open a file with, none for the usual one."""
    with path.open("rb") as file:
        head = file.read(_PAGE_SIZE_AT + 2)
    page_size = int.from_bytes(head[_PAGE_SIZE_AT:], "big")
    page_size = 65536 if page_size == 1 else page_size
    if page_size not in _PAGE_SIZES or path.stat().st_size % page_size == 0:
        return None
    name = f"avr_ros_whole_pages_of_{page_size}"
    with _lock:
        if name not in _file_systems:
            _file_systems[name] = _WholePages(name, page_size)
    return name


class _WholePages(apsw.VFS):
    def __init__(self, name: str, page_size: int) -> None:
        super().__init__(name, "")
        self._page_size = page_size

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        return _WholePagesFile(self._page_size, name, flags)


class _WholePagesFile(apsw.VFSFile):
    def __init__(
        self, page_size: int, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        super().__init__("", name, flags)
        self._page_size = page_size

    def xFileSize(self) -> int:
        return super().xFileSize() // self._page_size * self._page_size
