"""Parameters of a node, declared from one pydantic model."""

import sys
from typing import Any, TypeVar

import annotated_types
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo
from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.node import Node

from avr_ros.nodes.errors import ParameterError

INT64_MAX = 2**63 - 1


class NodeParameters(BaseModel):
    """Base class of a node's parameters: each field is one, with description, range and default.

    All are read once, at start, and are read-only afterwards.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


ParametersType = TypeVar("ParametersType", bound=NodeParameters)


def declare(node: Node, model: type[ParametersType]) -> ParametersType:
    """Declare a node's parameters with the values given to it, and return them checked.

    The node must have been made with ``automatically_declare_parameters_from_overrides``, which
    is the public way to learn which were given. Raises ParameterError for an unknown name and for
    a value of the wrong type or out of range.
    """
    given: dict[str, Any] = {}
    for name, parameter in node.get_parameters_by_prefix("").items():
        if name in _RCLPY_OWN or name.startswith("qos_overrides."):
            continue
        given[name] = parameter.value
        node.undeclare_parameter(name)
    try:
        values = model.model_validate(given)
    except ValidationError as error:
        raise ParameterError(_explain(node.get_name(), model, error)) from error
    for name, field in model.model_fields.items():
        node.declare_parameter(
            name, getattr(values, name), descriptor(name, field), ignore_override=True
        )
    return values


_RCLPY_OWN = frozenset({"use_sim_time", "start_type_description_service"})


def descriptor(name: str, field: FieldInfo) -> ParameterDescriptor:
    """What ``ros2 param describe`` shows of a field."""
    shown = ParameterDescriptor(name=name, description=field.description or "", read_only=True)
    low, high = bounds(field)
    if low is None and high is None:
        return shown
    if field.annotation is int:
        shown.integer_range = [
            IntegerRange(
                from_value=-INT64_MAX if low is None else int(low),
                to_value=INT64_MAX if high is None else int(high),
                step=1,
            )
        ]
    else:
        shown.floating_point_range = [
            FloatingPointRange(
                from_value=-sys.float_info.max if low is None else float(low),
                to_value=sys.float_info.max if high is None else float(high),
                step=0.0,
            )
        ]
    return shown


def bounds(field: FieldInfo) -> tuple[float | None, float | None]:
    """The smallest and largest value of a field, none where it has no bound."""
    low: Any = None
    high: Any = None
    for item in field.metadata:
        if isinstance(item, annotated_types.Ge):
            low = item.ge
        elif isinstance(item, annotated_types.Le):
            high = item.le
    return low, high


def _explain(node: str, model: type[NodeParameters], error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in first["loc"]) or "parameters"
    if first["type"] == "extra_forbidden":
        return (
            f"{node}: there is no parameter {name!r}; "
            f"it has {', '.join(sorted(model.model_fields))}"
        )
    return f"{node}: parameter {name!r}: {first['msg']} (given: {first['input']!r})"


SettingsType = TypeVar("SettingsType", bound=BaseModel)


def json_settings(node: str, name: str, model: type[SettingsType], text: str) -> SettingsType:
    """The settings that a parameter holds as a JSON object. Raises ParameterError."""
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = "".join(f"{part}: " for part in first["loc"])
        raise ParameterError(f"{node}: parameter {name!r}: {place}{first['msg']}") from error
