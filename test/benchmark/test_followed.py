"""Whether a person can be followed until something happens."""

from __future__ import annotations

import pytest
from scene_builder import SceneBuilder

from avr_ros.benchmark.families.search import LONGEST_UNSEEN, can_be_followed
from avr_ros.benchmark.scene import scene_of
from avr_ros.schema.vocabulary import Occlusion


@pytest.mark.parametrize(
    ("hidden", "followed"),
    [
        ([], True),
        ([(40, 69)], True),
        ([(40, 70)], False),
        ([(20, 45), (50, 75)], True),
        ([(0, 200)], False),
        ([(10, 29), (91, 200)], True),
    ],
)
def test_out_of_sight_for_two_seconds_at_most(
    hidden: list[tuple[int, int]], followed: bool
) -> None:
    builder = SceneBuilder(201).person(1, 0.0, "standing")
    for first, last in hidden:
        builder.change(1, first, last, occlusion=Occlusion.SEVERELY_OCCLUDED)
    assert LONGEST_UNSEEN == 30
    assert can_be_followed(scene_of(builder.graph()), 0, 5, 90) is followed
