"""Which program made a run: its version, its commit, the libraries that bytes depend on."""

import platform
import re
import subprocess
from importlib import metadata
from pathlib import Path

from avr_ros.recordings import jpeg

_SOURCE = Path(__file__).resolve().parents[1]
_LIBRARIES = ("numpy", "scipy", "pydantic", "onnxruntime")


def package_version() -> str:
    """The version of this package: of its package.xml beside the code, else as pip knows it."""
    for manifest in (_SOURCE.parent / "package.xml", *_installed_manifests()):
        try:
            found = re.search(r"<version>\s*([^<\s]+)\s*</version>", manifest.read_text("utf-8"))
        except OSError:
            continue
        if found:
            return found.group(1)
    try:
        return metadata.version("avr_ros")
    except metadata.PackageNotFoundError:
        return "unknown"


def commit() -> tuple[str | None, bool | None]:
    """The commit of the checkout that the code runs from, and whether it has other changes.

    Both are none where the code is not part of a checkout, or git is not installed.
    """
    # An installed copy may lie inside somebody else's checkout: the code must be tracked by it.
    if _git("ls-files", "--error-unmatch", "__init__.py") is None:
        return None, None
    head = _git("rev-parse", "HEAD")
    changes = _git("status", "--porcelain", "--", ":/")
    if head is None or changes is None:
        return None, None
    return head.strip(), bool(changes.strip())


def library_versions() -> dict[str, str]:
    """Versions of Python and of the libraries that results or bytes depend on, by name."""
    import cv2

    versions = {
        "python": platform.python_version(),
        "opencv": cv2.__version__,
        "jpeg_decoder": jpeg.decoder(),
    }
    for name in _LIBRARIES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return dict(sorted(versions.items()))


def _installed_manifests() -> list[Path]:
    """package.xml of the installed overlay: <prefix>/lib/pythonX.Y/site-packages/avr_ros."""
    unresolved = Path(__file__).parents[1]
    return [parent / "share" / "avr_ros" / "package.xml" for parent in unresolved.parents]


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(_SOURCE), *arguments],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
