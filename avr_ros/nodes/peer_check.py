"""Checks that the nodes that a run drives are those that its specification says."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel
from rcl_interfaces.srv import GetParameters
from rclpy.parameter import parameter_value_to_python

from avr_ros.evaluation.errors import RunStoppedError
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.errors import CallEndedError, ServiceUnavailableError
from avr_ros.nodes.service_client import ServiceClient
from avr_ros.schema.errors import BadInputError

TIMEOUT = 30.0
"""Seconds that a node has to appear and answer."""


class Peer:
    """Another node's parameters; ``name`` is the node's name relative to this one's namespace."""

    def __init__(self, node: AvrNode[Any], name: str) -> None:
        """Make the client."""
        self._name = name
        self._client = ServiceClient(node, GetParameters, f"{name}/get_parameters", node.closing)

    def check(
        self, wanted: Mapping[str, object], ended: Callable[[], bool] = lambda: False
    ) -> None:
        """Refuse a node whose parameters are not the wanted ones.

        A pydantic model is compared with a parameter that holds it as JSON, defaults left out.
        Raises BadInputError for another value, RunStoppedError where the node does not answer.
        """
        names = list(wanted)
        try:
            response = self._client.call(GetParameters.Request(names=names), TIMEOUT, ended)
        except (ServiceUnavailableError, CallEndedError) as error:
            raise RunStoppedError(f"node {self._name}: {error}") from error
        if len(response.values) != len(names):
            raise BadInputError(f"node {self._name} has no parameters {', '.join(names)}")
        for name, message in zip(names, response.values, strict=True):
            self._compare(name, parameter_value_to_python(message), wanted[name])

    def _compare(self, name: str, value: object, wanted: object) -> None:
        if isinstance(wanted, BaseModel):
            found = type(wanted).model_validate_json(str(value))
            for field, expected in wanted:
                self._compare(f"{name}.{field}", getattr(found, field), expected)
        elif value != wanted:
            raise BadInputError(
                f"node {self._name} runs with {name} {value!r}, the run asks for {wanted!r}; "
                "start the node or the run with the other"
            )
