"""long_range: how many seconds lie between two far-apart events of one person.

Seconds come from the stamps of the frames, never from a frame rate.

Necessity. Temporal: without the frames after the first event the best there is to say is that the
second one follows at once; that must be wrong. Anchor: without the description anybody may be meant
at any time, and somewhere another time must lie between the same events. One observation shows one
frame, and neither event is told from one frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.events import Event, events_of, next_event
from avr_ros.benchmark.families.answer_forms import WithoutChoices
from avr_ros.benchmark.families.family import SearchSettings
from avr_ros.benchmark.families.search import (
    around_event,
    can_be_followed,
    event_actions,
    features,
    frames_around,
    random_references,
)
from avr_ros.benchmark.recipe import (
    AnswerValue,
    Edge,
    EventKind,
    GapAsked,
    Recipe,
    Truth,
)
from avr_ros.benchmark.references import follow
from avr_ros.benchmark.scene import Scene
from avr_ros.benchmark.tolerances import class_of_number
from avr_ros.benchmark.validation.raw_rows import RawRows
from avr_ros.benchmark.validation.raw_states import first_change
from avr_ros.benchmark.wording import ACTION_WORDS, one_person, pick
from avr_ros.schema.vocabulary import AnswerMode, Family

SHORTEST_GAP: Final = 4.0
"""Seconds between two events from which on they are far apart."""

NOT_ASKED: Final = "standing"
"""An action whose start and stop are no events: nobody starts standing, they stop walking."""

PAIRS: Final = 6
"""Most pairs of events that are asked about one described person."""

_GETS_TO: Final = {"sitting": "sits down", "lying": "lies down"}
"""What somebody does who starts to be in a posture."""

_ASKED = (
    "How many seconds pass from the moment this person {first} until the same person {second}?",
    "This person later {first}, and some time after that {second}. How many seconds lie between"
    " these two moments?",
    "How long, in seconds, is it from when this person {first} to when this person next {second}?",
)


class LongRange(WithoutChoices):
    """The family."""

    family = Family.LONG_RANGE
    modes = (AnswerMode.NUMBER,)
    checks = (Check.TEMPORAL, Check.ANCHOR)

    def search(
        self, scene: Scene, settings: SearchSettings, rng: np.random.Generator
    ) -> Iterator[Recipe]:
        """Pairs of events of everybody who can be described by what they do."""
        if not scene.has_stamps:
            return
        frames = np.arange(len(scene.frames))
        for frame, reference, path in random_references(scene, frames, ((),), rng, closest=True):
            pairs = _pairs(scene, path[-1], frame)
            for place in rng.permutation(len(pairs))[:PAIRS].tolist():
                yield Recipe(
                    self.family,
                    AnswerMode.NUMBER,
                    scene.sequence,
                    reference,
                    GapAsked(*pairs[place]),
                )

    def truth(self, scene: Scene, recipe: Recipe) -> Truth | None:
        """Seconds between the events, to a tenth."""
        path = follow(scene, recipe.reference)
        if path is None:
            return None
        found = self._events(scene, recipe, path[-1])
        if found is None:
            return None
        tracks = tuple(int(scene.tracks[index]) for index in path)
        frames = [int(scene.frames[event.frame]) for event in found]
        evidence = sorted(
            {near for frame in frames for near in frames_around(scene, path[-1], frame, None)}
        )
        seen = [(recipe.reference.frame, tracks[0])]
        both = [around_event(scene, event) for event in found]
        seen += [(near, tracks[0]) for around in both for near in around.frames]
        shown = tuple(around.shown for around in both)
        return Truth(_seconds(scene, found), tracks, tuple(evidence), tuple(seen), shown)

    def rederive(self, rows: RawRows, recipe: Recipe, target: int) -> AnswerValue | None:
        """Scan the person's labels frame by frame for both events, and read their stamps."""
        assert isinstance(recipe.asked, GapAsked)
        last = rows.frame_ids[-1]
        frames: list[int] = []
        after = recipe.reference.frame
        for event in (recipe.asked.first, recipe.asked.second):
            on = event.edge is Edge.START
            frame = first_change(rows, target, event.action, after, last, to=on)
            if frame is None:
                return None
            frames.append(frame)
            after = frame
        seconds = rows.seconds_between(*frames)
        return None if seconds is None else round(seconds, 1)

    def remaining(
        self, scene: Scene, recipe: Recipe, truth: Truth, check: Check
    ) -> Iterator[AnswerValue]:
        """Answers without the frames after the first event, or without the description."""
        assert isinstance(recipe.asked, GapAsked)
        if check is Check.TEMPORAL:
            yield 0.0
            return
        last = len(scene.frames) - 1
        for person in range(scene.people):
            for first in events_of(scene, person, recipe.asked.first):
                second = next_event(scene, person, recipe.asked.second, first.frame, last)
                if second is not None:
                    yield _seconds(scene, (first, second))

    def stratum(self, recipe: Recipe, truth: Truth) -> str | None:
        """The stretch that one guess covers in which the time lies."""
        assert isinstance(truth.answer, float)
        index = class_of_number(recipe, truth.answer, SHORTEST_GAP)
        return f"{index:03d}" if truth.answer >= SHORTEST_GAP else None

    def text(self, recipe: Recipe, rng: np.random.Generator) -> str:
        """The description, then the question."""
        assert isinstance(recipe.asked, GapAsked)
        reference = recipe.reference
        described = one_person(reference.frame, reference.actions, rng, reference.closest)
        first, second = (_phrase(event) for event in (recipe.asked.first, recipe.asked.second))
        return f"{described} {pick(_ASKED, rng).format(first=first, second=second)}"

    def fewest_classes(self, mode: AnswerMode) -> int:
        """Four."""
        return 4

    def features(self, recipe: Recipe) -> tuple[str, ...]:
        """The description and the two events."""
        return features(recipe)

    def _events(self, scene: Scene, recipe: Recipe, person: int) -> tuple[Event, Event] | None:
        assert isinstance(recipe.asked, GapAsked)
        described = scene.frame_index(recipe.reference.frame)
        assert described is not None
        last = len(scene.frames) - 1
        first = next_event(scene, person, recipe.asked.first, described, last)
        if first is None:
            return None
        second = next_event(scene, person, recipe.asked.second, first.frame, last)
        return None if second is None else (first, second)


