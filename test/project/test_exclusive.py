"""One set-up of a checkout at a time, also after a killed one left children behind."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest
from avr_setup.errors import SetupError
from avr_setup.exclusive import exclusive
from avr_setup.run import run


def is_held(folder: Path) -> bool:
    """Whether anybody holds the lock of a folder."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def test_the_lock_is_held_inside_and_leaves_no_file(tmp_path: Path) -> None:
    with exclusive(tmp_path):
        assert is_held(tmp_path)
    assert not is_held(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_lock_outlives_its_holder_while_a_child_works(tmp_path: Path) -> None:
    with exclusive(tmp_path) as lock:
        child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=(lock,))
    assert is_held(tmp_path)
    child.communicate()
    assert not is_held(tmp_path)


def test_a_failed_command_shows_the_end_of_its_log(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "command.log"
    with exclusive(tmp_path) as lock:
        run([sys.executable, "-c", "print('all is well')"], os.environ, log, lock)
        assert log.read_text() == "all is well\n"
        with pytest.raises(SetupError, match=r"(?s)no such thing.*failed \(3\).*command\.log"):
            run(["sh", "-c", "echo no such thing; exit 3"], os.environ, log, lock)
