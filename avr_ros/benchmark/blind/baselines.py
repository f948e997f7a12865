"""Blind baselines: fitted on solved questions of one family and mode, they see questions only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, Protocol

import numpy as np

from avr_ros.benchmark.blind.points import (
    Point,
    Solved,
    answer_at,
    class_of,
    point_of,
    right_choice,
    would_be_right,
)
from avr_ros.benchmark.blind.text_prior import ChoicePrior, ClassPrior
from avr_ros.schema.answer import Answer, ChoiceAnswer
from avr_ros.schema.question import Question
from avr_ros.schema.vocabulary import AnswerMode


class Baseline(Protocol):
    """A fitted baseline."""

    def __call__(self, question: Question) -> Answer:
        """An answer from the question alone."""


class ConstantPosition:
    """Always the same place: the choice index that is right most often, or the median answer."""

    def __init__(self, training: Sequence[Solved]) -> None:
        indices = Counter(right_choice(key) for _, key in training)
        self._index = max(indices, key=lambda index: (indices[index], -(index or 0))) or 0
        points = [point_of(item) for item in training if right_choice(item[1]) is None]
        self._median: Point = tuple(np.median(np.array(points), axis=0).tolist()) if points else ()

    def __call__(self, question: Question) -> Answer:
        """The same for every question."""
        if question.answer_mode is AnswerMode.CHOICE:
            return ChoiceAnswer(choice=min(self._index, len(question.choices) - 1))
        return answer_at(question, self._median)


class Majority:
    """The answer that would be right most often in the training."""

    def __init__(self, training: Sequence[Solved]) -> None:
        self._offered: Counter[str] = Counter()
        self._right: Counter[str] = Counter()
        points: list[Point] = []
        for question, key in training:
            right = right_choice(key)
            if right is None:
                points.append(point_of((question, key)))
                continue
            self._offered.update(question.choices)
            self._right[question.choices[right]] += 1
        self._best: Point = ()
        if points:
            question = training[0][0]
            hits = [sum(would_be_right(question, one, item) for item in points) for one in points]
            self._best = points[hits.index(max(hits))]

    def __call__(self, question: Question) -> Answer:
        """The choice most often right where offered, or the best single answer."""
        if question.answer_mode is AnswerMode.CHOICE:
            rates = [
                (self._right[text] + 1.0) / (self._offered[text] + len(question.choices))
                for text in question.choices
            ]
            return ChoiceAnswer(choice=rates.index(max(rates)))
        return answer_at(question, self._best)


class RandomGuess:
    """Any answer, evenly over the range of the training's answers."""

    def __init__(self, training: Sequence[Solved], rng: np.random.Generator) -> None:
        self._rng = rng
        points = [point_of(item) for item in training if right_choice(item[1]) is None]
        self._points = np.array(points)

    def __call__(self, question: Question) -> Answer:
        """A random choice or point."""
        if question.answer_mode is AnswerMode.CHOICE:
            return ChoiceAnswer(choice=int(self._rng.integers(len(question.choices))))
        low, high = self._points.min(axis=0), self._points.max(axis=0)
        return answer_at(question, tuple(self._rng.uniform(low, high).tolist()))


class TextPrior:
    """What the words of a question predict, by counts over the training."""

    def __init__(self, training: Sequence[Solved]) -> None:
        self._choices = ChoicePrior()
        self._classes = ClassPrior()
        self._points: dict[tuple[int, ...], list[Point]] = {}
        for question, key in training:
            right = right_choice(key)
            if right is not None:
                self._choices.add(question, right)
                continue
            point = point_of((question, key))
            name = class_of(question, point)
            self._classes.add(question, name)
            self._points.setdefault(name, []).append(point)

    def __call__(self, question: Question) -> Answer:
        """The likeliest choice, or the middle of the likeliest class of answers."""
        if question.answer_mode is AnswerMode.CHOICE:
            return ChoiceAnswer(choice=self._choices.best(question))
        points = np.array(self._points[self._classes.best(question)])
        return answer_at(question, tuple(np.median(points, axis=0).tolist()))


BASELINES: Final[dict[str, Callable[[Sequence[Solved], np.random.Generator], Baseline]]] = {
    "constant_position": lambda training, rng: ConstantPosition(training),
    "majority": lambda training, rng: Majority(training),
    "random": RandomGuess,
    "text_prior": lambda training, rng: TextPrior(training),
}
"""The baselines by name, each made from training questions and a random generator."""