def _pairs(scene: Scene, person: int, frame: int) -> list[tuple[EventKind, EventKind]]:
    """Pairs of kinds of events of a person of which the second follows far after the first.

    Only those that the person is seen at and that somebody else has as well; the rest would be
    rejected later.
    """
    actions = [action for action in event_actions(scene, person) if action != NOT_ASKED]
    kinds = [EventKind(edge, action) for action in actions for edge in Edge]
    last = len(scene.frames) - 1
    found: list[tuple[EventKind, EventKind]] = []
    for first in kinds:
        begun = next_event(scene, person, first, frame, last)
        if begun is None or not _seen(scene, begun):
            continue
        for second in kinds:
            if _people_with(scene, first.action, second.action) < 2:
                continue
            ended = next_event(scene, person, second, begun.frame, last)
            if ended is None or not _seen(scene, ended):
                continue
            if not can_be_followed(scene, person, frame, ended.frame):
                continue
            if _seconds(scene, (begun, ended)) >= SHORTEST_GAP:
                found.append((first, second))
    return found


def _seen(scene: Scene, event: Event) -> bool:
    """Whether a person is seen shortly before and after an event, and doing what they do then."""
    around = around_event(scene, event)
    frames = [scene.frame_index(near) for near in around.frames]
    seen = all(frame is not None and bool(scene.clear[frame, event.person]) for frame in frames)
    frame, action = around.shown
    return seen and bool(scene.shows(action)[scene.frame_index(frame), event.person])


def _people_with(scene: Scene, first: str, second: str) -> int:
    """Number of people who do both of two actions at some time."""
    key = ("people with", first, second)
    found = scene.cache.get(key)
    if found is None:
        both = np.any(scene.does(first), axis=0) & np.any(scene.does(second), axis=0)
        found = scene.cache[key] = int(np.count_nonzero(both))
    return int(found)


def _seconds(scene: Scene, events: tuple[Event, Event]) -> float:
    first, second = (int(scene.stamps_us[event.frame]) for event in events)
    return round((second - first) / 1e6, 1)


def _phrase(event: EventKind) -> str:
    if event.edge is Edge.START and event.action in _GETS_TO:
        return _GETS_TO[event.action]
    return f"{event.edge.value}s {ACTION_WORDS[event.action].doing}"
