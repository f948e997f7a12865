"""Messages as rosbags can write them."""

from array import array
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np


def with_numpy(value: Any) -> Any:
    """The message with NumPy arrays, which is what this library can write."""
    if isinstance(value, array):
        return np.array(value, dtype=value.typecode)
    if isinstance(value, list):
        return [with_numpy(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            item.name: with_numpy(getattr(value, item.name))
            for item in fields(value)
            if item.name != "__msgtype__"
        }
        return replace(value, **changed)
    if isinstance(value, bytes) and len(value) == 1:
        return value[0]
    return value
