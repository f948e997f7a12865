"""Real processes over real DDS, in a ROS domain of this session alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import rclpy
from node_processes import Client, NodeProcess
from small_recording import write_recording
from small_scene import Scene, write_scene

from avr_ros.processes.domain import FreshDomain, ports_of
from avr_ros.processes.shared_memory import SharedMemory


@pytest.fixture(scope="session", autouse=True)
def domain() -> Iterator[int]:
    """A ROS domain that nobody else uses, on this machine alone."""
    fresh = FreshDomain()
    before = dict(os.environ)
    os.environ["ROS_DOMAIN_ID"] = str(fresh.number)
    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    try:
        yield fresh.number
    finally:
        os.environ.clear()
        os.environ.update(before)
        SharedMemory(ports_of(fresh.number)).clean()
        fresh.close()


@pytest.fixture(scope="session")
def client(domain: int) -> Iterator[Client]:
    """A plain rclpy client."""
    rclpy.init()
    made = Client()
    try:
        yield made
    finally:
        made.close()
        rclpy.shutdown()


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the nodes' logs go."""
    return tmp_path_factory.mktemp("logs")


@pytest.fixture(scope="session")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small recording without people."""
    return write_recording(tmp_path_factory.mktemp("recording"))


@pytest.fixture(scope="session")
def replay(domain: int, logs: Path, recording: Path) -> Iterator[NodeProcess]:
    """A replay node that serves in episodes only."""
    with NodeProcess(logs, "replay_node", "replay", {"dataset": str(recording)}) as node:
        yield node
        assert node.process.poll() is None, node.log


@pytest.fixture(scope="session")
def free_replay(domain: int, logs: Path, recording: Path) -> Iterator[NodeProcess]:
    """A replay node in free mode, in namespace /free."""
    parameters = {"dataset": str(recording), "free_mode": True, "camera_frame": "mast"}
    with NodeProcess(logs, "replay_node", "replay", parameters, namespace="free") as node:
        yield node
        assert node.process.poll() is None, node.log


@pytest.fixture(scope="session")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """A small labelled data set with questions."""
    return write_scene(tmp_path_factory.mktemp("scene"))
