"""Relations of all people of a frame at once, against the formulas for one and the second route."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scene_builder import Label, SceneBuilder

from avr_ros.benchmark.recipe import Reference
from avr_ros.benchmark.relations import NOBODY, SECTORS, SIDES, Relation, successors
from avr_ros.benchmark.scene import scene_of
from avr_ros.benchmark.validation.raw_people import people_meant
from avr_ros.benchmark.validation.raw_rows import RawRows
from avr_ros.geometry.relations import (
    ANGLE_MARGIN,
    DISTANCE_MARGIN,
    SIDE_MARGIN,
    Nearest,
    nearest_beside,
    nearest_in_sector,
)

people = st.lists(
    st.tuples(st.floats(-180, 179.9), st.floats(1, 20), st.floats(-180, 179.9), st.integers(-1, 3)),
    min_size=1,
    max_size=9,
)


def crowd(rows: list[tuple[float, float, float, int]]) -> SceneBuilder:
    """People at azimuths, distances and headings, in groups; the first one reads."""
    builder = SceneBuilder(1)
    for track, (azimuth, distance, heading, group) in enumerate(rows):
        actions = ("standing", "reading") if track == 0 else ("standing",)
        builder.person(
            track, azimuth, *actions, distance=distance, heading_deg=heading, group=group
        )
    return builder


def off_the_borders(
    rows: list[tuple[float, float, float, int]],
) -> list[tuple[float, float, float, int]]:
    """The same people turned a little, so that nobody stands exactly where rounding decides."""
    return [
        (azimuth + 0.0137 * (index + 1) ** 2, distance, heading + 0.0071 * (index + 1), group)
        for index, (azimuth, distance, heading, group) in enumerate(rows)
    ]


def on_a_margin(found: Nearest) -> bool:
    """Whether a margin is met exactly, where rounding decides."""
    values = (found.margin - ANGLE_MARGIN, found.margin - DISTANCE_MARGIN)
    borders = (found.border - ANGLE_MARGIN, found.border - SIDE_MARGIN)
    return min(abs(value) for value in (*values, *borders)) < 1e-6


@given(people)
def test_all_at_once_agrees_with_the_formulas_for_one(
    rows: list[tuple[float, float, float, int]],
) -> None:
    graph = crowd(off_the_borders(rows)).graph()
    scene = scene_of(graph)
    for person in range(scene.people):
        others = [index for index in range(scene.people) if index != person]
        for relation in (*SIDES, *SECTORS):
            if relation in SIDES:
                found = nearest_beside(
                    float(scene.azimuth[0, person]), scene.azimuth[0, others], SIDES[relation]
                )
            else:
                found = nearest_in_sector(
                    scene.position[0, person],
                    float(scene.heading[0, person]),
                    scene.position[0, others],
                    SECTORS[relation],
                )
            step = successors(scene, 0, relation)
            if found is None:
                assert step.index[person] == NOBODY
                assert not step.clear[person]
            else:
                assert step.index[person] == others[found.index]
                if not on_a_margin(found):
                    assert bool(step.clear[person]) is found.clear


@given(people, st.sampled_from(list(Relation)))
def test_both_routes_find_the_same_person(
    rows: list[tuple[float, float, float, int]], relation: Relation
) -> None:
    graph = crowd(off_the_borders(rows)).graph()
    step = successors(scene_of(graph), 0, relation)
    way = people_meant(RawRows(graph), Reference(0, ("reading",), (relation,)))
    expected = [0, int(step.index[0])] if step.clear[0] else None
    assert way == expected


def test_left_is_to_the_left_of_the_picture() -> None:
    builder = crowd([(0, 5, 180, -1), (20, 5, 180, -1), (-20, 5, 180, -1), (60, 5, 180, -1)])
    scene = scene_of(builder.graph())
    assert successors(scene, 0, Relation.LEFT).index[0] == 1
    assert successors(scene, 0, Relation.RIGHT).index[0] == 2
    assert successors(scene, 0, Relation.LEFT).index[1] == 3


def test_a_person_facing_the_robot_has_the_pictures_left_on_the_own_right() -> None:
    # Standing five metres ahead and facing back to the robot, with somebody at the same distance
    # to the left of the picture.
    builder = crowd([(0, 5, 180, -1), (20, 5, 180, -1)])
    scene = scene_of(builder.graph())
    assert successors(scene, 0, Relation.OWN_RIGHT).index[0] == 1
    assert successors(scene, 0, Relation.OWN_LEFT).index[0] == NOBODY


@pytest.mark.parametrize(("gap", "clear"), [(4.9, False), (5.1, True)])
def test_a_runner_up_within_five_degrees_makes_left_unclear(gap: float, clear: bool) -> None:
    builder = crowd([(0, 5, 180, -1), (20, 5, 180, -1), (20 + gap, 5, 180, -1)])
    assert bool(successors(scene_of(builder.graph()), 0, Relation.LEFT).clear[0]) is clear


@pytest.mark.parametrize(
    ("azimuth", "clear"), [(3.9, True), (4.1, False), (5.9, False), (6.1, True), (-5.0, True)]
)
def test_somebody_where_beside_begins_makes_left_unclear(azimuth: float, clear: bool) -> None:
    builder = crowd([(0, 5, 180, -1), (20, 5, 180, -1), (azimuth, 5, 180, -1)])
    scene = scene_of(builder.graph())
    assert bool(successors(scene, 0, Relation.LEFT).clear[0]) is clear


@pytest.mark.parametrize(("azimuth", "clear"), [(88.9, True), (89.1, False)])
def test_somebody_where_beside_ends_is_not_clearly_beside(azimuth: float, clear: bool) -> None:
    builder = crowd([(0, 5, 180, -1), (azimuth, 5, 180, -1)])
    assert bool(successors(scene_of(builder.graph()), 0, Relation.LEFT).clear[0]) is clear


@pytest.mark.parametrize(("farther", "clear"), [(0.29, False), (0.31, True)])
def test_a_runner_up_within_thirty_centimetres_makes_front_unclear(
    farther: float, clear: bool
) -> None:
    builder = crowd([(0, 5, 0, -1), (0, 7, 0, -1), (0, 7 + farther, 0, -1)])
    assert bool(successors(scene_of(builder.graph()), 0, Relation.FRONT).clear[0]) is clear


def test_a_group_of_two_is_clear_and_one_of_three_is_not() -> None:
    builder = crowd([(0, 5, 0, 1), (30, 5, 0, 1), (60, 5, 0, 2), (90, 5, 0, 2), (120, 5, 0, 2)])
    step = successors(scene_of(builder.graph()), 0, Relation.GROUP)
    assert step.index.tolist() == [1, 0, NOBODY, NOBODY, NOBODY]
    assert step.clear.tolist() == [True, True, False, False, False]


def test_a_visible_person_without_a_place_makes_nearness_unclear() -> None:
    builder = crowd([(0, 5, 0, -1), (0, 7, 0, -1), (90, 5, 0, -1)])
    assert successors(scene_of(builder.graph()), 0, Relation.FRONT).clear[0]
    builder.change(2, 0, 0, placed=False)
    assert not successors(scene_of(builder.graph()), 0, Relation.FRONT).clear[0]


def test_an_empty_frame_has_no_relations() -> None:
    builder = SceneBuilder(2).person(1, 0.0, "standing", last=0)
    scene = scene_of(builder.graph())
    for relation in Relation:
        assert successors(scene, 1, relation).index.tolist() == [NOBODY]


def test_boxes_of_the_builder_stand_at_their_azimuth() -> None:
    label = Label(math.radians(30), 5.0, 0.0, frozenset())
    assert np.isclose(label.box[0] + 30.0, 3760 * (0.5 - 30 / 360))
