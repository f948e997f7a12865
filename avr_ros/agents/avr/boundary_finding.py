"""When an action starts or stops, the span of it, and the time between two events."""

import math
from dataclasses import dataclass

from avr_ros.agents.avr.action_evidence import likeness
from avr_ros.agents.avr.action_looks import doing
from avr_ros.agents.avr.action_times import errors, habits
from avr_ros.agents.avr.boundary import BoundarySearch
from avr_ros.agents.avr.case import REACH, CannotAnswerError, Case, Finding
from avr_ros.reasoning.meaning import (
    BoundaryAsked,
    Edge,
    EventMeaning,
    FirstViewAsked,
    GapAsked,
    SpanAsked,
)
from avr_ros.schema.answer import FrameAnswer, FrameViewAnswer, NumberAnswer, SpanAnswer

LOOKS_FOR_END = 5
"""Looks kept for the second end of a span, or second event, while the first one is searched."""

LOOKS_TO_SHOW = 3
"""Looks kept for a picture of the person at the event that was found."""

EVENT_TOLERANCE = 5
"""Frames by which either end of a span, or an event of two, may be off."""

SECOND_TOLERANCE = 8
"""Frames by which the second of two events may be off: the person is shown at the first one."""

FAR_APART_S = 4.0
"""Seconds that lie between two events at least, if a question asks how many."""


@dataclass(frozen=True)
class _Found:
    """The first frame of the new state, and the last one of the old state next to it."""

    frame: int
    before: int


def boundary(case: Case, asked: BoundaryAsked | FirstViewAsked) -> Finding:
    """The frame of a start or stop.

    If the action is done in the described frame and nothing else is said, the start of that very
    stretch is meant; else the first one after that frame, or after the one that is named. A start
    is the first frame of the action, a stop the first frame without it.
    """
    # The picture that shows the event has to be as near, and may lie some frames beside the answer.
    tolerance = EVENT_TOLERANCE if case.question.tolerance is None else int(case.question.tolerance)
    tolerance = max(0, tolerance - REACH)
    edge = asked.edge if isinstance(asked, BoundaryAsked) else Edge.START
    search = _search(case, asked.action, tolerance, edge)
    begin = _begin(case, asked)
    done = _doing(case, asked.action, begin)
    if edge is Edge.STOP:
        if not done:
            begin = _change(search, begin, False, "start", LOOKS_FOR_END).frame
        frame = _change(search, begin, True, "end").frame
    elif done and asked.near is None and isinstance(asked, BoundaryAsked):
        frame = _change(search, case.described, True, "start", forward=False).before
    else:
        if done:
            begin = _change(search, begin, True, "end", LOOKS_FOR_END).frame
        frame = _change(search, begin, False, "start").frame
    if isinstance(asked, BoundaryAsked):
        return Finding([frame], FrameAnswer(frame_id=frame))
    return Finding([frame], FrameViewAnswer(frame_id=frame, azimuth_deg=_azimuth_deg(case, frame)))


def span(case: Case, asked: SpanAsked) -> Finding:
    """The first and last frame of an action, of the described stretch as for a boundary."""
    search = _search(case, asked.action, EVENT_TOLERANCE)
    begin = _begin(case, asked)
    done = _doing(case, asked.action, begin)
    if done and asked.near is None:
        start = _change(search, case.described, True, "start", LOOKS_FOR_END, False).before
    else:
        if done:
            begin = _change(search, begin, True, "end", LOOKS_FOR_END).frame
        start = _change(search, begin, False, "start", LOOKS_FOR_END).frame
    stop = _change(search, max(start, begin), True, "end")
    last = max(start, stop.before)
    return Finding(
        [(start + last) // 2],
        SpanAnswer(start_frame=start, end_frame=last),
        span=(start + EVENT_TOLERANCE, last - EVENT_TOLERANCE),
    )


def gap(case: Case, asked: GapAsked) -> Finding:
    """Seconds between two events."""
    first = _event(case, asked.first, case.described, EVENT_TOLERANCE, LOOKS_FOR_END)
    earliest = _frames_between(case, first, FAR_APART_S) - SECOND_TOLERANCE - EVENT_TOLERANCE
    second = _event(case, asked.second, first, SECOND_TOLERANCE, LOOKS_TO_SHOW, earliest)
    seconds = case.scout.seconds(first, second)
    return Finding([first, second], NumberAnswer(value=round(seconds, 2)))


def _event(
    case: Case, event: EventMeaning, after: int, tolerance: int, reserve: int, earliest: int = 0
) -> int:
    """The first frame of an event after a frame; what is over at that frame has to begin first."""
    search = _search(case, event.action, tolerance, event.edge)
    stops = event.edge is Edge.STOP
    return _change(search, after, stops, event.edge.value, reserve, earliest=earliest).frame


def _frames_between(case: Case, first: int, seconds: float) -> int:
    """How many frames after a frame a time in seconds ends, by the frames' stamps."""
    later = case.frames[case.frames > first].tolist()
    beyond = [frame for frame in later if case.scout.seconds(first, frame) >= seconds]
    return (beyond[0] if beyond else later[-1]) - first if later else 0


def _search(case: Case, action: str, tolerance: int, edge: Edge = Edge.START) -> BoundarySearch:
    return case.search(
        doing(action),
        tolerance,
        habits(action, case.settings.typical_state_frames, edge is Edge.START),
        errors(case.mistaken, edge is Edge.START),
    )


def _doing(case: Case, action: str, frame: int) -> bool:
    """Whether the action is done in a frame, by all looks at it."""
    case.sightings_at(frame)
    looks = case.person.looks_about(frame)
    if not looks:
        raise CannotAnswerError(f"what the person does in frame {frame} could not be told")
    return likeness(looks, (action,)) > 0.5


def _begin(case: Case, asked: BoundaryAsked | FirstViewAsked | SpanAsked) -> int:
    """The frame after which is searched: the plan names none before the described one."""
    near = asked.near
    if near is None or near.frame_id is None:
        return case.described
    return near.frame_id


def _change(
    search: BoundarySearch,
    frame_id: int,
    state: bool,
    name: str,
    reserve: int = LOOKS_TO_SHOW,
    forward: bool = True,
    earliest: int = 0,
) -> _Found:
    change = search.first_change(frame_id, state, forward, reserve, earliest)
    if change is None:
        where = "after" if forward else "before"
        raise CannotAnswerError(f"no {name} of the action was found {where} frame {frame_id}")
    return _Found(change.frame, change.before)


def _azimuth_deg(case: Case, frame: int) -> float:
    """Where the person is in a frame, degrees; looked at if they were not seen just there."""
    near = case.person.nearest_in_time(frame)
    if near.frame_id != frame or near.cut_off:
        near = case.follower.find(frame) or case.person.nearest_in_time(frame)
    return math.degrees(near.azimuth)
