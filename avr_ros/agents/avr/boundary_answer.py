"""From the changes of a person's state to a prediction with its evidence."""

import math

from avr_ros.agents.avr.boundary import BoundarySearch, Change
from avr_ros.agents.avr.follow import Follower
from avr_ros.reasoning.meaning import BoundaryAsked, Edge, SpanAsked
from avr_ros.schema.answer import Answer, FrameAnswer, SpanAnswer
from avr_ros.schema.prediction import Evidence, Prediction

LOOKS_FOR_END = 8
"""Looks kept for the second end of a span while the first one is searched."""

EVIDENCE_FRAMES = 2
"""Frames from the answer within which a sighting that is there already serves as evidence."""


class _NotFoundError(Exception):
    """A change that the answer needs was not found."""


def answer_boundary(
    search: BoundarySearch,
    follower: Follower,
    asked: BoundaryAsked | SpanAsked,
    described: int,
    doing: bool,
) -> Prediction:
    """The frame or span that is asked for, or an abstention.

    ``doing`` is whether the action is done in the ``described`` frame. If so, and the question says
    nothing else, its own stretch is meant; else the first one after. A start is the first frame of
    the action, a stop the first frame without it, a span ends with the last frame of it.
    """
    begin = described
    if asked.near is not None and asked.near.frame_id is not None:
        begin = max(begin, asked.near.frame_id)
    keep = LOOKS_FOR_END if isinstance(asked, SpanAsked) or _is_stop(asked) else 0
    own = doing and (asked.near is None or _is_stop(asked))
    try:
        if own and not _is_stop(asked):
            start = _change(search, described, True, False, "start", keep).before
        elif own:
            start = begin
        else:
            if doing:
                begin = _change(search, begin, True, True, "end", keep).frame
            start = _change(search, begin, False, True, "start", keep).frame
        if isinstance(asked, BoundaryAsked) and asked.edge is Edge.START:
            return _predict(FrameAnswer(frame_id=start), start, follower)
        inside = max(start, begin)
        stop = _change(search, inside, True, True, "end")
    except _NotFoundError as error:
        return Prediction(abstained=True, reason=str(error))
    if isinstance(asked, BoundaryAsked):
        return _predict(FrameAnswer(frame_id=stop.frame), stop.frame, follower)
    last = max(start, stop.before)
    return _predict(
        SpanAnswer(start_frame=start, end_frame=last), (start + last) // 2, follower, (start, last)
    )


def _is_stop(asked: BoundaryAsked | SpanAsked) -> bool:
    return isinstance(asked, BoundaryAsked) and asked.edge is Edge.STOP


def _change(
    search: BoundarySearch,
    frame_id: int,
    state: bool,
    forward: bool,
    name: str,
    reserve: int = 0,
) -> Change:
    change = search.first_change(frame_id, state, forward, reserve)
    if change is None:
        where = "after" if forward else "before"
        raise _NotFoundError(f"no {name} of the action was found {where} frame {frame_id}")
    return change


def _predict(
    answer: Answer, frame: int, follower: Follower, span: tuple[int, int] | None = None
) -> Prediction:
    evidence = _evidence(frame, follower, span)
    if evidence is None:
        return Prediction(
            abstained=True, reason="the person was never seen clearly enough to show them"
        )
    return Prediction(answer=answer, evidence=evidence)


def _evidence(frame: int, follower: Follower, span: tuple[int, int] | None) -> Evidence | None:
    """The clear sighting nearest to a frame; one more look is taken if none is near or in the span.

    Sightings that are not clear are used only where there is no other.
    """

    def near(frame_id: int) -> bool:
        inside = span is not None and span[0] <= frame_id <= span[1]
        return inside or abs(frame_id - frame) <= EVIDENCE_FRAMES

    if not any(near(item.frame_id) and item.clear for item in follower.sightings):
        follower.find(frame)
    candidates = follower.sightings
    if not candidates:
        return None
    best = min(
        candidates,
        key=lambda item: (
            not item.clear,
            abs(item.frame_id - frame),
            item.cut_off,
            -item.detection.visibility,
        ),
    )
    return Evidence(
        observation_id=best.observation.observation_id,
        frame_id=best.frame_id,
        azimuth_deg=math.degrees(best.observation.azimuth),
        box=best.detection.box,
    )
