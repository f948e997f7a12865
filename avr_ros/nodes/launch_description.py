"""Turns a set-up into a launch description, for the files in launch/."""

from typing import Any

from launch.actions import DeclareLaunchArgument, EmitEvent, OpaqueFunction
from launch.events import Shutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from avr_ros.processes.description import Process, SetUp
from avr_ros.processes.secrets import without_secrets
from launch import LaunchDescription


def launch_description(set_up: SetUp) -> LaunchDescription:
    """Arguments and nodes of a set-up."""

    def nodes(context: Any) -> list[Any]:
        values = {
            argument.name: str(LaunchConfiguration(argument.name).perform(context))
            for argument in set_up.arguments
        }
        environment = dict(context.environment)
        return [_node(process, environment) for process in set_up.processes(values)]

    return LaunchDescription(
        [
            *(
                DeclareLaunchArgument(
                    argument.name,
                    default_value=argument.default,
                    description=argument.description,
                )
                for argument in set_up.arguments
            ),
            OpaqueFunction(function=nodes),
        ]
    )


def _node(process: Process, environment: dict[str, str]) -> Node:
    return Node(
        package=process.package,
        executable=process.executable,
        # Name, parameters and remappings are those that the package's own runner passes.
        ros_arguments=process.ros_arguments(),
        env=environment if process.holds_secrets else without_secrets(environment),
        output="screen",
        on_exit=[EmitEvent(event=Shutdown(reason=f"{process.name} ended"))]
        if process.required
        else None,
    )
