"""Message classes made from this package's interface files by a library that is not rclpy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy_messages import with_numpy
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

ROOT = Path(__file__).parents[2]


def _definitions() -> dict[str, str]:
    texts = {f"avr_ros/msg/{path.stem}": path.read_text() for path in ROOT.glob("msg/*.msg")}
    for path in ROOT.glob("srv/*.srv"):
        request, response = path.read_text().split("\n---\n")
        texts[f"avr_ros/srv/{path.stem}_Request"] = request
        texts[f"avr_ros/srv/{path.stem}_Response"] = response
    return texts


class Messages:
    """Classes by type name, and whole messages through their bytes and back."""

    def __init__(self) -> None:
        self.store = get_typestore(Stores.ROS2_JAZZY)
        for name, text in _definitions().items():
            (fields,) = get_types_from_msg(text, name).values()
            self.store.register({name: fields})

    def __call__(self, name: str, /) -> Callable[..., Any]:
        return self.store.types[name]

    def empty(self, name: str) -> Any:
        """A message whose fields all have their defaults, as rclpy hands to a service."""
        _, declared = self.store.fielddefs[name]
        return self.store.types[name](**{field: self._default(kind) for field, kind in declared})

    def _default(self, kind: Any) -> Any:
        node, detail = kind
        if node.name == "NAME":
            return self.empty(detail)
        if node.name == "BASE":
            return {"string": "", "bool": False}.get(detail[0], 0)
        return np.zeros(0, dtype=np.uint8) if detail[0][1] == ("uint8", 0) else []

    def sent(self, message: Any) -> Any:
        """The message as a reader of a bag gets it."""
        name = message.__msgtype__
        return self.store.deserialize_cdr(self.store.serialize_cdr(with_numpy(message), name), name)


@pytest.fixture(scope="session")
def types() -> Messages:
    """The message classes."""
    return Messages()
