"""The contracts about which rooms import which: they hold, and they would notice."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from import_contracts import matches

import avr_ros

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(avr_ros.__file__).parent

pytestmark = pytest.mark.skipif(
    not (PACKAGE / "msg").is_dir(), reason="the contracts name generated modules"
)


def check_imports(path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Check the contracts on the overlay, or on a copy of the package below another folder."""
    variables = dict(os.environ)
    if path is not None:
        variables["PYTHONPATH"] = str(path)
    return subprocess.run(
        [sys.executable, str(ROOT / "tools" / "check_imports.py")],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def copied_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a copy of the package without compiled code."""
    folder = tmp_path_factory.mktemp("copy")
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.c")
    shutil.copytree(PACKAGE, folder / "avr_ros", ignore=ignored)
    return folder


def test_all_contracts_hold() -> None:
    result = check_imports()
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("module", "imported", "broken"),
    [
        ("geometry/planted.py", "avr_ros.schema.errors", "one direction"),
        ("schema/planted.py", "avr_ros.evaluation.journal", "one direction"),
        ("recordings/planted.py", "rclpy", "know ROS"),
        ("messages/planted.py", "avr_ros.srv", "know ROS"),
        ("agents/planted.py", "avr_ros.schema.answer_key", "neither labels nor keys"),
        ("agents/planted.py", "avr_ros.benchmark.question_files", "neither labels nor keys"),
        ("world/planted.py", "avr_ros.annotations.scene_graph", "neither labels nor keys"),
        ("perception/planted.py", "avr_ros.annotations.join", "neither labels nor keys"),
        ("unknown_room/__init__.py", "os", "one direction"),
    ],
)
def test_a_planted_import_breaks_its_contract(
    copied_package: Path, module: str, imported: str, broken: str
) -> None:
    planted = copied_package / "avr_ros" / module
    planted.parent.mkdir(exist_ok=True)
    planted.write_text(f"import {imported}\n", encoding="utf-8")
    try:
        result = check_imports(copied_package)
    finally:
        planted.unlink()
        if planted.name == "__init__.py":
            planted.parent.rmdir()
    assert result.returncode == 1
    broken_lines = [line for line in result.stdout.splitlines() if line.endswith("BROKEN")]
    assert any(broken in line for line in broken_lines), result.stdout


def test_an_oracle_may_read_labels(copied_package: Path) -> None:
    planted = copied_package / "avr_ros" / "perception" / "oracle_planted.py"
    planted.write_text("import avr_ros.annotations.join\n", encoding="utf-8")
    try:
        result = check_imports(copied_package)
    finally:
        planted.unlink()
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("avr_ros.perception", True),
        ("avr_ros.perception.model.reply", True),
        ("avr_ros.perceptions", False),
        ("avr_ros.schema.answer_key", True),
        ("avr_ros.benchmark.answer_keys.reader", True),
        ("avr_ros.schema.answer", False),
    ],
)
def test_patterns_match_modules_and_what_they_hold(module: str, expected: bool) -> None:
    assert matches(module, ["avr_ros.perception", "avr_ros.*answer_key*"]) is expected


def test_packages_import_nothing_for_others() -> None:
    """An import in __init__.py would be every room's that imports one module of the package."""
    for path in PACKAGE.rglob("__init__.py"):
        if path.relative_to(PACKAGE).parts[0] in ("msg", "srv", "action"):
            continue
        text = path.read_text(encoding="utf-8").strip()
        assert text.startswith('"""') and text.endswith('"""') and "\n" not in text, path
