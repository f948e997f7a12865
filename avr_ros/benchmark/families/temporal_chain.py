"""temporal_chain: reach a person by two relations at one time; what they do at a later time.

Necessity. Temporal: without the later frames the best there is to say is that the person goes on
doing what they do when they are reached; that must be wrong. Anchor and hops as in relation_chain,
with everybody's later state. One observation shows either the described frame, which the temporal
check covers, or a frame in which nobody is described.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.families.answer_forms import ActionChoice
from avr_ros.benchmark.families.chains import TWO_HOPS, bound_people, chain_text
from avr_ros.benchmark.families.family import SearchSettings
from avr_ros.benchmark.families.search import (
    features,
    frames_around,
    later_frame,
    random_references,
)
from avr_ros.benchmark.families.states import (
    actions_at,
    not_surely_wrong,
    raw_state,
    states_seen,
    steady_state,
)
from avr_ros.benchmark.recipe import AnswerValue, Recipe, StateAsked, Truth
from avr_ros.benchmark.references import follow
from avr_ros.benchmark.scene import Scene
from avr_ros.benchmark.validation.raw_rows import RawRows
from avr_ros.benchmark.wording import pick
from avr_ros.schema.vocabulary import AnswerMode, Family

_ASKED = (
    "What is {who} doing later, at frame {later}?",
    "Follow {who} until frame {later}. What are they doing then?",
    "At frame {later}, what is {who} doing?",
)


class TemporalChain(ActionChoice):
    """The family."""

    family = Family.TEMPORAL_CHAIN
    modes = (AnswerMode.CHOICE,)
    checks = (Check.TEMPORAL, Check.ANCHOR, Check.FIRST_HOP, Check.SECOND_HOP)

    def search(
        self, scene: Scene, settings: SearchSettings, rng: np.random.Generator
    ) -> Iterator[Recipe]:
        """Everybody who can be reached by two relations, each with random later frames."""
        frames = np.arange(len(scene.frames))
        for frame, reference, path in random_references(scene, frames, TWO_HOPS, rng, closest=True):
            later = later_frame(scene, frame, path[-1], settings.window_frames, rng)
            if later is not None:
                asked = StateAsked(later)
                yield Recipe(self.family, AnswerMode.CHOICE, scene.sequence, reference, asked)

    def truth(self, scene: Scene, recipe: Recipe) -> Truth | None:
        """What the person reached is doing at the later frame."""
        assert isinstance(recipe.asked, StateAsked)
        path = follow(scene, recipe.reference)
        later = scene.frame_index(recipe.asked.frame)
        if path is None or later is None:
            return None
        state = steady_state(scene, later, path[-1])
        if state is None:
            return None
        tracks = tuple(int(scene.tracks[index]) for index in path)
        seen = [(recipe.reference.frame, track) for track in tracks]
        seen.append((recipe.asked.frame, tracks[-1]))
        evidence = frames_around(scene, path[-1], recipe.asked.frame, None)
        return Truth(state, tracks, evidence, tuple(seen))

    def rederive(self, rows: RawRows, recipe: Recipe, target: int) -> AnswerValue | None:
        """Read the person's labels around the later frame."""
        assert isinstance(recipe.asked, StateAsked)
        return raw_state(rows, target, recipe.asked.frame)

    def remaining(
        self, scene: Scene, recipe: Recipe, truth: Truth, check: Check
    ) -> Iterator[AnswerValue]:
        """Answers without the later frames, without the description, or without a relation."""
        assert isinstance(recipe.asked, StateAsked)
        described = scene.frame_index(recipe.reference.frame)
        later = scene.frame_index(recipe.asked.frame)
        people = [index for track in truth.path if (index := scene.track_index(track)) is not None]
        assert described is not None and later is not None
        if check is Check.TEMPORAL:
            now = actions_at(scene, described, people[-1]) or frozenset()
            if truth.answer not in now:
                yield from sorted(now)
            return
        bound = bound_people(scene, described, people, recipe.reference.relations, check)
        yield from states_seen(scene, later, list(bound))

    def text(self, recipe: Recipe, rng: np.random.Generator) -> str:
        """The way to the person, then the question."""
        assert isinstance(recipe.asked, StateAsked)
        way, who = chain_text(recipe.reference, rng)
        return f"{way} {pick(_ASKED, rng).format(who=who, later=recipe.asked.frame)}"

    def features(self, recipe: Recipe) -> tuple[str, ...]:
        """The description, the relations, and how much later."""
        return features(recipe)

    def not_wrong(self, scene: Scene, recipe: Recipe, truth: Truth) -> frozenset[str]:
        """What the person does besides, and what it looks like."""
        assert isinstance(recipe.asked, StateAsked)
        later, person = scene.frame_index(recipe.asked.frame), scene.track_index(truth.target)
        assert later is not None and person is not None
        return not_surely_wrong(actions_at(scene, later, person) or frozenset())
