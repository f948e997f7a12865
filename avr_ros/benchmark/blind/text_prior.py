"""Count models over the words of questions."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from typing import Final

from avr_ros.schema.question import Question

_WORD: Final = re.compile(r"[a-z']+|\d+")
_NUMBER_STEP: Final = 50
_SMOOTHING: Final = 2.0

ClassName = tuple[int, ...]


def tokens(text: str) -> frozenset[str]:
    """Words and pairs of neighbouring words of a text; numbers only by their size."""
    words = [
        f"#{int(word) // _NUMBER_STEP}" if word.isdecimal() else word
        for word in _WORD.findall(text.lower())
    ]
    return frozenset(words) | {" ".join(pair) for pair in zip(words, words[1:], strict=False)}


class ChoicePrior:
    """How often a choice is right where it is offered beside certain words."""

    def __init__(self) -> None:
        self._offered: Counter[tuple[str, str]] = Counter()
        self._right: Counter[tuple[str, str]] = Counter()

    def add(self, question: Question, right: int) -> None:
        """Count one question."""
        for index, choice in enumerate(question.choices):
            for token in ("", *tokens(question.text)):
                self._offered[token, choice] += 1
                self._right[token, choice] += index == right

    def best(self, question: Question) -> int:
        """Index of the likeliest choice, the first of several."""
        base = 1.0 / len(question.choices)
        words = sorted(tokens(question.text))
        scores = [self._score(choice, words, base) for choice in question.choices]
        return scores.index(max(scores))

    def _score(self, choice: str, words: list[str], base: float) -> float:
        prior = self._log_odds("", choice, base)
        shifts = (self._log_odds(word, choice, base) - prior for word in words)
        return prior + sum(shifts)

    def _log_odds(self, token: str, choice: str, base: float) -> float:
        offered, right = self._offered[token, choice], self._right[token, choice]
        rate = (right + _SMOOTHING * base) / (offered + _SMOOTHING)
        return math.log(rate / (1.0 - rate))


class ClassPrior:
    """Which class of answers goes with certain words (naive Bayes)."""

    def __init__(self) -> None:
        self._classes: Counter[ClassName] = Counter()
        self._words: dict[ClassName, Counter[str]] = defaultdict(Counter)

    def add(self, question: Question, name: ClassName) -> None:
        """Count one question."""
        self._classes[name] += 1
        self._words[name].update(tokens(question.text))

    def best(self, question: Question) -> ClassName:
        """The likeliest class, the lowest of several."""
        words = sorted(tokens(question.text))
        return max(sorted(self._classes), key=lambda name: self._score(name, words))

    def _score(self, name: ClassName, words: list[str]) -> float:
        count = self._classes[name]
        seen = self._words[name]
        return math.log(count) + sum(
            math.log((seen[word] + _SMOOTHING / 2.0) / (count + _SMOOTHING)) for word in words
        )
