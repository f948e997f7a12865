"""World models as files: versioned JSON, which round-trips, and GraphML for graph tools."""

import io
from typing import Literal

import networkx as nx
from pydantic import Field, ValidationError

from avr_ros.geometry.crop import CropWindow
from avr_ros.geometry.errors import GeometryError
from avr_ros.schema.fact import Fact, FactKind
from avr_ros.schema.model import Record
from avr_ros.world.errors import WorldModelFileError
from avr_ros.world.grounding import GrantedView
from avr_ros.world.world_model import AuditEntry, Limits, Snapshot


class _Crop(Record):
    left: int
    top: int
    width: int
    height: int
    panorama_width: int


class _Observation(Record):
    observation_id: str
    sequence: str
    frame_id: int
    azimuth: float | None
    crop: _Crop | None
    stamp_ns: int = 0


class _Limits(Record):
    facts: int = Field(ge=0)
    audit: int = Field(ge=0)
    observations: int = Field(ge=0)


class _AuditEntry(Record):
    number: int
    revision: int
    accepted: bool
    reason: str
    fact: Fact


class _Document(Record):
    format: Literal["avr_ros/world_model"] = "avr_ros/world_model"
    version: Literal[1] = 1
    episode_id: str
    revision: int
    attempts: int
    refused: int
    limits: _Limits
    observations: tuple[_Observation, ...]
    facts: tuple[Fact, ...]
    audit: tuple[_AuditEntry, ...]


def to_json(snapshot: Snapshot) -> str:
    """The snapshot as one line of JSON; equal snapshots give equal text."""
    document = _Document(
        episode_id=snapshot.episode_id,
        revision=snapshot.revision,
        attempts=snapshot.attempts,
        refused=snapshot.refused,
        limits=_Limits(
            facts=snapshot.limits.facts,
            audit=snapshot.limits.audit,
            observations=snapshot.limits.observations,
        ),
        observations=tuple(_observation(view) for view in snapshot.observations),
        facts=snapshot.facts,
        audit=tuple(
            _AuditEntry(
                number=entry.number,
                revision=entry.revision,
                accepted=entry.accepted,
                reason=entry.reason,
                fact=entry.fact,
            )
            for entry in snapshot.audit
        ),
    )
    return document.model_dump_json()


def from_json(text: str) -> Snapshot:
    """The snapshot that a JSON text holds. Raises WorldModelFileError where it holds none."""
    try:
        document = _Document.model_validate_json(text)
        observations = tuple(_granted(item) for item in document.observations)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the text"
        raise WorldModelFileError(
            f"saved world model cannot be read: {place}: {first['msg']}; save it again"
        ) from error
    except GeometryError as error:
        raise WorldModelFileError(
            f"saved world model cannot be read: observations: {error}; save it again"
        ) from error
    return Snapshot(
        episode_id=document.episode_id,
        revision=document.revision,
        attempts=document.attempts,
        refused=document.refused,
        limits=Limits(document.limits.facts, document.limits.audit, document.limits.observations),
        observations=observations,
        facts=document.facts,
        audit=tuple(
            AuditEntry(entry.number, entry.revision, entry.fact, entry.reason)
            for entry in document.audit
        ),
    )


def to_graph(snapshot: Snapshot) -> "nx.MultiDiGraph[str]":
    """The snapshot as a directed multigraph of scalars.

    Nodes are entities (``entity:<id>``) and granted observations (``observation:<id>``). Entity
    and attribute facts are edges from an entity to the observation that shows them, relations are
    edges between entities; every edge carries its provenance.
    """
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(
        episode_id=snapshot.episode_id, revision=snapshot.revision, refused=snapshot.refused
    )
    for view in snapshot.observations:
        attributes: dict[str, str | int | float] = {
            "type": "observation",
            "sequence": view.sequence,
            "frame_id": view.frame_id,
        }
        if view.azimuth is not None:
            attributes["azimuth"] = view.azimuth
        graph.add_node(f"observation:{view.observation_id}", **attributes)
    for index, fact in enumerate(snapshot.facts):
        source = f"entity:{fact.subject}"
        graph.add_node(source, type="entity")
        if fact.kind is FactKind.ENTITY:
            graph.nodes[source]["kind"] = fact.predicate
        if fact.kind is FactKind.RELATION:
            target = f"entity:{fact.value}"
            graph.add_node(target, type="entity")
        else:
            target = f"observation:{fact.provenance.observation_id}"
        graph.add_edge(source, target, key=str(index), **_edge_attributes(fact))
    return graph


def to_graphml(snapshot: Snapshot) -> str:
    """The graph of :func:`to_graph` as GraphML text."""
    stream = io.BytesIO()
    nx.write_graphml_xml(to_graph(snapshot), stream, named_key_ids=True)
    return stream.getvalue().decode("utf-8")


def _edge_attributes(fact: Fact) -> dict[str, str | int | float]:
    provenance = fact.provenance
    attributes: dict[str, str | int | float] = {
        "fact": fact.kind.value,
        "predicate": fact.predicate,
        "value": fact.value,
        "observation_id": provenance.observation_id,
        "frame_id": provenance.frame_id,
        "confidence": provenance.confidence,
        "source": provenance.source,
    }
    if provenance.azimuth is not None:
        attributes["azimuth"] = provenance.azimuth
    if provenance.box is not None:
        for name, value in zip(("x", "y", "width", "height"), provenance.box, strict=True):
            attributes[f"box_{name}"] = float(value)
    return attributes


def _observation(view: GrantedView) -> _Observation:
    crop = view.crop
    return _Observation(
        observation_id=view.observation_id,
        sequence=view.sequence,
        frame_id=view.frame_id,
        azimuth=view.azimuth,
        crop=None
        if crop is None
        else _Crop(
            left=crop.left,
            top=crop.top,
            width=crop.width,
            height=crop.height,
            panorama_width=crop.panorama_width,
        ),
        stamp_ns=view.stamp_ns,
    )


def _granted(item: _Observation) -> GrantedView:
    crop = item.crop
    return GrantedView(
        observation_id=item.observation_id,
        sequence=item.sequence,
        frame_id=item.frame_id,
        azimuth=item.azimuth,
        crop=None
        if crop is None
        else CropWindow(crop.left, crop.top, crop.width, crop.height, crop.panorama_width),
        stamp_ns=item.stamp_ns,
    )
