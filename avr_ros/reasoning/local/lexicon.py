"""Phrases with a meaning: from the tokens of a question to lexemes.

A phrase is written as words separated by blanks; ``a|b`` is either, a trailing ``?`` may be left
out. Words stand for every inflection of themselves. The longest phrase that fits is taken, of
equally long ones the first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from avr_ros.reasoning.local.words import Form, Token
from avr_ros.reasoning.meaning import Edge, RelationKind, Viewpoint


class Kind(str, Enum):
    """What a lexeme contributes."""

    ACTION = "action"
    EDGE = "edge"
    PERSON = "person"
    ONLY = "only"
    SAME_PERSON = "same person"
    RELATIVE = "relative"
    RELATION = "relation"
    BE = "be"
    DO = "do"
    FRAME = "frame"
    FRAME_WORD = "frame word"
    SPAN = "span"
    FIRST = "first"
    LAST = "last"
    SAME_ACTION = "same action"
    WHAT = "what"
    AFTER = "after"
    AFTERWARDS = "afterwards"
    BEFORE = "before"
    AND = "and"
    COMMA = "comma"
    STOP = "stop"
    QUESTION = "question"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Lexeme:
    """A phrase of the question: its kind, what it names, and the words it was read from."""

    kind: Kind
    text: str
    name: str = ""
    form: Form = Form.OTHER
    number: int = 0
    edge: Edge | None = None
    relation: RelationKind | None = None
    viewpoint: Viewpoint = Viewpoint.ROBOT
    nearest: bool = False


@dataclass(frozen=True)
class _Phrase:
    slots: tuple[tuple[frozenset[str], bool], ...]
    lexeme: Lexeme | None


_SOMETHING: Final = "something|sth|anything|object|item|thing"
_SOMEONE: Final = "someone|somebody|anyone|another|others|people|person"
_ARTICLE: Final = "a|an|the|some|their|his|her|any"

_DOOR_VERBS: Final = "open|close|push|pull|hold|use|handle"

_ACTIONS: Final[dict[str, tuple[str, ...]]] = {
    "walking": ("walk", "stroll", "go on? foot", "take a|some walk"),
    "standing": ("stand up? still?", "stay on? their? foot|feet"),
    "holding sth": (
        f"hold|carry|grip {_ARTICLE}? {_SOMETHING}",
        "hold|carry",
        f"have {_ARTICLE}? {_SOMETHING} in {_ARTICLE}? hand|hands",
    ),
    "sitting": ("sit down?", "be seated"),
    "listening to someone": (f"listen to? {_ARTICLE}? {_SOMEONE}", "listen"),
    "talking to someone": (
        f"talk|speak|chat|converse to|with {_ARTICLE}? {_SOMEONE}",
        "talk|speak|chat|converse",
        f"have a conversation with? {_SOMEONE}?",
    ),
    "looking at robot": (
        "look|stare|gaze|glance at|toward|towards the|a|our? robot|camera",
        "watch the|our robot|camera",
    ),
    "looking into sth": (f"look|peer|gaze|stare into|inside {_ARTICLE}? {_SOMETHING}",),
    "looking at sth": (
        f"look|stare|gaze|glance at|toward|towards {_ARTICLE}? {_SOMETHING}",
        f"watch {_ARTICLE}? {_SOMETHING}",
    ),
    "cycling": (
        "cycle",
        f"ride {_ARTICLE}? bicycle|bike",
        f"be on {_ARTICLE} bicycle|bike",
        "bike|biking|bicycling",
    ),
    "going upstairs": (
        f"go|walk|climb|run up {_ARTICLE}? stairs|staircase|steps",
        f"climb|ascend {_ARTICLE}? stairs|staircase|steps",
        "go|walk|climb|run upstairs",
    ),
    "bending": ("bend down|over|forward?", "stoop down?", "lean down|over|forward"),
    "typing": (f"type on|at? {_ARTICLE}? keyboard|laptop|computer?",),
    "interaction with door": (
        f"interact with {_ARTICLE}? door",
        f"interaction with {_ARTICLE}? door",
        f"{_DOOR_VERBS} {_ARTICLE}? door open|closed?",
        f"{_DOOR_VERBS} or|and {_DOOR_VERBS} {_ARTICLE}? door open|closed?",
    ),
    "eating sth": (f"eat {_ARTICLE}? {_SOMETHING}", "eat food|lunch|dinner?", "dine"),
    "talking on the phone": (
        f"talk|speak on|over|by|into {_ARTICLE}? phone|telephone|cellphone|mobile",
        f"be on {_ARTICLE} phone|telephone|cellphone|mobile",
        f"use {_ARTICLE}? phone|telephone|cellphone|mobile",
        "phone",
        "have a phone|telephone call",
    ),
    "pointing at sth": (f"point at|to|toward|towards {_ARTICLE}? {_SOMETHING}", "point"),
    "going downstairs": (
        f"go|walk|run|climb down {_ARTICLE}? stairs|staircase|steps",
        f"descend {_ARTICLE}? stairs|staircase|steps",
        "go|walk|climb|run downstairs",
    ),
    "reading": (f"read {_ARTICLE}? {_SOMETHING}|book|paper|newspaper?",),
    "pushing": (f"push {_ARTICLE}? {_SOMETHING}", "push"),
    "skating": ("skate", "ride a|the|their skateboard"),
    "scootering": ("scooter", f"ride {_ARTICLE}? scooter", f"be on {_ARTICLE} scooter"),
    "greeting gestures": (
        f"greet {_ARTICLE}? {_SOMEONE}",
        "greet",
        "greeting gestures|gesture",
        "make|do a? greeting gestures|gesture",
        f"wave at|to? {_ARTICLE}? {_SOMEONE}",
        "wave",
    ),
    "running": ("run", "jog"),
    "writing": (f"write {_ARTICLE}? {_SOMETHING}", "write down?"),
    "pulling": (f"pull|drag {_ARTICLE}? {_SOMETHING}", "pull|drag"),
    "lying": ("lie down?", "recline"),
}

_PERSON_NOUNS: Final = "person|pedestrian|individual|human|somebody|someone|one|people"
_FRAME_NOUNS: Final = "frame|image|picture"


def _relation(
    kind: RelationKind, nearest: bool, viewpoint: Viewpoint, *phrases: str
) -> list[_Phrase]:
    return [
        _phrase(
            text,
            Lexeme(Kind.RELATION, text, relation=kind, nearest=nearest, viewpoint=viewpoint),
        )
        for text in phrases
    ]


def _phrase(text: str, lexeme: Lexeme | None) -> _Phrase:
    slots = tuple(
        (frozenset(slot.rstrip("?").split("|")), slot.endswith("?")) for slot in text.split()
    )
    return _Phrase(slots, lexeme)


def _plain(kind: Kind, *phrases: str, edge: Edge | None = None) -> list[_Phrase]:
    return [_phrase(text, Lexeme(kind, text, edge=edge)) for text in phrases]


def _all_phrases() -> tuple[_Phrase, ...]:
    near = "nearest|closest"
    which_is = "what|which? be? the?"
    phrases = [
        _phrase(text, Lexeme(Kind.ACTION, text, name=action))
        for action, texts in _ACTIONS.items()
        for text in texts
    ]
    phrases += [
        # A frame's number; the plural takes one too: "frames 10 to 20".
        _phrase(
            f"{_FRAME_NOUNS}|frames number|no|id|index? .? #|_|-|:? <number>",
            Lexeme(Kind.FRAME, "frame"),
        ),
        _phrase("# <number>", Lexeme(Kind.FRAME, "frame")),
    ]
    phrases += _plain(
        Kind.EDGE,
        "start|begin|commence to?",
        "take up",
        "go over to",
        "start|beginning|onset of?",
        edge=Edge.START,
    )
    phrases += _plain(
        Kind.EDGE,
        "stop|end|finish|cease|quit to?",
        "no longer",
        "not do? any longer|more",
        "leave off",
        "end of",
        "be done|finished|through with?",
        edge=Edge.STOP,
    )
    phrases += _plain(
        Kind.SPAN,
        "what|which frames|images",
        f"from|between what|which {_FRAME_NOUNS}? to|until|till|through|and"
        f" what|which {_FRAME_NOUNS}?",
        f"{which_is} first and|to the? last {_FRAME_NOUNS}|frames?",
        "start|starting|begin|beginning and end|ending|stop frame|frames",
        "start|begin and stop|end|finish",
        f"{which_is} span|stretch|interval|period|range of? frames|time?",
        "from when to|until|till when",
    )
    phrases += _plain(Kind.FIRST, f"{which_is} first|earliest")
    phrases += _plain(Kind.LAST, f"{which_is} last|latest|final", "until|till when")
    phrases += _plain(
        Kind.FRAME_WORD,
        f"in|at|on|during|by? what|which {_FRAME_NOUNS}|moment|time",
        f"{which_is} {_FRAME_NOUNS}|moment|time|instant|number|id|frames where?",
        "when",
    )
    phrases += _plain(Kind.WHAT, "what", "which action", "how far", "how many", "where")
    phrases += _plain(Kind.PERSON, f"one? {_PERSON_NOUNS}")
    phrases += _plain(
        Kind.SAME_PERSON,
        "they|he|she|them",
        f"this|that|same {_PERSON_NOUNS}",
        f"the same {_PERSON_NOUNS}",
        "his|her|their",
    )
    phrases += _plain(Kind.ONLY, "only|exactly|just one?", "single|sole|unique", "nobody else")
    phrases += _plain(Kind.RELATIVE, "who", "that", "which", "whom", "whose")
    phrases += _plain(Kind.SAME_ACTION, "do so|that|this|it", "this|that|the action|activity", "it")
    phrases += _plain(Kind.BE, "be", "have been", "will be", "appear|seem to? be?", "be seen")
    phrases += _plain(Kind.DO, "do", "will", "have")
    phrases += _plain(
        Kind.AFTERWARDS,
        "after that|this|which",
        "afterwards|later|subsequently|thereafter",
        "from then|there on",
        "next time?",
    )
    phrases += _plain(Kind.AFTER, "after", "following", "later than", "since", "from")
    phrases += _plain(Kind.BEFORE, "before", "until|till", "prior to", "earlier than")
    phrases += _plain(Kind.AND, "and", "while", "and also?")
    phrases += _plain(Kind.COMMA, ",", "-", ":", "(", ")", "'s", '"', "'")
    phrases += _plain(Kind.STOP, ".", "!", ";")
    phrases.append(_Phrase(((frozenset({"?"}), False),), Lexeme(Kind.QUESTION, "?")))
    own = "their|his|her|own|that"
    for side, left_right in (("left", RelationKind.LEFT_OF), ("right", RelationKind.RIGHT_OF)):
        phrases += _relation(
            left_right,
            True,
            Viewpoint.ROBOT,
            f"{near} on|to|at|toward|towards the {side} of",
            f"{near} {_PERSON_NOUNS} on|to|at|toward|towards the {side} of",
            f"immediately|directly|next on|to|at the {side} of",
            f"{near} {side} neighbor|neighbour of",
        )
        phrases += _relation(
            left_right, False, Viewpoint.ROBOT, f"on|to|at the {side} of", f"{side} of"
        )
        phrases += _relation(
            left_right,
            True,
            Viewpoint.PERSON,
            f"{near} on|to|at {own} own? {side} of",
        )
    phrases += _relation(RelationKind.IN_FRONT_OF, True, Viewpoint.PERSON, f"{near}? in front of")
    phrases += _relation(RelationKind.BEHIND, True, Viewpoint.PERSON, f"{near}? behind")
    phrases += _relation(
        RelationKind.CLOSEST_TO,
        True,
        Viewpoint.PERSON,
        f"{near} to",
        f"{near} neighbor|neighbour of",
    )
    phrases += _relation(
        RelationKind.SAME_GROUP,
        False,
        Viewpoint.PERSON,
        "in the same group as|of",
        "share a|the group with",
    )
    phrases += [
        _phrase(text, None)
        for text in (
            "a|an|the|some|just|very|now|then|there|here|both",
            "please|tell|give|locate|take|name|state|find|report|determine|identify|say|me|us|consider",
            "look|search for",
            "as? be? see|view from the robot|camera 's? view|viewpoint|perspective?",
            "from the robot|camera 's view|viewpoint|perspective",
            "in|at|on|of|during|by|over|for|to|with|as|through|throughout",
            "keep|continue|remain|stay on?",
            "first of all",
            "scene|video|recording|sequence|panorama|robot",
            "visible|shown|answer|number",
        )
    ]
    return tuple(phrases)


def _first_words(phrase: _Phrase) -> set[str]:
    words: set[str] = set()
    for slot, optional in phrase.slots:
        words |= slot
        if not optional:
            break
    return words


def _by_first_word() -> dict[str, tuple[_Phrase, ...]]:
    """Phrases in order of precedence, by each word that they can begin with."""
    index: dict[str, list[_Phrase]] = {}
    for phrase in _all_phrases():
        for word in sorted(_first_words(phrase)):
            index.setdefault(word, []).append(phrase)
    return {word: tuple(phrases) for word, phrases in index.items()}


_PHRASES: Final[dict[str, tuple[_Phrase, ...]]] = _by_first_word()


def read_lexemes(tokens: Sequence[Token]) -> list[Lexeme]:
    """The lexemes of a text in order; words without meaning are left out, unknown ones kept."""
    lexemes: list[Lexeme] = []
    position = 0
    while position < len(tokens):
        best_end, best = position, None
        token = tokens[position]
        candidates = _PHRASES.get(token.text, ())
        if token.lemma != token.text:
            candidates += _PHRASES.get(token.lemma, ())
        for phrase in candidates:
            end = _match(phrase, tokens, position, 0)
            if end is not None and end > best_end:
                best_end, best = end, phrase
        if best is None:
            lexemes.append(Lexeme(Kind.UNKNOWN, token.text))
            position += 1
            continue
        if best.lexeme is not None:
            lexemes.append(_lexeme(best.lexeme, tokens[position:best_end]))
        position = best_end
    return lexemes


def _lexeme(pattern: Lexeme, words: Sequence[Token]) -> Lexeme:
    number = next((int(word.text) for word in reversed(words) if word.is_number), 0)
    form = next((word.form for word in words if word.form is not Form.OTHER), Form.OTHER)
    return Lexeme(
        kind=pattern.kind,
        text=" ".join(word.text for word in words),
        name=pattern.name,
        form=form,
        number=number,
        edge=pattern.edge,
        relation=pattern.relation,
        viewpoint=pattern.viewpoint,
        nearest=pattern.nearest,
    )


def _match(phrase: _Phrase, tokens: Sequence[Token], position: int, slot: int) -> int | None:
    """The end of the longest reading of a phrase's slots from ``slot`` on, none if it fails."""
    if slot == len(phrase.slots):
        return position
    words, optional = phrase.slots[slot]
    best: int | None = None
    if position < len(tokens):
        token = tokens[position]
        fits = token.is_number if "<number>" in words else bool({token.text, token.lemma} & words)
        if fits:
            best = _match(phrase, tokens, position + 1, slot + 1)
    if optional:
        skipped = _match(phrase, tokens, position, slot + 1)
        if skipped is not None and (best is None or skipped > best):
            best = skipped
    return best
