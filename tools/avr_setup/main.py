"""Set-up: the environment and the overlay of one flavour, made where missing or outdated."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from avr_setup import overlay, system, virtual_environment
from avr_setup.errors import SetupError
from avr_setup.exclusive import exclusive
from avr_setup.flavour import Flavour, flavour_from_variables


def set_up(flavour: Flavour) -> None:
    """Make what is missing or outdated; does nothing, quickly, when everything is in place.

    Raises SetupError when that cannot be done.
    """
    if _is_complete(flavour):
        return
    with exclusive(flavour.root) as lock:
        if _is_complete(flavour):
            return
        system.install_missing()
        environment = virtual_environment.wanted_stamp(flavour)
        if not virtual_environment.is_complete(flavour, environment):
            with _step(f"Installing the locked packages into {flavour.environment.name}"):
                virtual_environment.make_environment(flavour, environment, lock)
        built = overlay.wanted_stamp(flavour)
        if not overlay.is_complete(flavour, built):
            where = flavour.install.relative_to(flavour.root)
            with _step(f"Building the interfaces into {where} (takes minutes)"):
                overlay.build_overlay(flavour, built, lock)


def _is_complete(flavour: Flavour) -> bool:
    if not virtual_environment.is_complete(flavour, virtual_environment.wanted_stamp(flavour)):
        return False
    return overlay.is_complete(flavour, overlay.wanted_stamp(flavour))


class _step:
    """Prints what a step does and how long it took."""

    def __init__(self, title: str) -> None:
        self.title = title

    def __enter__(self) -> None:
        self.began = time.monotonic()
        print(f"{self.title} ...", flush=True)

    def __exit__(self, *failure: object) -> None:
        if failure == (None, None, None):
            print(f"  done in {time.monotonic() - self.began:.0f} s", flush=True)


def use_the_right_python(flavour: Flavour) -> None:
    """Continue under the Python that the environment was made with, unless PYTHON asks for another.

    An environment's own Python is left for the one that it was made from, so that it can be made
    again.
    """
    made_with = flavour.environment / "bin" / "python"
    if not os.environ.get("PYTHON") and made_with.exists():
        wanted = Path(os.path.realpath(made_with))
    else:
        wanted = Path(os.path.realpath(sys.executable))
    if wanted != Path(os.path.realpath(sys.executable)) or sys.prefix != sys.base_prefix:
        os.execv(wanted, [str(wanted), *sys.orig_argv[1:]])


def main(root: Path) -> int:
    """Set up the flavour that ROS_DISTRO and PINS name; returns the exit code."""
    try:
        flavour = flavour_from_variables(root)
        use_the_right_python(flavour)
        set_up(flavour)
    except SetupError as error:
        print(f"make setup: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(
            "make setup: interrupted; the next one starts the unfinished step again.",
            file=sys.stderr,
        )
        return 130
    return 0
