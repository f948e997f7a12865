"""Second route: what a person does over time, frame by frame from label rows."""

from __future__ import annotations

from avr_ros.benchmark.validation.raw_rows import RawRows

UNKNOWN_LIMIT = 15
"""Longest stretch of frames without a person's actions that is passed over."""

STEADY_FRAMES = 8
"""Frames for which an action must go on, or be off, on either side of an event."""


def states(rows: RawRows, track: int, action: str, first: int, last: int) -> list[bool | None]:
    """Whether a person does an action in each annotated frame; none where it is unknown.

    A single frame off between two frames on is taken for on.
    """
    values: list[bool | None] = []
    for frame in rows.frames_from(first, last):
        values.append(does(rows, track, frame, action))
    for index in range(1, len(values) - 1):
        if values[index - 1] is True and values[index] is False and values[index + 1] is True:
            values[index] = True
    return values


def first_change(
    rows: RawRows, track: int, action: str, after: int, last: int, to: bool
) -> int | None:
    """The first frame after ``after`` in which an action is on (or, ``to`` false, off).

    It must be the other way at ``after``; the change must happen between two neighbouring known
    frames, and the state must be steady on both sides. None otherwise.
    """
    ids = rows.frame_ids
    margin = STEADY_FRAMES
    start = ids.index(after)
    begin = max(start - margin, 0)
    stop = min(_index_up_to(ids, last) + margin, len(ids) - 1)
    values = states(rows, track, action, ids[begin], ids[stop])
    position = start - begin
    if values[position] is not (not to):
        return None
    known = after
    for index in range(position + 1, len(values)):
        frame = ids[begin + index]
        if frame - known - 1 > UNKNOWN_LIMIT:
            return None
        if values[index] is to:
            steady = frame == known + 1 and frame <= last and _steady(values, index, to)
            return frame if steady else None
        if values[index] is not None:
            known = frame
    return None


def starts(rows: RawRows, track: int, action: str, after: int, last: int) -> list[int]:
    """The frames after ``after`` and up to ``last`` in which an action begins, exactly or not.

    It begins where it was off before, or nothing is known of the person for a long time before.
    """
    ids = rows.frame_ids
    begin = max(ids.index(after) - UNKNOWN_LIMIT - 1, 0)
    stop = min(_index_up_to(ids, last) + 1, len(ids) - 1)
    found: list[int] = []
    was_on: int | None = None
    values = states(rows, track, action, ids[begin], ids[stop])
    for frame, value in zip(ids[begin : stop + 1], values, strict=True):
        if value is True:
            fresh = was_on is None or frame - was_on - 1 > UNKNOWN_LIMIT
            if fresh and after < frame <= last:
                found.append(frame)
            was_on = frame
        elif value is False:
            was_on = None
    return found


def does(rows: RawRows, track: int, frame: int, action: str) -> bool | None:
    """Whether a person does an action at a frame; none where that is unknown."""
    row = rows.of(frame, track)
    return None if row is None or row.actions is None else action in row.actions


def _steady(values: list[bool | None], index: int, to: bool) -> bool:
    if index < STEADY_FRAMES or index + STEADY_FRAMES > len(values):
        return False
    before = [value for value in values[index - STEADY_FRAMES : index] if value is not None]
    after = [value for value in values[index : index + STEADY_FRAMES] if value is not None]
    half = STEADY_FRAMES // 2
    return (
        min(len(before), len(after)) >= half and before.count(to) <= 1 and after.count(not to) <= 1
    )


def _index_up_to(ids: list[int], last: int) -> int:
    return max(index for index, frame in enumerate(ids) if frame <= last)
