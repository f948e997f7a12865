"""The world-model and oracle perception nodes: what was granted, and nothing else."""

from __future__ import annotations

import itertools
import json
import math
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from avr_ros.msg import Fact as FactMessage
from avr_ros.msg import LedgerRecord, WorldModelGraph
from avr_ros.srv import (
    CloseEpisode,
    Detect,
    Observe,
    OpenEpisode,
    ReadFacts,
    SolvePlan,
    WriteFacts,
)
from node_processes import PATIENCE, Client, NodeProcess
from small_scene import SEQUENCE, Scene

from avr_ros.annotations.annotation_set import open_annotations
from avr_ros.messages.detection import detection_from_message
from avr_ros.messages.episode import ledger_record_from_message
from avr_ros.messages.fact import fact_message
from avr_ros.nodes import qos
from avr_ros.nodes.message_types import ros_types
from avr_ros.perception.oracle import OraclePerception
from avr_ros.schema.box import Box
from avr_ros.schema.fact import Fact, FactKind, Provenance
from avr_ros.world.storage import from_json

SPACE = "readers"
NUMBERS = itertools.count(1)


@pytest.fixture(scope="module", autouse=True)
def nodes(client: Client, logs: Path, scene: Scene) -> Iterator[None]:
    """Replay, world model and oracle of the labelled scene."""
    ledger = {"observations": "replay/observations"}
    dataset = str(scene.dataset)
    with ExitStack() as stack:
        for executable, name, values, remappings in (
            ("replay_node", "replay", {"dataset": dataset}, {}),
            ("world_model_node", "world_model", {"record_timeout": 2.0}, ledger),
            (
                "oracle_perception_node",
                "oracle_perception",
                {"dataset": dataset, "record_timeout": 2.0},
                ledger,
            ),
        ):
            stack.enter_context(
                NodeProcess(logs, executable, name, values, remappings, namespace=SPACE)
            )
        wait_for_ledgers(client)
        yield


def call(client: Client, service: Any, name: str, **fields: Any) -> Any:
    return client.call(service, f"{SPACE}/{name}", service.Request(**fields))


def wait_for_ledgers(client: Client) -> None:
    """Ask until both readers know a granted record: discovery may take longer than they wait."""
    episode, observation = granted(client, frame_id=3)
    granting = {"episode_id": episode, "observation_id": observation.observation_id}
    deadline = time.monotonic() + PATIENCE
    while call(client, Detect, "detect", **granting).status != Detect.Response.OK:
        assert time.monotonic() < deadline, "the oracle knows of no granted record"
    while not write(client, episode, [fact(observation)]).accepted:
        assert time.monotonic() < deadline, "the world model knows of no granted record"


def granted(client: Client, **fields: Any) -> tuple[str, Any]:
    """An open episode and the observation that it was granted first."""
    episode = f"reader-{next(NUMBERS)}"
    opened = call(client, OpenEpisode, "open_episode", episode_id=episode, max_observations=9)
    assert opened.status == 0, opened.message
    response = call(client, Observe, "observe", episode_id=episode, **fields)
    assert response.status == 0, response.message
    return episode, response.observation


def fact(observation: Any, subject: str = "p1", **changes: Any) -> Fact:
    crop = observation.crop
    provenance = {
        "observation_id": observation.observation_id,
        "frame_id": observation.frame_id,
        "azimuth": observation.azimuth,
        "box": Box((crop.x_offset + 10) % 3760, 20.0, 30.0, 40.0),
        **changes,
    }
    return Fact(
        kind=FactKind.ENTITY,
        subject=subject,
        predicate="person",
        provenance=Provenance(**provenance),
    )


def write(client: Client, episode: str, facts: list[Fact], request_id: str = "") -> Any:
    messages = [fact_message(item, ros_types) for item in facts]
    return call(
        client,
        WriteFacts,
        "write_facts",
        episode_id=episode,
        facts=messages,
        request_id=request_id,
    )


def test_detections_are_those_of_the_labels(client: Client, scene: Scene) -> None:
    episode, observation = granted(client, frame_id=3, azimuth=math.radians(20.0))
    response = call(
        client,
        Detect,
        "detect",
        episode_id=episode,
        observation_id=observation.observation_id,
    )
    assert response.status == Detect.Response.OK, response.message
    (record,) = call(client, CloseEpisode, "close_episode", episode_id=episode).ledger
    oracle = OraclePerception(open_annotations(scene.dataset))
    expected = oracle.detect(ledger_record_from_message(record, 3760))
    found = [detection_from_message(item) for item in response.detections]
    assert found and len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one.box == other.box and one.confidence == other.confidence
        assert one.appearance.tolist() == other.appearance.tolist()
        assert one.actions == other.actions


def test_nothing_is_detected_in_what_was_not_granted(client: Client) -> None:
    episode, observation = granted(client, frame_id=3)
    for episode_id, observation_id in (
        (episode, "elsewhere/1"),
        ("elsewhere", observation.observation_id),
    ):
        response = call(
            client, Detect, "detect", episode_id=episode_id, observation_id=observation_id
        )
        assert response.status == Detect.Response.NOT_GRANTED
        assert response.message and not response.detections


