"""Writing files so that a kill or a full disk loses nothing that was written before."""

import os
from pathlib import Path

from avr_ros.evaluation.errors import RunFolderError


def _failed(path: Path, error: OSError) -> RunFolderError:
    reason = error.strerror or str(error)
    return RunFolderError(
        f"cannot write {path}: {reason}; what finished is kept, "
        "mend this and run the same command again"
    )


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file's content at once: readers see the old bytes or the new ones.

    Raises RunFolderError where the disk is full or the folder cannot be written; the old file
    is then still there.
    """
    partial = path.with_name(path.name + ".partial")
    try:
        with open(partial, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
        sync_folder(path.parent)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise _failed(path, error) from error


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class AppendedFile:
    """A file that only grows, by whole blocks that are on the disk when :meth:`append` returns.

    A block that could not be written whole is taken back. Not thread-safe.
    """

    def __init__(self, path: Path) -> None:
        """Open or create ``path``. Raises RunFolderError."""
        self._path = path
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
            self._size = os.fstat(self._descriptor).st_size
        except OSError as error:
            raise _failed(path, error) from error

    @property
    def size(self) -> int:
        """Bytes written so far."""
        return self._size

    def append(self, block: bytes) -> None:
        """Add a block and wait until it is on the disk. Raises RunFolderError."""
        try:
            rest = memoryview(block)
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            os.fdatasync(self._descriptor)
        except OSError as error:
            self._cut(self._size)
            raise _failed(self._path, error) from error
        self._size += len(block)

    def take_back(self, size: int) -> None:
        """Shorten the file to the size that it had before."""
        self._cut(size)
        self._size = size

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)

    def _cut(self, size: int) -> None:
        try:
            os.ftruncate(self._descriptor, size)
        except OSError as error:
            raise _failed(self._path, error) from error
