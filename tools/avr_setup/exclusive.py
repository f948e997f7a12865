"""One set-up of a checkout at a time."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def exclusive(root: Path) -> Iterator[int]:
    """Hold the checkout's lock; yields its descriptor.

    The lock is on the root folder itself, so that no file can be left over or deleted under it.
    Hand the descriptor on to child processes: should this one be killed, the next set-up waits for
    them to end.
    """
    descriptor = os.open(root, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(
                "Waiting for another set-up of this checkout to end.", file=sys.stderr, flush=True
            )
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)
