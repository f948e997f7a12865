"""From a question's meaning to a plan that the world model's solver knows."""

from dataclasses import dataclass
from typing import Any, Final

from avr_ros.reasoning.meaning import (
    ActionAsked,
    BoundaryAsked,
    DistanceAsked,
    Edge,
    EventMeaning,
    FirstViewAsked,
    GapAsked,
    NextActionAsked,
    PersonMeaning,
    PresenceAsked,
    QuestionMeaning,
    RelationKind,
    RelationMeaning,
    SpanAsked,
    TimeMeaning,
    TimeRelation,
    Viewpoint,
)
from avr_ros.schema.errors import AvrError
from avr_ros.world.plan import Plan, PlanRelation, read_plan

DESCRIBED: Final = "described"
"""Name of the moment at which the person is described."""

LATER: Final = "later"
"""Name of a later moment that the question names, also of one from which on it asks."""

FIRST: Final = "first"
"""Name of the event that is asked for, or of the first of two."""

SECOND: Final = "second"
"""Name of the second event."""

_RELATIONS: Final[dict[tuple[RelationKind, Viewpoint], PlanRelation]] = {
    (RelationKind.LEFT_OF, Viewpoint.ROBOT): PlanRelation.ROBOT_LEFT,
    (RelationKind.RIGHT_OF, Viewpoint.ROBOT): PlanRelation.ROBOT_RIGHT,
    (RelationKind.LEFT_OF, Viewpoint.PERSON): PlanRelation.OWN_LEFT,
    (RelationKind.RIGHT_OF, Viewpoint.PERSON): PlanRelation.OWN_RIGHT,
}
_ANY_VIEWPOINT: Final[dict[RelationKind, PlanRelation]] = {
    RelationKind.IN_FRONT_OF: PlanRelation.FRONT,
    RelationKind.BEHIND: PlanRelation.BEHIND,
    RelationKind.CLOSEST_TO: PlanRelation.CLOSEST,
    RelationKind.SAME_GROUP: PlanRelation.GROUP,
}


class CannotPlanError(AvrError):
    """The meaning is none that can be searched for; the text says why."""


@dataclass(frozen=True)
class Described:
    """The described person and the relations that lead from there to the one meant."""

    anchor: PersonMeaning
    relations: tuple[PlanRelation, ...]
    frame_id: int

    @property
    def closest(self) -> bool:
        """Whether of several people the one closest to the robot is meant."""
        return self.anchor.closest


def described(person: PersonMeaning, first_frame: int) -> Described:
    """The chain of a person's description; ``first_frame`` is meant where no frame is named."""
    relations: list[PlanRelation] = []
    frames: list[int] = []
    at: PersonMeaning = person
    while True:
        if at.time is not None:
            frames.append(_frame(at.time))
        if at.relation is None:
            break
        if at.actions or at.closest:
            raise CannotPlanError("a person who is reached by a relation is described further")
        relations.append(_relation(at.relation))
        at = at.relation.other
    if len(set(frames)) > 1:
        raise CannotPlanError("people of one chain are described at different frames")
    if not at.actions:
        raise CannotPlanError("the person is not described by what they do")
    return Described(at, tuple(reversed(relations)), frames[0] if frames else first_frame)


def make_plan(meaning: QuestionMeaning, first_frame: int, tolerance: int) -> Plan:
    """The plan of a question. Raises CannotPlanError.

    ``tolerance`` is how many frames an event may be off.
    """
    chain = described(meaning.person, first_frame)
    moments: list[dict[str, Any]] = [{"name": DESCRIBED, "frame_id": chain.frame_id}]
    nodes: list[dict[str, Any]] = [
        {
            "name": "person 0",
            "moment": DESCRIBED,
            "actions": chain.anchor.actions,
            "closest": chain.closest,
        }
    ]
    steps: list[dict[str, Any]] = []
    for relation in chain.relations:
        name = f"person {len(nodes)}"
        nodes.append({"name": name, "moment": DESCRIBED})
        steps.append({"source": nodes[-2]["name"], "target": name, "relation": relation})
    answer = _answer(meaning, moments, tolerance)
    moment = answer["moment"]
    if moment != DESCRIBED:
        nodes.append({"name": "target", "moment": moment})
        steps.append({"source": nodes[-2]["name"], "target": "target"})
    return read_plan(
        {
            "moments": moments,
            "nodes": nodes,
            "steps": steps,
            "root": nodes[0]["name"],
            "target": nodes[-1]["name"],
            "answer": answer,
        }
    )


