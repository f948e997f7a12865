"""Clauses of a question: who is described by what, and what the main clause asks.

The reading is shallow on purpose: a relative clause belongs to the person named before it and ends
where its predicate is complete and another verb, a comma or the sentence's end follows. What the
main clause holds is what is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from avr_ros.reasoning.local.lexicon import Kind, Lexeme
from avr_ros.reasoning.local.words import Form
from avr_ros.reasoning.meaning import Edge, TimeRelation


@dataclass
class PersonDraft:
    """A person as the text describes them so far."""

    actions: list[str] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)
    relation: Lexeme | None = None
    other: "PersonDraft | None" = None
    unique: bool = False

    @property
    def described(self) -> bool:
        """Whether anything was said of the person."""
        return bool(self.actions or self.relation)


@dataclass
class MainClause:
    """What is asked."""

    actions: list[str] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    times: list[tuple[TimeRelation, int]] = field(default_factory=list)
    span: bool = False
    first: bool = False
    last: bool = False
    what: bool = False
    afterwards: bool = False
    same_action: bool = False


@dataclass
class Reading:
    """The clauses of a whole question."""

    person: PersonDraft = field(default_factory=PersonDraft)
    main: MainClause = field(default_factory=MainClause)
    problem: str = ""


def read_clauses(lexemes: Sequence[Lexeme]) -> Reading:
    """Sort the lexemes of a question into clauses."""
    return _Reader(lexemes).read()


class _Reader:
    """Walks over the lexemes once, keeping which person is being described, if any."""

    def __init__(self, lexemes: Sequence[Lexeme]) -> None:
        self._sentences = _sentences(lexemes)
        self._reading = Reading()
        self._introduced = False
        self._focus = self._reading.person
        self._describing = False
        self._asks = False
        self._joined = False
        self._only = False

    def read(self) -> Reading:
        for sentence in self._sentences:
            self._asks = _asks(sentence)
            self._describing = not self._asks
            self._focus = self._reading.person
            self._only = False
            for position, lexeme in enumerate(sentence):
                self._take(lexeme, sentence, position)
                self._joined = lexeme.kind is Kind.AND
        return self._reading

    def _take(self, lexeme: Lexeme, sentence: Sequence[Lexeme], position: int) -> None:
        main = self._reading.main
        kind = lexeme.kind
        if kind is Kind.PERSON:
            self._take_person(sentence, position)
            self._focus.unique |= self._only
            self._only = False
        elif kind is Kind.ONLY:
            self._only = True
        elif kind is Kind.SAME_PERSON:
            self._focus = self._reading.person
            self._describing = not self._asks
        elif kind is Kind.RELATIVE:
            self._describing = self._describing or _names_somebody(sentence[:position])
        elif kind is Kind.RELATION:
            self._take_relation(lexeme, sentence[position + 1 :])
        elif kind is Kind.ACTION:
            self._take_action(lexeme, sentence, position)
        elif kind is Kind.EDGE:
            self._describing = False
            if lexeme.edge is not None:
                main.edges.append(lexeme.edge)
        elif kind is Kind.FRAME:
            self._take_frame(lexeme, sentence, position)
        elif kind is Kind.COMMA:
            if self._asks and self._focus.described and not _continues(sentence, position + 1):
                self._describing = False
        elif kind in (Kind.BE, Kind.DO):
            if self._describing and self._asks and self._focus.described and not self._joined:
                before = sentence[position - 1].kind if position else Kind.COMMA
                self._describing = before is Kind.RELATIVE
        elif kind is Kind.SPAN:
            main.span = True
            self._describing = self._describing and not self._asks
        elif kind is Kind.FIRST:
            main.first = True
        elif kind is Kind.LAST:
            main.last = True
        elif kind is Kind.AFTERWARDS:
            main.afterwards = True
        elif kind is Kind.WHAT:
            main.what = True
        elif kind is Kind.SAME_ACTION:
            main.same_action = True

    def _take_person(self, sentence: Sequence[Lexeme], position: int) -> None:
        before = [lexeme.kind for lexeme in sentence[:position] if lexeme.kind is not Kind.ONLY]
        if before and before[-1] is Kind.RELATION:
            return
        if self._introduced:
            self._focus = self._reading.person
            self._describing = not self._asks
            return
        self._introduced = True
        self._focus = self._reading.person

    def _take_relation(self, lexeme: Lexeme, following: Sequence[Lexeme]) -> None:
        if following and following[0].kind is Kind.SAME_PERSON and self._reading.person.described:
            # "… a person who sits, and the one to the left of them": the other one is meant now.
            self._reading.person = PersonDraft(relation=lexeme, other=self._reading.person)
            self._focus = self._reading.person
            return
        if self._focus.relation is not None:
            self._reading.problem = f"{lexeme.text!r} is a second relation of the same person"
            return
        self._focus.relation = lexeme
        self._focus.other = PersonDraft()
        self._focus = self._focus.other
        self._introduced = True
        self._describing = True

    def _take_action(self, lexeme: Lexeme, sentence: Sequence[Lexeme], position: int) -> None:
        describing = self._describing
        if self._asks and not self._reading.main.edges:
            before = sentence[position - 1].kind if position else Kind.STOP
            reduced = before in (Kind.PERSON, Kind.FRAME) and lexeme.form is Form.PARTICIPLE
            if not describing and reduced and not self._focus.described:
                describing = _predicate_follows(sentence, position + 1)
            elif describing and self._focus.actions and not self._joined:
                describing = False
        if describing:
            self._focus.actions.append(lexeme.name)
            self._describing = True
        else:
            self._describing = False
            self._reading.main.actions.append(lexeme.name)

    def _take_frame(self, lexeme: Lexeme, sentence: Sequence[Lexeme], position: int) -> None:
        before = sentence[position - 1].kind if position else Kind.STOP
        relation = {Kind.AFTER: TimeRelation.AFTER, Kind.BEFORE: TimeRelation.BEFORE}.get(
            before, TimeRelation.AT
        )
        beside_person = before in (Kind.PERSON, Kind.SAME_PERSON)
        if relation is TimeRelation.AT and (self._describing or beside_person):
            self._focus.frames.append(lexeme.number)
        else:
            self._reading.main.times.append((relation, lexeme.number))


def _sentences(lexemes: Sequence[Lexeme]) -> list[list[Lexeme]]:
    """Split at full stops, and at a comma between a statement and the question about it."""
    sentences: list[list[Lexeme]] = [[]]
    for position, lexeme in enumerate(lexemes):
        last = sentences[-1]
        following = lexemes[position + 1].kind if position + 1 < len(lexemes) else Kind.STOP
        turns = following in (Kind.FRAME_WORD, Kind.SPAN, Kind.LAST) and _states(last)
        if lexeme.kind in (Kind.STOP, Kind.QUESTION) or (lexeme.kind is Kind.COMMA and turns):
            sentences.append([])
        else:
            last.append(lexeme)
    return [sentence for sentence in sentences if sentence]


def _states(sentence: Sequence[Lexeme]) -> bool:
    """Whether a sentence says something of somebody without asking."""
    kinds = {lexeme.kind for lexeme in sentence}
    return Kind.ACTION in kinds and Kind.PERSON in kinds and not _asks(sentence)


def _asks(sentence: Sequence[Lexeme]) -> bool:
    """Whether a sentence asks: it names an edge, a span or a frame without a number."""
    asking = (Kind.EDGE, Kind.SPAN, Kind.FRAME_WORD, Kind.WHAT, Kind.LAST, Kind.FIRST)
    return any(lexeme.kind in asking for lexeme in sentence)


def _names_somebody(before: Sequence[Lexeme]) -> bool:
    """Whether the words before a relative word end with a person or what was said of one."""
    kinds = [lexeme.kind for lexeme in before if lexeme.kind is not Kind.COMMA]
    somebody = (Kind.PERSON, Kind.SAME_PERSON)
    if kinds and kinds[-1] in (Kind.ACTION, Kind.FRAME, Kind.AND):
        return any(kind in somebody for kind in kinds)
    return bool(kinds) and kinds[-1] in somebody


def _continues(sentence: Sequence[Lexeme], position: int) -> bool:
    """Whether what follows a comma goes on describing: a relative word, or the end of a list."""
    return position < len(sentence) and sentence[position].kind in (Kind.RELATIVE, Kind.AND)


def _predicate_follows(sentence: Sequence[Lexeme], position: int) -> bool:
    """Whether a verb of the main clause comes later: an edge, or one in no relative clause."""
    for lexeme in sentence[position:]:
        if lexeme.kind is Kind.RELATIVE:
            return False
        if lexeme.kind in (Kind.EDGE, Kind.ACTION):
            return True
    return False
