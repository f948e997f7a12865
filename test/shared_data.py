"""Files of public data sets that lie beside the checkout and are no part of it."""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"


def shared_data(path: str) -> Path:
    """A file or folder below ``../shared/data``; the calling test is skipped where it is absent."""
    found = FOLDER / path
    if not found.exists():
        pytest.skip(f"{path} is not beside this checkout")
    return found
