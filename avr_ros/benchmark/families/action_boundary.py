"""action_boundary: when a uniquely described person starts or stops an action, or the span of it.

The described frame is the first of a window of fixed length, and events are spread evenly over the
window, so that a guess from the text alone is no better than any frame.

Necessity. Temporal: without the frames after the described one, the next frame is the best there
is to say, and that must be wrong. Anchor: without the description anybody present at the described
frame may be meant, and for somebody the answer must be another one. Any one observation shows
either the described frame, which the temporal check covers, or a frame in which nobody is
described.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.events import Event, next_event, next_run
from avr_ros.benchmark.families.answer_forms import WithoutChoices
from avr_ros.benchmark.families.family import SearchSettings
from avr_ros.benchmark.families.search import (
    FIRST_OFFSET,
    around_event,
    can_be_followed,
    event_actions,
    features,
    frames_around,
    frames_with_window,
    last_index,
    offset_bin,
    people_there,
    random_references,
    share_visible,
    visible_frames,
)
from avr_ros.benchmark.recipe import (
    AnswerValue,
    BoundaryAsked,
    Edge,
    EventKind,
    Recipe,
    Reference,
    SpanAsked,
    Truth,
)
from avr_ros.benchmark.references import follow
from avr_ros.benchmark.relations import Relation
from avr_ros.benchmark.scene import Scene
from avr_ros.benchmark.validation.raw_rows import RawRows
from avr_ros.benchmark.validation.raw_states import first_change
from avr_ros.benchmark.wording import ACTION_WORDS, STILL, one_person, person_beside, pick
from avr_ros.schema.vocabulary import AnswerMode, Family

LONGEST_SPAN_SHARE: Final = 1 / 3
"""Largest share of the window that a span may fill: a longer one is easily hit blindly."""

SPAN_BINS: Final = 4
"""Number of stretches of the window over which the starts of spans are spread evenly.

