"""Unique descriptions, by both routes."""

from __future__ import annotations

from scene_builder import SceneBuilder

from avr_ros.benchmark.recipe import Reference
from avr_ros.benchmark.references import described_people, follow
from avr_ros.benchmark.relations import Relation
from avr_ros.benchmark.scene import scene_of
from avr_ros.benchmark.validation.raw_people import people_meant
from avr_ros.benchmark.validation.raw_rows import RawRows
from avr_ros.schema.vocabulary import Occlusion


def hall() -> SceneBuilder:
    """A reader, somebody on the phone, two sitting people at 4 and 6 metres."""
    return (
        SceneBuilder(30)
        .person(1, 0.0, "standing", "reading", distance=5.0)
        .person(2, 40.0, "standing", "talking on the phone", distance=3.0)
        .person(3, 80.0, "sitting", distance=4.0)
        .person(4, -60.0, "sitting", distance=6.0)
    )


def both(builder: SceneBuilder, reference: Reference) -> list[int] | None:
    """Who is meant, which both routes must agree on."""
    graph = builder.graph()
    scene = scene_of(graph)
    path = follow(scene, reference)
    tracks = None if path is None else [int(scene.tracks[index]) for index in path]
    assert people_meant(RawRows(graph), reference) == tracks
    return tracks


def test_the_only_person_of_a_kind() -> None:
    assert both(hall(), Reference(15, ("reading",))) == [1]
    assert both(hall(), Reference(15, ("standing", "reading"))) == [1]
    assert both(hall(), Reference(15, ("standing",))) is None
    assert both(hall(), Reference(15, ("typing",))) is None


def test_a_hidden_person_who_does_the_same_counts() -> None:
    builder = hall().person(5, 120.0, "standing", "reading")
    builder.change(5, 0, 29, occlusion=Occlusion.FULLY_OCCLUDED)
    assert both(builder, Reference(15, ("reading",))) is None


def test_a_visible_person_of_whom_nothing_is_known_may_do_the_same() -> None:
    builder = hall().change(4, 0, 29, actions=None)
    assert both(builder, Reference(15, ("reading",))) is None
    hidden = builder.copy().change(4, 0, 29, occlusion=Occlusion.SEVERELY_OCCLUDED)
    assert both(hidden, Reference(15, ("reading",))) == [1]
    small = builder.copy().change(4, 0, 29, height=30.0)
    assert both(small, Reference(15, ("reading",))) == [1]


def test_the_description_fits_two_frames_before_and_after() -> None:
    for frame, fits in ((12, True), (13, False), (16, False), (17, False), (18, True)):
        builder = hall().doing(2, 15, 15, "standing", "reading")
        assert (both(builder, Reference(frame, ("reading",))) == [1]) is fits


def test_the_first_and_the_last_frame_may_be_described() -> None:
    assert both(hall(), Reference(0, ("reading",))) == [1]
    assert both(hall(), Reference(29, ("reading",))) == [1]


def test_the_closest_of_several() -> None:
    assert both(hall(), Reference(15, ("sitting",), closest=True)) == [3]
    assert both(hall(), Reference(15, ("reading",), closest=True)) is None
    near = hall().change(4, 0, 29, distance=4.29)
    assert both(near, Reference(15, ("sitting",), closest=True)) is None
    clear = hall().change(4, 0, 29, distance=4.31)
    assert both(clear, Reference(15, ("sitting",), closest=True)) == [3]
    unplaced = hall().change(4, 0, 29, placed=False)
    assert both(unplaced, Reference(15, ("sitting",), closest=True)) is None


def test_relations_lead_on_and_never_back() -> None:
    left = Relation.LEFT
    assert both(hall(), Reference(15, ("reading",), (left,))) == [1, 2]
    assert both(hall(), Reference(15, ("reading",), (left, left))) == [1, 2, 3]
    assert both(hall(), Reference(15, ("reading",), (left, Relation.RIGHT))) is None


def test_closeness_describes_only_people_without_another_description() -> None:
    scene = scene_of(hall().graph())
    alone = {person for _, person in described_people(scene, 15, closest=False)}
    found = described_people(scene, 15, closest=True)
    # Track 3 is the closest who sits; 1 and 2 are the only ones of their kinds.
    assert alone == {0, 1}
    assert [person for description, person in found if description.closest] == [2]
