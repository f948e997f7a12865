"""Plans are made of every question that the benchmark asks, and of nothing that has no search."""

import pytest

from avr_ros.agents.avr.planning import CannotPlanError, make_plan
from avr_ros.reasoning.meaning import (
    ActionAsked,
    BoundaryAsked,
    DistanceAsked,
    Edge,
    EventMeaning,
    GapAsked,
    NextActionAsked,
    PersonMeaning,
    QuestionMeaning,
    RelationKind,
    RelationMeaning,
    SpanAsked,
    TimeMeaning,
    TimeRelation,
    Viewpoint,
)
from avr_ros.world.plan import PlanRelation

THEN = TimeMeaning(frame_id=7)
ANCHOR = PersonMeaning(actions=("reading",), time=THEN, unique=True)


def reached(kind: RelationKind, viewpoint: Viewpoint, other: PersonMeaning) -> PersonMeaning:
    relation = RelationMeaning(kind=kind, viewpoint=viewpoint, other=other)
    return PersonMeaning(relation=relation, time=THEN)


CHAIN = reached(
    RelationKind.BEHIND,
    Viewpoint.PERSON,
    reached(RelationKind.LEFT_OF, Viewpoint.ROBOT, ANCHOR),
)


def test_a_chain_leads_from_the_described_person_to_the_target() -> None:
    asked = ActionAsked(time=TimeMeaning(frame_id=90))
    plan = make_plan(QuestionMeaning(person=CHAIN, asked=asked), 0, 5)
    assert [step.relation for step in plan.steps] == [
        PlanRelation.ROBOT_LEFT,
        PlanRelation.BEHIND,
        None,
    ]
    assert plan.node(plan.root).actions == ("reading",)
    assert plan.moment(plan.node(plan.target).moment).frame_id == 90
    assert plan.answer.kind == "state"


def test_events_follow_each_other() -> None:
    asked = GapAsked(
        first=EventMeaning(action="walking", edge=Edge.STOP),
        second=EventMeaning(action="typing", edge=Edge.START),
    )
    plan = make_plan(QuestionMeaning(person=ANCHOR, asked=asked), 0, 7)
    second = plan.moment(plan.answer.end or "").event
    assert second is not None and second.after == plan.answer.moment
    assert plan.answer.tolerance == 7
    span = make_plan(QuestionMeaning(person=ANCHOR, asked=SpanAsked(action="typing")), 0, 5)
    assert span.answer.kind == "span"


def test_without_a_frame_the_first_one_is_meant() -> None:
    anchor = PersonMeaning(actions=("reading",))
    plan = make_plan(QuestionMeaning(person=anchor, asked=ActionAsked()), 33, 5)
    assert plan.moments[0].frame_id == 33


def test_events_are_searched_for_from_the_frame_that_is_named() -> None:
    after = TimeMeaning(relation=TimeRelation.AFTER, frame_id=200)
    plan = make_plan(QuestionMeaning(person=ANCHOR, asked=NextActionAsked(time=after)), 0, 5)
    assert plan.moment(plan.answer.moment).frame_id == 200
    asked = BoundaryAsked(action="typing", edge=Edge.START, near=after)
    plan = make_plan(QuestionMeaning(person=ANCHOR, asked=asked), 0, 5)
    event = plan.moment(plan.answer.moment).event
    assert event is not None and plan.moment(event.after).frame_id == 200
    early = NextActionAsked(time=TimeMeaning(relation=TimeRelation.AFTER, frame_id=3))
    with pytest.raises(CannotPlanError, match="before the person is described"):
        make_plan(QuestionMeaning(person=ANCHOR, asked=early), 0, 5)


@pytest.mark.parametrize(
    ("meaning", "words"),
    [
        (QuestionMeaning(person=PersonMeaning(time=THEN), asked=ActionAsked()), "not described"),
        (
            QuestionMeaning(person=ANCHOR, asked=ActionAsked(time=TimeMeaning(shift_seconds=3.0))),
            "not a frame",
        ),
        (
            QuestionMeaning(
                person=ANCHOR,
                asked=BoundaryAsked(
                    action="typing",
                    edge=Edge.START,
                    near=TimeMeaning(relation=TimeRelation.BEFORE, frame_id=5),
                ),
            ),
            "before a time",
        ),
        (
            QuestionMeaning(person=ANCHOR, asked=DistanceAsked(to=ANCHOR)),
            "distance to another person",
        ),
    ],
)
def test_what_cannot_be_searched_for_is_said(meaning: QuestionMeaning, words: str) -> None:
    with pytest.raises(CannotPlanError, match=words):
        make_plan(meaning, 0, 5)
