"""For each family a scene with a valid question, and single changes that a check must notice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from scene_builder import SceneBuilder

from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.recipe import (
    Asked,
    BoundaryAsked,
    DistanceAsked,
    Edge,
    EventKind,
    FirstViewAsked,
    GapAsked,
    NextActionAsked,
    PresenceAsked,
    Recipe,
    Reference,
    SpanAsked,
    StateAsked,
)
from avr_ros.benchmark.relations import Relation
from avr_ros.schema.vocabulary import AnswerMode, Family, Occlusion

FRAMES = 240
DESCRIBED = 20
LATER = 140
WINDOW = (DESCRIBED, DESCRIBED + 180)
HIDDEN = Occlusion.SEVERELY_OCCLUDED

Change = Callable[[SceneBuilder], object]


@dataclass(frozen=True)
class Mutation:
    """One change to the labels, and the only check that fails then.

    ``rebound``: the answer is taken anew from the changed labels, because the change moves it.
    """

    check: Check
    change: Change
    rebound: bool = False


@dataclass(frozen=True)
class Case:
    """A valid question about a scene, its answer, and changes that invalidate it."""

    name: str
    scene: Callable[[], SceneBuilder]
    recipe: Recipe
    answer: object
    mutations: tuple[Mutation, ...] = field(default=())


def recipe(
    family: Family,
    mode: AnswerMode,
    asked: Asked,
    relations: tuple[Relation, ...] = (),
    frame: int = DESCRIBED,
    window: tuple[int, int] | None = None,
) -> Recipe:
    """A question about the only reader, or about who is reached from them."""
    return Recipe(family, mode, "scene", Reference(frame, ("reading",), relations), asked, window)


def boundary_scene() -> SceneBuilder:
    """Person 1 reads and walks from 70 to 119; person 2 walks from 130 to 179."""
    return (
        SceneBuilder(FRAMES)
        .person(1, 0.0, "standing")
        .doing(1, 0, 69, "standing", "reading")
        .doing(1, 70, 119, "walking")
        .person(2, 60.0, "standing")
        .doing(2, 130, 179, "walking")
        .person(3, 120.0, "sitting")
    )


def walk(track: int, first: int, last: int) -> Change:
    """Somebody walks from one frame to another and stands else."""

    def change(builder: SceneBuilder) -> None:
        kept = builder.labels[DESCRIBED][track].actions or frozenset()
        builder.doing(track, 0, FRAMES - 1, "standing")
        builder.doing(track, 0, min(DESCRIBED + 3, first - 1), *kept)
        builder.doing(track, first, last, "walking")

    return change


ANOTHER_READS = Mutation(
    Check.UNIQUENESS, lambda builder: builder.doing(3, 15, 25, "sitting", "reading")
)

BOUNDARY = Case(
    "action_boundary frame",
    boundary_scene,
    recipe(
        Family.ACTION_BOUNDARY,
        AnswerMode.FRAME,
        BoundaryAsked(EventKind(Edge.START, "walking")),
        window=WINDOW,
    ),
    70,
    (
        ANOTHER_READS,
        Mutation(Check.REDERIVATION, lambda builder: builder.doing(1, 60, 69, "walking")),
        Mutation(Check.VISIBILITY, lambda builder: builder.change(1, 60, 80, occlusion=HIDDEN)),
        Mutation(Check.TEMPORAL, walk(1, 24, 119), rebound=True),
        Mutation(Check.ANCHOR, walk(2, 72, 119)),
    ),
)
STOP = Case(
    "action_boundary frame, stop",
    boundary_scene,
    recipe(
        Family.ACTION_BOUNDARY,
        AnswerMode.FRAME,
        BoundaryAsked(EventKind(Edge.STOP, "standing")),
        window=WINDOW,
    ),
    70,
    (Mutation(Check.ANCHOR, walk(2, 72, 119)),),
)
SPAN = Case(
    "action_boundary span",
    boundary_scene,
    recipe(Family.ACTION_BOUNDARY, AnswerMode.SPAN, SpanAsked("walking"), window=WINDOW),
    (70, 119),
    (
        ANOTHER_READS,
        Mutation(Check.REDERIVATION, lambda builder: builder.doing(1, 110, 119, "standing")),
        Mutation(Check.VISIBILITY, lambda builder: builder.change(1, 119, 119, height=30.0)),
        Mutation(Check.TEMPORAL, walk(1, 26, 75), rebound=True),
        Mutation(Check.ANCHOR, walk(2, 80, 129)),
    ),
)

# People in a row to the left of each other; nobody is within 90 degrees to the right of the first
# of a row. Tracks: 1 the reader, 2 the second person, 3 the one meant, 4 behind in the same row;
# 5 and 6 a row of their own.
ROW = {1: 0.0, 2: 40.0, 3: 80.0, 4: 110.0, 5: -150.0, 6: -110.0}
# As before, but 7 joins both rows.
JOINED = {**ROW, 7: -60.0}
# 2 and 3 are a group; 8 stands between them.
GROUPED = {1: 0.0, 2: 40.0, 8: 60.0, 3: 100.0, 4: 130.0, 5: -150.0}
LEFT_LEFT = (Relation.LEFT, Relation.LEFT)
LEFT_GROUP = (Relation.LEFT, Relation.GROUP)

Give = Callable[[SceneBuilder, int, str], object]


def row_scene(places: dict[int, float], kinds: dict[int, str], give: Give) -> SceneBuilder:
    """Standing people, of whom the first reads; ``give`` makes them have what is asked about."""
    builder = SceneBuilder(FRAMES)
    for track, azimuth in places.items():
        group = 1 if places is GROUPED and track in (2, 3) else -1
        builder.person(track, azimuth, "standing", group=group)
    builder.doing(1, 0, DESCRIBED + 10, "standing", "reading")
    for track, kind in kinds.items():
        give(builder, track, kind)
    return builder


def squeeze(builder: SceneBuilder) -> None:
    """Move the second and the third person so near that one view shows all three."""
    for frame in range(FRAMES):
        for track, azimuth in ((2, 0.21), (3, 0.42)):
            builder.labels[frame][track].azimuth = azimuth


def chain_cases(
    family: Family, mode: AnswerMode, asked: Asked, give: Give, own: tuple[Mutation, ...]
) -> list[Case]:
    """The cases of a family that follows two relations.

    What is asked about has two kinds, "same" as the person meant and "other".
    """
    window = WINDOW if mode is AnswerMode.FRAME_VIEW else None
    answer = {"same": None}

    def case(
        name: str,
        places: dict[int, float],
        kinds: dict[int, str],
        relations: tuple[Relation, ...],
        *mutations: Mutation,
    ) -> Case:
        return Case(
            f"{family.value} {name}",
            lambda: row_scene(places, kinds, give),
            recipe(family, mode, asked, relations, window=window),
            answer["same"],
            mutations,
        )

    def gives(track: int, kind: str) -> Change:
        return lambda builder: give(builder, track, kind)

    reads = Mutation(
        Check.UNIQUENESS, lambda builder: builder.doing(5, 15, 25, "standing", "reading")
    )
    rival = Mutation(
        Check.UNIQUENESS,
        lambda builder: builder.person(9, 43.0, "standing", first=0),
    )
    unseen = Mutation(Check.VISIBILITY, lambda builder: builder.change(2, 15, 25, occlusion=HIDDEN))
    others = dict.fromkeys((1, 2, 5, 6), "other")
    return [
        case(
            "row",
            ROW,
            {3: "same", 4: "other", **others},
            LEFT_LEFT,
            reads,
            rival,
            unseen,
            Mutation(Check.ANCHOR, gives(4, "same")),
            *own,
        ),
        case(
            "joined rows",
            JOINED,
            {3: "same", 4: "same", 7: "same", **others},
            LEFT_LEFT,
            Mutation(Check.FIRST_HOP, gives(6, "same")),
        ),
        case(
            "group",
            GROUPED,
            {3: "same", 4: "same", 8: "same", 1: "other", 2: "other", 5: "other"},
            LEFT_GROUP,
            Mutation(Check.SECOND_HOP, gives(5, "same")),
        ),
    ]


def give_state_at_once(builder: SceneBuilder, track: int, kind: str) -> None:
    """Sitting at the described frame, or bending."""
    if track != 1:
        builder.doing(track, 0, FRAMES - 1, "sitting" if kind == "same" else "bending")


def give_later_state(builder: SceneBuilder, track: int, kind: str) -> None:
    """Sitting from frame 80 on, or bending."""
    builder.doing(track, 80, FRAMES - 1, "sitting" if kind == "same" else "bending")


def give_start(builder: SceneBuilder, track: int, kind: str) -> None:
    """Walking from frame 70 on, or from 120 on."""
    builder.doing(track, 40, FRAMES - 1, "standing")
    builder.doing(track, 70 if kind == "same" else 120, FRAMES - 1, "walking")


RELATION_CHAINS = chain_cases(
    Family.RELATION_CHAIN,
    AnswerMode.CHOICE,
    StateAsked(DESCRIBED),
    give_state_at_once,
    (
        Mutation(Check.REDERIVATION, lambda builder: builder.doing(3, 0, 60, "walking")),
        Mutation(Check.MULTI_STEP, squeeze),
    ),
)
TEMPORAL_CHAINS = chain_cases(
    Family.TEMPORAL_CHAIN,
    AnswerMode.CHOICE,
    StateAsked(LATER),
    give_later_state,
    (
        Mutation(Check.REDERIVATION, lambda builder: builder.doing(3, 100, 200, "walking")),
        Mutation(Check.VISIBILITY, lambda builder: builder.change(3, 130, 150, occlusion=HIDDEN)),
        Mutation(Check.TEMPORAL, lambda builder: builder.doing(3, 0, 79, "sitting")),
    ),
)
CHAIN_HYBRIDS = chain_cases(
    Family.CHAIN_HYBRID,
    AnswerMode.FRAME_VIEW,
    FirstViewAsked("walking"),
    give_start,
    (
        Mutation(Check.REDERIVATION, lambda builder: builder.doing(3, 60, 70, "walking")),
        Mutation(Check.VISIBILITY, lambda builder: builder.change(3, 60, 80, occlusion=HIDDEN)),
        Mutation(
            Check.TEMPORAL,
            lambda builder: builder.doing(3, 24, FRAMES - 1, "walking"),
            rebound=True,
        ),
        Mutation(Check.VIEW, squeeze),
    ),
)


def habit_scene() -> SceneBuilder:
    """Person 1 has read twice before; once they walked then, once they sat."""
    return (
        SceneBuilder(FRAMES)
        .person(1, 0.0, "standing", "reading")
        .doing(1, 10, 24, "walking")
        .doing(1, 40, 54, "sitting")
        .doing(1, 130, FRAMES - 1, "walking")
        .person(2, 60.0, "standing")
        .doing(2, 150, FRAMES - 1, "sitting")
        .person(3, 120.0, "sitting")
    )


NEXT_ACTION = Case(
    "unique_anchor_action",
    habit_scene,
    recipe(Family.UNIQUE_ANCHOR_ACTION, AnswerMode.CHOICE, NextActionAsked(), frame=100),
    "walking",
    (
        Mutation(Check.UNIQUENESS, lambda builder: builder.doing(3, 95, 105, "sitting", "reading")),
        Mutation(Check.REDERIVATION, lambda builder: builder.doing(1, 115, 129, "bending")),
        Mutation(
            Check.VISIBILITY, lambda builder: builder.change(1, 130, FRAMES - 1, occlusion=HIDDEN)
        ),
        Mutation(Check.TEMPORAL, lambda builder: builder.doing(1, 40, 54, "walking")),
        Mutation(Check.ANCHOR, lambda builder: builder.doing(2, 150, FRAMES - 1, "walking")),
    ),
)


def leaving_scene() -> SceneBuilder:
    """Person 1 reads and goes to another place; person 2 leaves at frame 60."""
    builder = SceneBuilder(FRAMES).person(1, 0.0, "walking")
    builder.doing(1, 0, 40, "walking", "reading")
    builder.change(1, 100, FRAMES - 1, azimuth=0.7, distance=8.0)
    builder.person(2, 60.0, "standing", last=60, distance=3.0)
    return builder.person(3, 120.0, "sitting", distance=4.0)


PRESENCE = Case(
    "unique_anchor_state presence",
    leaving_scene,
    recipe(Family.UNIQUE_ANCHOR_STATE, AnswerMode.CHOICE, PresenceAsked(LATER)),
    "yes",
    (
        ANOTHER_READS,
        Mutation(Check.REDERIVATION, lambda builder: builder.change(1, 142, 142, occlusion=HIDDEN)),
        Mutation(Check.VISIBILITY, lambda builder: builder.change(1, 20, 20, height=30.0)),
        Mutation(Check.TEMPORAL, lambda builder: builder.change(1, 100, FRAMES - 1, azimuth=0.0)),
        Mutation(Check.ANCHOR, lambda builder: builder.person(2, 60.0, "standing", distance=3.0)),
    ),
)
ABSENCE = Case(
    "unique_anchor_state absence",
    lambda: leaving_scene().leave_out(1, 90, FRAMES - 1),
    recipe(Family.UNIQUE_ANCHOR_STATE, AnswerMode.CHOICE, PresenceAsked(LATER)),
    "no",
    (
        Mutation(Check.VISIBILITY, lambda builder: builder.change(1, 70, 89, occlusion=HIDDEN)),
        Mutation(Check.ANCHOR, lambda builder: builder.leave_out(3, 90, FRAMES - 1)),
    ),
)
DISTANCE = Case(
    "unique_anchor_state distance",
    leaving_scene,
    recipe(Family.UNIQUE_ANCHOR_STATE, AnswerMode.NUMBER, DistanceAsked(LATER)),
    8.0,
    (
        ANOTHER_READS,
        Mutation(
            Check.REDERIVATION, lambda builder: builder.change(1, 100, FRAMES - 1, distance=8.2)
        ),
        Mutation(Check.VISIBILITY, lambda builder: builder.change(1, 130, 150, occlusion=HIDDEN)),
        Mutation(Check.TEMPORAL, lambda builder: builder.change(1, 0, 99, distance=7.7)),
        Mutation(Check.ANCHOR, lambda builder: builder.change(3, 0, FRAMES - 1, distance=8.3)),
    ),
)


def two_events_scene() -> SceneBuilder:
    """Person 1 reads, sits down at 50 and walks at 150; person 2 sits at 60 and walks at 110."""
    builder = SceneBuilder(FRAMES)
    for track, azimuth, sits, walks in ((1, 0.0, 50, 150), (2, 60.0, 60, 110)):
        builder.person(track, azimuth, "standing")
        builder.doing(track, sits, walks - 1, "sitting")
        builder.doing(track, walks, FRAMES - 1, "walking")
    builder.doing(1, 0, 40, "standing", "reading")
    return builder.person(3, 120.0, "sitting")


def rise(track: int, frame: int) -> Change:
    """Somebody who sits stands up and walks at a frame instead."""

    def change(builder: SceneBuilder) -> None:
        sits = 50 if track == 1 else 60
        builder.doing(track, sits, frame - 1, "sitting")
        builder.doing(track, frame, FRAMES - 1, "walking")

    return change


GAP = Case(
    "long_range",
    two_events_scene,
    recipe(
        Family.LONG_RANGE,
        AnswerMode.NUMBER,
        GapAsked(EventKind(Edge.START, "sitting"), EventKind(Edge.START, "walking")),
    ),
    6.8,
    (
        ANOTHER_READS,
        Mutation(Check.REDERIVATION, rise(1, 156)),
        Mutation(Check.VISIBILITY, lambda builder: builder.change(1, 140, 160, occlusion=HIDDEN)),
        Mutation(Check.TEMPORAL, rise(1, 64), rebound=True),
        Mutation(Check.ANCHOR, rise(2, 166)),
    ),
)

CASES = [
    BOUNDARY,
    STOP,
    SPAN,
    *RELATION_CHAINS,
    *TEMPORAL_CHAINS,
    *CHAIN_HYBRIDS,
    NEXT_ACTION,
    PRESENCE,
    ABSENCE,
    DISTANCE,
    GAP,
]
