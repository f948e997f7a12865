"""States of one person over time as runs, tolerant to flicker and honest about gaps.

A state is known to be on, known to be off, or unknown. Absence of a label is not absence of the
person or of the action: frames without a label are unknown.

- A single frame that is off between two frames that are on does not end a run (`FLICKER_LIMIT`).
- An unknown stretch of at most `GAP_LIMIT` frames between two frames that are on does not end a
  run either, but is kept in it as a gap. A longer one ends the run there, with an end that nobody
  saw.

Lengths are counted in frame ids, so that frames that nobody annotated are unknown like the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FLICKER_LIMIT = 1
"""Longest off stretch, in frames, between two on frames that does not end a run."""

GAP_LIMIT = 15
"""Longest unknown stretch, in frames (about a second), that does not end a run."""


@dataclass(frozen=True)
class Run:
    """A stretch during which a state is on. All values are frame ids, ends inclusive.

    ``start`` and ``end`` are the first and last frame known to be on. ``off_before`` is the last
    frame before the start known to be off, and ``off_after`` the first after the end; None where
    no off frame was seen between this run and its neighbour (or the sequence's end).
    ``start_seen`` and ``end_seen`` say that this off frame is the neighbouring one, so that the
    boundary is exact. ``gaps`` are the unknown stretches inside, first and last frame
    of each; ``flickers`` are the off frames that were passed over.
    """

    start: int
    end: int
    off_before: int | None
    off_after: int | None
    start_seen: bool
    end_seen: bool
    gaps: tuple[tuple[int, int], ...]
    flickers: tuple[int, ...]

    def covers(self, frame: int) -> bool:
        """Whether a frame lies in the run, its gaps included."""
        return self.start <= frame <= self.end

    def knows(self, frame: int) -> bool:
        """Whether a frame lies in the run and outside its gaps."""
        return self.covers(frame) and not any(first <= frame <= last for first, last in self.gaps)


def find_runs(
    frames: NDArray[np.integer],
    on: NDArray[np.bool_],
    flicker_limit: int = FLICKER_LIMIT,
    gap_limit: int = GAP_LIMIT,
) -> list[Run]:
    """The runs of a state, in order.

    ``frames`` are the frame ids, rising, at which the state is known, and ``on`` says whether it is
    on there; at all other frames it is unknown.
    """
    count = len(frames)
    if not np.any(on):
        return []
    known = np.asarray(frames, dtype=np.int64)
    step = np.diff(known)
    smooth = np.array(on, dtype=bool)
    flickers = _flickers(known, smooth, flicker_limit)
    smooth[flickers] = True
    breaks = np.flatnonzero((smooth[1:] != smooth[:-1]) | (step - 1 > gap_limit)) + 1
    runs = []
    for first, stop in zip([0, *breaks.tolist()], [*breaks.tolist(), count], strict=True):
        if not smooth[first]:
            continue
        last = stop - 1
        before = first - 1 if first > 0 and not smooth[first - 1] else None
        after = stop if stop < count and not smooth[stop] else None
        holes = first + np.flatnonzero(step[first:last] > 1)
        inside = flickers[(flickers >= first) & (flickers <= last)]
        runs.append(
            Run(
                start=int(known[first]),
                end=int(known[last]),
                off_before=None if before is None else int(known[before]),
                off_after=None if after is None else int(known[after]),
                start_seen=before is not None and bool(step[before] == 1),
                end_seen=after is not None and bool(step[last] == 1),
                gaps=tuple((int(known[hole]) + 1, int(known[hole + 1]) - 1) for hole in holes),
                flickers=tuple(known[inside].tolist()),
            )
        )
    return runs


def _flickers(known: NDArray[np.int64], on: NDArray[np.bool_], limit: int) -> NDArray[np.int64]:
    """Indices of known states in off stretches short enough to pass over."""
    edges = np.flatnonzero(on[1:] != on[:-1]) + 1
    found: list[int] = []
    for first, stop in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        # From the on frame before to the on frame after, without an unknown frame between.
        unbroken = known[stop] - known[first - 1] == stop - first + 1
        if not on[first] and stop - first <= limit and unbroken:
            found.extend(range(first, stop))
    return np.array(found, dtype=np.int64)
