"""What a picture shows of an action, and what else one may call it, by both routes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from random_world import random_builder
from scene_builder import SceneBuilder

from avr_ros.annotations.scene_graph import TemporalSceneGraph
from avr_ros.benchmark.events import next_event, next_run
from avr_ros.benchmark.families.registry import FAMILIES
from avr_ros.benchmark.recipe import (
    BoundaryAsked,
    Edge,
    EventKind,
    FirstViewAsked,
    GapAsked,
    NextActionAsked,
    Recipe,
    Reference,
    SpanAsked,
)
from avr_ros.benchmark.references import Description, described_people, described_person
from avr_ros.benchmark.relations import NOBODY, Relation
from avr_ros.benchmark.scene import scene_of
from avr_ros.benchmark.validation.raw_people import is_shown, may_be_called, people_meant
from avr_ros.benchmark.validation.raw_rows import RawRows
from avr_ros.benchmark.validation.raw_states import first_change
from avr_ros.benchmark.wording import ACTION_WORDS, STILL, VISIBLE_ACTIONS
from avr_ros.schema.seeds import generator
from avr_ros.schema.vocabulary import AnswerMode, Family, Occlusion

MOSTLY = Occlusion.MOSTLY_VISIBLE


def both_routes(builder: SceneBuilder, action: str) -> tuple[bool, bool]:
    """Whether the first frame shows person 0 do an action, by arrays and by rows."""
    graph = builder.graph()
    scene, rows = scene_of(graph), RawRows(graph)
    return bool(scene.shows(action)[0, 0]), is_shown(rows.of(0, 0), action, rows.height)


# A person straight ahead who looks at the robot has heading 180 degrees.
@pytest.mark.parametrize(
    ("action", "change", "shown"),
    [
        ("reading", {}, True),
        ("reading", {"height": 90.0}, True),
        ("reading", {"height": 89.0}, False),
        ("standing", {"height": 89.0}, True),
        ("standing", {"height": 59.0}, False),
        ("reading", {"occlusion": MOSTLY}, False),
        ("standing", {"occlusion": MOSTLY}, True),
        ("reading", {"heading": math.radians(60.0)}, True),
        ("reading", {"heading": math.radians(59.0)}, False),
        ("reading", {"heading": math.radians(-59.0)}, False),
        ("pointing at sth", {"heading": 0.0}, True),
        ("standing", {"heading": 0.0}, True),
        ("interaction with door", {"heading": 0.0}, False),
        ("talking on the phone", {"heading": 0.0}, True),
        ("talking on the phone", {"heading": math.radians(90.0)}, False),
        ("talking on the phone", {"heading": math.radians(131.0)}, True),
        ("talking on the phone", {"heading": math.radians(129.0)}, False),
        ("talking on the phone", {"heading": math.radians(29.0)}, True),
        ("talking on the phone", {"heading": math.radians(31.0)}, False),
        ("scootering", {}, False),
        ("scootering", {"heading": math.radians(156.0)}, False),
        ("scootering", {"heading": math.radians(154.0)}, True),
        ("scootering", {"heading": math.radians(90.0), "occlusion": MOSTLY}, False),
        ("cycling", {}, True),
        ("cycling", {"height": 89.0}, False),
        ("reading", {"placed": False}, False),
        ("pointing at sth", {"placed": False}, True),
        ("standing", {"boxed": False}, False),
    ],
)
def test_a_picture_shows_an_action(action: str, change: dict[str, object], shown: bool) -> None:
    builder = SceneBuilder(1).person(0, 0.0, action).change(0, 0, 0, **change)
    assert both_routes(builder, action) == (shown, shown)


def test_a_gesture_is_not_seen_of_somebody_whose_head_is_out_of_the_picture() -> None:
    for top, seen in ((-5.0, False), (0.0, False), (1.0, True)):
        builder = SceneBuilder(1).person(0, 0.0, "greeting gestures", "standing")
        builder.change(0, 0, 0, top=top)
        assert both_routes(builder, "greeting gestures") == (seen, seen)
        assert both_routes(builder, "standing") == (True, True)


def some_world(index: int) -> TemporalSceneGraph:
    """A crowd whose boxes and hands vary as well."""
    builder = random_builder(5, index, frames=60)
    rng = generator(5, "boxes", index)
    for frame in sorted(builder.labels):
        for track in sorted(builder.labels[frame]):
            label = builder.labels[frame][track]
            label.height, label.top = rng.uniform(40.0, 300.0), rng.uniform(-20.0, 60.0)
            names = [name for name in ("holding sth", "looking into sth") if rng.random() < 0.2]
            label.actions = (label.actions or frozenset()).union(names)
    return builder.graph()


@pytest.mark.parametrize("index", range(3))
def test_both_routes_agree_on_a_crowd(index: int) -> None:
    graph = some_world(index)
    scene, rows = scene_of(graph), RawRows(graph)
    for action in VISIBLE_ACTIONS:
        shows, alike = scene.shows(action), scene.resembles(action)
        for frame, person in zip(*np.nonzero(scene.present), strict=True):
            row = rows.of(int(scene.frames[frame]), int(scene.tracks[person]))
            assert row is not None and row.actions is not None
            done = action in row.actions
            assert shows[frame, person] == (done and is_shown(row, action, rows.height))
            assert alike[frame, person] == may_be_called(row.actions, action)
    for actions in [(action,) for action in VISIBLE_ACTIONS] + [("standing", "holding sth")]:
        for closest in (False, True):
            described = described_person(scene, Description(actions, closest))
            for place, frame in enumerate(scene.frames.tolist()):
                meant = people_meant(rows, Reference(frame, actions, (), closest))
                person = int(described[place])
                expected = None if person == NOBODY else [int(scene.tracks[person])]
                if 2 <= place < len(scene.frames) - 2:
                    assert meant == expected


def cup_and(other: str, nearer: bool) -> SceneBuilder:
    """Person 0 holds a cup five metres away, and another one does something."""
    return (
        SceneBuilder(9)
        .person(0, 0.0, "standing", "holding sth")
        .person(1, 40.0, "standing", other, distance=3.0 if nearer else 8.0)
        .person(2, 80.0, "standing")
    )


@pytest.mark.parametrize("other", ["reading", "talking on the phone", "looking into sth"])
def test_who_reads_or_phones_holds_something_too(other: str) -> None:
    scene = scene_of(cup_and(other, nearer=False).graph())
    rows = RawRows(cup_and(other, nearer=False).graph())
    assert described_person(scene, Description(("holding sth",)))[4] == NOBODY
    assert people_meant(rows, Reference(4, ("holding sth",))) is None
    assert described_person(scene, Description(("holding sth",), closest=True))[4] == 0
    assert people_meant(rows, Reference(4, ("holding sth",), (), True)) == [0]
    scene, rows = (make(cup_and(other, nearer=True).graph()) for make in (scene_of, RawRows))
    assert described_person(scene, Description(("holding sth",), closest=True))[4] == NOBODY
    assert people_meant(rows, Reference(4, ("holding sth",), (), True)) is None


def test_who_waves_holds_nothing() -> None:
    scene = scene_of(cup_and("greeting gestures", nearer=True).graph())
    assert described_person(scene, Description(("holding sth",)))[4] == 0


def test_nobody_is_described_by_what_their_back_hides() -> None:
    builder = cup_and("greeting gestures", nearer=True)
    frontal = scene_of(builder.graph())
    assert (Description(("holding sth",)), 0) in described_people(frontal, 4, closest=False)
    builder.change(0, 0, 8, heading=0.0)
    behind = scene_of(builder.graph())
    assert (Description(("holding sth",)), 0) not in described_people(behind, 4, closest=False)


def takes_a_cup(before: str) -> SceneBuilder:
    """Person 0 does something until frame 39 and holds a cup from 40 to 79."""
    return (
        SceneBuilder(120)
        .person(0, 0.0, "standing")
        .doing(0, 20, 39, "standing", before)
        .doing(0, 40, 79, "standing", "holding sth")
        .doing(0, 80, 119, "walking")
    )


@pytest.mark.parametrize(
    ("before", "told"), [("looking into sth", False), ("reading", False), ("pointing at sth", True)]
)
def test_nobody_can_tell_when_somebody_with_a_phone_starts_holding_something(
    before: str, told: bool
) -> None:
    graph = takes_a_cup(before).graph()
    scene, rows = scene_of(graph), RawRows(graph)
    started = next_event(scene, 0, EventKind(Edge.START, "holding sth"), 5, 119)
    assert (None if started is None else started.frame) == (40 if told else None)
    assert first_change(rows, 0, "holding sth", 5, 119, to=True) == (40 if told else None)
    assert (next_run(scene, 0, "holding sth", 5, 119) is not None) == told


@pytest.mark.parametrize(("after", "told"), [("talking on the phone", False), ("typing", True)])
def test_nor_when_somebody_stops_who_goes_on_with_a_phone(after: str, told: bool) -> None:
    graph = takes_a_cup("pointing at sth").doing(0, 80, 119, "standing", after).graph()
    scene, rows = scene_of(graph), RawRows(graph)
    stopped = next_event(scene, 0, EventKind(Edge.STOP, "holding sth"), 50, 119)
    assert (None if stopped is None else stopped.frame) == (80 if told else None)
    assert first_change(rows, 0, "holding sth", 50, 119, to=False) == (80 if told else None)


def test_holding_something_is_not_offered_to_somebody_who_looks_into_a_phone() -> None:
    builder = takes_a_cup("looking into sth").doing(0, 40, 79, "walking")
    family = FAMILIES[Family.UNIQUE_ANCHOR_ACTION]
    reference = Reference(10, ("standing",))
    asked = Recipe(family.family, AnswerMode.CHOICE, "scene", reference, NextActionAsked())
    scene = scene_of(builder.graph())
    truth = family.truth(scene, asked)
    assert truth is not None and truth.answer == "walking"
    assert {"holding sth", "reading"} <= family.not_wrong(scene, asked, truth)
    calm = scene_of(takes_a_cup("pointing at sth").doing(0, 20, 79, "walking").graph())
    truth = family.truth(calm, asked)
    assert truth is not None
    assert "holding sth" not in family.not_wrong(calm, asked, truth)


@pytest.mark.parametrize("action", STILL)
@pytest.mark.parametrize("seed", range(12))
def test_nobody_starts_or_stops_a_posture(action: str, seed: int) -> None:
    chain = Reference(3, ("reading",), (Relation.LEFT, Relation.LEFT))
    kinds = [EventKind(edge, action) for edge in Edge]
    recipes = [
        *(
            Recipe(Family.ACTION_BOUNDARY, AnswerMode.FRAME, "s", Reference(3, ("reading",)), asked)
            for asked in map(BoundaryAsked, kinds)
        ),
        Recipe(
            Family.ACTION_BOUNDARY,
            AnswerMode.SPAN,
            "s",
            Reference(3, ("reading",)),
            SpanAsked(action),
        ),
        Recipe(Family.CHAIN_HYBRID, AnswerMode.FRAME_VIEW, "s", chain, FirstViewAsked(action)),
    ]
    for recipe in recipes:
        text = FAMILIES[recipe.family].text(recipe, generator(seed, "words"))
        doing = ACTION_WORDS[action].doing
        assert f"start {doing}" not in text and f"stop {doing}" not in text


def test_seconds_are_counted_from_sitting_down() -> None:
    asked = GapAsked(EventKind(Edge.START, "sitting"), EventKind(Edge.START, "lying"))
    recipe = Recipe(Family.LONG_RANGE, AnswerMode.NUMBER, "s", Reference(3, ("reading",)), asked)
    text = FAMILIES[recipe.family].text(recipe, generator(0, "words"))
    assert "sits down" in text and "lies down" in text
