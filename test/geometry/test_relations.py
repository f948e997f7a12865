"""Relations by their formulas, at and around every threshold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.geometry import relations
from avr_ros.geometry.errors import GeometryError
from avr_ros.geometry.relations import DistanceClass, Sector, Side

ANGLES = st.floats(-math.pi, math.pi, exclude_max=True)


@pytest.mark.parametrize(
    ("degrees", "side"),
    [
        (0, Side.NEITHER),
        (4.99, Side.NEITHER),
        (5.01, Side.LEFT),
        (89.99, Side.LEFT),
        (90.01, Side.NEITHER),
        (180, Side.NEITHER),
        (-4.99, Side.NEITHER),
        (-5.01, Side.RIGHT),
        (-89.99, Side.RIGHT),
        (-90.01, Side.NEITHER),
        (350, Side.RIGHT),
    ],
)
def test_sides(degrees: float, side: Side) -> None:
    assert int(relations.left_right_of(0.0, math.radians(degrees))) == side.value


def test_the_limits_themselves() -> None:
    limits = np.array([relations.SIDE_MINIMUM, relations.SIDE_MAXIMUM])
    assert relations.left_right_of(0.0, limits).tolist() == [0, 1]
    assert relations.left_right_of(0.0, -limits).tolist() == [0, -1]


def test_left_is_counter_clockwise_and_passes_the_seam() -> None:
    """A at 175 degrees, B at -175: B is 10 degrees further to the left."""
    a, b = math.radians(175), math.radians(-175)
    assert int(relations.left_right_of(a, b)) == Side.LEFT.value
    assert int(relations.left_right_of(b, a)) == Side.RIGHT.value


@given(ANGLES, ANGLES)
def test_left_and_right_are_opposite(a: float, b: float) -> None:
    assert int(relations.left_right_of(a, b)) == -int(relations.left_right_of(b, a))


@pytest.mark.parametrize(
    ("beta", "sector"),
    [
        (0, Sector.FRONT),
        (44.9, Sector.FRONT),
        (-44.9, Sector.FRONT),
        (45.1, Sector.LEFT),
        (134.9, Sector.LEFT),
        (-45.1, Sector.RIGHT),
        (-134.9, Sector.RIGHT),
        (135.1, Sector.BEHIND),
        (-135.1, Sector.BEHIND),
        (180, Sector.BEHIND),
    ],
)
@pytest.mark.parametrize("heading", [0.0, 100.0, -170.0])
def test_sectors(beta: float, sector: Sector, heading: float) -> None:
    bearing = math.radians(heading + beta)
    assert int(relations.heading_sector(math.radians(heading), bearing)) == sector.value


def test_sector_limits_themselves() -> None:
    beta = np.array([1, -1, 3, -3]) * (math.pi / 4)
    assert relations.heading_sector(0.0, beta).tolist() == [
        Sector.FRONT.value,
        Sector.FRONT.value,
        Sector.LEFT.value,
        Sector.RIGHT.value,
    ]


def test_somebody_facing_the_robot_has_their_left_at_the_robots_right() -> None:
    """A person 3 m ahead faces the robot (heading pi); another stands at the robot's right."""
    bearing = relations.bearing((3.0, 0.0), (3.0, -1.0))
    assert int(relations.heading_sector(math.pi, bearing)) == Sector.LEFT.value


def test_distance_classes() -> None:
    found = relations.distance_class([0.0, 1.5, 1.51, 5.0, 5.01, 80.0])
    near, moderate, far = (kind.value for kind in DistanceClass)
    assert found.tolist() == [near, near, moderate, moderate, far, far]
    with pytest.raises(GeometryError):
        relations.distance_class(-1.0)
    with pytest.raises(GeometryError):
        relations.distance_class(math.nan)


def test_nearest_to_the_left_and_right() -> None:
    others = np.radians([40.0, 12.0, -30.0, 3.0, 120.0])
    left = relations.nearest_beside(0.0, others, Side.LEFT)
    assert left is not None
    assert (left.index, left.clear) == (1, True)
    assert math.degrees(left.value) == pytest.approx(12.0)
    assert math.degrees(left.margin) == pytest.approx(9.0)
    right = relations.nearest_beside(0.0, others, Side.RIGHT)
    assert right is not None and right.index == 2


