"""Phrases with a meaning, and what they contribute to a question."""

from dataclasses import dataclass
from enum import Enum

from avr_ros.reasoning.local.words import Form
from avr_ros.reasoning.meaning import Edge, RelationKind


class Kind(str, Enum):
    """What a lexeme contributes."""

    ACTION = "action"
    EDGE = "edge"
    PERSON = "person"
    PEOPLE = "people"
    NAME = "name"
    SAME_PERSON = "same person"
    THEIR = "their"
    POSSESSIVE = "'s"
    PARTNER = "partner"
    ONLY = "only"
    NOBODY_ELSE = "nobody else"
    CLOSEST_TO_ROBOT = "closest to the robot"
    NEAR = "near"
    NEAR_TO = "near to"
    SIDE = "side"
    IN_DIRECTION = "in the direction"
    FACES = "faces"
    OWN = "own"
    OWN_SIDE_MEANT = "own side meant"
    NEAREST_MEANT = "nearest meant"
    GROUP = "group"
    OF = "of"
    RELATIVE = "relative"
    BE = "be"
    HAVE = "have"
    DO = "do"
    FRAME = "frame"
    FRAME_WORD = "frame word"
    SPAN = "span"
    FIRST = "first"
    LAST = "last"
    NEXT = "next"
    NEXT_ACTION = "next action"
    WHAT = "what"
    HOW_MANY = "how many"
    SECONDS = "seconds"
    HOW_LONG = "how long"
    DISTANCE = "distance"
    DIRECTION = "direction"
    PRESENCE = "presence"
    AFTER = "after"
    AFTERWARDS = "afterwards"
    ONWARDS = "onwards"
    BEFORE = "before"
    UNTIL = "until"
    SAME_ACTION = "same action"
    AND = "and"
    OR = "or"
    COMMA = "comma"
    STOP = "stop"
    QUESTION = "question"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Lexeme:
    """A phrase of the question: its kind, what it names, and the words it was read from.

    ``nearest`` and ``own`` belong to sides: the nearest person there, and the other's own side.
    """

    kind: Kind
    text: str
    name: str = ""
    form: Form = Form.OTHER
    number: int = 0
    edge: Edge | None = None
    relation: RelationKind | None = None
    nearest: bool = False
    own: bool = False


@dataclass(frozen=True)
class Phrase:
    """Slots of words, each of which may be optional; none as the lexeme means nothing."""

    slots: tuple[tuple[frozenset[str], bool], ...]
    lexeme: Lexeme | None


def phrase(text: str, lexeme: Lexeme | None) -> Phrase:
    """A phrase from its text, see :mod:`avr_ros.reasoning.local.actions`."""
    return Phrase(tuple(_slot(slot) for slot in text.split()), lexeme)


def _slot(text: str) -> tuple[frozenset[str], bool]:
    optional = len(text) > 1 and text.endswith("?")
    return frozenset(text[: len(text) - optional].split("|")), optional
