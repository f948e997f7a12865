"""The grammar of questions, on wordings that no generator made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.reasoning.local.lexicon import read_lexemes
from avr_ros.reasoning.local.parser import understand
from avr_ros.reasoning.local.phrase import Kind
from avr_ros.reasoning.local.words import Form, tokenise
from avr_ros.reasoning.meaning import (
    BoundaryAsked,
    Edge,
    NotUnderstood,
    QuestionMeaning,
    RelationKind,
    SpanAsked,
    TimeRelation,
    Viewpoint,
)
from avr_ros.schema.vocabulary import ACTIONS

START, STOP = Edge.START, Edge.STOP


def meaning(text: str) -> QuestionMeaning:
    result = understand(text)
    assert isinstance(result, QuestionMeaning), result
    return result


@pytest.mark.parametrize(
    ("text", "anchor", "frame", "edge", "action"),
    [
        ("When does the person who is sitting at frame 12 start walking?",
         "sitting", 12, START, "walking"),
        ("In frame 12 exactly one person is talking on the phone. Until when do they do so?",
         "talking on the phone", 12, STOP, "talking on the phone"),
        ("At frame 12, one person is sitting. When does this person start walking?",
         "sitting", 12, START, "walking"),
        ("At what frame does the person sitting in frame 40 stop sitting?",
         "sitting", 40, STOP, "sitting"),
        ("What is the first frame in which the only person cycling at frame 7 is walking?",
         "cycling", 7, START, "walking"),
        ("Which is the last frame in which the person who is bending at frame 9 bends?",
         "bending", 9, STOP, "bending"),
        ("The person reading in frame 80: when do they stop?", "reading", 80, STOP, "reading"),
        ("Give the frame at which the pedestrian who was running in frame 5 begins to stand.",
         "running", 5, START, "standing"),
        ("Consider the person looking at the robot in frame #15. In which frame does this person "
         "begin to read a book?", "looking at robot", 15, START, "reading"),
        ("When does walking end for the person who is walking in frame 100?",
         "walking", 100, STOP, "walking"),
        ("In which frame does the person, who is holding something at frame 44, start to write?",
         "holding sth", 44, START, "writing"),
        ("Tell me when the individual riding a bike in frame 3 is no longer cycling.",
         "cycling", 3, STOP, "cycling"),
        ("Someone is opening the door at frame 20; when do they stop doing that?",
         "interaction with door", 20, STOP, "interaction with door"),
        ("Somebody is skating in frame 2, when do they start sitting?",
         "skating", 2, START, "sitting"),
        ("From what frame on does the only one who bends over in frame 6 stand up?",
         "bending", 6, None, "standing"),
        ("Name the frame number where the person going up the stairs in frame 61 begins walking",
         "going upstairs", 61, START, "walking"),
        ("WHEN DOES THE PERSON WHO IS TALKING TO SOMEONE AT FRAME 0 START LISTENING TO SOMEONE?",
         "talking to someone", 0, START, "listening to someone"),
    ],
)  # fmt: skip
def test_boundaries(text: str, anchor: str, frame: int, edge: Edge | None, action: str) -> None:
    if edge is None:
        # "From what frame on … stand up" names no start in so many words: it is said, not guessed.
        assert isinstance(understand(text), NotUnderstood)
        return
    read = meaning(text)
    assert read.person.actions == (anchor,)
    assert read.person.time is not None
    assert read.person.time.frame_id == frame
    assert read.person.relation is None
    assert read.asked == BoundaryAsked(action=action, edge=edge)


@pytest.mark.parametrize(
    ("text", "anchor", "frame", "action"),
    [
        ("Over which frames does the one who is reading at frame 30 stand?",
         "reading", 30, "standing"),
        ("During which frames is the person standing who is reading at frame 30?",
         "reading", 30, "standing"),
        ("From which frame to which frame is the person who sits in frame 3 standing?",
         "sitting", 3, "standing"),
        ("Name the first and the last frame of the span in which the person typing at frame 33 is "
         "typing.", "typing", 33, "typing"),
        ("When does the person pointing at something in frame 8 start and stop walking?",
         "pointing at sth", 8, "walking"),
        ("In frame 5 a single person is skating. What is the span of frames for which that person "
         "keeps skating?", "skating", 5, "skating"),
        ("Give the start and end frame of sitting for the person who is sitting in frame 50.",
         "sitting", 50, "sitting"),
    ],
)  # fmt: skip
def test_spans(text: str, anchor: str, frame: int, action: str) -> None:
    read = meaning(text)
    assert read.person.actions == (anchor,)
    assert read.person.time is not None
    assert read.person.time.frame_id == frame
    assert read.asked == SpanAsked(action=action)


def test_a_relation_describes_the_person() -> None:
    read = meaning(
        "When does the person nearest to the left of the only person pushing the door in frame 3 "
        "start walking?"
    )
    relation = read.person.relation
    assert relation is not None
    assert (relation.kind, relation.nearest, relation.viewpoint) == (
        RelationKind.LEFT_OF,
        True,
        Viewpoint.ROBOT,
    )
    assert relation.other.actions == ("interaction with door",)
    assert read.person.time is not None
    assert read.person.time.frame_id == 3
    assert read.asked == BoundaryAsked(action="walking", edge=START)


def test_relations_nest() -> None:
    read = meaning(
        "When does the person in the same group as the person closest to the right of the one who "
        "is sitting at frame 9 stop standing?"
    )
    first = read.person.relation
    assert first is not None
    assert first.kind is RelationKind.SAME_GROUP
    second = first.other.relation
    assert second is not None
    assert second.kind is RelationKind.RIGHT_OF
    assert second.other.actions == ("sitting",)


def test_several_actions_describe_one_person() -> None:
    read = meaning("When does the person who is sitting and reading at frame 4 start writing?")
    assert read.person.actions == ("sitting", "reading")


def test_a_time_in_the_main_clause_picks_the_boundary() -> None:
    read = meaning(
        "After frame 12, when does the person who stands in frame 12 first start walking?"
    )
    assert isinstance(read.asked, BoundaryAsked)
    assert read.asked.near is not None
    assert (read.asked.near.relation, read.asked.near.frame_id) == (TimeRelation.AFTER, 12)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("When does the tall person who is sitting at frame 3 stand up?", ("tall",)),
        ("Why is the person who is sitting at frame 3 walking at frame 90?", ("why",)),
        ("Is the person who is sitting at frame 3 walking at frame 90?", ()),
        ("When does the person start walking?", ()),
        ("When does the person who is sitting at frame 3 start?", ()),
        ("When does the person sitting at frame 3 stop, and when do they start walking?", ()),
        ("When does the person sitting at frame 3 and frame 9 start walking?", ()),
        ("How many people are sitting in frame 3?", ()),
        ("What did the only person sitting at frame 9 do before?", ()),
        ("What does the only person sitting at frame 9 do before frame 4?", ()),
        ("At frame 9, one person is sitting or standing. When do they start walking?", ()),
        ("At frame 9 two people are sitting. What are they doing at frame 30?", ()),
        ("At frame 9, A is the only person sitting. What is B doing at frame 12?", ()),
        ("What is the person between the only cyclist and the only runner at frame 9 doing?", ()),
        ("How many seconds is the only person sitting at frame 9 walking?", ()),
        ("What is the person farthest from the robot at frame 9 doing?", ("farthest",)),
        ("At frame 9 only one person sits. What are the people next to them doing?", ()),
        ("What is the only person not sitting at frame 9 doing?", ("not",)),
        (
            "How many seconds after the only person sitting at frame 9 starts walking do they stop "
            "before running?",
            (),
        ),
        ("", ()),
        ("walk?!", ()),
        ("Wann steht die Person auf?", ("wann", "steht", "die", "auf")),
    ],
)
def test_what_cannot_be_read_is_said(text: str, words: tuple[str, ...]) -> None:
    result = understand(text)
    assert isinstance(result, NotUnderstood)
    assert result.reason
    assert result.words == words


@pytest.mark.parametrize("action", [name for name in ACTIONS if name != "impossible"])
def test_every_action_is_known_by_its_own_name(action: str) -> None:
    lexemes = read_lexemes(tokenise(action))
    assert [(lexeme.kind, lexeme.name) for lexeme in lexemes] == [(Kind.ACTION, action)]
    read = meaning(f"When does the person who is sitting at frame 1 stop {action}?")
    assert read.asked == BoundaryAsked(action=action, edge=STOP)


def test_words_are_reduced_to_their_dictionary_form() -> None:
    tokens = tokenise("Who’s running, began cycling or types; the person's bike")
    assert [token.lemma for token in tokens] == [
        "who", "be", "run", ",", "begin", "cycle", "or", "type", ";", "the", "person", "'s", "bike",
    ]  # fmt: skip
    assert tokens[2].form is Form.PARTICIPLE


vocabulary = st.sampled_from(
    tuple(
        tokenise(
            "when does the person who is sitting standing at frame 12 7 start stop walking , . ? "
            "first last nearest to left of same group and they which that from until B is A 's own "
            "behind them in front of robot how many seconds far still there next what doing after "
            "people only group of two with partner before or direction"
        )
    )
).map(lambda token: token.text)


@given(st.text() | st.lists(vocabulary, max_size=25).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    result = understand(text)
    assert isinstance(result, (QuestionMeaning, NotUnderstood))
    assert result == understand(text)
