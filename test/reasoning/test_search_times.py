"""Which start, stop or span the local model searches for, with several of them in the scene."""

import math

import pytest
from test_sight import person, view

from avr_ros.reasoning.local.parser import understand
from avr_ros.reasoning.local.sight.events import STRIDE
from avr_ros.reasoning.local.sight.scene import Scene
from avr_ros.reasoning.local.sight.search import Limits, Search
from avr_ros.reasoning.local.sight.wanted import LookAt, Next, Solved, Stuck
from avr_ros.reasoning.meaning import QuestionMeaning
from avr_ros.schema.answer import Answer, ChoiceAnswer, FrameAnswer, SpanAnswer
from avr_ros.schema.vocabulary import AnswerMode

CHOICES = ("standing", "walking")
LOOKED = (4, 8, 20, 24, 40, 44, 60, 64, 80, 84)
WALKED = (8, 20, 44, 60, 84)
"""They start to walk at 6, stop at 22, start at 42, stop at 62 and start at 82."""


def search(
    text: str,
    mode: AnswerMode = AnswerMode.FRAME,
    frames: tuple[int, ...] = LOOKED,
    final: bool = True,
    towards: float = 5,
    first: int = 0,
) -> Next:
    meaning = understand(text)
    assert isinstance(meaning, QuestionMeaning), meaning
    views = []
    for number, frame in enumerate(frames):
        doing = ["walking" if frame in WALKED else "standing", "reading"]
        views.append(view(frame, towards, person(frame, 5, 1, *doing), name=f"view {number}"))
    choices = CHOICES if mode is AnswerMode.CHOICE else ()
    limits = Limits(first, 100)
    return Search(meaning, mode, choices, Scene(views), limits, final=final).run().next


def answered(text: str, mode: AnswerMode = AnswerMode.FRAME) -> Answer:
    found = search(text, mode)
    assert isinstance(found, Solved), found
    return found.answer


@pytest.mark.parametrize(
    ("asked", "frame"),
    [
        ("At frame 20, exactly one person is reading. When does this person start walking?", 6),
        ("At frame 20, exactly one person is reading. When does this person stop walking?", 22),
        ("At frame 20, exactly one person is reading. When do they next start walking?", 42),
        ("At frame 24, exactly one person is reading. When does this person start walking?", 42),
        (
            "At frame 20, exactly one person is reading. After frame 60, in which frame does this "
            "person start walking?",
            82,
        ),
        (
            "At frame 20, exactly one person is reading. After frame 40, in which frame does this "
            "person stop walking?",
            62,
        ),
    ],
)
def test_the_boundary_that_is_asked_for_is_found(asked: str, frame: int) -> None:
    assert answered(asked) == FrameAnswer(frame_id=frame)


def test_the_span_that_is_asked_for_is_found() -> None:
    start = "At frame 20, exactly one person is reading. From which to which frame is this person"
    spans = {"walking?": (6, 21), "walking next?": (42, 61)}
    for rest, (first, last) in spans.items():
        found = answered(f"{start} {rest}", AnswerMode.SPAN)
        assert found == SpanAnswer(start_frame=first, end_frame=last)


def test_the_next_action_is_the_one_after_the_frame_that_is_named() -> None:
    text = "At frame 8, exactly one person is reading. What does this person do next after frame "
    assert answered(f"{text}20?", AnswerMode.CHOICE) == ChoiceAnswer(choice=0)
    assert answered(f"{text}40?", AnswerMode.CHOICE) == ChoiceAnswer(choice=1)


def test_times_that_are_not_searched_for_are_said() -> None:
    text = "At frame 20, exactly one person is reading. In which frame {} do they start walking?"
    for when in ("before frame 90", "after frame 10"):
        assert isinstance(search(text.format(when)), Stuck)


def test_looks_go_where_the_question_points() -> None:
    now = "At frame 20, exactly one person is reading. When does this person start walking?"
    again = search(now, frames=(20,), final=False, towards=12)
    assert isinstance(again, LookAt) and again.frame == 20
    assert math.degrees(again.azimuth) == pytest.approx(5)
    back = search(now, frames=(20,), final=False)
    assert isinstance(back, LookAt) and back.frame == 20 - STRIDE
    between = search(now, frames=(20, 2), final=False)
    assert isinstance(between, LookAt) and between.frame == 11
    assert isinstance(search(now, frames=(20,), final=False, first=20), Stuck)
    later = search(
        "At frame 20, exactly one person is reading. After frame 60, in which frame does this "
        "person start walking?",
        frames=(20,),
        final=False,
    )
    assert isinstance(later, LookAt) and later.frame == 60
