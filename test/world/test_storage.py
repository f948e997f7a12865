"""Files of the world model."""

import json

import networkx as nx
import pytest
from ledger_records import EPISODE, panorama_record, view_record

from avr_ros.schema.box import Box
from avr_ros.schema.fact import Fact, FactKind, Provenance
from avr_ros.world.errors import WorldModelFileError
from avr_ros.world.storage import from_json, to_graphml, to_json
from avr_ros.world.world_model import WorldModel


def filled() -> WorldModel:
    """Two people in one view, one relation, and a refused fact."""
    model = WorldModel(EPISODE)
    model.add_record(view_record(1, 3, 0.25))
    model.add_record(panorama_record(2, 9))
    seen = Provenance(
        observation_id=f"{EPISODE}/1",
        frame_id=3,
        azimuth=0.25,
        box=Box(1700.5, 100.0, 40.0, 120.0),
        confidence=0.75,
        source="detector",
    )
    elsewhere = Provenance(observation_id="nowhere", frame_id=3)
    model.write(
        [
            Fact(kind=FactKind.ENTITY, subject="a & b", predicate="person", provenance=seen),
            Fact(
                kind=FactKind.ATTRIBUTE,
                subject="a & b",
                predicate="action",
                value="<sitting>",
                provenance=seen,
            ),
            Fact(
                kind=FactKind.RELATION,
                subject="a & b",
                predicate="left of",
                value="c",
                provenance=seen,
            ),
            Fact(kind=FactKind.ENTITY, subject="d", predicate="person", provenance=elsewhere),
        ]
    )
    return model


def test_json_round_trips_and_goes_on() -> None:
    model = filled()
    text = to_json(model.snapshot())
    restored = WorldModel.restore(from_json(text))
    assert to_json(restored.snapshot()) == text
    more = Fact(
        kind=FactKind.ENTITY,
        subject="e",
        predicate="person",
        provenance=Provenance(observation_id=f"{EPISODE}/2", frame_id=9),
    )
    assert restored.write([more]) == model.write([more])
    assert restored.snapshot() == model.snapshot()


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"version": 2}, "version"),
        ({"format": "other"}, "format"),
        ({"facts": [{"kind": "entity"}]}, "facts.0"),
        ({"surplus": 1}, "surplus"),
    ],
)
def test_a_file_that_is_not_a_world_model_is_refused(change: dict, place: str) -> None:
    document = json.loads(to_json(filled().snapshot()))
    with pytest.raises(WorldModelFileError, match=place):
        from_json(json.dumps({**document, **change}))


def test_text_that_is_not_json_is_refused() -> None:
    with pytest.raises(WorldModelFileError):
        from_json("{")


def test_a_crop_that_cannot_be_is_refused() -> None:
    document = json.loads(to_json(filled().snapshot()))
    document["observations"][0]["crop"]["left"] = 5000
    with pytest.raises(WorldModelFileError, match="left column 5000"):
        from_json(json.dumps(document))


def test_graphml_holds_every_fact_with_its_provenance() -> None:
    graph = nx.parse_graphml(to_graphml(filled().snapshot()), force_multigraph=True)
    assert graph.nodes["entity:a & b"] == {"type": "entity", "kind": "person"}
    assert graph.nodes["entity:c"] == {"type": "entity"}
    assert graph.nodes[f"observation:{EPISODE}/1"] == {
        "type": "observation",
        "sequence": "street",
        "frame_id": 3,
        "azimuth": 0.25,
    }
    assert set(graph.nodes) == {
        "entity:a & b",
        "entity:c",
        f"observation:{EPISODE}/1",
        f"observation:{EPISODE}/2",
    }
    edges = {
        data["fact"]: (source, target, data) for source, target, data in graph.edges(data=True)
    }
    assert len(edges) == graph.number_of_edges() == 3
    source, target, data = edges["relation"]
    assert (source, target) == ("entity:a & b", "entity:c")
    assert edges["attribute"][1] == f"observation:{EPISODE}/1"
    assert edges["attribute"][2]["value"] == "<sitting>"
    assert data["box_x"] == 1700.5
    assert data["confidence"] == 0.75
    assert data["source"] == "detector"
