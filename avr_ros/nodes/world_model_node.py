"""Keeps the world model of each episode."""

import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from pydantic import Field
from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.task import Future

from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.messages.diagnostics import Level
from avr_ros.messages.fact import (
    fact_from_message,
    fact_message,
    graph_message,
    pattern_from_message,
    write_response_message,
)
from avr_ros.messages.message_types import MessageContentError
from avr_ros.nodes import qos
from avr_ros.nodes.avr_node import AvrNode
from avr_ros.nodes.ledger_listener import EPISODES_KEPT, LedgerListener
from avr_ros.nodes.message_types import ros_types
from avr_ros.nodes.parameters import NodeParameters
from avr_ros.nodes.run_node import run_node
from avr_ros.schema.episode import LedgerRecord
from avr_ros.schema.fact import Fact, WriteOutcome
from avr_ros.srv import ReadFacts, SolvePlan, WriteFacts
from avr_ros.world.errors import InvalidPlanError, WorldModelError
from avr_ros.world.plan import read_plan
from avr_ros.world.solver import solve
from avr_ros.world.storage import to_json
from avr_ros.world.world_model import WorldModel

REQUESTS_KEPT = 10_000
"""Request ids whose outcome is remembered."""


class WorldModelParameters(NodeParameters):
    """Parameters of the world-model node."""

    record_timeout: float = Field(
        default=5.0,
        ge=0.01,
        le=600.0,
        description="s that a write waits for the ledger records its facts name",
    )
    graph_period: float = Field(
        default=0.5, ge=0.05, le=60.0, description="s between publications of changed graphs"
    )
    panorama_width: int = Field(
        default=JRDB_CYLINDER.width, ge=1, le=100_000, description="px, width of the panorama"
    )


class WorldModelNode(AvrNode[WorldModelParameters]):
    """Keeps a world model for each of the latest episodes.

    Services: ``write_facts``, ``read_facts``, ``solve_plan``. Topic: ``~/graph`` (latched; changed
    models, at most one message an episode every ``graph_period``). Subscription: ``observations``
    (remap it to the serving node's ledger). Parameters: :class:`WorldModelParameters`.
    """

    def __init__(self) -> None:
        """Make the node."""
        super().__init__("world_model", WorldModelParameters)
        self._models: OrderedDict[str, WorldModel] = OrderedDict()
        self._changed: dict[str, None] = {}
        self._written: OrderedDict[tuple[str, str], Any] = OrderedDict()

    def setup(self) -> None:
        """Serve."""
        self._ledger = LedgerListener(self, self.parameters.panorama_width, self._on_record)
        self._graph = self.create_publisher(
            ros_types("avr_ros/msg/WorldModelGraph"),
            "~/graph",
            qos.GRAPH,
            event_callbacks=self.diagnostics.publisher_events("~/graph"),
        )
        self.create_service(
            WriteFacts, "write_facts", self._write, callback_group=self.waiting_group
        )
        self.create_service(ReadFacts, "read_facts", self._read)
        self.create_service(SolvePlan, "solve_plan", self._solve)
        self._wall_clock = Clock(clock_type=ClockType.STEADY_TIME)
        self.create_timer(
            self.parameters.graph_period, self._publish_graphs, clock=self._wall_clock
        )
        self.diagnostics.add_values(lambda: {"world_models": len(self._models)})

    def close(self) -> None:
        """Publish what has changed since the last time."""
        self._publish_graphs()

    def _model(self, episode_id: str) -> WorldModel:
        model = self._models.get(episode_id)
        if model is None:
            model = self._models[episode_id] = WorldModel(episode_id)
            while len(self._models) > EPISODES_KEPT:
                forgotten, _ = self._models.popitem(last=False)
                self._changed.pop(forgotten, None)
        else:
            self._models.move_to_end(episode_id)
        return model

    def _on_record(self, record: LedgerRecord) -> None:
        try:
            self._model(record.episode_id).add_record(record)
        except WorldModelError as error:
            self.diagnostics.count("unusable_records")
            self.diagnostics.problem("ledger", Level.ERROR, str(error))

    async def _write(self, request: Any, response: Any) -> Any:
        episode_id, request_id = str(request.episode_id), str(request.request_id)
        if not request_id:
            outcome = await self._write_now(episode_id, request.facts)
            return write_response_message(outcome, ros_types)
        key = (episode_id, request_id)
        pending = self._written.get(key)
        if pending is None:
            pending = self._written[key] = Future()
            while len(self._written) > REQUESTS_KEPT:
                self._written.popitem(last=False)
            pending.set_result(await self._write_now(episode_id, request.facts))
        return write_response_message(await pending, ros_types)

    async def _write_now(self, episode_id: str, messages: Sequence[Any]) -> WriteOutcome:
        facts: list[Fact] = []
        places: list[int] = []
        refused: list[tuple[int, str]] = []
        for place, message in enumerate(messages):
            try:
                facts.append(fact_from_message(message))
                places.append(place)
            except MessageContentError as error:
                refused.append((place, str(error)))
        deadline = time.monotonic() + self.parameters.record_timeout
        for observation_id in dict.fromkeys(fact.provenance.observation_id for fact in facts):
            await self._ledger.wait_for(episode_id, observation_id, deadline - time.monotonic())
        outcome = self._model(episode_id).write(facts)
        refused += [(places[index], reason) for index, reason in outcome.refused]
        self.diagnostics.count("facts_accepted", outcome.accepted)
        self.diagnostics.count("facts_refused", len(refused))
        self._changed[episode_id] = None
        return WriteOutcome(outcome.accepted, tuple(sorted(refused)), outcome.revision)

    def _read(self, request: Any, response: Any) -> Any:
        model = self._models.get(str(request.episode_id))
        response.success = True
        if model is None:
            return response
        try:
            facts = model.read(pattern_from_message(request))
        except WorldModelError as error:
            response.success = False
            response.message = str(error)
            return response
        response.facts = [fact_message(fact, ros_types) for fact in facts]
        response.revision = model.revision
        return response

    def _solve(self, request: Any, response: Any) -> Any:
        model = self._models.get(str(request.episode_id))
        if model is None:
            response.status = SolvePlan.Response.UNKNOWN_EPISODE
            response.message = f"episode {request.episode_id!r} has no world model"
            return response
        snapshot = model.snapshot()
        response.revision = snapshot.revision
        try:
            plan = read_plan(str(request.plan))
        except InvalidPlanError as error:
            response.status = SolvePlan.Response.INVALID_PLAN
            response.message = str(error)
            return response
        stamps = {view.frame_id: view.stamp_ns // 1000 for view in snapshot.observations}
        solution = solve(plan, snapshot.facts, stamps)
        response.status = int(solution.status)
        response.message = solution.message
        response.solution = solution.model_dump_json()
        response.missing = list(solution.missing)
        response.conflicts = list(solution.conflicts)
        return response

    def _publish_graphs(self) -> None:
        changed, self._changed = self._changed, {}
        for episode_id in changed:
            snapshot = self._models[episode_id].snapshot()
            self._graph.publish(
                graph_message(
                    episode_id,
                    snapshot.revision,
                    snapshot.refused,
                    snapshot.facts,
                    to_json(snapshot),
                    self.now_ns(),
                    ros_types,
                )
            )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the node."""
    return run_node(WorldModelNode, arguments)
