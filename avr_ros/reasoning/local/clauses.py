"""Clauses of a question: who is described by what, and what is asked.

What belongs to a person is read where the person is named (see
:mod:`avr_ros.reasoning.local.people`); all the rest is what is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from avr_ros.reasoning.local.people import Draft, NotReadError, People
from avr_ros.reasoning.local.phrase import Kind, Lexeme
from avr_ros.reasoning.meaning import Edge, RelationKind, TimeRelation

ASKING = frozenset(
    {
        Kind.WHAT,
        Kind.FRAME_WORD,
        Kind.SPAN,
        Kind.FIRST,
        Kind.LAST,
        Kind.SECONDS,
        Kind.HOW_LONG,
        Kind.NEXT_ACTION,
        Kind.DISTANCE,
        Kind.DIRECTION,
        Kind.PRESENCE,
    }
)
"""Kinds of lexemes that ask."""

_CUES = ASKING | {Kind.NEXT, Kind.AFTERWARDS, Kind.SAME_ACTION}

_TIME_RELATIONS = {
    Kind.AFTER: TimeRelation.AFTER,
    Kind.BEFORE: TimeRelation.BEFORE,
    Kind.UNTIL: TimeRelation.AT,
}

AskedTime = tuple[TimeRelation, int]


@dataclass
class Asked:
    """What is asked: cues, the events and actions in order, and times.

    An event has an edge; an action without one has none. ``edges`` are edges without an action.
    ``later`` is whether the question itself, not what leads to it, says "afterwards".
    """

    cues: set[Kind] = field(default_factory=set)
    events: list[tuple[Edge | None, str]] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    times: list[AskedTime] = field(default_factory=list)
    later: bool = False


@dataclass
class Reading:
    """A question's person, everybody who was described on the way, and what is asked."""

    person: Draft
    everyone: list[Draft]
    closest: bool
    frames: list[int]
    asked: Asked


def read_clauses(lexemes: Sequence[Lexeme]) -> Reading:
    """Sort the lexemes of a question into people and what is asked. Raises NotReadError."""
    return _Reader(lexemes).read()


