"""The lock files: complete, pinned, and free of anything that only one machine has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from avr_setup.errors import SetupError
from avr_setup.flavour import Flavour, all_flavours
from avr_setup.locks import Pin, lock_text, pins_of_report
from requirement_files import names_of

ROOT = Path(__file__).resolve().parents[2]
LOCKS = [
    pytest.param(flavour, version, id=flavour.lock(version).stem)
    for flavour in all_flavours(ROOT)
    for version in flavour.pythons
]
PIN = re.compile(r"([a-z0-9-]+)==([^ ]+) --hash=sha256:[0-9a-f]{64}")


def pins_of(path: Path) -> dict[str, str]:
    """Package names and versions of a lock file, after a check that it holds nothing else."""
    pins: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        match = PIN.fullmatch(line)
        assert match is not None, f"{path.name}: {line}"
        assert match[1] not in pins, f"{path.name}: {match[1]} stands there twice"
        pins[match[1]] = match[2]
    return pins


@pytest.mark.parametrize(("flavour", "version"), LOCKS)
def test_a_lock_pins_all_that_its_inputs_ask_for(
    flavour: Flavour, version: tuple[int, int]
) -> None:
    pins = pins_of(flavour.lock(version))
    for path in flavour.inputs:
        assert names_of(path) <= pins.keys(), path.name
    assert "torch" not in pins
    assert int(pins["setuptools"].split(".")[0]) < 80


@pytest.mark.parametrize("version", [(3, 10), (3, 11), (3, 12)])
def test_a_robots_versions_are_those_of_its_system(version: tuple[int, int]) -> None:
    pins = pins_of(Flavour(ROOT, "jazzy", robot=True).lock(version))
    assert pins["numpy"] == "1.26.4"
    assert pins["opencv-python-headless"] == "4.6.0.66"


def test_there_is_no_lock_that_set_up_would_not_use() -> None:
    expected = {
        flavour.lock(version) for flavour in all_flavours(ROOT) for version in flavour.pythons
    }
    assert set((ROOT / "requirements").glob("*.lock")) == expected


def report_of(name: str, url: str, hashes: dict[str, str]) -> dict[str, object]:
    """What pip reports about one package."""
    origin = {"url": url, "archive_info": {"hashes": hashes}}
    return {"install": [{"metadata": {"name": name, "version": "1.2"}, "download_info": origin}]}


def test_a_report_becomes_a_lock_without_its_addresses() -> None:
    report = report_of("Some_Package", "file:///somewhere/some_package.whl", {"sha256": "ab"})
    assert pins_of_report(report) == [Pin("some-package", "1.2", "ab")]
    text = lock_text(pins_of_report(report), [Path("/elsewhere/runtime.in")])
    assert text == "# Made by `make lock` from runtime.in.\nsome-package==1.2 --hash=sha256:ab\n"


@pytest.mark.parametrize(
    ("url", "hashes"),
    [("file:///a/p.whl", {}), ("file:///a/p.whl", {"md5": "ab"}), ("p.tar.gz", {"sha256": "ab"})],
)
def test_a_package_without_hash_or_wheel_is_refused(url: str, hashes: dict[str, str]) -> None:
    with pytest.raises(SetupError, match="some-package"):
        pins_of_report(report_of("some-package", url, hashes))
