"""The piecewise reader agrees with the standard library's and places its complaints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from avr_ros.annotations.errors import LabelFileError
from avr_ros.annotations.json_cursor import JsonCursor

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


def walk(path: Path) -> dict[str, list[object]]:
    """Read an object of arrays piece by piece."""
    cursor = JsonCursor(path)
    found = {key: [cursor.value() for _ in cursor.elements()] for key in cursor.members()}
    cursor.finish()
    return found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(st.text(max_size=4), st.lists(VALUES, max_size=3), max_size=4), st.booleans()
)
def test_reads_what_the_standard_library_wrote(
    tmp_path: Path, content: dict[str, list[object]], indented: bool
) -> None:
    path = tmp_path / "labels.json"
    path.write_text(json.dumps(content, indent=2 if indented else None))
    assert walk(path) == content


@pytest.mark.parametrize("cut", range(0, 22))
def test_a_file_cut_anywhere_is_refused_with_its_offset(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "labels.json"
    text = '{"a": [1, {"b": null}]}'
    path.write_text(text[:cut])
    with pytest.raises(LabelFileError) as caught:
        walk(path)
    assert str(path) in str(caught.value)
    offset = int(caught.value.where.removeprefix("offset "))
    assert 0 <= offset <= cut


@pytest.mark.parametrize(
    ("text", "offset", "problem"),
    [
        ('{"a": [1] "b": [2]}', 10, "instead of ','"),
        ('{"a": [1], "a": [2]}', 11, "second time"),
        ('{"a": [NaN]}', 7, "NaN"),
        ('{"a": [-Infinity]}', 7, "-Infinity"),
        ('{"a": [1]} x', 11, "after the end"),
        ("[1]", 0, "instead of '{'"),
        ("{1: [2]}", 1, "not text"),
        ('{"a": [' + "[" * 100_000, 7, "recursion"),
    ],
)
def test_what_is_not_json(tmp_path: Path, text: str, offset: int, problem: str) -> None:
    path = tmp_path / "labels.json"
    path.write_text(text)
    with pytest.raises(LabelFileError, match=problem) as caught:
        walk(path)
    assert caught.value.where == f"offset {offset}"


def test_text_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_bytes(b'{"a": ["\xff"]}')
    with pytest.raises(LabelFileError, match="UTF-8") as caught:
        walk(path)
    assert caught.value.where == "byte 8"


def test_a_folder_in_the_place_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(LabelFileError, match="unreadable"):
        JsonCursor(tmp_path)
