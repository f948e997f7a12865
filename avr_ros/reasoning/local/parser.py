"""The grammar: from a question's text to its meaning, or to the reason why there is none.

It reads questions about people, actions, relations and time. A word that it does not know may
change the meaning, so it is never skipped; what does not fit together is refused, never guessed.
"""

from avr_ros.reasoning.local.asked import read_asked
from avr_ros.reasoning.local.clauses import Reading, read_clauses
from avr_ros.reasoning.local.lexicon import read_lexemes
from avr_ros.reasoning.local.people import Draft, NotReadError
from avr_ros.reasoning.local.phrase import Kind
from avr_ros.reasoning.local.words import tokenise
from avr_ros.reasoning.meaning import (
    NotUnderstood,
    PersonMeaning,
    QuestionMeaning,
    RelationMeaning,
    TimeMeaning,
    Viewpoint,
)


def understand(text: str) -> QuestionMeaning | NotUnderstood:
    """Read a question. The same text gives the same result."""
    lexemes = read_lexemes(tokenise(text))
    unknown = tuple(dict.fromkeys(lexeme.text for lexeme in lexemes if lexeme.kind is Kind.UNKNOWN))
    if unknown:
        return NotUnderstood(reason="the grammar does not know some words", words=unknown)
    try:
        return _meaning(read_clauses(lexemes))
    except NotReadError as error:
        return NotUnderstood(reason=str(error))


def _meaning(reading: Reading) -> QuestionMeaning:
    chain = _chain(reading.person)
    strangers = [draft for draft in reading.everyone if draft not in chain]
    if strangers:
        raise NotReadError("it describes somebody who is not connected with whom it asks about")
    anchor = chain[-1]
    if not anchor.actions:
        raise NotReadError("it describes no person by an action")
    if any(draft.plural for draft in chain[:-1]) or (anchor.plural and not reading.closest):
        raise NotReadError("several people are described, and none of them is picked")
    frames = sorted({*reading.frames, *(frame for draft in chain for frame in draft.frames)})
    if len(frames) > 1:
        raise NotReadError(f"people are described at several frames: {frames}")
    asked = reading.asked
    if not frames and len(set(asked.times)) == 1 and _asked_at_once(reading):
        # "In frame 9, what is the only cyclist doing?"
        frames = [asked.times[0][1]]
        asked.times.clear()
    time = TimeMeaning(frame_id=frames[0]) if frames else None
    person = _person(reading.person, time, reading.closest)
    return QuestionMeaning(person=person, asked=read_asked(asked, anchor.actions, time))


def _asked_at_once(reading: Reading) -> bool:
    """Whether what is asked needs no time of its own, so that a single frame describes people."""
    return not {Kind.PRESENCE, Kind.DISTANCE} & reading.asked.cues


def _chain(person: Draft) -> list[Draft]:
    """The person and those who lead to them, ending with the one who is described by actions."""
    chain = [person]
    while chain[-1].other is not None:
        if chain[-1].other in chain:
            raise NotReadError("people are described by one another in a circle")
        chain.append(chain[-1].other)
    return chain


def _person(draft: Draft, time: TimeMeaning | None, closest: bool) -> PersonMeaning:
    """The person of a draft; people of one chain are described at one time."""
    actions = tuple(dict.fromkeys(draft.actions))
    if draft.other is None or draft.kind is None:
        unique = draft.unique and not closest
        return PersonMeaning(actions=actions, time=time, unique=unique, closest=closest)
    relation = RelationMeaning(
        kind=draft.kind,
        other=_person(draft.other, time, closest),
        nearest=draft.nearest,
        viewpoint=Viewpoint.PERSON if draft.own else Viewpoint.ROBOT,
    )
    return PersonMeaning(actions=actions, relation=relation, time=time)
