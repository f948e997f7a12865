"""What the local model makes of views: notes, who is who, coverage, changes."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.geometry.crop import CropWindow
from avr_ros.geometry.full_turn import FAN_STEP
from avr_ros.reasoning.local.answer import CannotAnswerError
from avr_ros.reasoning.local.sight.choose_look import choose_look
from avr_ros.reasoning.local.sight.events import STRIDE, Change, Scan, frames_ahead
from avr_ros.reasoning.local.sight.identity import tracks_of
from avr_ros.reasoning.local.sight.scene import Scene
from avr_ros.reasoning.local.sight.search import choice_action
from avr_ros.reasoning.local.sight.seen import (
    SeenPerson,
    SeenView,
    describe_view,
    read_notes,
    seen_views,
)
from avr_ros.reasoning.local.sight.wanted import Around, LookAt, Part, Through
from avr_ros.reasoning.meaning import Edge
from avr_ros.reasoning.stage import StageImage
from avr_ros.reasoning.stages.contract import ShownView
from avr_ros.reasoning.view_caption import caption_seconds, place_text, view_caption
from avr_ros.schema.observation import GivenFrame, Observation

HALF = math.radians(45.957) / 2


def looks(seed: int) -> np.ndarray:
    vector = np.random.default_rng(seed).normal(size=64).astype(np.float32)
    return vector / np.linalg.norm(vector)


def person(frame: int, degrees: float, seed: int, *actions: str, meant: bool = False) -> SeenPerson:
    azimuth = math.radians(degrees)
    return SeenPerson(
        frame=frame,
        azimuth=azimuth,
        place=(4 * math.cos(azimuth), 4 * math.sin(azimuth)),
        heading=0.5,
        actions=dict.fromkeys(actions, 0.9),
        visibility=1.0,
        appearance=looks(seed),
        meant=meant,
    )


def view(frame: int, degrees: float, *people: SeenPerson, name: str = "") -> SeenView:
    return SeenView(name, frame, frame / 15, math.radians(degrees), HALF, people)


@pytest.mark.parametrize("azimuth", [math.radians(-30.0), None])
def test_captions_are_read_as_they_are_written(azimuth: float | None) -> None:
    caption = view_caption(7, 2_500_000_000, azimuth, 1_000_000.0, math.radians(20.0))
    assert caption_seconds(caption) == 1.5
    if azimuth is None:
        source: GivenFrame | Observation = GivenFrame("q#1/1", "s", 7, 2_500_000_000, b"")
    else:
        crop = CropWindow(0, 0, 480, 480, 3760)
        source = Observation("q#1/1", "s", 7, 2_500_000_000, azimuth, 0.8, crop, b"")
    image = StageImage("view 1", b"", source, list)
    (seen,) = seen_views([ShownView(name="view 1", caption=caption)], [image])
    assert (seen.frame, seen.seconds, seen.azimuth) == (7, 1.5, azimuth or 0.0)


def test_a_picture_without_a_place_is_not_passed_over() -> None:
    source = GivenFrame("q#1/1", "s", 7, 0, b"")
    placed = StageImage("view 1", b"", source, list)
    nowhere = StageImage("view 1", b"", None, list)
    for image, caption in ((placed, "the whole panorama"), (nowhere, place_text(7, 0.5, 0.0))):
        with pytest.raises(CannotAnswerError, match="not a view of a recording"):
            seen_views([ShownView(name="view 1", caption=caption)], [image])


def test_notes_survive_being_written_and_read() -> None:
    meant = person(30, -12.3, 1, "walking", "holding sth")
    seen = view(30, -10, meant, person(30, 4, 2, "sitting"))
    text = f"Step 3: action=look result=done reasoning={describe_view(seen, meant)} and more"
    (read,) = read_notes(text)
    assert (read.frame, read.seconds) == (30, 2.0)
    assert math.degrees(read.azimuth) == pytest.approx(-10)
    first, second = read.people
    assert first.meant and not second.meant
    assert first.doing() == ("holding sth", "walking") and second.doing() == ("sitting",)
    assert math.degrees(first.azimuth) == pytest.approx(-12.3)
    assert first.place == pytest.approx(meant.place, abs=0.01)
    assert first.heading == pytest.approx(0.5, abs=0.01)
    assert float(first.appearance @ meant.appearance) > 0.7
    assert abs(float(second.appearance @ meant.appearance)) < 0.5
    assert read_notes(describe_view(view(3, 0), None))[0].people == ()


def test_people_are_told_apart_by_their_looks_and_places() -> None:
    views = [
        view(10, 0, person(10, 5, 1), person(10, -8, 2)),
        view(10, 45, person(10, 40, 3)),
        view(20, 0, person(20, 12, 1), person(20, 30, 3)),
    ]
    tracks = tracks_of(views)
    assert sorted(track.frames() for track in tracks) == [[10], [10, 20], [10, 20]]


def test_everybody_who_is_meant_is_one_person() -> None:
    views = [
        view(10, 0, person(10, 5, 1, meant=True)),
        view(90, 180, person(90, 170, 9, meant=True), person(90, 165, 2)),
    ]
    meant = [track for track in tracks_of(views) if track.meant]
    assert len(meant) == 1 and meant[0].frames() == [10, 90]


def test_unseen_directions_complete_the_circle() -> None:
    scene = Scene([view(5, 0), view(5, 90), view(9, 0)])
    degrees = [round(math.degrees(azimuth)) % 360 for azimuth in scene.unseen(5)]
    assert degrees == [45, 135, 180, 225, 270, 315]
    assert len(scene.unseen(6)) == 8
    assert Scene([view(5, 45 * step) for step in range(8)]).unseen(5) == []


@given(st.lists(st.floats(-180, 180), max_size=12))
def test_after_looking_at_what_is_unseen_nothing_is(azimuths: list[float]) -> None:
    views = [view(1, azimuth) for azimuth in azimuths]
    missing = [math.degrees(azimuth) for azimuth in Scene(views).unseen(1)]
    assert Scene([*views, *(view(1, azimuth) for azimuth in missing)]).unseen(1) == []
    assert len(missing) <= 8


def test_the_first_change_is_found_and_narrowed_down() -> None:
    scan = Scan({10: False, 28: False, 46: True, 64: False}, frozenset({37}))
    change = scan.change(Edge.START, 10)
    assert change == Change(28, 46) and change.frame == 37
    # Frame 37 and its neighbours were looked at in vain.
    assert scan.middle(change) in (34, 40)
    assert scan.change(Edge.STOP, 10) == Change(46, 64)
    assert scan.change(Edge.START, 46) is None
    assert Scan({}).middle(Change(3, 4)) is None


def test_looks_ahead_stay_in_the_window() -> None:
    frames = frames_ahead(10, 60, lambda frame: frame <= 60)
    assert frames == (10 + STRIDE, 10 + 2 * STRIDE)
    assert frames_ahead(50, 60, lambda frame: frame <= 60) == (60,)
    assert frames_ahead(60, 60, lambda frame: True) == ()


def test_wishes_become_what_is_offered() -> None:
    current = view(5, 0, name="view 1")
    around = Around(5, (FAN_STEP, 2 * FAN_STEP, 4 * FAN_STEP), Part.WHO)
    swept = choose_look(around, current, None, ["SWEEP", "FACE", "SEEK"])
    assert swept is not None and (swept.action, swept.count) == ("SWEEP", 2)
    single = choose_look(around, current, None, ["look"])
    assert single is not None and (single.action, single.frame_id) == ("look", 5)
    aside = choose_look(LookAt(5, -1.0, Part.WHAT), current, None, ["FACE", "SEEK"])
    assert aside is not None and aside.action == "FACE"
    later = choose_look(Through((20, 40), 0.5), current, None, ["FOLLOW", "SEEK"])
    assert later is not None and (later.action, later.frame_id) == ("SEEK", 20)
    assert choose_look(around, current, None, []) is None


def test_choices_name_actions() -> None:
    assert choice_action("riding a bicycle") == "cycling"
    assert choice_action("yes, still there") is None
