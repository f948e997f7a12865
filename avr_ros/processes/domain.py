"""A ROS domain that nobody uses."""

import fcntl
import os
import random
import socket
import tempfile
from pathlib import Path
from typing import IO

from avr_ros.processes.errors import NoFreeDomainError

DOMAINS = range(1, 102)
"""Domains whose ports lie below those that Linux gives to outgoing connections."""

_PORT_BASE = 7400
_PORTS_PER_DOMAIN = 250


def ports_of(domain: int) -> range:
    """The UDP ports of a domain (DDS-RTPS 2.3, section 9.6.1.1)."""
    first = _PORT_BASE + _PORTS_PER_DOMAIN * domain
    return range(first, first + _PORTS_PER_DOMAIN)


class FreshDomain:
    """A domain in which nothing runs, held until closed.

    After a server was killed, a new one in the same domain loses its first calls; and programs of
    others must not be heard.
    """

    def __init__(self) -> None:
        """Take one. Raises NoFreeDomainError."""
        candidates = list(DOMAINS)
        # Nothing that a run computes depends on the choice.
        random.SystemRandom().shuffle(candidates)
        for number in candidates:
            lock = _lock(number)
            if lock is None:
                continue
            if _is_silent(number):
                self.number = number
                self._lock = lock
                return
            lock.close()
        raise NoFreeDomainError(
            "every ROS domain from 1 to 101 is in use: end other ROS programs, or wait"
        )

    def close(self) -> None:
        """Let others take it."""
        self._lock.close()


def _lock(number: int) -> IO[str] | None:
    """Hold a domain among programs of this package; none where another one holds it."""
    path = Path(tempfile.gettempdir(), f"avr_ros_domain_{number}_{os.getuid()}.lock")
    file = open(path, "w")  # noqa: SIM115
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


def _is_silent(number: int) -> bool:
    """Whether no participant of the domain runs on this machine: each one binds its first port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("", ports_of(number)[0]))
        except OSError:
            return False
    return True
