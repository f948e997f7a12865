"""rclpy's message classes by type name."""

import functools
import importlib
from collections.abc import Callable
from typing import Any


@functools.cache
def ros_types(name: str, /) -> Callable[..., Any]:
    """The generated class of a type, for example of ``avr_ros/srv/Observe_Request``."""
    package, kind, type_name = name.split("/")
    base, _, part = type_name.partition("_")
    generated: Any = getattr(importlib.import_module(f"{package}.{kind}"), base)
    found: Callable[..., Any] = getattr(generated, part) if part else generated
    return found
