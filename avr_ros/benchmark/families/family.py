"""What a question family is: how its questions are found, answered, checked and worded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.recipe import AnswerValue, Recipe, Truth
from avr_ros.benchmark.scene import Scene
from avr_ros.benchmark.validation.raw_rows import RawRows
from avr_ros.schema.vocabulary import AnswerMode, Family


@dataclass(frozen=True)
class SearchSettings:
    """What the search for questions is told.

    ``window_frames`` is the length of the stretch that questions about events are confined to.
    """

    window_frames: int


class QuestionFamily(Protocol):
    """A family of questions."""

    @property
    def family(self) -> Family:
        """Its name."""

    @property
    def modes(self) -> tuple[AnswerMode, ...]:
        """The answer modes of its questions."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """The necessity checks that apply."""

    def search(
        self, scene: Scene, settings: SearchSettings, rng: np.random.Generator
    ) -> Iterator[Recipe]:
        """Candidates in random order; most will be rejected."""

    def truth(self, scene: Scene, recipe: Recipe) -> Truth | None:
        """The answer by the scene's arrays; none where the annotations do not hold one."""

    def rederive(self, rows: RawRows, recipe: Recipe, target: int) -> AnswerValue | None:
        """The answer for the person with a track id by the second route.

        It shares no code with `truth`.
        """

    def remaining(
        self, scene: Scene, recipe: Recipe, truth: Truth, check: Check
    ) -> Iterator[AnswerValue]:
        """The answers that fit what is left after a necessity check took something away."""

    def stratum(self, recipe: Recipe, truth: Truth) -> str | None:
        """The class of answers whose frequencies are balanced, within one mode.

        None for a question that no class holds; it is not used.
        """

    def text(self, recipe: Recipe, rng: np.random.Generator) -> str:
        """The question in English."""

    def fewest_classes(self, mode: AnswerMode) -> int:
        """The number of classes of answers below which a question could be guessed too well."""

    def block_sizes(self, mode: AnswerMode) -> tuple[int, ...]:
        """Sizes of the blocks of questions with the same words in which a mode is asked.

        Empty where answers are balanced over all questions instead.
        """

    def block_words(self, recipe: Recipe) -> tuple[str, ...]:
        """What the text tells that all questions of a block have in common."""

    def feature_spread(self, mode: AnswerMode) -> float:
        """Share of the classes of answers with which each feature should be found."""

    def features(self, recipe: Recipe) -> tuple[str, ...]:
        """What the text tells of the question, against which answers are balanced."""

    def choice_text(self, recipe: Recipe, name: str) -> str:
        """A choice in English; ``name`` is a stratum."""

    def not_wrong(self, scene: Scene, recipe: Recipe, truth: Truth) -> frozenset[str]:
        """The strata that are not surely wrong answers, and so no distractors."""
