"""Answers questions about a live panorama: ``ros2 launch avr_ros live.launch.py``."""

from avr_ros.nodes.launch_description import launch_description
from avr_ros.processes.live import LIVE
from launch import LaunchDescription


def generate_launch_description() -> LaunchDescription:
    """Arguments and nodes."""
    return launch_description(LIVE)
