"""The facts of a world model, by person and frame, with what speaks for and against each."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from avr_ros.schema.fact import Fact, FactKind
from avr_ros.world.plan import PlanRelation

ACTION = "action"
"""Predicate of an attribute: the subject does the action that is its value."""

NO_ACTION = "not action"
"""Predicate of an attribute: the subject does not do the action that is its value."""

GROUND = "ground"
"""Predicate of an attribute: where the subject stands, "x y" in metres from the robot."""

HEADING = "heading"
"""Predicate of an attribute: where the subject's body faces, radians."""

ABSENT = "absent"
"""Predicate of an attribute: views cover where the subject could be, and they are not there."""

DECISIVE = 2.0
"""How much more must speak for than against a state for it to hold."""

_RELATIONS = frozenset(relation.value for relation in PlanRelation)


@dataclass
class Votes:
    """What speaks for and against one state, each fact with its confidence."""

    pro: list[Fact] = field(default_factory=list)
    con: list[Fact] = field(default_factory=list)

    @property
    def state(self) -> bool | None:
        """Whether the state holds; none where facts are missing or contradict each other."""
        pro = math.fsum(fact.provenance.confidence for fact in self.pro)
        con = math.fsum(fact.provenance.confidence for fact in self.con)
        if self.pro and pro >= DECISIVE * con:
            return True
        return False if self.con and con >= DECISIVE * pro else None

    @property
    def contradict(self) -> bool:
        """Whether something speaks for and something against it, and neither is decisive."""
        return bool(self.pro) and bool(self.con) and self.state is None

    def supports(self, state: bool) -> list[Fact]:
        """The facts that speak for a state."""
        return self.pro if state else self.con


class EvidenceIndex:
    """Reads facts once, so that the solver may ask many questions of them."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        """Index ``facts``; their order makes no difference but for that of the answers."""
        self._actions: dict[tuple[str, str], dict[int, Votes]] = {}
        self._done: dict[tuple[str, int], dict[str, None]] = {}
        self._there: dict[tuple[str, int], Votes] = {}
        self._ground: dict[tuple[str, int], list[Fact]] = {}
        self._relations: dict[tuple[str, str, int], dict[str, list[Fact]]] = {}
        self._entities: dict[str, None] = {}
        self._seen_at: dict[int, dict[str, None]] = {}
        for fact in sorted(facts, key=_order):
            self._add(fact)

    def _add(self, fact: Fact) -> None:
        frame, subject = fact.provenance.frame_id, fact.subject
        if fact.kind is FactKind.RELATION:
            if fact.predicate in _RELATIONS:
                reached = self._relations.setdefault((fact.predicate, fact.value, frame), {})
                reached.setdefault(subject, []).append(fact)
            return
        self._entities.setdefault(subject)
        if fact.kind is FactKind.ENTITY:
            self._there.setdefault((subject, frame), Votes()).pro.append(fact)
            self._seen_at.setdefault(frame, {}).setdefault(subject)
        elif fact.predicate in (ACTION, NO_ACTION):
            frames = self._actions.setdefault((subject, fact.value), {})
            votes = frames.setdefault(frame, Votes())
            (votes.pro if fact.predicate == ACTION else votes.con).append(fact)
            if fact.predicate == ACTION:
                self._done.setdefault((subject, frame), {}).setdefault(fact.value)
        elif fact.predicate == GROUND and _place(fact) is not None:
            self._ground.setdefault((subject, frame), []).append(fact)
        elif fact.predicate == ABSENT:
            self._there.setdefault((subject, frame), Votes()).con.append(fact)

    @property
    def entities(self) -> tuple[str, ...]:
        """Everybody who is known, in a fixed order."""
        return tuple(self._entities)

    def seen_at(self, frame: int) -> tuple[str, ...]:
        """Everybody who was seen in a frame."""
        return tuple(self._seen_at.get(frame, ()))

    def presence(self, entity: str, frame: int) -> Votes:
        """What speaks for and against somebody being there in a frame."""
        return self._there.get((entity, frame), Votes())

    def action(self, entity: str, action: str, frame: int) -> Votes:
        """What speaks for and against somebody doing an action in a frame."""
        return self._actions.get((entity, action), {}).get(frame, Votes())

    def action_frames(self, entity: str, action: str) -> dict[int, Votes]:
        """The same for all frames in which anything is known of it, rising."""
        found = self._actions.get((entity, action), {})
        return {frame: found[frame] for frame in sorted(found)}

    def done(self, entity: str, frame: int) -> tuple[str, ...]:
        """Everything that somebody does in a frame by most of the facts."""
        named = self._done.get((entity, frame), ())
        return tuple(name for name in named if self.action(entity, name, frame).state)

    def actions_named(self, entity: str) -> tuple[str, ...]:
        """Every action of which anything is known of somebody, in a fixed order."""
        return tuple(action for subject, action in self._actions if subject == entity)

    def distance(self, entity: str, frame: int) -> tuple[float, list[Fact]] | None:
        """Somebody's distance from the robot in metres: the mean over the facts, and these."""
        facts = self._ground.get((entity, frame), [])
        places = [place for fact in facts if (place := _place(fact)) is not None]
        if not places:
            return None
        return math.fsum(math.hypot(*place) for place in places) / len(places), facts

    def related(self, relation: PlanRelation, origin: str, frame: int) -> dict[str, list[Fact]]:
        """Who may be reached from somebody by a relation, with the facts that say so.

        Several where the facts leave it open: all for whom at least half as much speaks as for
        the best supported one.
        """
        found = self._relations.get((relation.value, origin, frame), {})
        weight = {
            name: math.fsum(fact.provenance.confidence for fact in facts)
            for name, facts in found.items()
        }
        best = max(weight.values(), default=0.0)
        return {name: found[name] for name in found if weight[name] * DECISIVE >= best > 0.0}


def _order(fact: Fact) -> tuple[int, str, str, str, str]:
    provenance = fact.provenance
    return (
        provenance.frame_id,
        fact.subject,
        fact.predicate,
        fact.value,
        provenance.observation_id,
    )


def _place(fact: Fact) -> Sequence[float] | None:
    words = fact.value.split()
    try:
        place = [float(word) for word in words]
    except ValueError:
        return None
    return place if len(place) == 2 and all(math.isfinite(item) for item in place) else None