def _answer(
    meaning: QuestionMeaning, moments: list[dict[str, Any]], tolerance: int
) -> dict[str, Any]:
    """The answer's part of the plan; the moments that it needs are added."""
    asked = meaning.asked
    if isinstance(asked, BoundaryAsked | FirstViewAsked | SpanAsked):
        begin = _begin(asked.near, moments)
        edge = asked.edge if isinstance(asked, BoundaryAsked) else Edge.START
        moments.append(_event(FIRST, asked.action, edge, begin))
        if isinstance(asked, SpanAsked):
            moments.append(_event(SECOND, asked.action, Edge.STOP, FIRST))
            return {"kind": "span", "moment": FIRST, "end": SECOND, "tolerance": tolerance}
        kind = "frame" if isinstance(asked, BoundaryAsked) else "first_view"
        return {"kind": kind, "moment": FIRST, "tolerance": tolerance}
    if isinstance(asked, GapAsked):
        for event in (asked.first, asked.second):
            _check_own(event)
        moments.append(_event(FIRST, asked.first.action, asked.first.edge, DESCRIBED))
        moments.append(_event(SECOND, asked.second.action, asked.second.edge, FIRST))
        return {"kind": "gap", "moment": FIRST, "end": SECOND, "tolerance": tolerance}
    if isinstance(asked, NextActionAsked):
        return {"kind": "next_action", "moment": _begin(asked.time, moments)}
    if isinstance(asked, DistanceAsked) and asked.to is not None:
        raise CannotPlanError("it asks for the distance to another person than the robot")
    kind = {ActionAsked: "state", PresenceAsked: "presence", DistanceAsked: "distance"}[type(asked)]
    if asked.time is None or _means_described(asked.time, moments[0]["frame_id"]):
        return {"kind": kind, "moment": DESCRIBED}
    moments.append({"name": LATER, "frame_id": _frame(asked.time)})
    return {"kind": kind, "moment": LATER}


def _event(name: str, action: str, edge: Edge, after: str) -> dict[str, Any]:
    return {"name": name, "event": {"action": action, "edge": edge.value, "after": after}}


def _means_described(time: TimeMeaning, frame_id: int) -> bool:
    if time.event is not None or time.shift_seconds or time.relation is not TimeRelation.AT:
        return False
    return time.frame_id is None or time.frame_id == frame_id


def _frame(time: TimeMeaning) -> int:
    if time.relation is not TimeRelation.AT or time.shift_seconds or time.event is not None:
        raise CannotPlanError("it names a time that is not a frame")
    if time.frame_id is None:
        raise CannotPlanError("it names a time that is not a frame")
    return time.frame_id


def _begin(time: TimeMeaning | None, moments: list[dict[str, Any]]) -> str:
    """The moment after which an event is searched for; one that the question names is added."""
    if time is None:
        return DESCRIBED
    if time.relation is TimeRelation.BEFORE or time.event is not None or time.shift_seconds:
        raise CannotPlanError("it asks for an event before a time or beside another event")
    described_at = moments[0]["frame_id"]
    if time.frame_id is None or time.frame_id == described_at:
        return DESCRIBED
    if time.frame_id < described_at:
        raise CannotPlanError("it asks for an event after a frame before the person is described")
    moments.append({"name": LATER, "frame_id": time.frame_id})
    return LATER


def _check_own(event: EventMeaning) -> None:
    if event.person is not None:
        raise CannotPlanError("it asks for events of two people")


def _relation(relation: RelationMeaning) -> PlanRelation:
    found = _RELATIONS.get((relation.kind, relation.viewpoint)) or _ANY_VIEWPOINT.get(relation.kind)
    if found is None:
        raise CannotPlanError(f"it names the relation {relation.kind.value}")
    return found
