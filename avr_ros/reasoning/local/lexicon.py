"""From the tokens of a question to lexemes: the longest phrase is taken, of equals the first."""

from collections.abc import Sequence
from typing import Final

from avr_ros.reasoning.local.actions import (
    ACTION_PHRASES,
    PEOPLE_NAMED_BY_ACTION,
    STARTING_PHRASES,
    STOPPING_PHRASES,
)
from avr_ros.reasoning.local.phrase import Kind, Lexeme, Phrase, phrase
from avr_ros.reasoning.local.phrases import all_phrases
from avr_ros.reasoning.local.words import Form, Token
from avr_ros.reasoning.meaning import Edge


def read_lexemes(tokens: Sequence[Token]) -> list[Lexeme]:
    """The lexemes of a text in order; words without meaning are left out, unknown ones kept."""
    lexemes: list[Lexeme] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if token.name:
            lexemes.append(Lexeme(Kind.NAME, token.text, name=token.text))
            position += 1
            continue
        best_end, best = position, None
        candidates = _PHRASES.get(token.text, ())
        if token.lemma != token.text:
            candidates += _PHRASES.get(token.lemma, ())
        for candidate in candidates:
            end = _match(candidate, tokens, position, 0)
            if end is not None and end > best_end:
                best_end, best = end, candidate
        if best is None:
            lexemes.append(Lexeme(Kind.UNKNOWN, token.text))
            position += 1
            continue
        if best.lexeme is not None:
            lexemes.append(_lexeme(best.lexeme, tokens[position:best_end]))
        position = best_end
    return lexemes


def _phrases() -> list[Phrase]:
    """Every phrase in order of precedence."""
    actions = [
        phrase(text, Lexeme(Kind.ACTION, text, name=action))
        for action, texts in ACTION_PHRASES.items()
        for text in texts
    ]
    actions += [
        phrase(text, Lexeme(Kind.ACTION, text, name=action, edge=edge))
        for edge, phrases in ((Edge.START, STARTING_PHRASES), (Edge.STOP, STOPPING_PHRASES))
        for action, texts in phrases.items()
        for text in texts
    ]
    people = [
        phrase(text, Lexeme(Kind.PERSON, text, name=action))
        for action, texts in PEOPLE_NAMED_BY_ACTION.items()
        for text in texts
    ]
    return [*actions, *people, *all_phrases()]


def _first_words(candidate: Phrase) -> set[str]:
    words: set[str] = set()
    for slot, optional in candidate.slots:
        words |= slot
        if not optional:
            break
    return words


def _by_first_word() -> dict[str, tuple[Phrase, ...]]:
    """Phrases in order of precedence, by each word that they can begin with."""
    index: dict[str, list[Phrase]] = {}
    for candidate in _phrases():
        for word in sorted(_first_words(candidate)):
            index.setdefault(word, []).append(candidate)
    return {word: tuple(found) for word, found in index.items()}


_PHRASES: Final[dict[str, tuple[Phrase, ...]]] = _by_first_word()


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
        nearest=pattern.nearest,
        own=pattern.own,
    )


def _match(candidate: Phrase, tokens: Sequence[Token], position: int, slot: int) -> int | None:
    """The end of the longest reading of a phrase's slots from ``slot`` on, none if it fails."""
    if slot == len(candidate.slots):
        return position
    words, optional = candidate.slots[slot]
    best: int | None = None
    if position < len(tokens):
        token = tokens[position]
        fits = token.is_number if "<number>" in words else bool({token.text, token.lemma} & words)
        if fits and not token.name:
            best = _match(candidate, tokens, position + 1, slot + 1)
    if optional:
        skipped = _match(candidate, tokens, position, slot + 1)
        if skipped is not None and (best is None or skipped > best):
            best = skipped
    return best
