"""From the cues, events and times of a question to what it asks."""

from collections.abc import Sequence

from avr_ros.reasoning.local.clauses import Asked as AskedReading
from avr_ros.reasoning.local.people import NotReadError
from avr_ros.reasoning.local.phrase import Kind
from avr_ros.reasoning.meaning import (
    ActionAsked,
    Asked,
    BoundaryAsked,
    DistanceAsked,
    Edge,
    EventMeaning,
    FirstViewAsked,
    GapAsked,
    NextActionAsked,
    PresenceAsked,
    SpanAsked,
    TimeMeaning,
    TimeRelation,
)

_EXCLUSIVE = frozenset({Kind.SECONDS, Kind.DISTANCE, Kind.DIRECTION, Kind.PRESENCE})
"""Cues of which each asks for something else."""


def read_asked(asked: AskedReading, described: Sequence[str], time: TimeMeaning | None) -> Asked:
    """What is asked of a person who is ``described`` by actions at ``time``.

    Raises NotReadError where the parts do not make one question.
    """
    cues = asked.cues
    if len(cues & _EXCLUSIVE) > 1:
        raise NotReadError("it asks for several things at once")
    if Kind.SECONDS in cues or (Kind.HOW_LONG in cues and Kind.SPAN not in cues):
        return _gap(asked)
    if Kind.BEFORE in cues:
        raise NotReadError("it asks for what is before an event")
    if Kind.DIRECTION in cues:
        return FirstViewAsked(action=_one_action(asked, {Edge.START, None}), near=_near(asked))
    if Kind.DISTANCE in cues:
        _nothing_else(asked)
        return DistanceAsked(time=_at(asked))
    if Kind.PRESENCE in cues:
        _nothing_else(asked)
        when = _at(asked)
        if when is None:
            raise NotReadError("it asks whether somebody is there, but not when")
        return PresenceAsked(time=when)
    if Kind.SPAN in cues:
        return SpanAsked(action=_span_action(asked), near=_near(asked))
    asks_next = Kind.NEXT_ACTION in cues or (
        Kind.WHAT in cues
        and (bool(asked.edges) or Kind.NEXT in cues or (asked.later and not asked.times))
    )
    if asks_next and not asked.events:
        return _next_action(asked)
    told = asked.events or asked.edges or Kind.SAME_ACTION in cues
    if cues & {Kind.FRAME_WORD, Kind.FIRST, Kind.LAST} and told:
        return _boundary(asked, described)
    if Kind.WHAT in cues:
        _nothing_else(asked)
        return ActionAsked(time=_at(asked))
    raise NotReadError("it asks nothing that the grammar knows")


def _gap(asked: AskedReading) -> GapAsked:
    events = [EventMeaning(action=action, edge=edge or Edge.START) for edge, action in asked.events]
    if len(events) > 2:
        # "from when they start to walk, I mean, from their start of walking"
        events = [event for index, event in enumerate(events) if event not in events[:index]]
    if len(events) != 2 or asked.edges or asked.times:
        raise NotReadError("it asks for a time between two events, but does not name two")
    if Kind.BEFORE in asked.cues or Kind.AFTER in asked.cues:
        events.reverse()
    return GapAsked(first=events[0], second=events[1])


def _boundary(asked: AskedReading, described: Sequence[str]) -> BoundaryAsked:
    edges = {edge for edge, _ in asked.events if edge is not None} | set(asked.edges)
    first, last = Kind.FIRST in asked.cues, Kind.LAST in asked.cues
    if not edges and first != last:
        edges = {Edge.START if first else Edge.STOP}
    if len(edges) != 1:
        raise NotReadError("it names neither a start, a stop nor a span of an action")
    edge = edges.pop()
    actions = list(dict.fromkeys(action for _, action in asked.events))
    if not actions and len(described) == 1 and edge is Edge.STOP:
        # "When does the person who is sitting stop (doing so)?"
        actions = list(described)
    if len(actions) != 1:
        raise NotReadError(_about(actions))
    return BoundaryAsked(action=actions[0], edge=edge, near=_near(asked))


def _next_action(asked: AskedReading) -> NextActionAsked:
    if Edge.STOP in asked.edges:
        raise NotReadError("it asks what somebody does next, and for something else")
    time = _near(asked)
    return NextActionAsked(time=None if time == TimeMeaning(relation=TimeRelation.AFTER) else time)


def _span_action(asked: AskedReading) -> str:
    actions = list(dict.fromkeys(action for _, action in asked.events))
    if len(actions) != 1:
        raise NotReadError(_about(actions))
    return actions[0]


def _one_action(asked: AskedReading, edges: set[Edge | None]) -> str:
    actions = list(dict.fromkeys(action for _, action in asked.events))
    if len(actions) != 1:
        raise NotReadError(_about(actions))
    if asked.edges or any(edge not in edges for edge, _ in asked.events):
        raise NotReadError("it does not ask for the start of an action")
    return actions[0]


def _about(actions: list[str]) -> str:
    if not actions:
        return "it names no action that is asked about"
    return f"it asks about several actions: {', '.join(actions)}"


def _nothing_else(asked: AskedReading) -> None:
    if asked.events or asked.edges:
        raise NotReadError("it asks for a state, and names a start, a stop or an action as well")


def _near(asked: AskedReading) -> TimeMeaning | None:
    """The time after which something is asked for."""
    times = list(dict.fromkeys(asked.times))
    if not times:
        later = asked.cues & {Kind.AFTERWARDS, Kind.NEXT}
        return TimeMeaning(relation=TimeRelation.AFTER) if later else None
    if len(times) > 1:
        raise NotReadError("it names several times of what is asked")
    relation, frame_id = times[0]
    if relation is TimeRelation.AT:
        raise NotReadError(f"it names frame {frame_id}, but not whether before or after it")
    return TimeMeaning(relation=relation, frame_id=frame_id)


def _at(asked: AskedReading) -> TimeMeaning | None:
    """The time at which a state is asked for."""
    frames = {frame_id for _, frame_id in asked.times}
    if any(relation is not TimeRelation.AT for relation, _ in asked.times):
        raise NotReadError("it asks for a state before or after a frame, not at one")
    if not frames:
        return None
    if len(frames) > 1:
        raise NotReadError(f"it asks about several frames: {sorted(frames)}")
    return TimeMeaning(frame_id=frames.pop())
