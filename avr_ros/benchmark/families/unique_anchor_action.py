"""unique_anchor_action: the only person of a kind; what they start doing next.

Necessity. Temporal: without the frames after the described one, the best guess is that the person
does again what they stopped doing last; that must be wrong. Anchor: without the description anybody
present may be meant, and somebody must start something else. One observation shows either the
described frame, which the temporal check covers, or a frame in which nobody is described.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.events import Event, next_event, runs_of
from avr_ros.benchmark.families.family import SearchSettings
from avr_ros.benchmark.families.search import (
    event_actions,
    features,
    frames_with_window,
    last_index,
    people_there,
    random_references,
    visible_frames,
)
from avr_ros.benchmark.families.states import actions_at, not_surely_wrong
from avr_ros.benchmark.recipe import (
    AnswerValue,
    Edge,
    EventKind,
    NextActionAsked,
    Recipe,
    Truth,
)
from avr_ros.benchmark.references import follow
from avr_ros.benchmark.scene import Scene
from avr_ros.benchmark.validation.raw_rows import RawRows
from avr_ros.benchmark.validation.raw_states import first_change, starts
from avr_ros.benchmark.wording import ACTION_WORDS, VISIBLE_ACTIONS, one_person, pick
from avr_ros.schema.vocabulary import AnswerMode, Family

AT_ONCE: Final = 8
"""Frames within which two actions that start are taken to start together."""

_ASKED = (
    "What is the next thing that this person starts doing?",
    "What does this person start doing next?",
    "Keep watching this person: which of these do they start doing first?",
)


class UniqueAnchorAction:
    """The family."""

    family = Family.UNIQUE_ANCHOR_ACTION
    modes = (AnswerMode.CHOICE,)
    checks = (Check.TEMPORAL, Check.ANCHOR)

    def search(
        self, scene: Scene, settings: SearchSettings, rng: np.random.Generator
    ) -> Iterator[Recipe]:
        """Everybody who can be described by what they do, and who starts something later."""
        frames = frames_with_window(scene, settings.window_frames)
        for frame, reference, path in random_references(scene, frames, ((),), rng):
            window = (reference.frame, reference.frame + settings.window_frames)
            if self._next(scene, path[-1], frame, last_index(scene, window[1])) is not None:
                yield Recipe(
                    self.family,
                    AnswerMode.CHOICE,
                    scene.sequence,
                    reference,
                    NextActionAsked(),
                    window,
                )

    def truth(self, scene: Scene, recipe: Recipe) -> Truth | None:
        """The action that starts first."""
        path = follow(scene, recipe.reference)
        described = scene.frame_index(recipe.reference.frame)
        assert recipe.window is not None
        if path is None or described is None:
            return None
        person = path[-1]
        event = self._next(scene, person, described, last_index(scene, recipe.window[1]))
        if event is None:
            return None
        tracks = tuple(int(scene.tracks[index]) for index in path)
        first = int(scene.frames[event.frame])
        end = next(
            run.end for run in runs_of(scene, person, event.kind.action) if run.start == first
        )
        evidence = visible_frames(scene, person, first, min(end, recipe.window[1]))
        seen = ((recipe.reference.frame, tracks[0]), (first, tracks[0]))
        return Truth(event.kind.action, tracks, evidence, seen)

    def rederive(self, rows: RawRows, recipe: Recipe, target: int) -> AnswerValue | None:
        """Scan the person's labels for every visible action, and take the earliest start."""
        assert recipe.window is not None
        after, last = recipe.window
        begun = [
            (frame, action)
            for action in VISIBLE_ACTIONS
            for frame in starts(rows, target, action, after, last)
        ]
        if not begun:
            return None
        first, action = min(begun)
        if any(frame < first + AT_ONCE and other != action for frame, other in begun):
            return None
        exact = first_change(rows, target, action, after, last, to=True)
        return action if exact == first else None

    def remaining(
        self, scene: Scene, recipe: Recipe, truth: Truth, check: Check
    ) -> Iterator[AnswerValue]:
        """Answers without the later frames, or without the description."""
        described = scene.frame_index(recipe.reference.frame)
        assert described is not None and recipe.window is not None
        if check is Check.TEMPORAL:
            person = scene.track_index(truth.target)
            assert person is not None
            if self._stopped_last(scene, person, recipe.reference.frame) != truth.answer:
                now = actions_at(scene, described, person) or frozenset()
                yield from (action for action in VISIBLE_ACTIONS if action not in now)
            return
        last = last_index(scene, recipe.window[1])
        for person in people_there(scene, described).tolist():
            event = self._next(scene, person, described, last)
            if event is not None:
                yield event.kind.action

    def stratum(self, recipe: Recipe, truth: Truth) -> str | None:
        """The action that is the answer."""
        return str(truth.answer)

    def text(self, recipe: Recipe, rng: np.random.Generator) -> str:
        """The description, then the question."""
        described = one_person(recipe.reference.frame, recipe.reference.actions, rng)
        return f"{described} {pick(_ASKED, rng)}"

    def features(self, recipe: Recipe) -> tuple[str, ...]:
        """The description."""
        return features(recipe)

    def choice_text(self, recipe: Recipe, name: str) -> str:
        """The action in English."""
        return ACTION_WORDS[name].doing

    def not_wrong(self, scene: Scene, recipe: Recipe, truth: Truth) -> frozenset[str]:
        """What the person does at the described frame and at the start, and what it looks like."""
        person = scene.track_index(truth.target)
        described = scene.frame_index(recipe.reference.frame)
        first = scene.frame_index(truth.seen[-1][0])
        assert person is not None and described is not None and first is not None
        now = actions_at(scene, described, person) or frozenset()
        then = actions_at(scene, first, person) or frozenset()
        return not_surely_wrong(now | then)

    def _next(self, scene: Scene, person: int, after: int, last: int) -> Event | None:
        """The first start of any visible action; none where it is not alone or not exact."""
        after_id, last_id = int(scene.frames[after]), int(scene.frames[last])
        begun = sorted(
            (run.start, action)
            for action in event_actions(scene, person)
            for run in runs_of(scene, person, action)
            if after_id < run.start <= last_id
        )
        if not begun:
            return None
        first, action = begun[0]
        others = {name for start, name in begun if start < first + AT_ONCE}
        if others != {action}:
            return None
        return next_event(scene, person, EventKind(Edge.START, action), after, last)

    def _stopped_last(self, scene: Scene, person: int, before: int) -> str | None:
        """The visible action that a person stopped doing last before a frame id."""
        ends = [
            (run.end, action)
            for action in event_actions(scene, person)
            for run in runs_of(scene, person, action)
            if run.end < before
        ]
        return max(ends)[1] if ends else None
