"""The parameter files in config/ and the tables in docs/nodes.md, both made from the models.

``python -m avr_ros.nodes.parameter_documents CHECKOUT`` writes them; a test compares them.
"""

import inspect
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic.fields import FieldInfo

from avr_ros.nodes import qos
from avr_ros.nodes.agent_node import AgentNode, AgentParameters
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.live_node import LiveNode, LiveParameters
from avr_ros.nodes.oracle_perception_node import OraclePerceptionNode, OraclePerceptionParameters
from avr_ros.nodes.parameters import NodeParameters, bounds
from avr_ros.nodes.recorder_node import RecorderNode, RecorderParameters
from avr_ros.nodes.replay_node import ReplayNode, ReplayParameters
from avr_ros.nodes.scorer_node import ScorerNode, ScorerParameters
from avr_ros.nodes.world_model_node import WorldModelNode, WorldModelParameters
from avr_ros.processes.description import parameter_text

NODES: Final[Mapping[str, tuple[type[AvrNode[Any]], type[NodeParameters]]]] = {
    "agent_node": (AgentNode, AgentParameters),
    "live_node": (LiveNode, LiveParameters),
    "oracle_perception_node": (OraclePerceptionNode, OraclePerceptionParameters),
    "recorder_node": (RecorderNode, RecorderParameters),
    "replay_node": (ReplayNode, ReplayParameters),
    "scorer_node": (ScorerNode, ScorerParameters),
    "world_model_node": (WorldModelNode, WorldModelParameters),
}
"""Class and parameters of each executable."""


def parameter_file(executable: str) -> str:
    """The text of config/<executable>.yaml: every parameter with its default."""
    model = NODES[executable][1]
    lines = [
        f"# Parameters of {executable} with their defaults:",
        f"# ros2 run avr_ros {executable} --ros-args --params-file {executable}.yaml",
        "/**:",
        "  ros__parameters:",
    ]
    for name, field in model.model_fields.items():
        lines.append(f"    # {field.description}{_range_text(field)}")
        lines.append(f"    {name}: {parameter_text(field.default)}")
    return "\n".join(lines) + "\n"


def nodes_page() -> str:
    """The text of docs/nodes.md: what each node does, its parameters, and the QoS profiles."""
    parts = ["# Nodes", ""]
    for executable, (node, model) in NODES.items():
        text = inspect.cleandoc(node.__doc__ or "").replace("``", "`")
        text = text[: text.rindex("Parameters:")] if "Parameters:" in text else text
        parts += [f"## {executable}", "", text.rstrip(), "", *_table(model), ""]
    parts += ["## Quality of service", "", *_profiles(), ""]
    return "\n".join(parts)


def _table(model: type[NodeParameters]) -> list[str]:
    rows = ["| parameter | type | default | meaning |", "|---|---|---|---|"]
    for name, field in model.model_fields.items():
        kind = getattr(field.annotation, "__name__", str(field.annotation))
        default = parameter_text(field.default)
        rows.append(
            f"| `{name}` | {kind} | `{default}` | {field.description}{_range_text(field)} |"
        )
    return rows


def _profiles() -> list[str]:
    rows = ["| profile | reliability | durability | depth |", "|---|---|---|---|"]
    for name, profile in qos.PROFILES.items():
        rows.append(
            f"| {name} | {profile.reliability.name.lower()} | {profile.durability.name.lower()} "
            f"| {profile.depth} |"
        )
    return rows


def _range_text(field: FieldInfo) -> str:
    low, high = bounds(field)
    if low is None and high is None:
        return ""
    if high is None:
        return f"; at least {low:g}"
    if low is None:
        return f"; at most {high:g}"
    return f"; {low:g} to {high:g}"


def main(checkout: Path) -> None:
    """Write all documents of a checkout."""
    for executable in NODES:
        path = checkout / "config" / f"{executable}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(parameter_file(executable), encoding="utf-8")
    (checkout / "docs" / "nodes.md").write_text(nodes_page(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
