"""Version, commit and libraries of the program that makes a run."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from avr_ros.evaluation import provenance


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(folder), *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    )
    return done.stdout.strip()


def test_version_is_that_of_the_package_manifest() -> None:
    manifest = (Path(__file__).parents[2] / "package.xml").read_text()
    found = re.search(r"<version>([^<]+)</version>", manifest)
    assert found is not None
    assert provenance.package_version() == found.group(1)


def test_commit_and_changes_of_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "avr_ros"
    package.mkdir()
    monkeypatch.setattr(provenance, "_SOURCE", package)
    monkeypatch.delenv("GIT_DIR", raising=False)
    assert provenance.commit() == (None, None)
    git(tmp_path, "init", "-q")
    (package / "__init__.py").write_text("")
    # Code that lies in a checkout which does not know it is not of that checkout.
    assert provenance.commit() == (None, None)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    assert provenance.commit() == (git(tmp_path, "rev-parse", "HEAD"), False)
    (tmp_path / "other").write_text("")
    assert provenance.commit() == (git(tmp_path, "rev-parse", "HEAD"), True)


def test_without_git_there_is_no_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert provenance.commit() == (None, None)


def test_libraries_that_bytes_depend_on_are_named() -> None:
    versions = provenance.library_versions()
    assert {"python", "numpy", "opencv", "jpeg_decoder"} <= versions.keys()
    assert list(versions) == sorted(versions)
