"""The solver's word on the person meant: an answer is given only where one target is left.

This is less than JRDB-AVR asks for (section 4: "the proposed answer is legal only when supported by
the current graph state"): who is meant must follow from the facts, but what is answered about them
comes from the search, which weighs looks by their errors, and is not compared with the solver's.
"""

from collections.abc import Collection, Sequence

from avr_ros.agents.avr.case import CannotAnswerError
from avr_ros.agents.avr.chain import Reached, not_excluded
from avr_ros.agents.avr.people import Person
from avr_ros.agents.avr.planning import Described
from avr_ros.agents.avr.scout import Scout
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.agents.toolbox import Toolbox
from avr_ros.schema.fact import Fact, FactKind, FactPattern
from avr_ros.schema.step import StepKind
from avr_ros.world.evidence_index import ACTION, NO_ACTION
from avr_ros.world.plan import Plan
from avr_ros.world.solution import Solution
from avr_ros.world.solver import solve


class SolverCheck:
    """Writes what was deduced into the world model, and solves the plan by all that is in it."""

    def __init__(self, toolbox: Toolbox, scout: Scout, plan: Plan, described: Described) -> None:
        self._toolbox = toolbox
        self._scout = scout
        self._plan = plan
        self._described = described
        self._deduced: list[Fact] = []

    def write_ways(self, ways: Sequence[Reached]) -> None:
        """Write the way that is taken, the first one, with its probability.

        Nothing is written where there is none. What was deduced before from fewer looks no longer
        counts; it stays in the audit trail.
        """
        self._deduced = []
        if not ways:
            return
        taken = not_excluded(ways)
        facts = self._described_by(ways, {way.path[0] for way in taken})
        facts += [
            Fact(
                kind=FactKind.RELATION,
                subject=reached.name,
                predicate=relation.value,
                value=origin.name,
                provenance=self._clearest(reached).provenance(min(1.0, way.probability), "deduced"),
            )
            for way in taken
            for relation, origin, reached in zip(
                self._described.relations, way.path, way.path[1:], strict=False
            )
        ]
        self._deduced = facts
        if facts:
            self._toolbox.write(facts)

    def _described_by(self, ways: Sequence[Reached], taken: Collection[Person]) -> list[Fact]:
        """Who does what the description names, by all looks together: whoever is taken for it."""
        weight: dict[str, float] = {}
        for way in ways:
            name = way.path[0].name
            weight[name] = weight.get(name, 0.0) + way.probability
        facts: list[Fact] = []
        for person in self._scout.people:
            if not person.at(self._described.frame_id):
                continue
            shown = self._clearest(person)
            share = weight.get(person.name, 0.0)
            meant = person in taken
            facts += [
                Fact(
                    kind=FactKind.ATTRIBUTE,
                    subject=person.name,
                    predicate=ACTION if meant else NO_ACTION,
                    value=action,
                    provenance=shown.provenance(
                        min(1.0, share if meant else 1.0 - share), "deduced"
                    ),
                )
                for action in self._described.anchor.actions
            ]
        return facts

    def _clearest(self, person: Person) -> Sighting:
        """The sighting in the described frame that shows most of a person, who was seen there."""
        sightings = person.at(self._described.frame_id)
        return max(sightings, key=lambda item: item.detection.visibility)

    def confirm(self, person: Person) -> None:
        """Raise CannotAnswerError unless the facts leave the person as the only target."""
        solution = self._solved()
        if solution.targets != (person.name,):
            raise CannotAnswerError(
                f"the facts do not leave one person: {solution.message or 'another one is meant'}"
            )

    def solve(self, ways: Sequence[Reached]) -> Solution:
        """Write ways down, and solve the plan."""
        self.write_ways(ways)
        return self._solved()

    def _solved(self) -> Solution:
        written = self._toolbox.read(FactPattern())
        facts = [fact for fact in written if not self._replaced(fact)] + self._deduced
        stamps = {fact.provenance.frame_id: 0 for fact in facts}
        stamps = {frame: int(self._scout.seconds_at(frame) * 1e6) for frame in stamps}
        with self._toolbox.think(StepKind.SOLVE, "solved the plan") as note:
            solution = solve(self._plan, facts, stamps)
            note.summary = f"solved the plan: {solution.status.name.lower()}"
            note.details["targets"] = list(solution.targets)
            note.details["missing"] = list(solution.missing)
            note.details["conflicts"] = list(solution.conflicts)
            if solution.answer is not None:
                note.details["answer"] = solution.answer.model_dump(
                    mode="json", exclude_defaults=True
                )
        return solution

    def _replaced(self, fact: Fact) -> bool:
        """Whether a fact says alone what was deduced from it and others, or was deduced before."""
        if fact.kind is FactKind.RELATION:
            return True
        return (
            fact.provenance.frame_id == self._described.frame_id
            and fact.predicate in (ACTION, NO_ACTION)
            and fact.value in self._described.anchor.actions
        )
