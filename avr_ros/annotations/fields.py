"""Checked access to the fields of a label entry; the errors know nothing of the file yet."""

from __future__ import annotations

import math
import re

_LABEL_ID = re.compile(r"pedestrian:(\d{1,9})")
_FRAME_KEY = re.compile(r"(\d{6,9})\.(?:jpg|jpeg|png|pcd)")
_DIFFICULTIES = {"1": 1, "2": 2, "3": 3}


class FieldError(ValueError):
    """A field is missing or not of its type; ``key`` is its path inside the entry."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(problem)
        self.key = key


def require(entry: dict[str, object], key: str) -> object:
    """The value of a key that must be there."""
    try:
        return entry[key]
    except KeyError:
        raise FieldError(key, f"no {key!r}") from None


def as_object(value: object, key: str) -> dict[str, object]:
    """A JSON object."""
    if isinstance(value, dict):
        return value
    raise FieldError(key, f"{_kind(value)} instead of an object")


def as_array(value: object, key: str) -> list[object]:
    """A JSON array."""
    if isinstance(value, list):
        return value
    raise FieldError(key, f"{_kind(value)} instead of an array")


def as_number(value: object, key: str) -> float:
    """A finite JSON number."""
    if type(value) is float or type(value) is int:
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
        raise FieldError(key, "a number that is not finite")
    raise FieldError(key, f"{_kind(value)} instead of a number")


def as_integer(value: object, key: str) -> int:
    """A whole JSON number that fits 31 bits."""
    if type(value) is int and abs(value) < 2**31:
        return value
    raise FieldError(key, f"{_kind(value)} {value!r} instead of a whole number"[:120])


def as_flag(value: object, key: str) -> int:
    """A truth value as 0, 1, or -1 for a missing one; JRDB writes some as 'true' and 'false'."""
    if value is None:
        return -1
    if value is True or value == "true":
        return 1
    if value is False or value == "false":
        return 0
    raise FieldError(key, f"{value!r} instead of true or false"[:120])


def as_difficulty(value: object, key: str) -> int:
    """An annotation difficulty of 1 to 3, which files hold as integers, floats or text."""
    if type(value) is int or type(value) is float:
        if value in (1, 2, 3):
            return int(value)
    elif isinstance(value, str) and value in _DIFFICULTIES:
        return _DIFFICULTIES[value]
    raise FieldError(key, f"{value!r} instead of a difficulty of 1 to 3"[:120])


def track_of(value: object, key: str = "label_id") -> int:
    """The number of a label id ``pedestrian:N``."""
    if isinstance(value, str):
        match = _LABEL_ID.fullmatch(value)
        if match is not None:
            return int(match.group(1))
    raise FieldError(key, f"{value!r} instead of 'pedestrian:N'"[:120])


def frame_of(name: str) -> int:
    """The frame id of a file name such as ``000012.jpg``."""
    match = _FRAME_KEY.fullmatch(name)
    if match is None:
        raise FieldError(name[:40], "a name that is not a frame such as 000012.jpg")
    return int(match.group(1))


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "an array" if isinstance(value, list) else "an object"
