"""The grammar reads every wording of every family as its recipe means it."""

from collections.abc import Callable

import numpy as np
import pytest
from recipe_meaning import meaning_of, same

from avr_ros.benchmark.families.registry import FAMILIES
from avr_ros.benchmark.recipe import (
    Asked,
    BoundaryAsked,
    DistanceAsked,
    Edge,
    EventKind,
    FirstViewAsked,
    GapAsked,
    NextActionAsked,
    PresenceAsked,
    Recipe,
    Reference,
    SpanAsked,
    StateAsked,
)
from avr_ros.benchmark.relations import Relation
from avr_ros.benchmark.wording import VISIBLE_ACTIONS
from avr_ros.reasoning.local.parser import understand
from avr_ros.reasoning.meaning import QuestionMeaning
from avr_ros.schema.vocabulary import AnswerMode, Family

Random = np.random.Generator
CASES = 120


def _action(rng: Random) -> str:
    return str(rng.choice(np.array(VISIBLE_ACTIONS)))


def _event(rng: Random) -> EventKind:
    return EventKind(list(Edge)[int(rng.integers(2))], _action(rng))


ASKED: dict[tuple[Family, AnswerMode], Callable[[Random, int], Asked]] = {
    (Family.ACTION_BOUNDARY, AnswerMode.FRAME): lambda rng, frame: BoundaryAsked(_event(rng)),
    (Family.ACTION_BOUNDARY, AnswerMode.SPAN): lambda rng, frame: SpanAsked(_action(rng)),
    (Family.RELATION_CHAIN, AnswerMode.CHOICE): lambda rng, frame: StateAsked(frame),
    (Family.TEMPORAL_CHAIN, AnswerMode.CHOICE): lambda rng, frame: StateAsked(frame + 99),
    (Family.CHAIN_HYBRID, AnswerMode.FRAME_VIEW): lambda rng, frame: FirstViewAsked(_action(rng)),
    (Family.UNIQUE_ANCHOR_ACTION, AnswerMode.CHOICE): lambda rng, frame: NextActionAsked(),
    (Family.UNIQUE_ANCHOR_STATE, AnswerMode.CHOICE): lambda rng, frame: PresenceAsked(frame + 30),
    (Family.UNIQUE_ANCHOR_STATE, AnswerMode.NUMBER): lambda rng, frame: DistanceAsked(frame + 7),
    (Family.LONG_RANGE, AnswerMode.NUMBER): lambda rng, frame: GapAsked(_event(rng), _event(rng)),
}
CHAINS = (Family.RELATION_CHAIN, Family.TEMPORAL_CHAIN, Family.CHAIN_HYBRID)


def _reference(family: Family, frame: int, rng: Random) -> Reference:
    count = int(rng.integers(1, 3))
    actions = tuple(rng.choice(np.array(VISIBLE_ACTIONS), count, replace=False).tolist())
    if family is Family.ACTION_BOUNDARY:
        sides: tuple[tuple[Relation, ...], ...] = ((), (Relation.LEFT,), (Relation.RIGHT,))
        return Reference(frame, actions, sides[int(rng.integers(3))])
    relations = list(Relation)
    hops = tuple(relations[index] for index in rng.integers(0, len(relations), 2).tolist())
    return Reference(frame, actions, hops if family in CHAINS else (), bool(rng.integers(2)))


def test_every_form_of_question_is_tried() -> None:
    assert {family for family, _ in ASKED} == set(Family) == set(FAMILIES)
    assert {(family, mode) for family in FAMILIES for mode in FAMILIES[family].modes} == set(ASKED)


@pytest.mark.parametrize(("family", "mode"), ASKED)
def test_every_wording_is_read(family: Family, mode: AnswerMode) -> None:
    rng = np.random.default_rng(1000 + list(ASKED).index((family, mode)))
    for _ in range(CASES):
        frame = int(rng.integers(0, 2000))
        asked = ASKED[family, mode](rng, frame)
        recipe = Recipe(family, mode, "street", _reference(family, frame, rng), asked)
        text = FAMILIES[family].text(recipe, rng)
        read = understand(text)
        assert isinstance(read, QuestionMeaning), (text, read)
        assert same(read) == meaning_of(recipe), text
