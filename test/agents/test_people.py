"""Who is who across views and frames, and where they are expected."""

import math

import numpy as np
import pytest

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.motion import Motion
from avr_ros.agents.avr.people import People
from avr_ros.agents.avr.robot_path import RobotPath
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.geometry.crop import crop_window
from avr_ros.geometry.panorama import JRDB_CYLINDER, wrap_angle
from avr_ros.schema.box import Box
from avr_ros.schema.detection import APPEARANCE_SIZE, Detection, GroundPosition
from avr_ros.schema.observation import Observation


def look(name: int, noise: float = 0.3, seed: int = 0) -> np.ndarray:
    """The appearance of person ``name``, a little different with every seed."""
    typical = np.random.default_rng(name).normal(size=APPEARANCE_SIZE)
    vector = typical / np.linalg.norm(typical)
    other = np.random.default_rng([seed, 7]).normal(size=APPEARANCE_SIZE)
    vector = vector + noise * other / np.linalg.norm(other)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def sighting(
    frame: int,
    view_deg: float,
    box: Box,
    appearance: np.ndarray,
    ground: tuple[float, float] | None = None,
    actions: dict[str, float] | None = None,
) -> Sighting:
    azimuth = math.radians(view_deg)
    return Sighting(
        Detection(
            box,
            0.9,
            actions or {"standing": 0.9},
            appearance,
            None if ground is None else GroundPosition(*ground, 0.05),
            1.0,
        ),
        Observation(
            f"e/{frame}", "street", frame, 0, azimuth, 0.8, crop_window(JRDB_CYLINDER, azimuth)
        ),
    )


def ahead(column: float, width: float = 40.0) -> Box:
    return Box(column - width / 2, 150.0, width, 150.0)


def seconds(first: int, second: int) -> float:
    return (second - first) / 10


def met() -> People:
    """Nobody yet, of a robot that stays where it is."""
    path = RobotPath(0, seconds)
    return People(
        AvrSettings(),
        lambda person, frame: Motion(person.sightings, seconds, path).expect(frame),
    )


def test_a_person_seen_twice_is_one_person() -> None:
    people = met()
    (first,) = people.bind([sighting(0, 0.0, ahead(1880), look(1, seed=1), (5.0, 0.0))])
    (second,) = people.bind([sighting(0, 10.0, ahead(1880), look(1, seed=2), (5.0, 0.0))])
    (third,) = people.bind([sighting(9, 0.0, ahead(1900), look(1, seed=3), (5.0, -0.2))])
    assert first is second is third
    assert first.name == "person 1"
    assert len(list(people)) == 1


def test_two_views_that_cut_a_person_see_one() -> None:
    """The views at 0 and 45 degrees share columns 1640 to 1650."""
    people = met()
    left = sighting(0, 45.0, Box(1620.0, 150.0, 30.0, 150.0), look(1, seed=1), (5.0, 2.0))
    right = sighting(0, 0.0, Box(1640.0, 150.0, 30.0, 150.0), look(1, seed=2), (5.0, 2.0))
    assert left.cut_off
    assert right.cut_off
    assert people.bind([left])[0] is people.bind([right])[0]


def test_twins_in_one_frame_stay_two() -> None:
    people = met()
    (one,) = people.bind([sighting(0, 0.0, ahead(1880), look(1, seed=1), (5.0, 0.0))])
    (two,) = people.bind([sighting(0, 0.0, ahead(1780), look(1, seed=2), (5.0, 0.8))])
    assert one is not two
    both = people.bind(
        [
            sighting(1, 0.0, ahead(1780), look(1, seed=3), (5.0, 0.8)),
            sighting(1, 0.0, ahead(1880), look(1, seed=4), (5.0, 0.0)),
        ]
    )
    assert set(both) == {one, two}


def test_nobody_jumps_around_the_robot() -> None:
    people = met()
    (one,) = people.bind([sighting(0, 0.0, ahead(1880), look(1, seed=1), (8.0, 0.0))])
    (other,) = people.bind([sighting(2, 180.0, Box(20.0, 150.0, 40.0, 150.0), look(1, seed=2))])
    assert one is not other


def test_who_passes_close_by_moves_fast() -> None:
    people = met()
    (one,) = people.bind([sighting(0, 0.0, ahead(1880), look(1, seed=1), (1.1, 0.0))])
    (same,) = people.bind([sighting(4, 70.0, ahead(1150), look(1, seed=2), (0.4, 1.05))])
    assert one is same


def test_the_seam_is_no_border() -> None:
    people = met()
    (one,) = people.bind(
        [sighting(0, 180.0, Box(3740.0, 150.0, 40.0, 150.0), look(1, seed=1), (-5.0, 0.0))]
    )
    assert abs(one.azimuth_at(0)) == pytest.approx(math.pi)
    (same,) = people.bind(
        [sighting(2, 170.0, Box(10.0, 150.0, 40.0, 150.0), look(1, seed=2), (-5.0, 0.3))]
    )
    assert one is same


def test_the_place_between_two_sightings_is_interpolated_on_the_ground() -> None:
    first = sighting(0, 0.0, ahead(1880), look(1), (4.0, 0.0))
    last = sighting(20, 45.0, ahead(1410), look(1), (4.0, 4.0))
    path = RobotPath(0, seconds)
    found = Motion([first, last], seconds, path).expect(10)
    assert found.azimuth == pytest.approx(math.atan2(2.0, 4.0))
    assert Motion([first, last], seconds, path).expect(20).azimuth == last.azimuth


def test_motion_goes_on_for_a_while_and_becomes_uncertain() -> None:
    first = sighting(0, 0.0, ahead(1880), look(1), (4.0, 0.0), {"walking": 0.9})
    second = sighting(10, 0.0, ahead(1731), look(1), (4.0, 1.0), {"walking": 0.9})
    path = RobotPath(0, seconds)
    found = Motion([first, second], seconds, path).expect(20)
    fading = 1.5 * (1.0 - math.exp(-1.0 / 1.5))
    assert found.azimuth == pytest.approx(math.atan2(1.0 + fading, 4.0))
    assert Motion([first, second], seconds, path).expect(40).sigma > found.sigma
    one = Motion([second], seconds, path).expect(20)
    assert one.azimuth == pytest.approx(math.atan2(1.0, 4.0))


def test_angles_wrap_as_geometry_does() -> None:
    for angle in np.linspace(-20.0, 20.0, 401).tolist() + [math.pi, -math.pi, 3 * math.pi]:
        assert wrap(angle) == pytest.approx(float(wrap_angle(angle)), abs=1e-12)
        assert -math.pi <= wrap(angle) < math.pi


def test_a_box_in_the_same_place_is_the_same_person_whatever_they_look_like() -> None:
    people = met()
    first = people.bind([sighting(0, 0.0, ahead(1880), look(1), (4.0, 0.0))])
    again = people.bind([sighting(0, 0.05, ahead(1880), look(2), (4.0, 0.0))])
    assert again == first
    # Their own looks are known again, though another one was seen once.
    later = people.bind([sighting(5, 0.0, ahead(1880), look(1), (4.0, 0.0))])
    assert later == first
