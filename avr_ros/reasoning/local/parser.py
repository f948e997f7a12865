"""The grammar: from a question's text to its meaning, or to the reason why there is none.

It reads questions about when somebody starts or stops an action, or the span of it. A word that it
does not know may change the meaning, so it is never skipped.
"""

from avr_ros.reasoning.local.clauses import MainClause, PersonDraft, Reading, read_clauses
from avr_ros.reasoning.local.lexicon import Kind, read_lexemes
from avr_ros.reasoning.local.words import tokenise
from avr_ros.reasoning.meaning import (
    BoundaryAsked,
    Edge,
    NotUnderstood,
    PersonMeaning,
    QuestionMeaning,
    RelationMeaning,
    SpanAsked,
    TimeMeaning,
    TimeRelation,
)


class _NoReadingError(Exception):
    """The clauses do not make a question that this grammar knows."""


def understand(text: str) -> QuestionMeaning | NotUnderstood:
    """Read a question. The same text gives the same result."""
    lexemes = read_lexemes(tokenise(text))
    unknown = tuple(dict.fromkeys(lexeme.text for lexeme in lexemes if lexeme.kind is Kind.UNKNOWN))
    if unknown:
        return NotUnderstood(reason="the grammar does not know some words", words=unknown)
    reading = read_clauses(lexemes)
    if reading.problem:
        return NotUnderstood(reason=reading.problem)
    try:
        return _meaning(reading)
    except _NoReadingError as error:
        return NotUnderstood(reason=str(error))


def _meaning(reading: Reading) -> QuestionMeaning:
    main = reading.main
    if main.what:
        raise _NoReadingError("it asks for something else than when an action starts or stops")
    person = _person(reading.person)
    action = _asked_action(main, person)
    near = _near(main)
    edges = set(main.edges)
    if main.span:
        return QuestionMeaning(person=person, asked=SpanAsked(action=action, near=near))
    if not edges and main.first != main.last:
        edges = {Edge.START if main.first else Edge.STOP}
    if len(edges) != 1:
        raise _NoReadingError("it names neither a start, a stop nor a span of an action")
    return QuestionMeaning(
        person=person, asked=BoundaryAsked(action=action, edge=edges.pop(), near=near)
    )


def _asked_action(main: MainClause, person: PersonMeaning) -> str:
    actions = list(dict.fromkeys(main.actions))
    if len(actions) == 1:
        return actions[0]
    if len(actions) > 1:
        raise _NoReadingError(f"it asks about several actions: {', '.join(actions)}")
    if len(person.actions) == 1 and Edge.START not in main.edges and not main.first:
        # "When does the person who is sitting stop (doing so)?"
        return person.actions[0]
    raise _NoReadingError("it names no action that is asked about")


def _near(main: MainClause) -> TimeMeaning | None:
    times = list(dict.fromkeys(main.times))
    if not times:
        return TimeMeaning(relation=TimeRelation.AFTER) if main.afterwards else None
    if len(times) > 1:
        raise _NoReadingError("it names several times in the main clause")
    relation, frame_id = times[0]
    return TimeMeaning(relation=relation, frame_id=frame_id)


def _person(draft: PersonDraft, inherited: TimeMeaning | None = None) -> PersonMeaning:
    """The person of a draft; people of one chain are described at one time unless it says more."""
    frames = sorted(set(draft.frames))
    if len(frames) > 1:
        raise _NoReadingError(f"one person is described at several frames: {frames}")
    relation = None
    time = TimeMeaning(frame_id=frames[0]) if frames else inherited
    if draft.relation is not None and draft.other is not None:
        assert draft.relation.relation is not None
        other = _person(draft.other, time)
        relation = RelationMeaning(
            kind=draft.relation.relation,
            other=other,
            nearest=draft.relation.nearest,
            viewpoint=draft.relation.viewpoint,
        )
        time = time or other.time
    if not draft.actions and relation is None:
        raise _NoReadingError("it describes no person by an action or a relation")
    actions = tuple(dict.fromkeys(draft.actions))
    return PersonMeaning(actions=actions, relation=relation, time=time, unique=draft.unique)
