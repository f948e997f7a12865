"""Reads the requirement files of the project."""

from __future__ import annotations

import re
from pathlib import Path

from avr_setup.locks import normalised


def names_of(path: Path) -> set[str]:
    """The packages that a requirement file asks for, as indexes spell them."""
    lines = (line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return {normalised(re.split(r"[\[<>=!~ ]", line)[0]) for line in lines if line}
