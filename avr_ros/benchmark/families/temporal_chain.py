"""temporal_chain: reach a person by two relations at one time; what they do at a later time.

Necessity. Temporal: without the later frames the best there is to say is that the person goes on
doing what they do when they are reached; that must be wrong. Anchor and hops as in relation_chain,
with everybody's later state. One observation shows either the described frame, which the temporal
check covers, or a frame in which nobody is described.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

import numpy as np

from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.families.answer_forms import ActionChoice
from avr_ros.benchmark.families.chains import (
    bound_people,
    chain_cells,
    chain_text,
    recipes_for_blocks,
)
from avr_ros.benchmark.families.family import SearchSettings
from avr_ros.benchmark.families.search import (
    WHEN_STEP,
    features,
    frames_around,
    later_frame,
    relation_words,
    when,
)
from avr_ros.benchmark.families.states import (
    actions_at,
    not_surely_wrong,
    raw_state,
    states_seen,
    steady_state,
)
from avr_ros.benchmark.recipe import AnswerValue, Recipe, Reference, StateAsked, Truth
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


LATER_FRAMES: Final = 2
"""Later frames that are tried for each way to a person."""


class TemporalChain(ActionChoice):
    """The family."""

    family = Family.TEMPORAL_CHAIN
    modes = (AnswerMode.CHOICE,)
    checks = (Check.TEMPORAL, Check.ANCHOR, Check.FIRST_HOP, Check.SECOND_HOP)

    def search(
        self, scene: Scene, settings: SearchSettings, rng: np.random.Generator
    ) -> Iterator[Recipe]:
        """Who is reached by the same relations and does other things at about the same times."""
        return recipes_for_blocks(self._cells(scene, settings, rng))

    def _cells(
        self, scene: Scene, settings: SearchSettings, rng: np.random.Generator
    ) -> Iterator[list[tuple[str, Recipe]]]:
        """What is done by those who are reached by the same relations, at about the same times."""
        for cell in chain_cells(scene, rng):
            by_time: dict[int, list[tuple[str, Recipe]]] = defaultdict(list)
            for frame, reference, path in cell:
                for _ in range(LATER_FRAMES):
                    later = later_frame(scene, frame, path[-1], settings.window_frames, rng)
                    state = self._new_state(scene, frame, later, path[-1])
                    if later is None or state is None or state in reference.actions:
                        continue
                    recipe = self._recipe(scene, reference, StateAsked(later))
                    by_time[later // WHEN_STEP].append((state, recipe))
            for time in sorted(by_time):
                yield by_time[time]

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
        shown = ((recipe.asked.frame, state),)
        return Truth(state, tracks, evidence, tuple(seen), shown)

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

    def block_words(self, recipe: Recipe) -> tuple[str, ...]:
        """The relations, and about when."""
        return (*relation_words(recipe), *when(recipe))

    def features(self, recipe: Recipe) -> tuple[str, ...]:
        """The description, the relations, when, and how much later."""
        return features(recipe)

    def not_wrong(self, scene: Scene, recipe: Recipe, truth: Truth) -> frozenset[str]:
        """What the person does besides, what it looks like, and what the text names."""
        assert isinstance(recipe.asked, StateAsked)
        later, person = scene.frame_index(recipe.asked.frame), scene.track_index(truth.target)
        assert later is not None and person is not None
        return not_surely_wrong(actions_at(scene, later, person) or frozenset()).union(
            recipe.reference.actions
        )

    def _new_state(self, scene: Scene, frame: int, later: int | None, person: int) -> str | None:
        """What a person is seen doing at a later frame id and not yet at a frame index."""
        index = None if later is None else scene.frame_index(later)
        state = None if index is None else steady_state(scene, index, person)
        if state is None or not scene.shows(state)[index, person]:
            return None
        now = actions_at(scene, frame, person) or frozenset()
        return None if state in now else state

    def _recipe(self, scene: Scene, reference: Reference, asked: StateAsked) -> Recipe:
        return Recipe(self.family, AnswerMode.CHOICE, scene.sequence, reference, asked)
