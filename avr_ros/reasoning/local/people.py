"""People in a question: noun phrases, relations, and whom a pronoun or a letter means.

A relation makes a new person out of another one. The other one may be described on the spot ("the
person to the left of the only cyclist"), be named or pointed back to ("to the left of A", "behind
them"), or be the one who was spoken of last ("the nearest person on the right").
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from avr_ros.reasoning.local.phrase import Kind, Lexeme
from avr_ros.reasoning.meaning import RelationKind


class NotReadError(Exception):
    """The lexemes make no question that the grammar knows; the text says why."""


@dataclass(eq=False)
class Draft:
    """A person as the text describes them so far; ``plural`` while several are spoken of."""

    actions: list[str] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)
    kind: RelationKind | None = None
    nearest: bool = False
    own: bool = False
    other: "Draft | None" = None
    unique: bool = False
    plural: bool = False
    name: str = ""

    @property
    def described(self) -> bool:
        """Whether anything was said of the person."""
        return bool(self.actions) or self.kind is not None


@dataclass
class _Relation:
    """A relation being read: what was said of it before its kind."""

    nearest: bool = False
    own: bool = False
    other: Draft | None = None


_BEFORE_A_SIDE = (Kind.NEAR, Kind.OWN)
_POINTS_BACK = (Kind.SAME_PERSON, Kind.NAME, Kind.PARTNER)
_BEGINS_A_PERSON = (
    Kind.ONLY,
    Kind.PERSON,
    Kind.PEOPLE,
    Kind.SAME_PERSON,
    Kind.NAME,
    Kind.PARTNER,
)


class People:
    """Reads people out of lexemes. ``spoken_of`` is the one that a pronoun means."""

    def __init__(self, lexemes: Sequence[Lexeme], asked: list[Lexeme]) -> None:
        """Read from ``lexemes``; actions that turn out to be asked about go to ``asked``."""
        self._lexemes = lexemes
        self._asked = asked
        self.everyone: list[Draft] = []
        self.spoken_of: Draft | None = None
        self.closest_to_robot = False
        self.always_nearest = False
        self._names: dict[str, Draft] = {}
        self._waiting_name = ""

    def kind(self, position: int) -> Kind:
        """The kind of the lexeme at a position; STOP behind the end."""
        return self._lexemes[position].kind if position < len(self._lexemes) else Kind.STOP

    def knows(self, name: str) -> bool:
        """Whether somebody has that name."""
        return name in self._names

    def expect_name(self, name: str) -> None:
        """The next person who is described has that name."""
        self._waiting_name = name

    def give_name(self, name: str) -> None:
        """The person spoken of last has that name."""
        if self.spoken_of is None or self.spoken_of.name:
            raise NotReadError(f"it is not clear whom {name!r} names")
        self._named(self.spoken_of, name)

    def give_expected_name(self) -> None:
        """The person who was just described has the name that waits, if one does."""
        if self._waiting_name and self.spoken_of is not None and not self.spoken_of.name:
            self._named(self.spoken_of, self._waiting_name)
            self._waiting_name = ""

    def begins_person(self, position: int) -> bool:
        """Whether a noun phrase can begin here."""
        kind = self.kind(position)
        if kind is Kind.NEAR or kind is Kind.NEXT:
            return self.kind(position + 1) in (Kind.PERSON, Kind.PARTNER)
        if kind is Kind.THEIR or self._possessed(position):
            after = position + (1 if kind is Kind.THEIR else 2)
            return self.kind(after) is Kind.PARTNER
        if kind is Kind.NAME:
            return self.knows(self._lexemes[position].name)
        return kind in _BEGINS_A_PERSON

    def begins_relation(self, position: int) -> bool:
        """Whether a relation can begin here without somebody before it."""
        kind = self.kind(position)
        if kind in (Kind.SIDE, Kind.NEAR_TO, Kind.IN_DIRECTION, Kind.GROUP):
            return True
        if kind in (Kind.NEAR, Kind.NEXT):
            return self.begins_relation(position + 1) and not self.begins_person(position)
        if kind is Kind.THEIR:
            return self._side_follows(position + 1)
        return self._possessed(position) and self._side_follows(position + 2)

    def read_person(self, position: int) -> tuple[Draft, int]:
        """The person of the noun phrase that begins here, and where it ends."""
        only = nearest = False
        while self.kind(position) in (Kind.ONLY, Kind.NEAR, Kind.NEXT):
            only = only or self.kind(position) is Kind.ONLY
            nearest = nearest or self.kind(position) is not Kind.ONLY
            if only and self.kind(position + 1) not in (*_BEGINS_A_PERSON, Kind.NEAR):
                # "the only one": the word for a person is part of the phrase.
                return self._described(Draft(unique=True), position + 1, nearest)
            position += 1
        lexeme = self._lexemes[position]
        if lexeme.kind is Kind.THEIR or self._possessed(position):
            owner = self._meant(position)
            after = position + (1 if lexeme.kind is Kind.THEIR else 2)
            return self._finished(self._partner(owner), after + 1)
        if lexeme.kind is Kind.PARTNER:
            return self._read_partner(position + 1)
        if lexeme.kind in (Kind.SAME_PERSON, Kind.NAME):
            meant = self._meant(position)
            meant.unique |= only
            return meant, position + 1
        known = [person for person in self.everyone if person.actions == [lexeme.name]]
        if known and not only:
            # "the cyclist", of whom was spoken before
            return known[-1], position + 1
        unique = only or lexeme.text.startswith("one ")
        draft = Draft(unique=unique, plural=lexeme.kind is Kind.PEOPLE)
        if lexeme.name:
            draft.actions.append(lexeme.name)
        return self._described(draft, position + 1, nearest)

    def read_named(self, position: int) -> int:
        """Read "A is sitting": a name, and what is said of somebody who is not known yet."""
        draft, end = self._described(Draft(), position + 1, nearest=False)
        if not draft.described:
            raise NotReadError(f"nobody is called {self._lexemes[position].name!r}")
        self._named(draft, self._lexemes[position].name)
        return end

    def read_relation(self, position: int, head: Draft | None = None) -> tuple[Draft, int]:
        """The person whom a relation describes, and where it ends; ``head`` becomes that person."""
        relation = _Relation()
        while True:
            kind = self.kind(position)
            if kind in (Kind.NEAR, Kind.NEXT):
                relation.nearest = True
                position += 1
            elif kind is Kind.OWN:
                relation.own = True
                position += 1
            elif kind is Kind.THEIR:
                relation.other = self._spoken_of()
                position += 1
            elif self._possessed(position):
                relation.other = self._meant(position)
                position += 2
            elif kind is Kind.NEAR_TO:
                relation.nearest = True
                position = self._read_near_to(position + 1, relation)
                if not self._goes_on(position):
                    return self._related(relation, RelationKind.CLOSEST_TO, head), position
            elif kind is Kind.SIDE:
                return self._read_side(position, relation, head)
            elif kind is Kind.IN_DIRECTION:
                return self._read_direction(position + 1, relation, head)
            elif kind is Kind.GROUP:
                return self._read_group(position + 1, relation, head)
            else:
                raise NotReadError("a relation between two people is not complete")

    def _read_near_to(self, position: int, relation: _Relation) -> int:
        """Read whom somebody is nearest to, unless a side of theirs follows."""
        if self.kind(position) is Kind.THEIR or (
            self._possessed(position) and self._side_follows(position + 2)
        ):
            return position
        relation.other, position = self._read_other(position)
        return position

    def _read_side(
        self, position: int, relation: _Relation, head: Draft | None
    ) -> tuple[Draft, int]:
        lexeme = self._lexemes[position]
        position += 1
        assert lexeme.relation is not None
        relation.nearest |= lexeme.nearest
        sideways = lexeme.relation in (RelationKind.LEFT_OF, RelationKind.RIGHT_OF)
        following = position
        while self.kind(following) is Kind.COMMA and sideways:
            following += 1
        if relation.other is None:
            named_after = self.kind(following) is Kind.OF or (
                not sideways and "of" in lexeme.text.split()
            )
            if self.kind(following) is Kind.OF:
                following += 1
            if named_after or (lexeme.text == "behind" and self._begins_other(position)):
                relation.other, position = self._read_other(following)
        draft = self._related(relation, lexeme.relation, head)
        return draft, position

    def _read_direction(
        self, position: int, relation: _Relation, head: Draft | None
    ) -> tuple[Draft, int]:
        """In the direction in which somebody faces."""
        facing, position = self._read_other(position)
        if self.kind(position) is not Kind.FACES:
            raise NotReadError("a direction is given that is not where somebody faces")
        if relation.other is not None and relation.other is not facing:
            raise NotReadError("somebody is near one person and in another one's direction")
        relation.other, relation.nearest = facing, True
        return self._related(relation, RelationKind.IN_FRONT_OF, head), position + 1

    def _read_group(
        self, position: int, relation: _Relation, head: Draft | None
    ) -> tuple[Draft, int]:
        if self._begins_other(position):
            relation.other, position = self._read_other(position)
        return self._related(relation, RelationKind.SAME_GROUP, head), position

    def _read_partner(self, position: int) -> tuple[Draft, int]:
        """The partner of somebody who is named then, or the one who was reached before."""
        if self.kind(position) is Kind.OF and self._begins_other(position + 1):
            owner, position = self._read_other(position + 1)
            return self._finished(self._partner(owner), position)
        known = [draft for draft in self.everyone if draft.kind is RelationKind.SAME_GROUP]
        if known:
            return known[-1], position
        return self._finished(self._partner(self._spoken_of()), position)

    def _read_other(self, position: int) -> tuple[Draft, int]:
        """The person whom a relation is to. They are not spoken of by that alone."""
        spoken_of = self.spoken_of
        if self.kind(position) is Kind.THEIR:
            return self._spoken_of(), position + 1
        if self._is_explained(position):
            name = self._lexemes[position].name
            other, position = self.read_person(position + 2)
            if not other.described or other.name:
                raise NotReadError(f"it is not clear whom {name!r} names")
            self._named(other, name)
            return other, position
        if self._possessed(position) and self.kind(position + 2) is not Kind.PARTNER:
            # "behind A's back"
            return self._meant(position), position + 2
        if not self.begins_person(position):
            raise NotReadError("a relation does not say to whom")
        other, position = self.read_person(position)
        if other.described:
            return other, position
        # "behind the person": no more than a pronoun says.
        if spoken_of is None:
            raise NotReadError("a relation is to a person who is not described")
        return spoken_of, position

    def _is_explained(self, position: int) -> bool:
        """Whether a new name stands here with the person behind it: "A, the only cyclist"."""
        return (
            self.kind(position) is Kind.NAME
            and not self.knows(self._lexemes[position].name)
            and self.kind(position + 1) is Kind.COMMA
            and self.begins_person(position + 2)
        )

    def _begins_other(self, position: int) -> bool:
        return (
            self.kind(position) is Kind.THEIR
            or self._is_explained(position)
            or self._possessed(position)
            or self.begins_person(position)
        )

    def _goes_on(self, position: int) -> bool:
        """Whether a side or direction follows, as in "closest to A on A's own left"."""
        return self.begins_relation(position) and self.kind(position) not in (
            Kind.NEAR,
            Kind.NEAR_TO,
            Kind.NEXT,
        )

    def _described(self, draft: Draft, position: int, nearest: bool) -> tuple[Draft, int]:
        """Read what is said of somebody behind the word for them."""
        relative = False
        while True:
            start = position
            if not draft.plural:
                position, unique = self._skip_aside(position)
                draft.unique |= unique
            position, opened, did = self._skip_auxiliaries(position, relative)
            relative = relative or opened
            kind = self.kind(position)
            if kind is Kind.ACTION and not draft.described and self._told_behind(position + 1):
                # "is the person standing who is reading?"
                self._asked.append(self._lexemes[position])
                position += 1
            elif kind is Kind.ACTION and not draft.actions and (relative or draft.kind is None):
                position = self._read_actions(draft, position)
                relative = False
            elif kind is Kind.FRAME and not self._frame_known(draft) and (relative or not did):
                draft.frames.append(self._lexemes[position].number)
                position += 1
                if self.kind(position) is Kind.AND and self.kind(position + 1) is Kind.FRAME:
                    raise NotReadError("a person is described at several frames")
            elif kind is Kind.CLOSEST_TO_ROBOT:
                self.closest_to_robot = True
                position += 1
            elif kind is Kind.PEOPLE and not draft.described:
                return self.read_person(position)
            elif kind in (Kind.ONLY, Kind.NOBODY_ELSE) and not self.begins_person(position + 1):
                draft.unique = True
                position += 1
            elif self._relates(draft, position, relative):
                if nearest and self.kind(position) is not Kind.NEAR:
                    draft.nearest = True
                draft, position = self.read_relation(position, draft)
                relative = False
            elif (
                kind is Kind.NAME
                and self.kind(position + 1) is Kind.GROUP
                and not draft.described
                and not self._begins_other(position + 2)
            ):
                # "the person A forms a pair with"
                owner = self._meant(position)
                relation = _Relation(other=owner)
                draft = self._related(relation, RelationKind.SAME_GROUP, draft)
                position += 2
            else:
                return self._finished(draft, start)

    def _skip_auxiliaries(self, position: int, relative: bool) -> tuple[int, bool, bool]:
        """Skip "who is", commas around a time in it, and "of" before a time.

        Returns the position, whether a relative clause opened, and whether there was a "do".
        """
        opened = did = False
        if self.kind(position) is Kind.COMMA and (
            self.kind(position + 1) is Kind.RELATIVE
            or (relative and self.kind(position + 1) in (Kind.FRAME, Kind.BE))
        ):
            position += 1
        while self.kind(position) in (Kind.RELATIVE, Kind.BE, Kind.HAVE, Kind.DO):
            opened = opened or self.kind(position) is Kind.RELATIVE
            did = did or self.kind(position) is Kind.DO
            position += 1
            if opened and self.kind(position) is Kind.COMMA:
                position += 1
        if self.kind(position) is Kind.OF and self.kind(position + 1) is Kind.FRAME:
            position += 1
        return position, opened, did

    def _frame_known(self, draft: Draft) -> bool:
        return bool(draft.frames) or any(person.frames for person in self.everyone)

    def _told_behind(self, position: int) -> bool:
        """Whether a relative clause with an action or a relation follows."""
        if self.kind(position) is not Kind.RELATIVE:
            return False
        while self.kind(position) in (Kind.RELATIVE, Kind.BE, Kind.HAVE, Kind.DO):
            position += 1
        return self.kind(position) is Kind.ACTION or self.begins_relation(position)

    def _skip_aside(self, position: int) -> tuple[int, bool]:
        """Skip ", and only one," between a person and what is said of them."""
        following = position
        while self.kind(following) in (Kind.COMMA, Kind.AND):
            following += 1
        if self.kind(following) in (Kind.NOBODY_ELSE, Kind.ONLY) and not self.begins_person(
            following + 1
        ):
            following += 1
            if self.kind(following) is Kind.COMMA:
                following += 1
            return following, True
        return position, False

    def _relates(self, draft: Draft, position: int, relative: bool) -> bool:
        """Whether a relation of this person begins here."""
        if draft.kind is not None or not self.begins_relation(position):
            return False
        return not draft.actions or relative or self.kind(position) is not Kind.GROUP

    def _read_actions(self, draft: Draft, position: int) -> int:
        """Read "sitting and reading"."""
        draft.actions.append(self._lexemes[position].name)
        position += 1
        while self.kind(position) is Kind.AND and self.kind(position + 1) is Kind.ACTION:
            draft.actions.append(self._lexemes[position + 1].name)
            position += 2
        return position

    def _related(self, relation: _Relation, kind: RelationKind, head: Draft | None) -> Draft:
        """The person who stands in a relation."""
        other = relation.other or self._spoken_of()
        draft = head or Draft()
        if draft is other:
            raise NotReadError("somebody is related to themselves")
        draft.kind, draft.other = kind, other
        sideways = kind in (RelationKind.LEFT_OF, RelationKind.RIGHT_OF)
        draft.nearest = (
            draft.nearest or relation.nearest or self.always_nearest or not sideways
        ) and kind is not RelationKind.SAME_GROUP
        draft.own = relation.own or not sideways
        self._finished(draft, 0)
        return draft

    def _partner(self, other: Draft) -> Draft:
        return self._related(_Relation(other=other), RelationKind.SAME_GROUP, None)

    def _finished(self, draft: Draft, position: int) -> tuple[Draft, int]:
        """Note a person who is described; they are spoken of now."""
        if draft.described:
            if draft not in self.everyone:
                self.everyone.append(draft)
            self.spoken_of = draft
        return draft, position

    def _named(self, draft: Draft, name: str) -> None:
        draft.name = name
        self._names[name] = draft

    def _meant(self, position: int) -> Draft:
        lexeme = self._lexemes[position]
        if lexeme.kind is Kind.NAME:
            if lexeme.name not in self._names:
                raise NotReadError(f"nobody is called {lexeme.name!r}")
            return self._names[lexeme.name]
        return self._spoken_of()

    def _spoken_of(self) -> Draft:
        if self.spoken_of is None:
            raise NotReadError("it speaks of a person before it describes one")
        return self.spoken_of

    def _possessed(self, position: int) -> bool:
        """Whether "A's" or "that person's" stands here."""
        return self.kind(position) in _POINTS_BACK and self.kind(position + 1) is Kind.POSSESSIVE

    def _side_follows(self, position: int) -> bool:
        while self.kind(position) in _BEFORE_A_SIDE:
            position += 1
        return self.kind(position) is Kind.SIDE
