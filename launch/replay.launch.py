"""Evaluates an agent on recorded data: ``ros2 launch avr_ros replay.launch.py``."""

from avr_ros.nodes.launch_description import launch_description
from avr_ros.processes.replay import REPLAY
from launch import LaunchDescription


def generate_launch_description() -> LaunchDescription:
    """Arguments and nodes."""
    return launch_description(REPLAY)
