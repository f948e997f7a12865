"""Runs of a state: flicker, gaps, and what was seen of the boundaries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.annotations.runs import Run, find_runs


def runs_of(states: str, first: int = 0, **limits: int) -> list[Run]:
    """Runs of states written as ``1`` on, ``0`` off, ``.`` unknown, one a frame."""
    known = [i for i, state in enumerate(states) if state != "."]
    frames = np.array(known, dtype=np.int64) + first
    return find_runs(frames, np.array([states[i] == "1" for i in known], dtype=bool), **limits)


def test_a_plain_run() -> None:
    assert runs_of("0011100", first=10) == [Run(12, 14, 11, 15, True, True, (), ())]


def test_the_ends_of_the_sequence_are_not_boundaries() -> None:
    assert runs_of("111") == [Run(0, 2, None, None, False, False, (), ())]
    assert runs_of("") == []
    assert runs_of("...") == []
    assert runs_of("000") == []


def test_one_frame_off_does_not_end_a_run() -> None:
    assert runs_of("0110110") == [Run(1, 5, 0, 6, True, True, (), (3,))]
    assert runs_of("1010101") == [Run(0, 6, None, None, False, False, (), (1, 3, 5))]


def test_two_frames_off_do() -> None:
    found = runs_of("11001")
    assert [(run.start, run.end) for run in found] == [(0, 1), (4, 4)]
    assert (found[0].off_after, found[1].off_before) == (2, 3)
    assert len(runs_of("11001", flicker_limit=2)) == 1


def test_one_frame_off_at_an_end_or_beside_the_unknown_is_off() -> None:
    assert runs_of("0111")[0].start == 1
    found = runs_of("11.0.11")
    assert [(run.start, run.end) for run in found] == [(0, 1), (5, 6)]
    assert (found[0].off_after, found[0].end_seen) == (3, False)
    assert (found[1].off_before, found[1].start_seen) == (3, False)


def test_a_single_frame_on_is_a_run() -> None:
    assert runs_of("00100") == [Run(2, 2, 1, 3, True, True, (), ())]


def test_a_gap_is_kept_apart_and_does_not_end_a_run() -> None:
    assert runs_of("011..110") == [Run(1, 6, 0, 7, True, True, ((3, 4),), ())]
    run = runs_of("011..110")[0]
    assert run.covers(3) and not run.knows(3)
    assert run.knows(5) and not run.covers(7)


def test_a_long_gap_ends_a_run_unseen() -> None:
    states = "01" + "." * 16 + "10"
    first, second = runs_of(states)
    assert (first.start, first.end, first.off_after, first.end_seen) == (1, 1, None, False)
    assert (second.start, second.off_before, second.start_seen) == (18, None, False)
    assert len(runs_of("01" + "." * 15 + "10")) == 1
    assert len(runs_of(states, gap_limit=16)) == 1


def test_boundaries_across_the_unknown() -> None:
    run = runs_of("0..11..0")[0]
    assert (run.start, run.off_before, run.start_seen) == (3, 0, False)
    assert (run.end, run.off_after, run.end_seen) == (4, 7, False)


def test_annotation_of_every_fifteenth_frame() -> None:
    """Boundaries lie somewhere between annotated frames, and one of these off is no flicker."""
    frames = np.arange(0, 120, 15)
    on = np.array([False, True, True, False, True, True, True, False])
    first, second = find_runs(frames, on)
    assert (first.start, first.end, first.off_before, first.off_after) == (15, 30, 0, 45)
    assert (first.start_seen, first.end_seen, first.gaps) == (False, False, ((16, 29),))
    assert (second.start, second.end) == (60, 90)


@pytest.mark.parametrize("flicker", [0, 1, 3])
@pytest.mark.parametrize("gap", [0, 2, 5])
@given(states=st.text("01.", max_size=40))
def test_every_frame_is_told_right(states: str, flicker: int, gap: int) -> None:
    """Runs against their definition, frame by frame."""
    found = runs_of(states, flicker_limit=flicker, gap_limit=gap)
    for run in found:
        inside = states[run.start : run.end + 1]
        assert inside[0] == inside[-1] == "1"
        assert {i for i in range(run.start, run.end + 1) if states[i] == "0"} == set(run.flickers)
        assert inside.count(".") == sum(last - first + 1 for first, last in run.gaps)
        for first, last in run.gaps:
            assert set(states[first : last + 1]) == {"."}
            assert states[first - 1] != "." and states[last + 1] != "."
            assert last - first + 1 <= gap
        assert run.start_seen == (run.start > 0 and run.off_before == run.start - 1)
        assert run.end_seen == (run.off_after == run.end + 1)
        for off in (run.off_before, run.off_after):
            assert off is None or states[off] == "0"
    for before, after in zip(found, found[1:], strict=False):
        between = states[before.end + 1 : after.start]
        assert before.end < after.start
        assert "1" not in between
        # Something ends the run: enough off frames, an off frame beside the unknown, or a gap.
        assert between.count("0") > flicker or "." in between
        assert (before.off_after is None) == ("0" not in between)
    covered = {i for run in found for i in range(run.start, run.end + 1)}
    assert all(i in covered for i, state in enumerate(states) if state == "1")
