"""What runs together, said once for the launch files and for this package's own runner."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from avr_ros.processes.errors import ArgumentError

PACKAGE = "avr_ros"

ParameterValue = bool | int | float | str


@dataclass(frozen=True)
class Process:
    """One node in a process of its own.

    Remappings map names inside the node to names outside, both relative to its namespace where
    they do not begin with a slash. The end of a ``required`` process ends the whole; that of one
    that ``decides`` also gives the whole its exit code. Only one that ``holds_secrets`` is
    started with the environment's keys and tokens.
    """

    executable: str
    name: str
    parameters: Mapping[str, ParameterValue]
    remappings: Mapping[str, str] = field(default_factory=dict)
    namespace: str = ""
    required: bool = True
    decides: bool = False
    holds_secrets: bool = False
    package: str = PACKAGE

    def ros_arguments(self) -> list[str]:
        """The node's arguments behind ``--ros-args``.

        Parameters are given one by one with quoted texts, because a text such as ``123E5`` in a
        parameter file that a YAML library writes would be read as a number (launch_ros#384).
        """
        arguments = ["-r", f"__node:={self.name}"]
        if self.namespace:
            arguments += ["-r", f"__ns:={_absolute(self.namespace)}"]
        for inside, outside in self.remappings.items():
            arguments += ["-r", f"{inside}:={outside}"]
        for name, value in self.parameters.items():
            arguments += ["-p", f"{name}:={parameter_text(value)}"]
        return arguments


def parameter_text(value: ParameterValue) -> str:
    """A value in YAML that can only be read as its own type."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        return str(value)
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")


def _absolute(namespace: str) -> str:
    return "/" + namespace.strip("/")


@dataclass(frozen=True)
class Argument:
    """An argument of a set-up, given as ``name:=value``."""

    name: str
    description: str
    default: str = ""


@dataclass(frozen=True)
class SetUp:
    """Processes that depend on arguments. ``describe`` is given a value for every argument.

    ``fresh_domain`` says whether the package's runner gives them a ROS domain of their own.
    """

    name: str
    description: str
    arguments: tuple[Argument, ...]
    describe: Callable[[Mapping[str, str]], tuple[Process, ...]]
    fresh_domain: bool

    def processes(self, given: Mapping[str, str]) -> tuple[Process, ...]:
        """The processes for the arguments given; the others have their defaults.

        Raises ArgumentError for an unknown argument, and BadInputError as ``describe`` does.
        """
        known = {argument.name: argument.default for argument in self.arguments}
        for name in given:
            if name not in known:
                raise ArgumentError(
                    f"{self.name} has no argument {name!r}; it has {', '.join(known)}"
                )
        return self.describe({**known, **given})


def whole_number(values: Mapping[str, str], name: str, low: int, high: int) -> int:
    """An argument as a whole number within bounds. Raises ArgumentError."""
    try:
        number = int(values[name])
    except ValueError:
        number = low - 1
    if not low <= number <= high:
        raise ArgumentError(f"{name}:={values[name]} is not a whole number within {low} to {high}")
    return number


def decimal(values: Mapping[str, str], name: str, low: float, high: float) -> float:
    """An argument as a number within bounds. Raises ArgumentError."""
    try:
        number = float(values[name])
    except ValueError:
        number = float("nan")
    if not low <= number <= high:
        raise ArgumentError(f"{name}:={values[name]} is not a number within {low} to {high}")
    return number