class _Reader:
    """Walks over the lexemes once."""

    def __init__(self, lexemes: Sequence[Lexeme]) -> None:
        self._lexemes = lexemes
        self._order: list[Lexeme] = []
        self._people = People(lexemes, self._order)
        self._people.always_nearest = any(lexeme.kind is Kind.NEAREST_MEANT for lexeme in lexemes)
        self._asked = Asked()
        self._frames: list[int] = []
        self._asks = False
        self._unique = False
        self._afters: list[int] = []
        self._later = False

    def read(self) -> Reading:
        self._refuse_alternatives()
        position = 0
        while position < len(self._lexemes):
            position = self._take(position)
        self._asked.later |= self._asks and self._later
        people = self._people
        if people.spoken_of is None:
            raise NotReadError("it describes no person by an action or a relation")
        self._pair_events()
        if any(0 < place < len(self._order) for place in self._afters):
            # "to start sitting after they start reading"
            self._asked.cues.add(Kind.AFTER)
        anchor = people.everyone[0]
        anchor.unique |= self._unique
        return Reading(
            people.spoken_of,
            people.everyone,
            people.closest_to_robot,
            self._frames,
            self._asked,
        )

    def _take(self, position: int) -> int:
        """Read what begins at a position; return where it ends."""
        people = self._people
        lexeme = self._lexemes[position]
        kind = lexeme.kind
        if kind is Kind.NAME and not people.knows(lexeme.name):
            following = (people.kind(position + 1), people.kind(position + 2))
            if following == (Kind.BE, Kind.ACTION) and not people.everyone:
                return people.read_named(position)
            self._take_name(position)
            return position + 1
        interrogative = kind is Kind.RELATIVE and self._opens(position)
        if people.begins_person(position) or interrogative:
            return self._take_person(position, interrogative)
        if people.begins_relation(position):
            _, position = people.read_relation(position)
            people.give_expected_name()
            return position
        if kind in (Kind.STOP, Kind.QUESTION):
            self._asked.later |= self._asks and self._later
            self._asks = self._later = False
        elif kind is Kind.FRAME:
            self._take_frame(position)
        elif kind in (Kind.ACTION, Kind.EDGE):
            self._order.append(lexeme)
            self._asks = True
        elif kind is Kind.BEFORE:
            self._take_before(position)
        elif kind is Kind.AFTER and people.kind(position + 1) is not Kind.FRAME:
            self._afters.append(len(self._order))
        elif kind is Kind.NEXT and not self._asks:
            pass  # "next, the person behind them"
        elif kind in _CUES:
            self._asked.cues.add(kind)
            self._asks = self._asks or kind in ASKING
            self._later = self._later or kind is Kind.AFTERWARDS
        elif kind is Kind.NEAR:
            self._note_nearest()
        elif kind is Kind.HOW_MANY:
            raise NotReadError(f"it asks {lexeme.text}")
        elif kind is Kind.CLOSEST_TO_ROBOT:
            people.closest_to_robot = True
        elif kind in (Kind.ONLY, Kind.NOBODY_ELSE):
            self._unique = True
        elif kind is Kind.OWN_SIDE_MEANT and people.spoken_of is not None:
            people.spoken_of.own = True
        return position + 1

    def _take_person(self, position: int, interrogative: bool) -> int:
        """Read a person; one of whom nothing is said is the one who was spoken of."""
        people = self._people
        before = people.spoken_of
        if before is None and people.kind(position) is Kind.SAME_PERSON:
            return position + 1
        draft, after = people.read_person(position)
        if draft.plural and not draft.described and (not draft.frames or before is not None):
            raise NotReadError("it speaks of several people")
        if not draft.described:
            # "of the people in frame 9, one is sitting"
            self._frames += draft.frames
            if people.kind(position) is Kind.NEAR:
                self._note_nearest()
        if draft.described:
            people.spoken_of = draft
            people.give_expected_name()
        elif before is not None and draft.unique and not interrogative:
            self._unique = True
        return after

    def _note_nearest(self) -> None:
        """ "To the left of A, the nearest person is B": the relation was told before."""
        last = self._people.spoken_of
        if last is not None and last.kind is not None:
            last.nearest = last.kind is not RelationKind.SAME_GROUP

    def _take_name(self, position: int) -> None:
        """A letter: it names the person who is described next, or the one just described."""
        people = self._people
        name = self._lexemes[position].name
        before, after = people.kind(position - 1), people.kind(position + 1)
        told_next = after in (Kind.BE, Kind.COMMA, Kind.HAVE) or (
            people.begins_person(position + 1) or people.begins_relation(position + 1)
        )
        unnamed = people.spoken_of is not None and not people.spoken_of.name
        if unnamed and (before is Kind.BE or not told_next):
            people.give_name(name)
        elif told_next:
            people.expect_name(name)
        else:
            raise NotReadError(f"it is not clear whom {name!r} names")

    def _take_frame(self, position: int) -> None:
        """A frame that stands by itself: when somebody is described, or what is asked about."""
        people = self._people
        number = self._lexemes[position].number
        before = people.kind(position - 1) if position else Kind.STOP
        relation = _TIME_RELATIONS.get(before, TimeRelation.AT)
        following = position + 1
        if people.kind(following) is Kind.ONWARDS:
            relation = TimeRelation.AFTER
            following += 1
        while people.kind(following) is Kind.COMMA:
            following += 1
        inverted = (Kind.BE, Kind.DO, Kind.HAVE) if following > position + 1 else ()
        asks = (
            self._asks
            or before in _TIME_RELATIONS
            or people.kind(following) in ASKING
            or people.kind(following) in inverted
        )
        known = bool(self._frames) or any(draft.frames for draft in people.everyone)
        if asks or known:
            self._asked.times.append((relation, number))
        else:
            self._frames.append(number)

    def _take_before(self, position: int) -> None:
        """ "Before" belongs to a frame, or stands in "how many seconds before … does …"."""
        if self._people.kind(position + 1) is Kind.FRAME:
            return
        if self._order:
            raise NotReadError("it asks for what is before an event")
        self._asked.cues.add(Kind.BEFORE)

    def _refuse_alternatives(self) -> None:
        """Refuse "sitting or standing": either may be meant."""
        kinds = [lexeme.kind for lexeme in self._lexemes if lexeme.kind is not Kind.BE]
        for before, between, after in zip(kinds, kinds[1:], kinds[2:], strict=False):
            if between is Kind.OR and before is after and before in (Kind.ACTION, Kind.FRAME):
                raise NotReadError("it leaves open which of two is meant")

    def _opens(self, position: int) -> bool:
        """Whether a sentence begins here, so that "who" asks for somebody."""
        before = self._people.kind(position - 1) if position else Kind.STOP
        return before in (Kind.STOP, Kind.QUESTION) and self._lexemes[position].text == "who"

    def _pair_events(self) -> None:
        """Put edges and actions together: "start walking", "the call ends"."""
        asked = self._asked
        order = self._order
        position = 0
        while position < len(order):
            here = order[position]
            following = order[position + 1] if position + 1 < len(order) else None
            if here.kind is Kind.EDGE:
                if following is not None and following.kind is Kind.ACTION:
                    asked.events.append((here.edge, following.name))
                    position += 2
                    continue
                assert here.edge is not None
                asked.edges.append(here.edge)
            elif (
                following is not None
                and following.kind is Kind.EDGE
                and (position + 2 == len(order) or order[position + 2].kind is Kind.EDGE)
            ):
                asked.events.append((following.edge, here.name))
                position += 2
                continue
            else:
                asked.events.append((here.edge, here.name))
            position += 1
