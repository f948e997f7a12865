"""relation_chain: follow two relations from an anchor at one time; what is that person doing.

Necessity. Multi-step: if one view shows all three people, one observation suffices. Anchor: without
the description everybody present may be the anchor. Hops: without the first relation the second
person is anybody but the anchor, without the second one the person meant is anybody but the two
before; each time somebody must be doing something else. The question is about one frame, so there
is nothing for the temporal check, and a single view is a single observation.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.families.answer_forms import ActionChoice
from avr_ros.benchmark.families.chains import (
    bound_people,
    chain_cells,
    chain_text,
    fit_one_view,
    recipes_for_blocks,
)
from avr_ros.benchmark.families.family import SearchSettings
from avr_ros.benchmark.families.search import (
    features,
    frames_around,
    people_there,
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
    "What is {who} doing?",
    "What is {who} doing at that moment?",
    "Which of these is {who} doing?",
)


class RelationChain(ActionChoice):
    """The family."""

    family = Family.RELATION_CHAIN
    modes = (AnswerMode.CHOICE,)
    checks = (Check.MULTI_STEP, Check.ANCHOR, Check.FIRST_HOP, Check.SECOND_HOP)

    def search(
        self, scene: Scene, settings: SearchSettings, rng: np.random.Generator
    ) -> Iterator[Recipe]:
        """Who is reached by the same relations at about the same time and does other things."""
        return recipes_for_blocks(self._cells(scene, rng))

    def _cells(self, scene: Scene, rng: np.random.Generator) -> Iterator[list[tuple[str, Recipe]]]:
        """What is done by those who are reached by the same relations at about the same time."""
        for cell in chain_cells(scene, rng):
            found: list[tuple[str, Recipe]] = []
            for frame, reference, path in cell:
                state = steady_state(scene, frame, path[-1])
                if state is None or not scene.shows(state)[frame, path[-1]]:
                    continue
                if state not in reference.actions:
                    asked = StateAsked(reference.frame)
                    found.append((state, self._recipe(scene, reference, asked)))
            yield found

    def truth(self, scene: Scene, recipe: Recipe) -> Truth | None:
        """What the person reached is doing."""
        path = follow(scene, recipe.reference)
        frame = scene.frame_index(recipe.reference.frame)
        if path is None or frame is None:
            return None
        state = steady_state(scene, frame, path[-1])
        if state is None:
            return None
        tracks = tuple(int(scene.tracks[index]) for index in path)
        evidence = frames_around(scene, path[-1], recipe.reference.frame, None)
        at = recipe.reference.frame
        seen = tuple((at, track) for track in tracks)
        return Truth(state, tracks, evidence, seen, ((at, state),))

    def rederive(self, rows: RawRows, recipe: Recipe, target: int) -> AnswerValue | None:
        """Read the person's labels around the frame."""
        return raw_state(rows, target, recipe.reference.frame)

    def remaining(
        self, scene: Scene, recipe: Recipe, truth: Truth, check: Check
    ) -> Iterator[AnswerValue]:
        """Answers from one view, or without the description or a relation."""
        frame = scene.frame_index(recipe.reference.frame)
        path = [scene.track_index(track) for track in truth.path]
        assert frame is not None
        people = [person for person in path if person is not None]
        if check is Check.MULTI_STEP:
            if fit_one_view(scene, [(frame, person) for person in people]):
                return
            yield from states_seen(scene, frame, people_there(scene, frame).tolist())
            return
        bound = bound_people(scene, frame, people, recipe.reference.relations, check)
        yield from states_seen(scene, frame, list(bound))

    def text(self, recipe: Recipe, rng: np.random.Generator) -> str:
        """The way to the person, then the question."""
        way, who = chain_text(recipe.reference, rng)
        return f"{way} {pick(_ASKED, rng).format(who=who)}"

    def block_words(self, recipe: Recipe) -> tuple[str, ...]:
        """The relations, and about when."""
        return (*relation_words(recipe), *when(recipe))

    def features(self, recipe: Recipe) -> tuple[str, ...]:
        """The description, the relations, and when."""
        return features(recipe)

    def not_wrong(self, scene: Scene, recipe: Recipe, truth: Truth) -> frozenset[str]:
        """What the person does besides, what it looks like, and what the text names."""
        frame, person = scene.frame_index(recipe.reference.frame), scene.track_index(truth.target)
        assert frame is not None and person is not None
        return not_surely_wrong(actions_at(scene, frame, person) or frozenset()).union(
            recipe.reference.actions
        )

    def _recipe(self, scene: Scene, reference: Reference, asked: StateAsked) -> Recipe:
        return Recipe(self.family, AnswerMode.CHOICE, scene.sequence, reference, asked)
