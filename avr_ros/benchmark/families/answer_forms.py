"""What families with the same form of answer have in common."""

from __future__ import annotations

from avr_ros.benchmark.choices import FEWEST_CHOICES, MOST_CHOICES
from avr_ros.benchmark.recipe import Recipe, Truth
from avr_ros.benchmark.scene import Scene
from avr_ros.benchmark.wording import ACTION_WORDS
from avr_ros.schema.vocabulary import AnswerMode


class WithoutChoices:
    """The answer is given in numbers: there is nothing to choose from."""

    def block_sizes(self, mode: AnswerMode) -> tuple[int, ...]:
        """Answers in numbers have too many classes for blocks."""
        return ()

    def block_words(self, recipe: Recipe) -> tuple[str, ...]:
        """There are no blocks."""
        return ()

    def feature_spread(self, mode: AnswerMode) -> float:
        """The text tells little of the answer."""
        return 0.0

    def choice_text(self, recipe: Recipe, name: str) -> str:
        """There are no choices in this family."""
        raise NotImplementedError

    def not_wrong(self, scene: Scene, recipe: Recipe, truth: Truth) -> frozenset[str]:
        """There are no choices in this family."""
        return frozenset()


class ActionChoice:
    """One action is chosen from several."""

    def block_sizes(self, mode: AnswerMode) -> tuple[int, ...]:
        """In blocks, because the words tell something of what people do."""
        return (MOST_CHOICES, FEWEST_CHOICES)

    def block_words(self, recipe: Recipe) -> tuple[str, ...]:
        """There are no blocks."""
        return ()

    def feature_spread(self, mode: AnswerMode) -> float:
        """The text tells little of the answer."""
        return 0.0

    def stratum(self, recipe: Recipe, truth: Truth) -> str | None:
        """The action that is the answer; none where the text names it, which tells something."""
        return None if truth.answer in recipe.reference.actions else str(truth.answer)

    def fewest_classes(self, mode: AnswerMode) -> int:
        """Five, so that three wrong ones can be offered of which none may be right."""
        return 5

    def choice_text(self, recipe: Recipe, name: str) -> str:
        """The action in English."""
        return ACTION_WORDS[name].doing
