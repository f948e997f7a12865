"""A node's /diagnostics: counts, mismatches of quality of service, whatever it adds."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks

from avr_ros.messages.diagnostics import Level, diagnostics_message
from avr_ros.nodes import qos
from avr_ros.nodes.message_types import ros_types

if TYPE_CHECKING:
    from rclpy.node import Node

PERIOD = 1.0
"""Seconds between two messages."""

ValueSource = Callable[[], dict[str, object]]
Problem = tuple[Level, str]


class Diagnostics:
    """Publishes what a node counts once a second, by the system's clock.

    :meth:`count` and :meth:`add_values` may be called from any thread.
    """

    def __init__(self, node: Node) -> None:
        """Start publishing for a node."""
        self._node = node
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._sources: list[ValueSource] = []
        self._problems: dict[str, Problem] = {}
        message: Any = ros_types("diagnostic_msgs/msg/DiagnosticArray")
        self._publisher = node.create_publisher(message, "/diagnostics", qos.DIAGNOSTICS)
        # Wall time: a paused simulation is no reason to fall silent.
        self._clock = Clock(clock_type=ClockType.SYSTEM_TIME)
        self._timer = node.create_timer(PERIOD, self.publish, clock=self._clock)

    def count(self, what: str, amount: int = 1) -> None:
        """Add to a count."""
        with self._lock:
            self._counts[what] += amount

    def add_values(self, source: ValueSource) -> None:
        """Ask ``source`` for further values each time."""
        self._sources.append(source)

    def problem(self, about: str, level: Level, message: str) -> None:
        """Say that something is wrong, until :meth:`solved` is called with the same ``about``."""
        with self._lock:
            known = self._problems.get(about)
            self._problems[about] = (level, message)
        if known != (level, message):
            self._node.get_logger().warning(f"{about}: {message}")

    def solved(self, about: str) -> None:
        """Take back a problem."""
        with self._lock:
            self._problems.pop(about, None)

    def publisher_events(self, topic: str) -> PublisherEventCallbacks:
        """Callbacks for a publisher that report subscribers whose quality of service differs."""
        return PublisherEventCallbacks(
            incompatible_qos=lambda event: self._mismatch(topic, "subscriber", event)
        )

    def subscription_events(self, topic: str) -> SubscriptionEventCallbacks:
        """Callbacks for a subscription that report publishers whose quality of service differs."""
        return SubscriptionEventCallbacks(
            incompatible_qos=lambda event: self._mismatch(topic, "publisher", event)
        )

    def publish(self) -> None:
        """Publish now."""
        with self._lock:
            values: dict[str, object] = dict(sorted(self._counts.items()))
            problems = sorted(self._problems.items())
        for source in self._sources:
            values.update(source())
        level = max((item[0] for _, item in problems), default=Level.OK)
        text = "; ".join(f"{about}: {item[1]}" for about, item in problems) or "running"
        name = self._node.get_fully_qualified_name().lstrip("/")
        stamp = int(self._clock.now().nanoseconds)
        self._publisher.publish(diagnostics_message(name, level, text, values, stamp, ros_types))

    def _mismatch(self, topic: str, whose: str, event: Any) -> None:
        with self._lock:
            self._counts[f"qos_mismatches {topic}"] = int(event.total_count)
        self.problem(
            f"quality of service of {topic}",
            Level.WARN,
            f"{event.total_count} {whose}(s) differ, last in policy {event.last_policy_kind}",
        )