@pytest.mark.parametrize(
    ("rival", "clear"), [(15.1, True), (14.9, False), (5.1, False), (4.9, False), (3.9, True)]
)
def test_a_runner_up_within_five_degrees_makes_it_unclear(rival: float, clear: bool) -> None:
    found = relations.nearest_beside(0.0, np.radians([10.0, rival]), Side.LEFT)
    assert found is not None and found.clear is clear


def test_a_rival_just_outside_the_limit_counts() -> None:
    found = relations.nearest_beside(0.0, np.radians([88.0, 91.0]), Side.LEFT)
    assert found is not None
    assert found.index == 0 and not found.clear
    assert math.degrees(found.margin) == pytest.approx(3.0)


def test_nobody_beside() -> None:
    assert relations.nearest_beside(0.0, np.radians([2.0, 100.0]), Side.LEFT) is None
    assert relations.nearest_beside(0.0, [], Side.LEFT) is None
    assert relations.nearest_beside(0.0, [math.nan], Side.LEFT) is None
    alone = relations.nearest_beside(0.0, [0.5, math.nan], Side.LEFT)
    assert alone is not None and alone.margin == math.inf and alone.clear
    with pytest.raises(GeometryError):
        relations.nearest_beside(0.0, [0.5], Side.NEITHER)


def test_nearest_in_each_sector() -> None:
    """A person at (2, 1) faces the robot's left (+y)."""
    others = np.array([[2.0, 3.0], [0.0, 1.0], [4.5, 1.0], [2.0, -1.0], [2.0, 6.0]])
    found = {
        sector: relations.nearest_in_sector((2.0, 1.0), math.pi / 2, others, sector)
        for sector in Sector
    }
    indices = {sector: nearest.index for sector, nearest in found.items() if nearest is not None}
    assert indices == {Sector.FRONT: 0, Sector.LEFT: 1, Sector.RIGHT: 2, Sector.BEHIND: 3}
    front = found[Sector.FRONT]
    assert front is not None
    assert (front.value, front.margin, front.clear) == (2.0, 3.0, True)


@pytest.mark.parametrize(("rival", "clear"), [(2.31, True), (2.29, False)])
def test_a_runner_up_within_thirty_centimetres(rival: float, clear: bool) -> None:
    found = relations.nearest_in_sector((0, 0), 0.0, [(2.0, 0.0), (rival, 0.1)], Sector.FRONT)
    assert found is not None and found.index == 0 and found.clear is clear


def test_a_nearer_rival_just_outside_the_sector_makes_it_unclear() -> None:
    angle = math.radians(47.0)
    others = [(3.0, 0.0), (math.cos(angle), math.sin(angle))]
    found = relations.nearest_in_sector((0, 0), 0.0, others, Sector.FRONT)
    assert found is not None
    assert found.index == 0 and found.margin == pytest.approx(-2.0) and not found.clear


def test_a_person_at_the_border_of_the_sector_is_unclear() -> None:
    angle = math.radians(42.0)
    found = relations.nearest_in_sector(
        (0, 0), 0.0, [(math.cos(angle), math.sin(angle))], Sector.FRONT
    )
    assert found is not None
    assert math.degrees(found.border) == pytest.approx(3.0) and not found.clear


def test_unknown_positions_and_headings_take_no_part() -> None:
    nowhere = [(math.nan, math.nan)]
    assert relations.nearest_in_sector((0, 0), 0.0, nowhere, Sector.FRONT) is None
    assert relations.nearest_in_sector((0, 0), math.nan, [(1, 0)], Sector.BEHIND) is None
    assert relations.nearest_in_sector((0, 0), 0.0, np.zeros((0, 2)), Sector.FRONT) is None


@given(
    ANGLES,
    st.lists(st.tuples(st.floats(-20, 20), st.floats(-20, 20)), min_size=1, max_size=8),
)
def test_everybody_is_in_exactly_one_sector(
    heading: float, others: list[tuple[float, float]]
) -> None:
    bearings = relations.bearing((0.0, 0.0), others)
    sectors = np.asarray(relations.heading_sector(heading, bearings))
    for sector in Sector:
        found = relations.nearest_in_sector((0.0, 0.0), heading, others, sector)
        members = [
            other for other, code in zip(others, sectors, strict=True) if code == sector.value
        ]
        if found is None:
            assert not members
        else:
            assert others[found.index] in members
            assert found.value == pytest.approx(min(math.hypot(*member) for member in members))
