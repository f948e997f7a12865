"""Nodes end cleanly by SIGINT and SIGTERM."""

from __future__ import annotations

import signal
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from node_processes import Client, NodeProcess
from small_scene import Scene

from avr_ros.nodes import qos

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def test_every_node_ends_with_code_0_and_without_a_traceback(
    client: Client, logs: Path, scene: Scene, tmp_path: Path
) -> None:
    dataset = str(scene.dataset)
    parameters: dict[str, dict[str, Any]] = {
        "agent_node": {},
        "live_node": {},
        "oracle_perception_node": {"dataset": dataset},
        "replay_node": {"dataset": dataset, "stream": True},
        "scorer_node": {},
        "world_model_node": {},
    }
    running: list[tuple[NodeProcess, signal.Signals, str]] = []
    diagnostics = client.collect(DiagnosticArray, "/diagnostics", qos.DIAGNOSTICS)
    with ExitStack() as stack:
        for number in SIGNALS:
            for executable, values in parameters.items():
                name = f"{executable}_{number.name.lower()}"
                node = NodeProcess(logs, executable, name, values, namespace="ends")
                running.append((stack.enter_context(node), number, f"ends/{name}"))
            name = f"recorder_{number.name.lower()}"
            recorder = NodeProcess(
                logs, "recorder_node", name, {"bag": str(tmp_path / name)}, namespace="ends"
            )
            running.append((stack.enter_context(recorder), number, f"ends/{name}"))

        def all_seen(messages: list[Any]) -> bool:
            seen = {message.status[0].name for message in messages}
            return seen >= {name for _, _, name in running}

        # Sixteen nodes start at once.
        diagnostics.wait_for(all_seen, 120.0)
        for node, number, _ in running:
            node.process.send_signal(number)
        codes = {name: node.wait() for node, _, name in running}
    diagnostics.close()
    assert set(codes.values()) == {0}, codes
    for node, _, _ in running:
        assert "Traceback" not in node.log and "terminate" not in node.log, node.log


def test_nodes_wait_for_a_simulated_clock(client: Client, logs: Path, scene: Scene) -> None:
    from rosgraph_msgs.msg import Clock

    diagnostics = client.collect(DiagnosticArray, "/diagnostics", qos.DIAGNOSTICS)
    values = {"use_sim_time": True}
    with NodeProcess(logs, "world_model_node", "waiting", values, namespace="clock") as node:

        def seen(messages: list[Any]) -> bool:
            return any(message.status[0].name == "clock/waiting" for message in messages)

        publisher = client.node.create_publisher(Clock, "/clock", qos.CLOCK)
        diagnostics.wait_for(seen)
        services = dict(client.node.get_service_names_and_types_by_node("waiting", "/clock"))
        assert "/clock/write_facts" not in services
        clock = Clock()
        clock.clock.sec = 5
        publisher.publish(clock)
        from avr_ros.srv import ReadFacts

        assert client.call(ReadFacts, "/clock/read_facts", ReadFacts.Request()).success
        assert node.end(signal.SIGTERM) == 0
        client.node.destroy_publisher(publisher)
    diagnostics.close()
    assert "Traceback" not in node.log
