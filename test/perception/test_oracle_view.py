"""What the oracle reports of labelled people in a crop, and its seeded faults."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.geometry import boxes
from avr_ros.geometry.crop import CropWindow, crop_window
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.perception.oracle_settings import OracleSettings
from avr_ros.perception.oracle_view import LabelledPerson, Place, detections
from avr_ros.schema.box import Box
from avr_ros.schema.detection import APPEARANCE_SIZE, Detection
from avr_ros.schema.vocabulary import POSE_ACTIONS, Occlusion

AHEAD = Place("street", 7, crop_window(JRDB_CYLINDER, 0.0))
PLAIN = OracleSettings(seed=5)
CENTRE = Box(1860.0, 150.0, 50.0, 150.0)


def person(
    track: str = "pedestrian:1",
    box: Box = CENTRE,
    *,
    occlusion: Occlusion | None = Occlusion.FULLY_VISIBLE,
    actions: frozenset[str] | None = frozenset({"sitting", "reading"}),
    position: tuple[float, float] | None = (4.0, 0.0),
) -> LabelledPerson:
    return LabelledPerson(track, box, occlusion, actions, position)


def seen(people: list[LabelledPerson], settings: OracleSettings = PLAIN) -> list[Detection]:
    return detections(people, AHEAD, JRDB_CYLINDER, settings)


def same(first: list[Detection], second: list[Detection]) -> bool:
    """Whether two lists of detections are equal to the last bit."""
    return len(first) == len(second) and all(
        a.box == b.box
        and a.confidence == b.confidence
        and a.actions == b.actions
        and np.array_equal(a.appearance, b.appearance)
        and (a.ground is None) == (b.ground is None)
        and (
            a.ground is None
            or b.ground is None
            or (a.ground.x, a.ground.y) == (b.ground.x, b.ground.y)
        )
        and a.visibility == b.visibility
        for a, b in zip(first, second, strict=True)
    )


def test_a_visible_person_is_reported_as_labelled() -> None:
    (found,) = seen([person()])
    assert found.box == Box(1860.0, 150.0, 50.0, 150.0)
    assert found.visibility == 1.0
    assert {name for name, value in found.actions.items() if value > 0.5} == {"sitting", "reading"}
    assert set(POSE_ACTIONS) <= set(found.actions)
    assert list(found.actions.values()) == sorted(found.actions.values(), reverse=True)
    assert found.appearance.shape == (APPEARANCE_SIZE,)
    assert found.appearance.dtype == np.float32
    assert np.linalg.norm(found.appearance) == pytest.approx(1.0, abs=1e-6)
    assert found.ground is not None
    assert found.ground.sigma == pytest.approx(0.08)
    assert math.hypot(found.ground.x - 4.0, found.ground.y) < 0.5


def test_actions_that_are_never_mistaken_are_certain() -> None:
    (found,) = seen([person()])
    done = {"sitting", "reading"}
    assert found.actions == {name: float(name in done) for name in done | set(POSE_ACTIONS)}


def test_actions_are_as_probable_as_they_are_right() -> None:
    """One look in twenty is mistaken for any other posture."""
    others = len(POSE_ACTIONS) - 1
    for found, _ in many(OracleSettings(seed=1, action_confusion=0.05)):
        for item in found:
            values = [item.actions[name] for name in POSE_ACTIONS]
            assert sorted(values) == pytest.approx([0.05 / others] * others + [0.95])


def test_a_label_without_a_posture_tells_none_rather_than_the_next() -> None:
    (found,) = seen([person(actions=frozenset({"reading"}))])
    assert found.actions["reading"] == 1.0
    assert {found.actions[name] for name in POSE_ACTIONS} == {0.05}


@pytest.mark.parametrize(
    ("occlusion", "visibility"),
    [
        (Occlusion.FULLY_VISIBLE, 1.0),
        (Occlusion.MOSTLY_VISIBLE, 0.75),
        (Occlusion.SEVERELY_OCCLUDED, 0.3),
        (None, 0.4),
    ],
)
def test_visibility_follows_the_occlusion_class(
    occlusion: Occlusion | None, visibility: float
) -> None:
    (found,) = seen([person(occlusion=occlusion)])
    assert found.visibility == visibility


def test_fully_occluded_far_away_and_tiny_people_are_not_seen() -> None:
    hidden = person(occlusion=Occlusion.FULLY_OCCLUDED)
    behind = person(box=Box(20.0, 150.0, 50.0, 150.0))
    tiny = person(box=Box(1860.0, 150.0, 4.0, 9.0))
    below = person(box=Box(1860.0, 475.0, 50.0, 100.0))
    assert seen([hidden, behind, tiny, below]) == []


def test_a_person_half_in_the_crop_is_reported_with_that_half() -> None:
    left = AHEAD.crop.left
    label = Box(left - 20.0, 150.0, 50.0, 150.0)
    (found,) = seen([person(box=label)])
    assert found.box == Box(float(left), 150.0, 30.0, 150.0)
    assert found.visibility == pytest.approx(0.6)
    assert boxes.iou(found.box, label, 3760) == pytest.approx(0.6)
    assert seen([person(box=Box(left - 30.0, 150.0, 50.0, 150.0))]) == []


def test_a_box_across_the_seam_is_seen_from_behind() -> None:
    place = Place("street", 0, crop_window(JRDB_CYLINDER, math.pi))
    label = Box(3740.0, 100.0, 60.0, 200.0)
    (found,) = detections([person(box=label)], place, JRDB_CYLINDER, PLAIN)
    assert found.box == label


def test_unannotated_actions_are_unknown() -> None:
    (found,) = seen([person(actions=None)])
    assert found.actions == {}


def test_an_impossible_action_says_nothing_about_the_posture() -> None:
    (found,) = seen([person(actions=frozenset({"impossible"}))])
    assert "impossible" not in found.actions
    assert max(found.actions.values()) < 0.1


def test_without_a_3d_label_the_feet_tell_the_place() -> None:
    # The floor 4 m ahead is at row 209.383 + 482.924 * 0.9 / 4 = 318.04.
    box = Box(1855.0, 118.04, 50.0, 200.0)
    (found,) = seen([person(box=box, position=None)])
    assert found.ground is not None
    assert found.ground.x == pytest.approx(4.0, abs=0.01)
    assert found.ground.y == pytest.approx(0.0, abs=0.01)
    # One row there is 4^2 / (0.9 * 482.924) = 0.0368 m.
    assert found.ground.sigma == pytest.approx(3 * 0.0368, abs=1e-3)
    hidden = person(box=box, position=None, occlusion=Occlusion.SEVERELY_OCCLUDED)
    assert seen([hidden])[0].ground is None
    cut = person(box=Box(1855.0, 180.0, 50.0, 300.0), position=None)
    assert seen([cut])[0].ground is None


def test_appearance_is_alike_across_frames_and_unlike_between_people() -> None:
    vectors = {
        (track, frame): detections(
            [person(track)],
            Place("street", frame, AHEAD.crop),
            JRDB_CYLINDER,
            PLAIN,
        )[0].appearance
        for track in ("a", "b", "c")
        for frame in (0, 30)
    }
    for track in ("a", "b", "c"):
        first = vectors[(track, 0)]
        alike = float(first @ vectors[(track, 30)])
        assert 0.6 < alike < 0.999
        for other in {"a", "b", "c"} - {track}:
            assert float(first @ vectors[(other, 30)]) < alike - 0.2


def test_the_oracle_never_shows_the_track() -> None:
    """Renaming tracks changes noise alone: the same people are found in the same places."""
    names = ["pedestrian:1", "pedestrian:2"]
    places = [Box(1860.0, 150.0, 50.0, 150.0), Box(1760.0, 150.0, 50.0, 150.0)]
    one = seen([person(name, box) for name, box in zip(names, places, strict=True)])
    two = seen([person(name, box) for name, box in zip(reversed(names), places, strict=True)])
    assert [item.box for item in one] == [item.box for item in two] == sorted(places)
    assert [item.confidence for item in one] == [item.confidence for item in two]


def crowd(count: int) -> list[LabelledPerson]:
    return [
        person(
            f"pedestrian:{index}",
            Box(1660.0 + index * 400 / count, 150.0 + index % 7, 40.0, 150.0),
            position=(3.0 + index / 10, 0.2),
        )
        for index in range(count)
    ]


def many(settings: OracleSettings) -> list[tuple[list[Detection], list[Detection]]]:
    """Detections with and without the faults in thirty frames."""
    places = [Place("street", frame, AHEAD.crop) for frame in range(30)]
    return [
        (
            detections(crowd(20), place, JRDB_CYLINDER, settings),
            detections(crowd(20), place, JRDB_CYLINDER, OracleSettings(seed=settings.seed)),
        )
        for place in places
    ]


def test_misses_come_at_their_rate() -> None:
    pairs = many(OracleSettings(seed=1, misses=0.1))
    kept = sum(len(found) for found, _ in pairs) / sum(len(all_) for _, all_ in pairs)
    assert 0.85 < kept < 0.95
    assert all({item.box for item in found} <= {item.box for item in all_} for found, all_ in pairs)


def test_jitter_moves_boxes_inside_the_crop() -> None:
    pairs = many(OracleSettings(seed=1, jitter_px=5.0))
    tops = []
    for found, all_ in pairs:
        assert len(found) == len(all_)
        for item in found:
            assert boxes.contains(AHEAD.crop, item.box)
            nearest = max(all_, key=lambda other: float(boxes.iou(other.box, item.box, 3760)))
            tops.append(item.box.y - nearest.box.y)
    assert 4.0 < float(np.std(tops)) < 6.5


def test_confused_actions_come_at_their_rate() -> None:
    pairs = many(OracleSettings(seed=1, action_confusion=0.05))
    wrong = [item.actions["sitting"] < 0.5 for found, _ in pairs for item in found]
    assert 0.02 < float(np.mean(wrong)) < 0.09
    for found, _ in pairs:
        for item in found:
            if item.actions["sitting"] < 0.5:
                assert len([name for name, value in item.actions.items() if value > 0.5]) == 1


def test_identity_switches_show_a_neighbour() -> None:
    settings = OracleSettings(seed=1, identity_switches=0.05)
    switched = [
        float(a.appearance @ b.appearance) < 0.6
        for found, all_ in many(settings)
        for a, b in zip(found, all_, strict=True)
    ]
    assert 0.02 < float(np.mean(switched)) < 0.09
    (alone,) = seen([person()], OracleSettings(seed=1, identity_switches=1.0))
    assert np.array_equal(alone.appearance, seen([person()], OracleSettings(seed=1))[0].appearance)


def test_the_seed_changes_the_faults() -> None:
    first = many(OracleSettings(seed=1, misses=0.5))
    second = many(OracleSettings(seed=2, misses=0.5))
    assert [len(found) for found, _ in first] != [len(found) for found, _ in second]


@given(
    st.lists(
        st.builds(
            person,
            track=st.sampled_from([f"pedestrian:{index}" for index in range(9)]),
            box=st.builds(
                Box,
                st.floats(0, 3759),
                st.floats(-50, 500),
                st.floats(0, 700),
                st.floats(0, 600),
            ),
            occlusion=st.none() | st.sampled_from(Occlusion),
            actions=st.none()
            | st.frozensets(st.sampled_from(["walking", "reading", "impossible"])),
            position=st.none() | st.tuples(st.floats(-20, 20), st.floats(-20, 20)),
        ),
        max_size=6,
        unique_by=lambda item: item.track,
    ),
    st.floats(-math.pi, math.pi),
    st.floats(0.01, 1.0),
    st.randoms(),
)
def test_detections_lie_in_the_crop_whatever_the_labels(
    people: list[LabelledPerson], azimuth: float, share: float, random: object
) -> None:
    """And do not depend on the order of the labels."""
    crop = crop_window(JRDB_CYLINDER, azimuth, share * 2 * math.pi * 480 / 3760)
    place = Place("street", 3, CropWindow(crop.left, crop.top, crop.width, crop.height, 3760))
    settings = OracleSettings(
        seed=3, misses=0.1, jitter_px=20.0, action_confusion=0.3, identity_switches=0.3
    )
    found = detections(people, place, JRDB_CYLINDER, settings)
    for item in found:
        assert bool(boxes.contains(crop, item.box))
        assert item.box.w > 0
        assert item.box.h > 0
        assert 0.0 <= item.box.x < 3760
        assert 0.0 < item.visibility <= 1.0
        assert 0.0 <= item.confidence <= 1.0
    assert [item.box.x for item in found] == sorted(item.box.x for item in found)
    shuffled = list(people)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert same(found, detections(shuffled, place, JRDB_CYLINDER, settings))


def test_the_direction_faced_is_about_the_labelled_one() -> None:
    label = LabelledPerson(
        "pedestrian:1", CENTRE, Occlusion.FULLY_VISIBLE, frozenset(), (4.0, 0.0), heading=3.1
    )
    (exact,) = seen([label], OracleSettings(seed=5, heading_noise_deg=0.0))
    assert exact.heading == pytest.approx(3.1)
    errors = []
    for seed in range(200):
        (found,) = seen([label], OracleSettings(seed=seed, heading_noise_deg=4.0))
        assert found.heading is not None and -math.pi <= found.heading < math.pi
        errors.append(math.degrees(math.remainder(found.heading - 3.1, 2 * math.pi)))
    assert 3.0 < float(np.std(errors)) < 5.0


def test_nobody_is_said_to_face_anywhere_without_a_label_of_it() -> None:
    assert [item.heading for item in seen([person()])] == [None]
