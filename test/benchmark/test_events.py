"""When an action starts or stops, by both routes and by hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from scene_builder import SceneBuilder

from avr_ros.benchmark.events import next_event, next_run
from avr_ros.benchmark.recipe import Edge, EventKind
from avr_ros.benchmark.scene import scene_of
from avr_ros.benchmark.validation.raw_rows import RawRows
from avr_ros.benchmark.validation.raw_states import first_change

WALKS = EventKind(Edge.START, "walking")
STOPS = EventKind(Edge.STOP, "walking")


def walker(*spans: tuple[int, int], frames: int = 120) -> SceneBuilder:
    """Somebody who stands and walks in the given spans."""
    builder = SceneBuilder(frames).person(1, 0.0, "standing")
    for first, last in spans:
        builder.doing(1, first, last, "walking")
    return builder


def event(builder: SceneBuilder, kind: EventKind, after: int, last: int = 119) -> int | None:
    """The next event's frame, on which both routes must agree."""
    graph = builder.graph()
    found = next_event(scene_of(graph), 0, kind, after, last)
    frame = None if found is None else found.frame
    on = kind.edge is Edge.START
    assert first_change(RawRows(graph), 1, kind.action, after, last, to=on) == frame
    return frame


def test_a_start_is_the_first_frame_on_and_a_stop_the_first_off() -> None:
    builder = walker((40, 59))
    assert event(builder, WALKS, 10) == 40
    assert event(builder, STOPS, 45) == 60
    assert event(builder, WALKS, 39) == 40
    assert event(builder, STOPS, 59) == 60


def test_a_start_needs_the_action_off_and_a_stop_needs_it_on() -> None:
    builder = walker((40, 59), (80, 99))
    assert event(builder, WALKS, 45) is None
    assert event(builder, STOPS, 10) is None
    assert event(builder, WALKS, 60) == 80


def test_only_up_to_the_last_frame() -> None:
    assert event(walker((40, 59)), WALKS, 10, last=40) == 40
    assert event(walker((40, 59)), WALKS, 10, last=39) is None


def test_a_single_frame_off_is_passed_over() -> None:
    builder = walker((40, 49), (51, 69))
    assert event(builder, STOPS, 45) == 70
    assert event(builder, WALKS, 10) == 40


def test_what_lasts_less_than_half_a_second_is_no_event() -> None:
    # Of eight frames on either side one may be another state.
    assert event(walker((40, 45)), WALKS, 10) is None
    assert event(walker((40, 46)), WALKS, 10) == 40
    assert event(walker((40, 59), (66, 90)), STOPS, 50) is None
    assert event(walker((40, 59), (67, 90)), STOPS, 50) == 60


def test_a_frame_without_label_before_the_change_makes_it_inexact() -> None:
    assert event(walker((40, 59)).leave_out(1, 39, 39), WALKS, 10) is None
    assert event(walker((40, 59)).leave_out(1, 38, 38), WALKS, 10) == 40


def test_a_long_time_without_labels_may_hide_another_event() -> None:
    assert event(walker((60, 89)).leave_out(1, 20, 34), WALKS, 10) == 60
    assert event(walker((60, 89)).leave_out(1, 20, 35), WALKS, 10) is None


def test_labels_without_actions_are_unknown_too() -> None:
    assert event(walker((60, 89)).change(1, 20, 35, actions=None), WALKS, 10) is None
    assert event(walker((60, 89)).change(1, 20, 34, actions=None), WALKS, 10) == 60


def test_a_run_has_two_exact_ends() -> None:
    scene = scene_of(walker((40, 59)).graph())
    run = next_run(scene, 0, "walking", 10, 119)
    assert run is not None
    assert (run.start, run.end) == (40, 59)
    assert next_run(scene, 0, "walking", 10, 59) is None
    cut = scene_of(walker((100, 119)).graph())
    assert next_run(cut, 0, "walking", 10, 119) is None


@given(
    st.lists(st.sampled_from(["on", "off", "unknown"]), min_size=40, max_size=60),
    st.integers(0, 39),
    st.sampled_from([WALKS, STOPS]),
)
def test_both_routes_agree_on_any_sequence_of_states(
    states: list[str], after: int, kind: EventKind
) -> None:
    builder = SceneBuilder(len(states)).person(1, 0.0, "standing")
    for frame, state in enumerate(states):
        if state == "unknown":
            builder.leave_out(1, frame, frame)
        elif state == "on":
            builder.doing(1, frame, frame, "walking")
    if builder.labels[after]:
        event(builder, kind, after, last=len(states) - 1)


@given(
    st.lists(
        st.tuples(st.sampled_from(["on", "off", "unknown"]), st.integers(1, 25)),
        min_size=2,
        max_size=8,
    ),
    st.integers(0, 30),
    st.sampled_from([WALKS, STOPS]),
)
def test_both_routes_agree_on_long_stretches(
    stretches: list[tuple[str, int]], after: int, kind: EventKind
) -> None:
    states = [state for state, length in stretches for _ in range(length)]
    builder = SceneBuilder(len(states)).person(1, 0.0, "standing")
    for frame, state in enumerate(states):
        if state == "unknown":
            builder.leave_out(1, frame, frame)
        elif state == "on":
            builder.doing(1, frame, frame, "walking")
    if builder.labels.get(after):
        event(builder, kind, after, last=len(states) - 1)
