"""What the solver is asked about: what was seen, and what was deduced from it last."""

import math

from simulated_street import Episode, make_street
from test_avr_agent import ask

from avr_ros.agents.avr.chain import Reached
from avr_ros.agents.avr.check import SolverCheck
from avr_ros.agents.avr.planning import described, make_plan
from avr_ros.agents.avr.scout import Scout
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.toolbox import Toolbox
from avr_ros.reasoning.meaning import (
    ActionAsked,
    PersonMeaning,
    QuestionMeaning,
    RelationKind,
    RelationMeaning,
)
from avr_ros.schema.fact import FactKind
from avr_ros.world.evidence_index import ACTION


def test_only_the_last_deduction_counts_and_it_is_marked_as_one() -> None:
    street = make_street(2, hidden=0.0)
    for walker in street.people[1:]:
        walker.actions[0] = frozenset({"standing"})
    street.people[0].actions[0] = frozenset({"reading"})
    question = ask("Who?", 0)
    episode = Episode(street, question)
    toolbox = Toolbox(question, episode.tools)
    scout = Scout(toolbox, AvrSettings(), ("reading",))
    for number in range(8):
        scout.look(0, number * math.tau / 8 - math.pi)
    anchor = PersonMeaning(actions=("reading",))
    relation = RelationMeaning(kind=RelationKind.LEFT_OF, other=anchor)
    meaning = QuestionMeaning(person=PersonMeaning(relation=relation), asked=ActionAsked())
    chain = described(meaning.person, 0)
    check = SolverCheck(toolbox, scout, make_plan(meaning, 0, 5), chain)
    reading = next(person for person in scout.people if "reading" in scout.doing(person.at(0)[0]))
    wrong, right = [person for person in scout.people if person is not reading][:2]
    for _ in range(3):
        assert check.solve([Reached((reading, wrong), 1.0)]).targets == (wrong.name,)
    unsure = [Reached((reading, right), 0.5), Reached((reading, wrong), 0.45)]
    assert set(check.solve(unsure).targets) == {right.name, wrong.name}
    less = [Reached((reading, right), 0.5), Reached((reading, wrong), 0.4)]
    assert check.solve(less).targets == (right.name,)
    facts = episode.model.snapshot().facts
    relations = [fact for fact in facts if fact.kind is FactKind.RELATION]
    assert len(relations) == 3
    assert {fact.provenance.source for fact in relations} == {"deduced"}
    others = [fact for fact in facts if fact not in relations]
    deduced = [fact for fact in others if fact.provenance.source == "deduced"]
    assert {fact.value for fact in deduced} == {"reading"}
    assert {fact.subject for fact in deduced if fact.predicate == ACTION} == {reading.name}
