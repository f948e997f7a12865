"""Checks of demands, as far as a program can check them (EviSeek, section 4.2).

A demand must be about the question, and it must not assume an answer: it may not name one of the
choices alone, nor a number that the question does not name. It may name a candidate where it asks
for the outcome of a test of it.
"""

import re
from typing import Final

from avr_ros.reasoning.stages.contract import AnswerContract
from avr_ros.schema.vocabulary import AnswerMode

_WORD = re.compile(r"[a-z]+|\d+(?:\.\d+)?")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_TEST = re.compile(r"\b(whether|if|test|outcome|result|after (?:placing|putting|pouring|trying))\b")

_COMMON_WORDS: Final = (
    "a an the this that these those of in on at to from by for with and or is are be been being "
    "was were do does did what which who when where how it its they them their there then as any "
    "all each one person people robot seen see view frame frames"
)
_COMMON: Final = frozenset(_COMMON_WORDS.split())
"""Words that say nothing of what a question is about."""


def demand_problem(demand: str, question: str, contract: AnswerContract) -> str:
    """Why a demand is refused; empty where nothing is wrong with it."""
    text, asked = demand.lower(), question.lower()
    words = set(_WORD.findall(text))
    if not _WORD.findall(text):
        return "it says nothing"
    if not (words - _COMMON) & _question_words(asked, contract):
        return "it is not about the question"
    if _TEST.search(text):
        return ""
    if contract.mode is AnswerMode.CHOICE:
        named = [choice for choice in contract.choices if _names(text, choice.lower())]
        assumed = [choice for choice in named if not _names(asked, choice.lower())]
        if assumed and len(named) < len(contract.choices):
            return f"it assumes the answer {assumed[0]!r}"
    else:
        allowed = {float(number) for number in _NUMBER.findall(asked)}
        new = [number for number in _NUMBER.findall(text) if float(number) not in allowed]
        if new:
            return f"it assumes the number {new[0]}, which the question does not name"
    return ""


def _question_words(asked: str, contract: AnswerContract) -> set[str]:
    """What the question and its choices are about; every word where it is about nothing else."""
    words = set(_WORD.findall(asked))
    for choice in contract.choices:
        words |= set(_WORD.findall(choice.lower()))
    stems = {word[:-1] for word in words if word.endswith("s")} | {f"{word}s" for word in words}
    meaning = (words | stems) - _COMMON
    return meaning or words


def _names(text: str, choice: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(choice)}(?!\w)", text) is not None
