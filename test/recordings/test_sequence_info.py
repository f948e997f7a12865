"""Frames by id and by time, with irregular stamps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.recordings.errors import FrameNotFound, StampsUnknown, TimeNotFound
from avr_ros.recordings.recording import NO_STAMP, SequenceInfo, StoredAs, whole_microseconds


def info_of(stamps: list[int], first_id: int = 0, step: int = 1) -> SequenceInfo:
    ids = np.arange(first_id, first_id + step * len(stamps), step, np.int64)
    return SequenceInfo("walk", ids, np.array(stamps, np.int64), 8, 4, StoredAs.JPEG, "here")


def test_the_nearest_frame_within_half_the_median_gap() -> None:
    # Gaps 60, 80, 60, 300, 60: the median is 60, so a frame answers up to 30 away.
    info = info_of([1000, 1060, 1140, 1200, 1500, 1560], first_id=10, step=5)
    assert info.frame_at(1000) == 10
    assert info.frame_at(970) == 10
    assert info.frame_at(1029) == 10
    assert info.frame_at(1030) == 10, "of two equally near the earlier one"
    assert info.frame_at(1031) == 15
    assert info.frame_at(1090) == 15
    assert info.frame_at(1110) == 20
    assert info.frame_at(1230) == 25
    assert info.frame_at(1590) == 35
    for nowhere in (969, 1091, 1109, 1231, 1350, 1469, 1591, 0, -5, 1 << 62, 1 << 80, -(1 << 80)):
        with pytest.raises(TimeNotFound, match="within 30 us"):
            info.frame_at(nowhere)


def test_an_even_number_of_gaps_has_a_median_between() -> None:
    # Gaps 10 and 15: median 12.5, so 6 is near enough and 7 is not.
    info = info_of([100, 110, 125])
    assert info.frame_at(131) == 2
    with pytest.raises(TimeNotFound):
        info.frame_at(132)


def test_one_frame_answers_to_its_own_stamp_alone() -> None:
    info = info_of([77])
    assert info.frame_at(77) == 0
    with pytest.raises(TimeNotFound):
        info.frame_at(78)


def test_repeated_and_disordered_stamps() -> None:
    info = info_of([500, 300, 300, 400])
    assert info.frame_at(300) == 1
    assert info.frame_at(410) == 3
    assert info.frame_at(500) == 0


def test_frames_without_stamps() -> None:
    none = info_of([NO_STAMP, NO_STAMP])
    some = info_of([100, NO_STAMP, 300])
    with pytest.raises(StampsUnknown):
        none.frame_at(100)
    with pytest.raises(StampsUnknown):
        some.stamp_us(1)
    assert some.frame_at(200) == 0
    assert some.stamp_us(2) == 300
    with pytest.raises(TimeNotFound):
        some.frame_at(NO_STAMP)


def test_ids_that_are_not_there() -> None:
    info = info_of([1, 2], first_id=4)
    assert info.position(5) == 1
    for frame_id in (3, 6, -1, 1 << 70):
        with pytest.raises(FrameNotFound, match="2 frames from 4 to 5"):
            info.position(frame_id)
    with pytest.raises(FrameNotFound, match="holds none"):
        info_of([]).position(0)


def test_arrays_are_checked_and_frozen() -> None:
    info = info_of([1, 2])
    with pytest.raises(ValueError, match="read-only"):
        info.frame_ids[0] = 5
    with pytest.raises(ValueError, match="read-only"):
        info.stamps_us[0] = 5
    with pytest.raises(ValueError, match="rise"):
        info_of([1, 2], step=-1)


@given(
    st.lists(st.integers(0, 2_000_000_000_000_000), min_size=1, max_size=30),
    st.integers(0, 2_000_000_000_000_000),
)
def test_by_time_equals_a_search_through_all_frames(stamps: list[int], wanted: int) -> None:
    info = info_of(stamps)
    distinct = sorted(set(stamps))
    gaps = [later - earlier for earlier, later in zip(distinct, distinct[1:], strict=False)]
    tolerance = float(np.median(gaps)) / 2 if gaps else 0.0
    nearest = min(distinct, key=lambda stamp: (abs(stamp - wanted), stamp))
    if abs(nearest - wanted) > tolerance:
        with pytest.raises(TimeNotFound):
            info.frame_at(wanted)
    else:
        assert info.frame_at(wanted) == stamps.index(nearest)
    for at, stamp in enumerate(stamps):
        assert info.frame_at(stamp) == stamps.index(stamp)
        assert info.stamp_us(at) == stamp


@given(st.integers(0, 2_000_000_000_000_000))
def test_whole_microseconds_survive_floats_and_nanoseconds(stamp: int) -> None:
    assert round(stamp / 1e6 * 1e6) == stamp
    assert whole_microseconds(stamp * 1000) == stamp
    assert whole_microseconds(stamp * 1000 + 499) == stamp
    assert whole_microseconds(stamp * 1000 + 500) == stamp + 1
