"""What a benchmark question means, from its recipe: the two sides of a question in one place."""

from avr_ros.benchmark import recipe as recipes
from avr_ros.benchmark.relations import Relation
from avr_ros.reasoning.meaning import (
    ActionAsked,
    Asked,
    BoundaryAsked,
    DistanceAsked,
    Edge,
    EventMeaning,
    FirstViewAsked,
    GapAsked,
    NextActionAsked,
    PersonMeaning,
    PresenceAsked,
    QuestionMeaning,
    RelationKind,
    RelationMeaning,
    SpanAsked,
    TimeMeaning,
    TimeRelation,
    Viewpoint,
)

KINDS: dict[Relation, tuple[RelationKind, Viewpoint]] = {
    Relation.LEFT: (RelationKind.LEFT_OF, Viewpoint.ROBOT),
    Relation.RIGHT: (RelationKind.RIGHT_OF, Viewpoint.ROBOT),
    Relation.FRONT: (RelationKind.IN_FRONT_OF, Viewpoint.PERSON),
    Relation.BEHIND: (RelationKind.BEHIND, Viewpoint.PERSON),
    Relation.OWN_LEFT: (RelationKind.LEFT_OF, Viewpoint.PERSON),
    Relation.OWN_RIGHT: (RelationKind.RIGHT_OF, Viewpoint.PERSON),
    Relation.GROUP: (RelationKind.SAME_GROUP, Viewpoint.PERSON),
}


def meaning_of(recipe: recipes.Recipe) -> QuestionMeaning:
    """The meaning that a recipe's question has, whatever its words."""
    reference = recipe.reference
    time = TimeMeaning(frame_id=reference.frame)
    person = PersonMeaning(
        actions=reference.actions,
        time=time,
        unique=not reference.closest,
        closest=reference.closest,
    )
    for relation in reference.relations:
        kind, viewpoint = KINDS[relation]
        link = RelationMeaning(
            kind=kind,
            other=person,
            nearest=relation is not Relation.GROUP,
            viewpoint=viewpoint,
        )
        person = PersonMeaning(relation=link, time=time)
    return QuestionMeaning(person=person, asked=_asked(recipe))


def same(meaning: QuestionMeaning) -> QuestionMeaning:
    """A meaning in the one form that is compared.

    "After that" and "next" say what is meant anyway: after the time at which the person is
    described.
    """
    asked = meaning.asked
    near = getattr(asked, "near", None)
    described = meaning.person.time
    after = near is not None and near.relation is TimeRelation.AFTER and near.event is None
    if after and (
        near.frame_id is None or (described is not None and near.frame_id == described.frame_id)
    ):
        return meaning.model_copy(update={"asked": asked.model_copy(update={"near": None})})
    return meaning


def _asked(recipe: recipes.Recipe) -> Asked:
    asked = recipe.asked
    if isinstance(asked, recipes.BoundaryAsked):
        return BoundaryAsked(action=asked.event.action, edge=Edge(asked.event.edge.value))
    if isinstance(asked, recipes.SpanAsked):
        return SpanAsked(action=asked.action)
    if isinstance(asked, recipes.StateAsked):
        at_once = asked.frame == recipe.reference.frame
        return ActionAsked(time=None if at_once else TimeMeaning(frame_id=asked.frame))
    if isinstance(asked, recipes.NextActionAsked):
        return NextActionAsked()
    if isinstance(asked, recipes.PresenceAsked):
        return PresenceAsked(time=TimeMeaning(frame_id=asked.frame))
    if isinstance(asked, recipes.DistanceAsked):
        return DistanceAsked(time=TimeMeaning(frame_id=asked.frame))
    if isinstance(asked, recipes.FirstViewAsked):
        return FirstViewAsked(action=asked.action)
    return GapAsked(first=_event(asked.first), second=_event(asked.second))


def _event(event: recipes.EventKind) -> EventMeaning:
    return EventMeaning(action=event.action, edge=Edge(event.edge.value))
