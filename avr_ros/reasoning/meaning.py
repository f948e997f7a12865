"""What a question means: which person, at which times, and what is asked about them.

The types hold every question family: a person is described by actions, by times and by relations
to other people, as deep as a chain goes; what is asked is one of a few kinds. They say nothing of
words, so that a grammar, a model and a plan share them.
"""

from enum import Enum
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from avr_ros.schema.model import Record
from avr_ros.schema.vocabulary import ACTION_INDEX, ACTIONS


def known_action(name: str) -> str:
    """The name itself if it is one of JRDB's actions; raises ValueError for another."""
    if name not in ACTION_INDEX:
        raise ValueError(f"action {name!r} is not one of JRDB's")
    return name


ActionName = Annotated[
    str,
    AfterValidator(known_action),
    WithJsonSchema({"type": "string", "enum": list(ACTIONS)}),
]
"""One of JRDB's actions."""


class Edge(str, Enum):
    """An end of the time for which somebody does something."""

    START = "start"
    STOP = "stop"


class TimeRelation(str, Enum):
    """How a time lies to a reference."""

    AT = "at"
    AFTER = "after"
    BEFORE = "before"


class Viewpoint(str, Enum):
    """From where left, right, front and behind are told."""

    ROBOT = "robot"
    PERSON = "person"


class RelationKind(str, Enum):
    """Relations between two people; see ``avr_ros.geometry.relations`` for the formulas."""

    LEFT_OF = "left_of"
    RIGHT_OF = "right_of"
    IN_FRONT_OF = "in_front_of"
    BEHIND = "behind"
    CLOSEST_TO = "closest_to"
    SAME_GROUP = "same_group"


class EventMeaning(Record):
    """Somebody starts or stops an action. ``person`` none: the question's own person."""

    action: ActionName
    edge: Edge
    person: "PersonMeaning | None" = None


class TimeMeaning(Record):
    """A time: at, after or before a frame or an event, shifted by seconds.

    ``relation`` AT with ``frame_id`` 12 and ``shift_seconds`` 3 is three seconds after frame 12.
    Where neither frame nor event is set, the time at which the person is described is meant.
    """

    relation: TimeRelation = TimeRelation.AT
    frame_id: int | None = Field(default=None, ge=0)
    event: EventMeaning | None = None
    shift_seconds: float = 0.0


class RelationMeaning(Record):
    """A relation to another person; ``nearest`` picks the nearest of those that it holds for."""

    kind: RelationKind
    other: "PersonMeaning"
    nearest: bool = True
    viewpoint: Viewpoint = Viewpoint.ROBOT


class PersonMeaning(Record):
    """The one person who does ``actions``, and stands in ``relation``, at ``time``.

    All parts that are given hold at the same time. ``unique`` is whether the question itself says
    that nobody else fits; ``closest`` that several do, of whom the one closest to the robot is
    meant.
    """

    actions: tuple[ActionName, ...] = ()
    relation: RelationMeaning | None = None
    time: TimeMeaning | None = None
    unique: bool = False
    closest: bool = False


class BoundaryAsked(Record):
    """The frame at which an action starts or stops.

    ``near`` is the time that picks one of several such boundaries. Without it, the boundary of the
    stretch at which the person is described is meant if they do the action there, else the first
    one after.
    """

    kind: Literal["boundary"] = "boundary"
    action: ActionName
    edge: Edge
    near: TimeMeaning | None = None


class SpanAsked(Record):
    """The first and last frame of one stretch of an action; ``near`` as for a boundary."""

    kind: Literal["span"] = "span"
    action: ActionName
    near: TimeMeaning | None = None


class ActionAsked(Record):
    """What the person does at a time; none: when the person is described."""

    kind: Literal["action"] = "action"
    time: TimeMeaning | None = None


class NextActionAsked(Record):
    """What the person does next, after a time or after the action that describes them."""

    kind: Literal["next_action"] = "next_action"
    time: TimeMeaning | None = None


class PresenceAsked(Record):
    """Whether the person is there at a time."""

    kind: Literal["presence"] = "presence"
    time: TimeMeaning


class DistanceAsked(Record):
    """Metres to another person or, none, to the robot, at a time."""

    kind: Literal["distance"] = "distance"
    time: TimeMeaning | None = None
    to: PersonMeaning | None = None


class FirstViewAsked(Record):
    """The first frame of an action and the view that shows the person best."""

    kind: Literal["first_view"] = "first_view"
    action: ActionName
    near: TimeMeaning | None = None


class GapAsked(Record):
    """Seconds between two events."""

    kind: Literal["gap"] = "gap"
    first: EventMeaning
    second: EventMeaning


Asked = Annotated[
    BoundaryAsked
    | SpanAsked
    | ActionAsked
    | NextActionAsked
    | PresenceAsked
    | DistanceAsked
    | FirstViewAsked
    | GapAsked,
    Field(discriminator="kind"),
]
"""What is asked; ``kind`` tells which."""


class QuestionMeaning(Record):
    """A question that was understood."""

    person: PersonMeaning
    asked: Asked


class NotUnderstood(Record):
    """A question that was not, with the reason and the words that stood in the way."""

    reason: str
    words: tuple[str, ...] = ()
