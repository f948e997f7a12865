"""Events of people: when an action starts or stops, where the annotations show it exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from avr_ros.annotations.runs import GAP_LIMIT, Run
from avr_ros.benchmark.recipe import Edge, EventKind
from avr_ros.benchmark.scene import Scene

MINIMUM_STATE_FRAMES: Final = 8
"""Annotated frames that an action must last after its start, or have been off before it (and the
reverse for a stop), about half a second: shorter ones are over before anybody names them."""


@dataclass(frozen=True)
class Event:
    """An event of the person with index ``person`` at the frame with index ``frame``.

    Of a start it is the first frame of the action, of a stop the first frame without it.
    """

    kind: EventKind
    person: int
    frame: int


def runs_of(scene: Scene, person: int, action: str) -> list[Run]:
    """The stretches in which a person does an action, in frame ids."""
    key = ("runs", person, action)
    found = scene.cache.get(key)
    if found is None:
        found = scene.graph.runs(int(scene.tracks[person]), action)
        scene.cache[key] = found
    return list(found)


def events_of(scene: Scene, person: int, kind: EventKind) -> list[Event]:
    """All events of a kind of a person that are annotated to the frame and last, in order."""
    found: list[Event] = []
    for run in runs_of(scene, person, kind.action):
        starts = kind.edge is Edge.START
        at = run.start if starts else run.off_after
        seen = run.start_seen if starts else run.end_seen
        index = scene.frame_index(at) if seen and at is not None else None
        if index is not None and _lasts(scene, person, kind.action, index):
            found.append(Event(kind, person, index))
    return found


def next_event(scene: Scene, person: int, kind: EventKind, after: int, last: int) -> Event | None:
    """The first event of a kind after the frame index ``after`` and up to ``last``.

    None where there is none, where it is not annotated to the frame, where the state before or
    after it is too short, where the person does something until then that one may call the same,
    or where their actions are unknown for so long in between that another event may hide there.
    A start needs the action to be off at ``after``, a stop on.
    """
    start = int(scene.frames[after])
    for run in runs_of(scene, person, kind.action):
        if kind.edge is Edge.START and run.start > start:
            seen, at = run.start_seen, run.start
        elif kind.edge is Edge.STOP and run.start <= start <= run.end:
            seen, at = run.end_seen, run.off_after if run.off_after is not None else -1
        elif run.covers(start):
            return None
        else:
            continue
        index = scene.frame_index(at) if seen else None
        if index is None or index > last or not _lasts(scene, person, kind.action, index):
            return None
        certain = known_between(scene, person, after, index) and not _may_be_called(
            scene, person, kind.action, after, index + MINIMUM_STATE_FRAMES
        )
        return Event(kind, person, index) if certain else None
    return None


def next_run(scene: Scene, person: int, action: str, after: int, last: int) -> Run | None:
    """The first stretch of an action that begins after ``after`` and ends up to ``last``, or None.

    Both ends must be annotated to the frame; indices and conditions as for `next_event`.
    """
    started = next_event(scene, person, EventKind(Edge.START, action), after, last)
    if started is None:
        return None
    stopped = next_event(scene, person, EventKind(Edge.STOP, action), started.frame, last)
    if stopped is None:
        return None
    frame = int(scene.frames[started.frame])
    return next(run for run in runs_of(scene, person, action) if run.start == frame)


def known_between(scene: Scene, person: int, first: int, last: int) -> bool:
    """Whether a person's actions are unknown for at most `GAP_LIMIT` frames in a row.

    Indices, both included; the unknown stretches are counted in frame ids.
    """
    inside = scene.known[first : last + 1, person]
    known = scene.frames[first : last + 1][inside]
    edges = np.concatenate([[scene.frames[first] - 1], known, [scene.frames[last] + 1]])
    return int(np.max(np.diff(edges))) - 1 <= GAP_LIMIT


def _may_be_called(scene: Scene, person: int, action: str, first: int, end: int) -> bool:
    """Whether a person does something other that one may call an action, from first to before end.

    Who reads a book holds something: nobody can tell then when they start holding a cup.
    """
    inside = slice(first, end)
    alike, does = scene.resembles(action)[inside, person], scene.does(action)[inside, person]
    return bool(np.any(alike & ~does))


def _lasts(scene: Scene, person: int, action: str, index: int) -> bool:
    """Whether the action is the same for a while before the event, and the other after it."""
    key = ("lasts", person, action, index)
    found = scene.cache.get(key)
    if found is None:
        found = scene.cache[key] = _is_steady(scene, person, action, index)
    return bool(found)


def _is_steady(scene: Scene, person: int, action: str, index: int) -> bool:
    if index < MINIMUM_STATE_FRAMES or index + MINIMUM_STATE_FRAMES > len(scene.frames):
        return False
    around = slice(index - MINIMUM_STATE_FRAMES, index + MINIMUM_STATE_FRAMES)
    known = scene.known[around, person]
    on = scene.does(action)[around, person]
    before, after = on[:MINIMUM_STATE_FRAMES], on[MINIMUM_STATE_FRAMES:]
    known_before, known_after = known[:MINIMUM_STATE_FRAMES], known[MINIMUM_STATE_FRAMES:]
    steady_before = before[known_before]
    steady_after = after[known_after]
    # One frame may flicker on either side; it does not change what the action is.
    half = MINIMUM_STATE_FRAMES // 2
    if len(steady_before) < half or len(steady_after) < half:
        return False
    now = bool(after[0])
    flicker_before = int(np.count_nonzero(steady_before == now))
    flicker_after = int(np.count_nonzero(steady_after != now))
    return flicker_before <= 1 and flicker_after <= 1
