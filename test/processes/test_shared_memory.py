"""Only what our own processes left behind is deleted."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from avr_ros.processes.domain import DOMAINS, FreshDomain, ports_of
from avr_ros.processes.shared_memory import SharedMemory


def test_files_of_our_ports_and_files_that_were_seen_go(tmp_path: Path) -> None:
    ours = ["fastrtps_port7661", "fastrtps_port7661_el", "sem.fastrtps_port7661_mutex"]
    others = ["fastrtps_port9999", "fastrtps_0123456789abcdef", "other", "port7661"]
    seen = "fastrtps_00aa11bb22cc33dd"
    for name in [*ours, *others, seen]:
        (tmp_path / name).touch()
    memory = SharedMemory(ports_of(1), tmp_path)
    memory._seen.add(seen)
    assert memory.clean() == sorted([*ours, seen])
    assert {path.name for path in tmp_path.iterdir()} == set(others)
    assert memory.clean() == []


def test_files_in_use_stay(tmp_path: Path) -> None:
    path = tmp_path / "fastrtps_port7661"
    path.touch()
    memory = SharedMemory(ports_of(1), tmp_path)
    with open(path):
        memory.look([os.getpid()])
        assert memory.clean() == []
    assert memory.clean() == [path.name]


def test_fresh_domains_differ_and_are_silent() -> None:
    first = FreshDomain()
    second = FreshDomain()
    try:
        assert first.number != second.number
        assert first.number in DOMAINS and second.number in DOMAINS
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("", ports_of(first.number)[0]))
    finally:
        first.close()
        second.close()
