"""Second route: what a person does over time, frame by frame from label rows."""

from __future__ import annotations

from avr_ros.benchmark.validation.raw_people import may_be_called
from avr_ros.benchmark.validation.raw_rows import RawRows, States

UNKNOWN_LIMIT = 15
"""Longest stretch of frames without a person's actions that is passed over."""

STEADY_FRAMES = 8
"""Frames for which an action must go on, or be off, on either side of an event."""


def observed(rows: RawRows, track: int, action: str) -> States:
    """Whether a person is annotated with an action in each annotated frame of the sequence."""
    values = rows.observed_states.get((track, action))
    if values is None:
        values = []
        for frame in rows.frame_ids:
            row = rows.of(frame, track)
            values.append(None if row is None or row.actions is None else action in row.actions)
        rows.observed_states[track, action] = values
    return values


def states(rows: RawRows, track: int, action: str) -> States:
    """As `observed`, but a single frame off between two frames on is taken for on."""
    values = rows.smooth_states.get((track, action))
    if values is None:
        values = list(observed(rows, track, action))
        for index in range(1, len(values) - 1):
            if values[index - 1] is True and values[index] is False and values[index + 1] is True:
                values[index] = True
        rows.smooth_states[track, action] = values
    return values


def first_change(
    rows: RawRows, track: int, action: str, after: int, last: int, to: bool
) -> int | None:
    """The first frame after ``after`` in which an action is on (or, ``to`` false, off).

    It must be the other way at ``after``; the change must happen between two neighbouring known
    frames up to ``last``, the state must be steady on both sides, and until then nothing else is
    done that one may call the action. None otherwise.
    """
    values = states(rows, track, action)
    place = rows.place(after)
    if values[place] is not (not to):
        return None
    known = after
    for index in range(place + 1, len(values)):
        frame = rows.frame_ids[index]
        if frame > last or frame - known - 1 > UNKNOWN_LIMIT:
            return None
        if values[index] is to:
            exact = frame == known + 1
            steady = _steady(observed(rows, track, action), index, to)
            sure = exact and steady and not _confused(rows, track, action, place, index)
            return frame if sure else None
        if values[index] is not None:
            known = frame
    return None


def starts(rows: RawRows, track: int, action: str, after: int, last: int) -> list[int]:
    """The frames after ``after`` and up to ``last`` in which an action begins, exactly or not.

    It begins where it was off before, or nothing is known of the person for a long time before.
    """
    found: list[int] = []
    was_on: int | None = None
    for frame, value in zip(rows.frame_ids, states(rows, track, action), strict=True):
        if frame > last:
            break
        if value is True:
            fresh = was_on is None or frame - was_on - 1 > UNKNOWN_LIMIT
            if fresh and frame > after:
                found.append(frame)
            was_on = frame
        elif value is False:
            was_on = None
    return found


def _steady(values: States, index: int, to: bool) -> bool:
    if index < STEADY_FRAMES or index + STEADY_FRAMES > len(values):
        return False
    before = [value for value in values[index - STEADY_FRAMES : index] if value is not None]
    after = [value for value in values[index : index + STEADY_FRAMES] if value is not None]
    half = STEADY_FRAMES // 2
    return (
        min(len(before), len(after)) >= half and before.count(to) <= 1 and after.count(not to) <= 1
    )


def _confused(rows: RawRows, track: int, action: str, first: int, change: int) -> bool:
    """Whether something else that one may call the action is done until it changed for good."""
    done = [rows.of(frame, track) for frame in rows.frame_ids[first : change + STEADY_FRAMES]]
    known = [row.actions for row in done if row is not None and row.actions is not None]
    return any(action not in actions and may_be_called(actions, action) for actions in known)
