"""Values that two equal runs may differ in: times."""

from typing import Any


def is_time_name(name: str) -> bool:
    """Whether a field of a run file holds a time: ``seconds``, ``..._at`` or ``..._seconds``."""
    return name == "seconds" or name.endswith(("_at", "_seconds"))


def without_times(value: Any) -> Any:
    """A JSON value without its time fields, at any depth."""
    if isinstance(value, dict):
        return {name: without_times(item) for name, item in value.items() if not is_time_name(name)}
    if isinstance(value, list):
        return [without_times(item) for item in value]
    return value
