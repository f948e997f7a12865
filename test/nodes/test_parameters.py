"""Parameters: declared from one model, refused where unknown, documented as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import rclpy
import yaml
from node_processes import Client, NodeProcess
from pydantic import Field
from rcl_interfaces.msg import ParameterType
from rcl_interfaces.srv import DescribeParameters, GetParameters, SetParameters
from rclpy.parameter import Parameter

from avr_ros.nodes.errors import ParameterError
from avr_ros.nodes.parameter_documents import NODES, nodes_page, parameter_file
from avr_ros.nodes.parameters import NodeParameters, declare, json_settings
from avr_ros.perception.oracle_settings import OracleSettings

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("executable", NODES)
def test_the_parameter_files_agree_with_the_models(executable: str) -> None:
    text = (ROOT / "config" / f"{executable}.yaml").read_text()
    assert text == parameter_file(executable), (
        "run python -m avr_ros.nodes.parameter_documents in the environment"
    )
    (values,) = yaml.safe_load(text).values()
    defaults = NODES[executable][1]().model_dump()
    assert values == {"ros__parameters": defaults}


def test_the_documentation_agrees_with_the_models() -> None:
    assert (ROOT / "docs" / "nodes.md").read_text() == nodes_page(), (
        "run python -m avr_ros.nodes.parameter_documents in the environment"
    )


@pytest.mark.parametrize("executable", NODES)
def test_every_parameter_is_described(executable: str) -> None:
    for name, field in NODES[executable][1].model_fields.items():
        assert field.description, name
        assert field.annotation in (bool, int, float, str), name


def test_described_ranges_and_read_only(client: Client, replay: NodeProcess) -> None:
    names = ["jpeg_quality", "ground_height", "dataset"]
    described = client.call(
        DescribeParameters, "replay/describe_parameters", DescribeParameters.Request(names=names)
    ).descriptors
    assert all(item.read_only and item.description for item in described)
    assert [item.type for item in described] == [
        ParameterType.PARAMETER_INTEGER,
        ParameterType.PARAMETER_DOUBLE,
        ParameterType.PARAMETER_STRING,
    ]
    (quality,) = described[0].integer_range
    assert (quality.from_value, quality.to_value) == (1, 100)
    (height,) = described[1].floating_point_range
    assert (height.from_value, height.to_value) == (-100.0, -0.01)
    request = SetParameters.Request(
        parameters=[Parameter("jpeg_quality", value=50).to_parameter_msg()]
    )
    (result,) = client.call(SetParameters, "replay/set_parameters", request).results
    assert not result.successful
    values = client.call(
        GetParameters, "replay/get_parameters", GetParameters.Request(names=["jpeg_quality"])
    ).values
    assert values[0].integer_value == 90


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"jpeg_qualitty": 90}, "'jpeg_qualitty'"),
        ({"jpeg_quality": 101}, "'jpeg_quality'"),
        ({"jpeg_quality": "good"}, "'jpeg_quality'"),
        ({"dataset": ""}, "'dataset'"),
        ({"dataset": "/does/not/exist"}, "/does/not/exist"),
        ({"stream": True}, "stream_sequence"),
    ],
)
def test_bad_parameters_end_the_node_with_one_line(
    domain: int, logs: Path, recording: Path, parameters: dict[str, Any], complaint: str
) -> None:
    values = {"dataset": str(recording), **parameters}
    with NodeProcess(logs, "replay_node", "replay", values, namespace="bad") as node:
        assert node.wait() == 2
    errors = [line for line in node.log.splitlines() if not line.startswith("[")]
    assert len(errors) == 1 and errors[0].startswith("error: ") and complaint in errors[0]


class _Parameters(NodeParameters):
    """A node's parameters."""

    rate: float = Field(default=1.0, ge=0.5, le=2.0, description="a rate")
    name: str = Field(default="x", description="a name")


def _node(client: Client, given: dict[str, Any]) -> Any:
    return rclpy.create_node(
        "declaring",
        parameter_overrides=[Parameter(name, value=value) for name, value in given.items()],
        automatically_declare_parameters_from_overrides=True,
    )


def test_declared_values(client: Client) -> None:
    node = _node(client, {"rate": 2, "use_sim_time": False})
    try:
        assert declare(node, _Parameters) == _Parameters(rate=2.0)
        assert node.get_parameter("rate").value == 2.0
        assert node.get_parameter("name").value == "x"
    finally:
        node.destroy_node()


@pytest.mark.parametrize("given", [{"rates": 1.0}, {"rate": 3.0}, {"name": 5}])
def test_values_that_are_refused(client: Client, given: dict[str, Any]) -> None:
    node = _node(client, given)
    try:
        with pytest.raises(ParameterError, match=next(iter(given))):
            declare(node, _Parameters)
    finally:
        node.destroy_node()


def test_settings_as_json() -> None:
    assert json_settings("n", "settings", OracleSettings, '{"seed": 4}').seed == 4
    for text in ("{", "[]", '{"sed": 4}', '{"seed": -1}'):
        with pytest.raises(ParameterError, match="n: parameter 'settings'"):
            json_settings("n", "settings", OracleSettings, text)
