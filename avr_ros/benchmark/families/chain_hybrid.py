"""chain_hybrid: reach a person by two relations, then the first frame of an action and the view.

Necessity. Temporal: without the frames after the described one, the next frame is the best there
is to say. View: if one direction shows all three people at the described frame and the last one at
the first frame of the action, the robot need not turn. Anchor and hops as in relation_chain, with
everybody's first frame of the action. A single observation is part of a single view, which the
view check covers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.events import Event, next_event
from avr_ros.benchmark.families.answer_forms import WithoutChoices
from avr_ros.benchmark.families.chains import TWO_HOPS, bound_people, chain_text, fit_one_view
from avr_ros.benchmark.families.family import SearchSettings
from avr_ros.benchmark.families.search import (
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
)
from avr_ros.benchmark.recipe import (
    AnswerValue,
    Edge,
    EventKind,
    FirstViewAsked,
    Recipe,
    Truth,
)
from avr_ros.benchmark.references import follow
from avr_ros.benchmark.scene import Scene
from avr_ros.benchmark.validation.raw_rows import RawRows
from avr_ros.benchmark.validation.raw_states import first_change
from avr_ros.benchmark.wording import ACTION_WORDS, STILL, pick
from avr_ros.schema.vocabulary import AnswerMode, Family

_ASKED = (
    "In which frame after that does {who} first start {doing}, and in which direction must the"
    " robot look in that frame to see them best?",
    "Find the first later frame in which {who} is {doing}, and the viewing direction that shows"
    " them best then.",
    "When does {who} start {doing}, and where must one look to see them best at that moment?",
)
_STILL_ASKED = (
    "In which frame after that is {who} first {doing}, and in which direction must the robot look"
    " in that frame to see them best?",
    "Find the first later frame in which {who} is {doing}, and the viewing direction that shows"
    " them best then.",
)
_FORM = (
    " Answer with a frame number and an azimuth in degrees, 0 straight ahead of the robot and"
    " positive to its left."
)


class ChainHybrid(WithoutChoices):
    """The family."""

    family = Family.CHAIN_HYBRID
    modes = (AnswerMode.FRAME_VIEW,)
    checks = (Check.TEMPORAL, Check.VIEW, Check.ANCHOR, Check.FIRST_HOP, Check.SECOND_HOP)

    def search(
        self, scene: Scene, settings: SearchSettings, rng: np.random.Generator
    ) -> Iterator[Recipe]:
        """Actions that the people who can be reached by two relations start within a window."""
        frames = frames_with_window(scene, settings.window_frames)
        for frame, reference, path in random_references(scene, frames, TWO_HOPS, rng, closest=True):
            window = (reference.frame, reference.frame + settings.window_frames)
            last = last_index(scene, window[1])
            for action in event_actions(scene, path[-1]):
                kind = EventKind(Edge.START, action)
                event = next_event(scene, path[-1], kind, frame, last)
                if event is not None and can_be_followed(scene, path[-1], frame, event.frame):
                    yield Recipe(
                        self.family,
                        AnswerMode.FRAME_VIEW,
                        scene.sequence,
                        reference,
                        FirstViewAsked(action),
                        window,
                    )

    def truth(self, scene: Scene, recipe: Recipe) -> Truth | None:
        """The first frame of the action."""
        path = follow(scene, recipe.reference)
        if path is None:
            return None
        event = self._first(scene, recipe, path[-1])
        if event is None:
            return None
        tracks = tuple(int(scene.tracks[index]) for index in path)
        seen = [(recipe.reference.frame, track) for track in tracks]
        first = int(scene.frames[event.frame])
        around = around_event(scene, event)
        seen += [(near, tracks[-1]) for near in around.frames]
        evidence = frames_around(scene, path[-1], first, recipe.window)
        return Truth(first, tracks, evidence, tuple(seen), (around.shown,))

    def rederive(self, rows: RawRows, recipe: Recipe, target: int) -> AnswerValue | None:
        """Scan the person's labels frame by frame."""
        assert isinstance(recipe.asked, FirstViewAsked) and recipe.window is not None
        after, last = recipe.reference.frame, recipe.window[1]
        return first_change(rows, target, recipe.asked.action, after, last, to=True)

    def remaining(
        self, scene: Scene, recipe: Recipe, truth: Truth, check: Check
    ) -> Iterator[AnswerValue]:
        """Answers without later frames, from one direction, without description or a relation."""
        described = scene.frame_index(recipe.reference.frame)
        people = [index for track in truth.path if (index := scene.track_index(track)) is not None]
        assert described is not None and isinstance(truth.answer, int)
        if check is Check.TEMPORAL:
            yield recipe.reference.frame + 1
            return
        if check is Check.VIEW:
            first = scene.frame_index(truth.answer)
            assert first is not None
            places = [(described, person) for person in people] + [(first, people[-1])]
            if fit_one_view(scene, places):
                return
            bound: Iterator[int] = iter(people_there(scene, described).tolist())
        else:
            bound = bound_people(scene, described, people, recipe.reference.relations, check)
        for person in bound:
            event = self._first(scene, recipe, person)
            if event is not None:
                yield int(scene.frames[event.frame])

    def stratum(self, recipe: Recipe, truth: Truth) -> str | None:
        """The part of the window in which the action starts."""
        assert recipe.window is not None and isinstance(truth.answer, int)
        length = recipe.window[1] - recipe.window[0]
        index = offset_bin(truth.answer - recipe.reference.frame, length)
        return None if index is None else str(index)

    def text(self, recipe: Recipe, rng: np.random.Generator) -> str:
        """The way to the person, then the question."""
        assert isinstance(recipe.asked, FirstViewAsked)
        way, who = chain_text(recipe.reference, rng)
        words = ACTION_WORDS[recipe.asked.action].doing
        phrasings = _STILL_ASKED if recipe.asked.action in STILL else _ASKED
        return f"{way} {pick(phrasings, rng).format(who=who, doing=words)}{_FORM}"

    def fewest_classes(self, mode: AnswerMode) -> int:
        """Four."""
        return 4

    def features(self, recipe: Recipe) -> tuple[str, ...]:
        """The description, the relations and the action."""
        return features(recipe)

    def _first(self, scene: Scene, recipe: Recipe, person: int) -> Event | None:
        """The first time that a person starts the action, in the window."""
        assert isinstance(recipe.asked, FirstViewAsked) and recipe.window is not None
        described = scene.frame_index(recipe.reference.frame)
        assert described is not None
        kind = EventKind(Edge.START, recipe.asked.action)
        last = last_index(scene, recipe.window[1])
        return next_event(scene, person, kind, described, last)