A guess with the right length is right if it is off by at most a third of the length, so it covers
at most 2/9 of the window.
"""

SEEN_SHARE: Final = 0.6
"""Smallest share of the frames up to the event in which the person is seen, to be followed."""

CHAINS: Final[tuple[tuple[Relation, ...], ...]] = ((), (Relation.LEFT,), (Relation.RIGHT,))
"""How the person may be reached from the described one."""

_START = (
    "In which frame does this person start {doing}?",
    "What is the first frame after that in which this person is {doing}?",
    "When does this person start {doing}? Answer with a frame number.",
)
_STOP = (
    "In which frame does this person stop {doing}?",
    "What is the first frame after that in which this person is no longer {doing}?",
    "When does this person stop {doing}? Answer with a frame number.",
)
_COMES_TO = (
    "What is the first frame after that in which this person is {doing}?",
    "When is this person {doing} for the first time after that? Answer with a frame number.",
)
_LEAVES_OFF = (
    "What is the first frame after that in which this person is no longer {doing}?",
    "In which frame is this person no longer {doing}?",
)
_SPAN = (
    "From which frame to which frame is this person {doing} next?",
    "Later this person is {doing} for a while. Give the first and the last frame in which they are"
    " {doing}.",
    "What are the first and the last frame of the next time this person is {doing}?",
)


class ActionBoundary(WithoutChoices):
    """The family."""

    family = Family.ACTION_BOUNDARY
    modes = (AnswerMode.FRAME, AnswerMode.SPAN)
    checks = (Check.TEMPORAL, Check.ANCHOR)

    def search(
        self, scene: Scene, settings: SearchSettings, rng: np.random.Generator
    ) -> Iterator[Recipe]:
        """Events of people who are described a window's length before the window's end."""
        frames = frames_with_window(scene, settings.window_frames)
        for frame, reference, path in random_references(scene, frames, CHAINS, rng):
            window = (reference.frame, reference.frame + settings.window_frames)
            found = list(self._recipes(scene, frame, reference, path[-1], window))
            for index in rng.permutation(len(found)).tolist():
                yield found[index]

    def truth(self, scene: Scene, recipe: Recipe) -> Truth | None:
        """The event's frame, or the span's ends."""
        path = follow(scene, recipe.reference)
        assert recipe.window is not None
        if path is None:
            return None
        described = scene.frame_index(recipe.reference.frame)
        assert described is not None
        person = path[-1]
        last = last_index(scene, recipe.window[1])
        tracks = tuple(int(scene.tracks[index]) for index in path)
        seen = [(recipe.reference.frame, track) for track in tracks]
        if isinstance(recipe.asked, BoundaryAsked):
            event = next_event(scene, person, recipe.asked.event, described, last)
            if event is None:
                return None
            frame = int(scene.frames[event.frame])
            evidence = frames_around(scene, person, frame, recipe.window)
            around = around_event(scene, event)
            seen += [(near, tracks[-1]) for near in around.frames]
            return Truth(frame, tracks, evidence, tuple(seen), (around.shown,))
        assert isinstance(recipe.asked, SpanAsked)
        run = next_run(scene, person, recipe.asked.action, described, last)
        if run is None:
            return None
        evidence = visible_frames(scene, person, run.start, run.end)
        shown: list[tuple[int, str]] = []
        for edge, end in ((Edge.START, run.start), (Edge.STOP, run.off_after)):
            index = None if end is None else scene.frame_index(end)
            assert index is not None
            kind = EventKind(edge, recipe.asked.action)
            around = around_event(scene, Event(kind, person, index))
            seen += [(near, tracks[-1]) for near in around.frames]
            shown.append(around.shown)
        return Truth((run.start, run.end), tracks, evidence, tuple(seen), tuple(shown))

    def rederive(self, rows: RawRows, recipe: Recipe, target: int) -> AnswerValue | None:
        """Scan the person's labels frame by frame."""
        assert recipe.window is not None
        after, last = recipe.reference.frame, recipe.window[1]
        if isinstance(recipe.asked, BoundaryAsked):
            event = recipe.asked.event
            on = event.edge is Edge.START
            return first_change(rows, target, event.action, after, last, to=on)
        assert isinstance(recipe.asked, SpanAsked)
        action = recipe.asked.action
        start = first_change(rows, target, action, after, last, to=True)
        if start is None:
            return None
        stop = first_change(rows, target, action, start, last, to=False)
        return None if stop is None else (start, rows.frame_ids[rows.place(stop) - 1])

    def remaining(
        self, scene: Scene, recipe: Recipe, truth: Truth, check: Check
    ) -> Iterator[AnswerValue]:
        """Answers without the later frames, or without the description."""
        described = scene.frame_index(recipe.reference.frame)
        assert described is not None and recipe.window is not None
        last = last_index(scene, recipe.window[1])
        if check is Check.TEMPORAL:
            following = recipe.reference.frame + 1
            if isinstance(truth.answer, tuple):
                length = truth.answer[1] - truth.answer[0]
                yield following, following + length
            else:
                yield following
            return
        for person in people_there(scene, described).tolist():
            if isinstance(recipe.asked, BoundaryAsked):
                event = next_event(scene, person, recipe.asked.event, described, last)
                if event is not None:
                    yield int(scene.frames[event.frame])
            elif isinstance(recipe.asked, SpanAsked):
                run = next_run(scene, person, recipe.asked.action, described, last)
                if run is not None:
                    yield run.start, run.end

    def stratum(self, recipe: Recipe, truth: Truth) -> str | None:
        """The part of the window in which the event, or the span's start, lies."""
        assert recipe.window is not None
        length = recipe.window[1] - recipe.window[0]
        if isinstance(truth.answer, tuple):
            start, end = truth.answer
            offset = start - recipe.reference.frame - FIRST_OFFSET
            usable = length - FIRST_OFFSET
            if offset < 0 or end - start + 1 > LONGEST_SPAN_SHARE * length:
                return None
            return str(min(offset * SPAN_BINS // usable, SPAN_BINS - 1))
        assert isinstance(truth.answer, int)
        index = offset_bin(truth.answer - recipe.reference.frame, length)
        return None if index is None else str(index)

    def text(self, recipe: Recipe, rng: np.random.Generator) -> str:
        """The description, then what is asked."""
        reference = recipe.reference
        if reference.relations:
            side = reference.relations[0].value
            described = person_beside(reference.frame, reference.actions, side, rng)
        else:
            described = one_person(reference.frame, reference.actions, rng)
        if isinstance(recipe.asked, SpanAsked):
            asked, action = pick(_SPAN, rng), recipe.asked.action
        else:
            assert isinstance(recipe.asked, BoundaryAsked)
            event = recipe.asked.event
            action = event.action
            starts = event.edge is Edge.START
            still = (_COMES_TO if starts else _LEAVES_OFF) if action in STILL else None
            asked = pick(still or (_START if starts else _STOP), rng)
        return f"{described} {asked.format(doing=ACTION_WORDS[action].doing)}"

    def fewest_classes(self, mode: AnswerMode) -> int:
        """Four parts of the window, two for the starts of spans, of which few fit a short one."""
        return 2 if mode is AnswerMode.SPAN else 4

    def features(self, recipe: Recipe) -> tuple[str, ...]:
        """The actions that are named, and how the person is reached."""
        return features(recipe)

    def _recipes(
        self, scene: Scene, frame: int, reference: Reference, person: int, window: tuple[int, int]
    ) -> Iterator[Recipe]:
        last = last_index(scene, window[1])
        for action in event_actions(scene, person):
            for edge in Edge:
                kind = EventKind(edge, action)
                event = next_event(scene, person, kind, frame, last)
                if event is None:
                    continue
                if not can_be_followed(scene, person, frame, event.frame):
                    continue
                if share_visible(scene, person, frame, event.frame) < SEEN_SHARE:
                    continue
                yield self._recipe(scene, AnswerMode.FRAME, reference, BoundaryAsked(kind), window)
                if edge is Edge.START and next_run(scene, person, action, frame, last) is not None:
                    asked = SpanAsked(action)
                    yield self._recipe(scene, AnswerMode.SPAN, reference, asked, window)

    def _recipe(
        self,
        scene: Scene,
        mode: AnswerMode,
        reference: Reference,
        asked: BoundaryAsked | SpanAsked,
        window: tuple[int, int],
    ) -> Recipe:
        return Recipe(self.family, mode, scene.sequence, reference, asked, window)
