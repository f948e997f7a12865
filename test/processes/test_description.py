"""Processes as arguments: every value can only be read as what it is."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.processes.description import (
    Argument,
    Process,
    SetUp,
    decimal,
    parameter_text,
    whole_number,
)
from avr_ros.processes.errors import ArgumentError

text = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=30)


@given(st.booleans() | st.integers(-(2**63), 2**63 - 1) | text)
def test_a_parameter_is_read_as_the_type_it_has(value: bool | int | str) -> None:
    read = yaml.safe_load(parameter_text(value))
    assert read == value
    assert type(read) is type(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_stay_numbers(value: float) -> None:
    shown = parameter_text(value)
    assert float(shown) == value
    assert "." in shown


@pytest.mark.parametrize("value", ["123E5", "true", "1", "null", "~", "[a]", "a: b", 'say "x"'])
def test_texts_that_look_like_something_else(value: str) -> None:
    assert parameter_text(value)[0] == '"'
    assert yaml.safe_load(parameter_text(value)) == value


def test_arguments_of_a_node() -> None:
    process = Process(
        "replay_node", "player", {"rate": 2.0, "loop": True}, {"observe": "look"}, namespace="a/b"
    )
    assert process.ros_arguments() == [
        *("-r", "__node:=player"),
        *("-r", "__ns:=/a/b"),
        *("-r", "observe:=look"),
        *("-p", "rate:=2.0"),
        *("-p", "loop:=true"),
    ]


def test_arguments_of_a_set_up() -> None:
    seen: list[dict[str, str]] = []

    def describe(values: object) -> tuple[Process, ...]:
        assert isinstance(values, dict)
        seen.append(values)
        return ()

    arguments = (Argument("one", "the first", "1"), Argument("two", "the second"))
    set_up = SetUp("pair", "two arguments", arguments, describe, fresh_domain=True)
    set_up.processes({"two": "x"})
    assert seen == [{"one": "1", "two": "x"}]
    with pytest.raises(ArgumentError, match="'three'"):
        set_up.processes({"three": "x"})


def test_numbers_given_as_text() -> None:
    assert whole_number({"n": "4"}, "n", 1, 9) == 4
    assert decimal({"n": "0.5"}, "n", 0.0, 1.0) == 0.5
    for value in ("", "x", "0", "10", "4.0"):
        with pytest.raises(ArgumentError, match="n:="):
            whole_number({"n": value}, "n", 1, 9)
    for value in ("", "x", "nan", "2"):
        with pytest.raises(ArgumentError, match="n:="):
            decimal({"n": value}, "n", 0.0, 1.0)
