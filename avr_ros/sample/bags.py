"""Writing one sequence as a ROS 1 bag and as a ROS 2 recording (MCAP), with JRDB's topics.

Both hold the very JPEG files of the picture folder, the robot's odometry at 100 Hz, its tf, and an
IMU at 19.5 Hz some of whose orientations are zero quaternions, as in the real bags. Topic names
have no leading slash there; ROS 2 names have one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from rosbags.rosbag1 import Writer as Writer1
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as Writer2
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from avr_ros.sample.faults import ZERO_QUATERNION, FaultPlan
from avr_ros.sample.scene import FloatArray
from avr_ros.sample.world import World
from avr_ros.schema.seeds import generator

IMAGE_TOPIC: Final = "ros_indigosdk_node/stitched_image0/compressed"
ODOMETRY_TOPICS: Final = ("segway/feedback/wheel_odometry", "segway/odometry/local_filtered")
IMU_TOPIC: Final = "imu/data"
ODOMETRY_RATE: Final = 100.0
IMU_RATE: Final = 19.5
ZERO_QUATERNION_SHARE: Final = 0.04

_STATIC: Final = (
    ("base_link", "base_chassis_link", (0.0, 0.0, 0.160568), (0.0, 0.0, 0.0, 1.0)),
    ("base_chassis_link", "occam", (-0.019685, 0.0, 0.742092), (-0.5, 0.5, -0.5, 0.5)),
    (
        "base_chassis_link",
        "upper_velodyne_frame",
        (-0.019685, 0.0, 1.077382),
        (0.0, 0.0, float(np.sin(0.0425)), float(np.cos(0.0425))),
    ),
    ("base_chassis_link", "lower_velodyne_frame", (-0.019685, 0.0, 0.606982), (0.0, 0.0, 0.0, 1.0)),
    ("base_chassis_link", "ext_imu_frame", (0.0, 0.0, 0.2), (0.0, 0.0, 0.0, 1.0)),
)
"""Fixed frames of the robot: parent, child, translation in metres, quaternion x y z w."""


@dataclass
class _Event:
    """A message to be: when it was received (ns), on which topic, and how it is made."""

    received: int
    topic: str
    build: Callable[[Typestore, int], Any]


def write_bags(world: World, plan: FaultPlan, root: Path) -> None:
    """Write ``rosbags/<sequence>.bag`` and ``ros2bags/<sequence>/`` from the pictures."""
    images = root / "images" / "image_stitched" / world.name
    events = _events(world, plan, images)
    folder = root / "rosbags"
    folder.mkdir(exist_ok=True)
    store = get_typestore(Stores.ROS1_NOETIC)
    # ROS 1 has this type in tf2_msgs, outside the common set that the store knows.
    store.register(
        get_types_from_msg("geometry_msgs/TransformStamped[] transforms", "tf2_msgs/msg/TFMessage")
    )
    with Writer1(folder / f"{world.name}.bag") as bag:
        connections: dict[str, Any] = {}
        counts: dict[str, int] = {}
        for event in events:
            number = counts.get(event.topic, 0)
            counts[event.topic] = number + 1
            message = event.build(store, number)
            kind = message.__msgtype__
            if event.topic not in connections:
                connections[event.topic] = bag.add_connection(
                    event.topic, kind, typestore=store, latching=int(event.topic == "tf_static")
                )
            bag.write(connections[event.topic], event.received, store.serialize_ros1(message, kind))
    folder = root / "ros2bags"
    folder.mkdir(exist_ok=True)
    store = get_typestore(Stores.ROS2_JAZZY)
    with Writer2(folder / world.name, version=9, storage_plugin=StoragePlugin.MCAP) as recording:
        connections = {}
        for event in events:
            message = event.build(store, 0)
            kind = message.__msgtype__
            if event.topic not in connections:
                connections[event.topic] = recording.add_connection(
                    f"/{event.topic}", kind, typestore=store
                )
            recording.write(
                connections[event.topic], event.received, bytes(store.serialize_cdr(message, kind))
            )


def _events(world: World, plan: FaultPlan, images: Path) -> list[_Event]:
    rng = generator(world.seed, "bags", world.index)
    first, last = int(world.stamps[0]), int(world.stamps[-1])
    events: list[_Event] = []
    for frame, stamp in enumerate(world.stamps):
        delay = int(rng.integers(4_000_000, 28_000_000))
        events.append(
            _Event(int(stamp) * 1000 + delay, IMAGE_TOPIC, _image(images, frame, int(stamp) * 1000))
        )
    span = (last - first) / 1e6
    ticks = np.arange(0.0, span + 0.02, 1.0 / ODOMETRY_RATE)
    times = (first - 5_000 + np.round(ticks * 1e6)).astype(np.int64) * 1000
    seconds = (times / 1000 - first) / 1e6
    poses, ahead = world.drive.at(seconds), world.drive.at(seconds + 0.01)
    speeds = (ahead - poses) / 0.01
    origin = world.drive.at(np.zeros(1))[0]
    for index, time in enumerate(times):
        pose = _relative(poses[index], origin)
        stamp = int(time)
        received = stamp + int(rng.integers(500_000, 4_000_000))
        events.append(_Event(received, "tf", _tf(stamp, pose)))
        for topic in ODOMETRY_TOPICS:
            noisy = pose + rng.normal(0.0, 0.002, 3) if topic == ODOMETRY_TOPICS[0] else pose
            events.append(
                _Event(received, topic, _odometry(stamp, noisy, poses[index], speeds[index]))
            )
    ticks = np.arange(0.0, span + 0.02, 1.0 / IMU_RATE)
    times = (first - 3_000 + np.round(ticks * 1e6)).astype(np.int64) * 1000
    seconds = (times / 1000 - first) / 1e6
    poses = world.drive.at(seconds)
    rates = (world.drive.at(seconds + 0.01)[:, 2] - poses[:, 2]) / 0.01
    for index, time in enumerate(times):
        zero = bool(rng.random() < ZERO_QUATERNION_SHARE) or index == 1
        if zero:
            plan.boxes.append((ZERO_QUATERNION, -1, index))
        events.append(
            _Event(
                int(time) + int(rng.integers(1_000_000, 300_000_000)),
                IMU_TOPIC,
                _imu(
                    int(time),
                    float(poses[index, 2] - origin[2]),
                    float(rates[index]),
                    rng.normal(0.0, 0.05, 3),
                    zero,
                ),
            )
        )
    if not plan.no_tf_static:
        events.append(
            _Event(first * 1000 - 6_000_000, "tf_static", _tf_static(first * 1000 - 6_000_000))
        )
    events.sort(key=lambda event: (event.received, event.topic))
    return events


def _relative(pose: FloatArray, origin: FloatArray) -> FloatArray:
    """A pose in the odom frame, whose origin is where the robot started."""
    cosine, sine = np.cos(origin[2]), np.sin(origin[2])
    x, y = pose[0] - origin[0], pose[1] - origin[1]
    return np.array([cosine * x + sine * y, cosine * y - sine * x, pose[2] - origin[2]])


def _header(store: Typestore, number: int, stamp: int, frame: str) -> Any:
    types = store.types
    time = types["builtin_interfaces/msg/Time"](sec=stamp // 10**9, nanosec=stamp % 10**9)
    kind: Any = types["std_msgs/msg/Header"]
    if "seq" in kind.__dataclass_fields__:
        return kind(seq=number, stamp=time, frame_id=frame)
    return kind(stamp=time, frame_id=frame)


def _quaternion(store: Typestore, yaw: float) -> Any:
    return store.types["geometry_msgs/msg/Quaternion"](
        x=0.0, y=0.0, z=float(np.sin(yaw / 2)), w=float(np.cos(yaw / 2))
    )


def _image(images: Path, frame: int, stamp: int) -> Callable[[Typestore, int], Any]:
    def build(store: Typestore, number: int) -> Any:
        data = np.frombuffer((images / f"{frame:06d}.jpg").read_bytes(), np.uint8)
        return store.types["sensor_msgs/msg/CompressedImage"](
            header=_header(store, number, stamp, "occam"), format="jpeg", data=data
        )

    return build


def _transform(
    store: Typestore,
    number: int,
    stamp: int,
    parent: str,
    child: str,
    translation: tuple[float, float, float],
    rotation: Any,
) -> Any:
    types = store.types
    return types["geometry_msgs/msg/TransformStamped"](
        header=_header(store, number, stamp, parent),
        child_frame_id=child,
        transform=types["geometry_msgs/msg/Transform"](
            translation=types["geometry_msgs/msg/Vector3"](
                x=translation[0], y=translation[1], z=translation[2]
            ),
            rotation=rotation,
        ),
    )


def _tf(stamp: int, pose: FloatArray) -> Callable[[Typestore, int], Any]:
    def build(store: Typestore, number: int) -> Any:
        translation = (float(pose[0]), float(pose[1]), 0.0)
        rotation = _quaternion(store, float(pose[2]))
        return store.types["tf2_msgs/msg/TFMessage"](
            transforms=[
                _transform(store, number, stamp, "odom", "base_link", translation, rotation)
            ]
        )

    return build


def _tf_static(stamp: int) -> Callable[[Typestore, int], Any]:
    def build(store: Typestore, number: int) -> Any:
        kind = store.types["geometry_msgs/msg/Quaternion"]
        return store.types["tf2_msgs/msg/TFMessage"](
            transforms=[
                _transform(
                    store,
                    number,
                    stamp,
                    parent,
                    child,
                    translation,
                    kind(x=q[0], y=q[1], z=q[2], w=q[3]),
                )
                for parent, child, translation, q in _STATIC
            ]
        )

    return build


def _odometry(
    stamp: int, pose: FloatArray, world_pose: FloatArray, speed: FloatArray
) -> Callable[[Typestore, int], Any]:
    yaw = float(world_pose[2])
    forward = float(np.cos(yaw) * speed[0] + np.sin(yaw) * speed[1])

    def build(store: Typestore, number: int) -> Any:
        types = store.types
        vector = types["geometry_msgs/msg/Vector3"]
        covariance = np.zeros(36)
        return types["nav_msgs/msg/Odometry"](
            header=_header(store, number, stamp, "odom"),
            child_frame_id="base_link",
            pose=types["geometry_msgs/msg/PoseWithCovariance"](
                pose=types["geometry_msgs/msg/Pose"](
                    position=types["geometry_msgs/msg/Point"](
                        x=float(pose[0]), y=float(pose[1]), z=0.0
                    ),
                    orientation=_quaternion(store, float(pose[2])),
                ),
                covariance=covariance,
            ),
            twist=types["geometry_msgs/msg/TwistWithCovariance"](
                twist=types["geometry_msgs/msg/Twist"](
                    linear=vector(x=forward, y=0.0, z=0.0),
                    angular=vector(x=0.0, y=0.0, z=float(speed[2])),
                ),
                covariance=covariance,
            ),
        )

    return build


def _imu(
    stamp: int, yaw: float, rate: float, noise: FloatArray, zero: bool
) -> Callable[[Typestore, int], Any]:
    def build(store: Typestore, number: int) -> Any:
        types = store.types
        vector = types["geometry_msgs/msg/Vector3"]
        orientation = (
            types["geometry_msgs/msg/Quaternion"](x=0.0, y=0.0, z=0.0, w=0.0)
            if zero
            else _quaternion(store, yaw)
        )
        return types["sensor_msgs/msg/Imu"](
            header=_header(store, number, stamp, "ext_imu_frame"),
            orientation=orientation,
            orientation_covariance=np.zeros(9),
            angular_velocity=vector(x=0.0, y=0.0, z=rate),
            angular_velocity_covariance=np.zeros(9),
            linear_acceleration=vector(
                x=float(noise[0]), y=float(noise[1]), z=9.81 + float(noise[2])
            ),
            linear_acceleration_covariance=np.zeros(9),
        )

    return build
