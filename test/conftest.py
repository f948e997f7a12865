"""What all tests share: which copy of avr_ros they test, and where their helpers are."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent

# Machines that run tests are shared and slow at times; what is too slow is a benchmark's matter.
settings.register_profile("avr_ros", deadline=None)
settings.load_profile("avr_ros")

# What a shell starts in the background ignores Ctrl-C, and so would every process that is tested.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _find_helpers() -> None:
    """Let tests import the helper modules that stand beside them and in test/, and the tools."""
    folders = {path.parent for path in TESTS.rglob("*.py") if not path.name.startswith("test_")}
    sys.path[:0] = [str(path) for path in sorted(folders - {TESTS})]
    sys.path[:0] = [str(TESTS), str(ROOT / "tools")]


def _check_the_overlay() -> None:
    """Refuse to test another copy than the built overlay.

    Without an environment of this checkout (on a robot with a workspace of its own) whatever Python
    finds is tested.
    """
    if not Path(sys.prefix).is_relative_to(ROOT):
        return
    import avr_ros

    if not Path(avr_ros.__file__).is_relative_to(ROOT / "build"):
        raise pytest.UsageError(
            f"avr_ros is imported from {avr_ros.__file__}, not from the built overlay: "
            "run `make setup`, and take what hides the overlay from PYTHONPATH."
        )


_find_helpers()
_check_the_overlay()
