"""The grammar reads every question of the family action_boundary as it is meant."""

import numpy as np
import pytest

from avr_ros.benchmark.families.action_boundary import ActionBoundary
from avr_ros.benchmark.recipe import BoundaryAsked, Edge, EventKind, Recipe, Reference, SpanAsked
from avr_ros.benchmark.relations import Relation
from avr_ros.benchmark.wording import VISIBLE_ACTIONS
from avr_ros.reasoning.local.parser import understand
from avr_ros.reasoning.meaning import QuestionMeaning, RelationKind
from avr_ros.schema.vocabulary import AnswerMode, Family

KINDS = {Relation.LEFT: RelationKind.LEFT_OF, Relation.RIGHT: RelationKind.RIGHT_OF}


@pytest.mark.parametrize("action", VISIBLE_ACTIONS)
def test_every_wording_is_read(action: str) -> None:
    rng = np.random.default_rng(len(action))
    for relations in ((), (Relation.LEFT,), (Relation.RIGHT,)):
        for asked in (
            BoundaryAsked(EventKind(Edge.START, action)),
            BoundaryAsked(EventKind(Edge.STOP, action)),
            SpanAsked(action),
        ):
            for _ in range(8):
                count = int(rng.integers(1, 3))
                named = rng.choice(np.array(VISIBLE_ACTIONS), count, replace=False).tolist()
                frame = int(rng.integers(0, 2000))
                mode = AnswerMode.SPAN if isinstance(asked, SpanAsked) else AnswerMode.FRAME
                recipe = Recipe(
                    Family.ACTION_BOUNDARY,
                    mode,
                    "street",
                    Reference(frame, tuple(named), relations),
                    asked,
                )
                text = ActionBoundary().text(recipe, rng)
                read = understand(text)
                assert isinstance(read, QuestionMeaning), (text, read)
                person = read.person
                if relations:
                    assert person.relation is not None, text
                    assert person.relation.kind is KINDS[relations[0]]
                    assert person.actions == ()
                    person = person.relation.other
                assert person.relation is None
                assert person.actions == tuple(named), text
                assert person.time is not None
                assert person.time.frame_id == frame
                assert read.asked.kind == ("span" if mode is AnswerMode.SPAN else "boundary")
                assert getattr(read.asked, "action", None) == action
                if isinstance(asked, BoundaryAsked):
                    assert getattr(read.asked, "edge", None).value == asked.event.edge.value
