"""unique_anchor_action: the only person of a kind; what they start doing next.

Necessity. Temporal: without the frames after the described one, the question can only be put to
earlier times at which the description fitted the same person; if there were several, the person
must have started something else after one of them. Anchor: without the description anybody present
may be meant, and somebody must start something else. One observation shows either the described
frame, which the temporal check covers, or a frame in which nobody is described.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from avr_ros.benchmark.action_sight import ALSO_CALLED
from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.events import Event, next_event, runs_of
from avr_ros.benchmark.families.answer_forms import ActionChoice
from avr_ros.benchmark.families.family import SearchSettings
from avr_ros.benchmark.families.search import (
    can_be_followed,
    description_words,
    event_actions,
    features,
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
from avr_ros.benchmark.wording import VISIBLE_ACTIONS, one_person, pick
from avr_ros.schema.vocabulary import POSE_ACTIONS, AnswerMode, Family

HABIT: Final = 2
"""Number of earlier times that make a habit; one time tells nothing of the next."""

AT_ONCE: Final = 8
"""Frames within which two actions that start are taken to start together."""

_ASKED = (
    "What is the next thing that this person starts doing?",
    "What does this person start doing next?",
    "Keep watching this person: which of these do they start doing first?",
)


class UniqueAnchorAction(ActionChoice):
    """The family."""

    family = Family.UNIQUE_ANCHOR_ACTION
    modes = (AnswerMode.CHOICE,)
    checks = (Check.TEMPORAL, Check.ANCHOR)

    def search(
        self, scene: Scene, settings: SearchSettings, rng: np.random.Generator
    ) -> Iterator[Recipe]:
        """Everybody who can be described by what they do, and who starts something later."""
        frames = np.arange(len(scene.frames))
        asked = NextActionAsked()
        for frame, reference, path in random_references(scene, frames, ((),), rng, closest=True):
            event = self._next(scene, path[-1], frame, len(scene.frames) - 1)
            if event is not None and can_be_followed(scene, path[-1], frame, event.frame):
                yield Recipe(self.family, AnswerMode.CHOICE, scene.sequence, reference, asked)

    def truth(self, scene: Scene, recipe: Recipe) -> Truth | None:
        """The action that starts first."""
        path = follow(scene, recipe.reference)
        described = scene.frame_index(recipe.reference.frame)
        if path is None or described is None:
            return None
        person = path[-1]
        event = self._next(scene, person, described, len(scene.frames) - 1)
        if event is None:
            return None
        tracks = tuple(int(scene.tracks[index]) for index in path)
        first = int(scene.frames[event.frame])
        end = next(
            run.end for run in runs_of(scene, person, event.kind.action) if run.start == first
        )
        evidence = visible_frames(scene, person, first, end)
        seen = ((recipe.reference.frame, tracks[0]),)
        action = event.kind.action
        shown = next((frame for frame in evidence if _shows(scene, person, action, frame)), first)
        return Truth(action, tracks, evidence, seen, ((shown, action),))

    def rederive(self, rows: RawRows, recipe: Recipe, target: int) -> AnswerValue | None:
        """Scan the person's labels for every visible action, and take the earliest start."""
        after, last = recipe.reference.frame, rows.frame_ids[-1]
        begun = sorted(
            (frame, action)
            for action in VISIBLE_ACTIONS
            for frame in starts(rows, target, action, after, last)
        )
        together = [action for frame, action in begun if frame < begun[0][0] + AT_ONCE]
        for action in VISIBLE_ACTIONS:
            if action in together and (action not in POSE_ACTIONS or len(together) == 1):
                exact = first_change(rows, target, action, after, last, to=True)
                return None if exact is None else action
        return None

    def remaining(
        self, scene: Scene, recipe: Recipe, truth: Truth, check: Check
    ) -> Iterator[AnswerValue]:
        """Answers without the later frames, or without the description."""
        described = scene.frame_index(recipe.reference.frame)
        assert described is not None
        if check is Check.TEMPORAL:
            person = scene.track_index(truth.target)
            assert person is not None
            before = self._earlier_answers(scene, recipe, person, described)
            if len(before) >= HABIT:
                yield from before
            else:
                now = actions_at(scene, described, person) or frozenset()
                yield from (action for action in VISIBLE_ACTIONS if action not in now)
            return
        last = len(scene.frames) - 1
        for person in people_there(scene, described).tolist():
            event = self._next(scene, person, described, last)
            if event is not None:
                yield event.kind.action

    def text(self, recipe: Recipe, rng: np.random.Generator) -> str:
        """The description, then the question."""
        reference = recipe.reference
        person = one_person(reference.frame, reference.actions, rng, reference.closest)
        return f"{person} {pick(_ASKED, rng)}"

    def block_words(self, recipe: Recipe) -> tuple[str, ...]:
        """The description."""
        return description_words(recipe)

    def features(self, recipe: Recipe) -> tuple[str, ...]:
        """The description, and when."""
        return features(recipe)

    def not_wrong(self, scene: Scene, recipe: Recipe, truth: Truth) -> frozenset[str]:
        """What starts together with the answer or looks like that, and what the text names.

        Nor is it wrong to call by another name what the person does until then. What goes on
        already does not start, so it may be offered as a wrong choice, but not where
        the text tells that it goes on.
        """
        person = scene.track_index(truth.target)
        described = scene.frame_index(recipe.reference.frame)
        assert person is not None and described is not None
        begun = self._begun(scene, person, described, len(scene.frames) - 1)
        together = {action for start, action in begun if start < begun[0][0] + AT_ONCE}
        first = scene.frame_index(begun[0][0])
        assert first is not None
        until = slice(described, first + AT_ONCE)
        apparent = [
            action
            for action in ALSO_CALLED
            if np.any((scene.resembles(action) & ~scene.does(action))[until, person])
        ]
        named = recipe.reference.actions
        return not_surely_wrong(frozenset(together)).union(named, apparent)

    def _next(self, scene: Scene, person: int, after: int, last: int) -> Event | None:
        """The first start of any visible action, exact, or None.

        Of actions that start together the activity counts, not the posture.
        """
        begun = self._begun(scene, person, after, last)
        together = [action for start, action in begun if start < begun[0][0] + AT_ONCE]
        activities = [action for action in together if action not in POSE_ACTIONS]
        if not activities and len(together) != 1:
            return None
        action = min(activities or together, key=VISIBLE_ACTIONS.index)
        return next_event(scene, person, EventKind(Edge.START, action), after, last)

    def _begun(self, scene: Scene, person: int, after: int, last: int) -> list[tuple[int, str]]:
        """The starts of visible actions between two indices, as frame ids and actions, in order."""
        after_id, last_id = int(scene.frames[after]), int(scene.frames[last])
        return sorted(
            (run.start, action)
            for action in event_actions(scene, person)
            for run in runs_of(scene, person, action)
            if after_id < run.start <= last_id
        )

    def _earlier_answers(
        self, scene: Scene, recipe: Recipe, person: int, described: int
    ) -> list[AnswerValue]:
        """What the person started next each earlier time that the description fitted them."""
        fits = scene.does_all(recipe.reference.actions)[: described + 1, person]
        ends = np.flatnonzero(fits[:-1] & ~fits[1:])
        found = [self._next(scene, person, end, described) for end in ends.tolist()]
        return [event.kind.action for event in found if event is not None]


def _shows(scene: Scene, person: int, action: str, frame_id: int) -> bool:
    """Whether a picture shows a person do an action, at a frame id."""
    return bool(scene.shows(action)[scene.frame_index(frame_id), person])
