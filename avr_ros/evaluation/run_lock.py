"""One writer a run folder."""

import fcntl
import os
from pathlib import Path

from avr_ros.evaluation.errors import RunFolderBusyError, RunFolderError

LOCK_NAME = "run.lock"


class RunLock:
    """Holds a run folder for this process until closed; a killed process holds nothing."""

    def __init__(self, folder: Path) -> None:
        """Take the lock. Raises RunFolderBusyError where another process has it."""
        path = folder / LOCK_NAME
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise RunFolderError(f"cannot write {path}: {error.strerror}") from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)
        except BlockingIOError as error:
            holder = os.pread(self._descriptor, 32, 0).decode(errors="replace").strip()
            os.close(self._descriptor)
            raise RunFolderBusyError(
                f"{folder} is being written by process {holder or 'unknown'}; "
                "wait for it, or choose another folder"
            ) from error
        except OSError as error:
            os.close(self._descriptor)
            raise RunFolderError(f"cannot lock {path}: {error.strerror}") from error

    def close(self) -> None:
        """Give the folder back."""
        os.close(self._descriptor)
