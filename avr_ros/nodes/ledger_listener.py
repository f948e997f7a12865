"""What was granted, as the serving node's ledger topic says."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.task import Future

from avr_ros.messages.diagnostics import Level
from avr_ros.messages.episode import ledger_record_from_message
from avr_ros.messages.message_types import MessageContentError
from avr_ros.nodes import qos
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.message_types import ros_types
from avr_ros.schema.episode import LedgerRecord

EPISODES_KEPT = 1024
"""Episodes whose granted records are kept; the oldest are forgotten."""

TOPIC = "observations"


class LedgerListener:
    """Keeps the granted records of the latest episodes. Used in the executor's thread only."""

    def __init__(
        self,
        node: AvrNode[Any],
        panorama_width: int,
        on_record: Callable[[LedgerRecord], None] = lambda record: None,
    ) -> None:
        """Subscribe to ``observations``; ``on_record`` is called with every granted record."""
        self._node = node
        self._panorama_width = panorama_width
        self._on_record = on_record
        self._episodes: OrderedDict[str, dict[str, LedgerRecord]] = OrderedDict()
        self._waiting: dict[tuple[str, str], list[Any]] = {}
        self._clock = Clock(clock_type=ClockType.STEADY_TIME)
        node.create_subscription(
            ros_types("avr_ros/msg/LedgerRecord"),
            TOPIC,
            self._take,
            qos.RECORDED,
            event_callbacks=node.diagnostics.subscription_events(TOPIC),
        )
        node.diagnostics.add_values(lambda: {"episodes": len(self._episodes)})

    def granted(self, episode_id: str, observation_id: str) -> LedgerRecord | None:
        """The record that granted an observation, none where none has come."""
        return self._episodes.get(episode_id, {}).get(observation_id)

    async def wait_for(
        self, episode_id: str, observation_id: str, timeout: float
    ) -> LedgerRecord | None:
        """The record that granted an observation, none after ``timeout`` seconds without it."""
        known = self.granted(episode_id, observation_id)
        if known is not None:
            return known
        key = (episode_id, observation_id)
        future: Any = Future()
        self._waiting.setdefault(key, []).append(future)

        def give_up() -> None:
            if not future.done():
                future.set_result(None)

        timer = self._node.create_timer(max(timeout, 1e-3), give_up, clock=self._clock)
        try:
            record: LedgerRecord | None = await future
        finally:
            self._node.destroy_timer(timer)
            waiting = self._waiting.get(key, [])
            if future in waiting:
                waiting.remove(future)
            if not waiting:
                self._waiting.pop(key, None)
        return record

    def _take(self, message: Any) -> None:
        try:
            record = ledger_record_from_message(message, self._panorama_width)
        except MessageContentError as error:
            self._node.diagnostics.count("unusable_records")
            self._node.diagnostics.problem("ledger", Level.ERROR, str(error))
            return
        if not record.granted or not record.episode_id:
            return
        self._node.diagnostics.count("granted_records")
        granted = self._episodes.setdefault(record.episode_id, {})
        self._episodes.move_to_end(record.episode_id)
        while len(self._episodes) > EPISODES_KEPT:
            self._episodes.popitem(last=False)
        granted[record.observation_id] = record
        self._on_record(record)
        for future in self._waiting.get((record.episode_id, record.observation_id), ()):
            if not future.done():
                future.set_result(record)