def test_the_oracle_waits_for_the_record(client: Client) -> None:
    """A request that comes before the ledger record it names is answered once that has come."""
    ledger = client.node.create_publisher(
        LedgerRecord, f"{SPACE}/replay/observations", qos.RECORDED
    )
    detect = client.node.create_client(Detect, f"{SPACE}/detect")
    assert detect.wait_for_service(10.0)
    record = LedgerRecord(
        episode_id="late", sequence_number=1, observation_id="late/1", sequence=SEQUENCE, frame_id=4
    )
    record.crop.width = record.crop.height = 480
    request = Detect.Request(episode_id="late", observation_id="late/1")
    while ledger.get_subscription_count() < 2:
        call(client, ReadFacts, "read_facts", episode_id="nothing")
    future = detect.call_async(request)
    ledger.publish(record)
    assert client.wait(future).status == Detect.Response.OK
    client.node.destroy_publisher(ledger)
    client.node.destroy_client(detect)


def test_grounded_facts_are_written_and_read(client: Client) -> None:
    episode, observation = granted(client, frame_id=5, azimuth=1.0)
    outcome = write(client, episode, [fact(observation), fact(observation, "p2")])
    assert (outcome.accepted, outcome.refused, outcome.revision) == (2, [], 1)
    read = call(
        client,
        ReadFacts,
        "read_facts",
        episode_id=episode,
        subject="p2",
        first_frame=-1,
        last_frame=-1,
    )
    assert read.success and read.revision == 1
    assert read.facts == [fact_message(fact(observation, "p2"), ros_types)]
    none = call(client, ReadFacts, "read_facts", episode_id=episode, first_frame=6, last_frame=-1)
    assert none.success and not none.facts


def test_facts_without_ground_are_refused_and_the_others_kept(client: Client) -> None:
    episode, observation = granted(client, frame_id=5, azimuth=1.0)
    facts = [
        fact(observation, observation_id=f"{episode}/2"),
        fact(observation, frame_id=6),
        fact(observation),
        fact(observation, azimuth=1.5),
        fact(observation, box=Box(3000.0, 0.0, 5.0, 5.0)),
    ]
    messages = [fact_message(item, ros_types) for item in facts]
    messages.insert(1, FactMessage(kind=9))
    outcome = call(client, WriteFacts, "write_facts", episode_id=episode, facts=messages)
    assert outcome.accepted == 1
    assert [item.index for item in outcome.refused] == [0, 1, 2, 4, 5]
    assert all(item.reason for item in outcome.refused)


def test_a_repeated_write_counts_once(client: Client) -> None:
    episode, observation = granted(client, frame_id=5, azimuth=1.0)
    first = write(client, episode, [fact(observation)], "r1")
    write(client, episode, [fact(observation, "p2")], "r2")
    assert write(client, episode, [fact(observation)], "r1") == first
    assert write(client, episode, [fact(observation, "p3")], "r3").revision == 3


def test_the_graph_is_published(client: Client) -> None:
    graphs = client.collect(WorldModelGraph, f"{SPACE}/world_model/graph", qos.GRAPH)
    episode, observation = granted(client, frame_id=5, azimuth=1.0)
    write(client, episode, [fact(observation), fact(observation, "p2", frame_id=6)])

    def of_episode(messages: list[Any]) -> list[Any]:
        return [message for message in messages if message.episode_id == episode]

    graphs.wait_for(lambda messages: bool(of_episode(messages)))
    graphs.close()
    (message,) = of_episode(graphs.all)
    assert (message.revision, message.refused, len(message.facts)) == (1, 1, 1)
    snapshot = from_json(message.graph)
    assert [item.subject for item in snapshot.facts] == ["p1"]


def test_wrong_patterns_and_plans(client: Client) -> None:
    episode, observation = granted(client, frame_id=5, azimuth=1.0)
    write(client, episode, [fact(observation)])
    refused = call(client, ReadFacts, "read_facts", episode_id=episode, kind="opinion")
    assert not refused.success and refused.message
    solved = call(client, SolvePlan, "solve_plan", episode_id=episode, plan="{}")
    assert solved.status == SolvePlan.Response.INVALID_PLAN and solved.message
    unknown = call(client, SolvePlan, "solve_plan", episode_id="nothing", plan="{}")
    assert unknown.status == SolvePlan.Response.UNKNOWN_EPISODE


def test_a_plan_is_solved_by_what_was_written(client: Client) -> None:
    episode, observation = granted(client, frame_id=5, azimuth=1.0)
    write(client, episode, [fact(observation)])
    plan = json.dumps(
        {
            "moments": [{"name": "then", "frame_id": 5}],
            "nodes": [{"name": "A", "moment": "then"}],
            "root": "A",
            "target": "A",
            "answer": {"kind": "person", "moment": "then"},
        }
    )
    solved = call(client, SolvePlan, "solve_plan", episode_id=episode, plan=plan)
    assert solved.status == SolvePlan.Response.SOLVED, solved.message
    assert json.loads(solved.solution)["targets"] == ["p1"]
