"""The include folders that ROS wheels carry from the machine that built them."""

from __future__ import annotations

from pathlib import Path

import pytest
from avr_setup.include_paths import correct_include_paths


@pytest.mark.parametrize("numpy_core", ["_core", "core"])
@pytest.mark.parametrize("version", ["3.9", "3.13"])
def test_both_folders_are_replaced_and_nothing_else(
    tmp_path: Path, numpy_core: str, version: str
) -> None:
    built = "/opt/python/cp313-cp313"
    exported = tmp_path / "share" / "some_messages" / "cmake" / "export.cmake"
    exported.parent.mkdir(parents=True)
    line = (
        'INTERFACE_INCLUDE_DIRECTORIES "${_IMPORT_PREFIX}/include/some_messages;'
        "{python};{numpy}" + '"\n'
    )
    numpy = f"{built}/lib/python{version}/site-packages/numpy/{numpy_core}/include"
    python = f"{built}/include/python{version}"
    exported.write_text(line.replace("{python}", python).replace("{numpy}", numpy))
    here, there = Path("/usr/include/python"), Path("/a b/numpy\\1/include")
    assert correct_include_paths(tmp_path, here, there) == 1
    assert exported.read_text() == line.replace("{python}", str(here)).replace(
        "{numpy}", str(there)
    )
    assert correct_include_paths(tmp_path, here, there) == 0
