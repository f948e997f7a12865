"""The solver: all assignments of people to a plan's nodes that the facts support.

It is complete (every assignment is found), deterministic (the facts' order does not matter) and
says what is missing or contradictory where it finds none or several targets.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from avr_ros.schema.errors import AvrError
from avr_ros.schema.fact import Fact
from avr_ros.schema.vocabulary import POSE_ACTIONS
from avr_ros.world.events import FoundEvent, first_event
from avr_ros.world.evidence_index import EvidenceIndex
from avr_ros.world.plan import Plan, PlanEdgeOfTime, PlanNode, PlanStep
from avr_ros.world.solution import Binding, Solution, SolvedAnswer, SolveStatus

TIE_M = 0.1
"""Difference of distances in metres below which nobody is taken to be the closest."""

TOGETHER_FRAMES = 8
"""Frames within which two actions that start are taken to start together."""

MOST_ASSIGNMENTS = 10_000
"""Assignments that are followed at most; a plan has one where the facts are plain."""

Assignment = dict[str, str]


class TooManyAssignmentsError(AvrError):
    """The facts support more than :data:`MOST_ASSIGNMENTS` assignments."""


@dataclass
class _Notes:
    """What is missing and what contradicts itself, each said once."""

    missing: dict[str, None] = field(default_factory=dict)
    conflicts: dict[str, None] = field(default_factory=dict)


def solve(
    plan: Plan, facts: Iterable[Fact], stamps_us: Mapping[int, int] | None = None
) -> Solution:
    """Solve a plan by facts. ``stamps_us`` are the frames' times, which only gaps need."""
    return _Solver(plan, EvidenceIndex(facts), stamps_us or {}).solution()


def assignments(plan: Plan, index: EvidenceIndex) -> list[Assignment]:
    """All assignments of entities to nodes that the facts support, in a fixed order.

    Raises TooManyAssignmentsError.
    """
    return _Solver(plan, index, {}).assignments()


class _Solver:
    def __init__(self, plan: Plan, index: EvidenceIndex, stamps_us: Mapping[int, int]) -> None:
        self._plan = plan
        self._index = index
        self._stamps = stamps_us
        self._notes = _Notes()

    def solution(self) -> Solution:
        try:
            found = self.assignments()
        except TooManyAssignmentsError as error:
            return self._ended(SolveStatus.AMBIGUOUS, str(error), {})
        targets = tuple(dict.fromkeys(item[self._plan.target] for item in found))
        common: dict[str, object] = {
            "targets": targets,
            "assignments": tuple(
                tuple(Binding(node=node, entity=item[node]) for node in item) for item in found
            ),
        }
        if len(targets) > 1:
            return self._ended(SolveStatus.AMBIGUOUS, f"{len(targets)} people may be meant", common)
        if not targets:
            status = (
                SolveStatus.CONTRADICTORY if self._notes.conflicts else SolveStatus.UNDETERMINED
            )
            return self._ended(status, "nobody fits the plan", common)
        self._notes = _Notes()
        answer, supports = self._answer(targets[0])
        if answer is None:
            status = (
                SolveStatus.CONTRADICTORY if self._notes.conflicts else SolveStatus.UNDETERMINED
            )
            return self._ended(status, "the person is known, the answer is not", common)
        path = [fact for item in found for fact in self._path_facts(item)]
        solved = {"answer": answer, "supports": tuple(dict.fromkeys([*path, *supports]))}
        return self._ended(SolveStatus.SOLVED, "", common | solved)

    def assignments(self) -> list[Assignment]:
        root = self._plan.node(self._plan.root)
        frame = self._plan.moment(root.moment).frame_id
        assert frame is not None
        partial: list[Assignment] = [{root.name: entity} for entity in self._fitting(root, frame)]
        if not partial:
            what = " and ".join(root.actions) or "somebody"
            self._notes.missing[f"who is {what} in frame {frame}"] = None
        for step in self._in_order():
            partial = [
                {**item, step.target: entity}
                for item in partial
                for entity in self._following(item, step)
            ]
            if len(partial) > MOST_ASSIGNMENTS:
                raise TooManyAssignmentsError(
                    f"more than {MOST_ASSIGNMENTS} ways lead to {step.target}"
                )
        return partial

    def _ended(self, status: SolveStatus, message: str, parts: Mapping[str, object]) -> Solution:
        return Solution.model_validate(
            {
                "status": status,
                "message": message,
                "missing": tuple(self._notes.missing),
                "conflicts": tuple(self._notes.conflicts),
                **parts,
            }
        )

    def _in_order(self) -> list[PlanStep]:
        """The steps so that each one's source is known before it is taken."""
        known, ordered = {self._plan.root}, []
        left = list(self._plan.steps)
        while left:
            step = next(item for item in left if item.source in known)
            left.remove(step)
            known.add(step.target)
            ordered.append(step)
        return ordered

    def _following(self, item: Assignment, step: PlanStep) -> list[str]:
        node = self._plan.node(step.target)
        frame = self._plan.moment(node.moment).frame_id
        origin = item[step.source]
        if step.relation is None:
            same = frame is None or self._does_all(origin, node.actions, frame)
            return [origin] if same else []
        assert frame is not None, "people are related at given frames only"
        # Whoever is on the way already is not reached again.
        found = [
            entity
            for entity in self._index.related(step.relation, origin, frame)
            if entity not in item.values()
        ]
        if not found:
            self._notes.missing[
                f"who is the one {step.relation.value} {origin} in frame {frame}"
            ] = None
        return [entity for entity in found if self._does_all(entity, node.actions, frame)]

    def _fitting(self, node: PlanNode, frame: int) -> list[str]:
        """Everybody who can be a node that no step leads to."""
        doing = [
            entity
            for entity in self._index.seen_at(frame)
            if self._does_all(entity, node.actions, frame)
        ]
        if not node.closest or not doing:
            return doing
        distances: dict[str, float] = {}
        for entity in doing:
            found = self._index.distance(entity, frame)
            if found is None:
                self._notes.missing[f"where {entity} stands in frame {frame}"] = None
            else:
                distances[entity] = found[0]
        least = min(distances.values(), default=0.0)
        # Whoever stands nobody knows where may be the closest.
        return [name for name in doing if distances.get(name, least) - least < TIE_M]

    def _does_all(self, entity: str, actions: tuple[str, ...], frame: int) -> bool:
        states = []
        for action in actions:
            votes = self._index.action(entity, action, frame)
            if votes.contradict:
                self._notes.conflicts[f"whether {entity} is {action} in frame {frame}"] = None
            elif votes.state is None:
                self._notes.missing[f"whether {entity} is {action} in frame {frame}"] = None
            states.append(votes.state is True)
        return all(states)

    def _path_facts(self, item: Assignment) -> list[Fact]:
        facts: list[Fact] = []
        for node in self._plan.nodes:
            frame = self._plan.moment(node.moment).frame_id
            if frame is not None:
                for action in node.actions:
                    facts += self._index.action(item[node.name], action, frame).pro
        for step in self._plan.steps:
            frame = self._plan.moment(self._plan.node(step.target).moment).frame_id
            if step.relation is not None and frame is not None:
                related = self._index.related(step.relation, item[step.source], frame)
                facts += related[item[step.target]]
        return facts

    def _answer(self, entity: str) -> tuple[SolvedAnswer | None, list[Fact]]:
        answer = self._plan.answer
        if answer.kind == "person":
            return SolvedAnswer(), []
        if answer.kind in ("frame", "first_view", "span", "gap"):
            return self._event_answer(entity)
        frame = self._frame_of(entity, answer.moment)
        if frame is None:
            return None, []
        if answer.kind == "state":
            return self._state(entity, frame)
        if answer.kind == "next_action":
            return self._next_action(entity, frame)
        if answer.kind == "presence":
            return self._presence(entity, frame)
        if answer.kind == "distance":
            found = self._index.distance(entity, frame)
            if found is None:
                self._notes.missing[f"where {entity} stands in frame {frame}"] = None
                return None, []
            return SolvedAnswer(number=found[0]), found[1]
        actions = self._plan.node(self._plan.target).actions
        counted = [
            other for other in self._index.seen_at(frame) if self._does_all(other, actions, frame)
        ]
        if self._notes.missing or self._notes.conflicts:
            return None, []
        facts = [
            fact
            for other in counted
            for action in actions
            for fact in self._index.action(other, action, frame).pro
        ]
        return SolvedAnswer(number=float(len(counted))), facts

    def _frame_of(self, entity: str, name: str) -> int | None:
        moment = self._plan.moment(name)
        if moment.frame_id is not None:
            return moment.frame_id
        found = self._event(entity, name)
        return None if found is None else found.after

    def _event(self, entity: str, name: str) -> FoundEvent | None:
        event = self._plan.moment(name).event
        assert event is not None
        after = self._frame_of(entity, event.after)
        if after is None:
            return None
        found = first_event(self._index, entity, event.action, event.edge, after)
        if found is None:
            self._notes.missing[
                f"when {entity} {event.edge.value}s {event.action} after frame {after}"
            ] = None
        return found

    def _event_answer(self, entity: str) -> tuple[SolvedAnswer | None, list[Fact]]:
        answer = self._plan.answer
        names = [name for name in (answer.moment, answer.end) if name is not None]
        found: list[FoundEvent] = []
        for name in names:
            event = self._event(entity, name)
            if event is None:
                return None, []
            if event.off_by > answer.tolerance:
                self._notes.missing[
                    f"what {entity} does between frames {event.before} and {event.after}"
                ] = None
            found.append(event)
        if self._notes.missing:
            return None, []
        supports = [fact for event in found for fact in event.supports]
        frames = [event.frame_id for event in found]
        if answer.kind == "span":
            first, end = frames
            return SolvedAnswer(frames=(first, max(first, end - 1))), supports
        if answer.kind != "gap":
            return SolvedAnswer(frames=tuple(frames)), supports
        stamps = [self._stamp(event) for event in found]
        number = None
        if all(stamp is not None for stamp in stamps):
            first_stamp, second_stamp = (stamp for stamp in stamps if stamp is not None)
            number = (second_stamp - first_stamp) / 1e6
        return SolvedAnswer(frames=tuple(frames), number=number), supports

    def _stamp(self, event: FoundEvent) -> float | None:
        """The event's time in microseconds: between those of the two looks around it."""
        exact = self._stamps.get(event.frame_id)
        if exact is not None:
            return float(exact)
        before, after = self._stamps.get(event.before), self._stamps.get(event.after)
        if before is None or after is None:
            return None
        share = (event.frame_id - event.before) / (event.after - event.before)
        return before + share * (after - before)

    def _state(self, entity: str, frame: int) -> tuple[SolvedAnswer | None, list[Fact]]:
        done = self._index.done(entity, frame)
        for action in self._index.actions_named(entity):
            if self._index.action(entity, action, frame).contradict:
                self._notes.conflicts[f"whether {entity} is {action} in frame {frame}"] = None
        if not done:
            self._notes.missing[f"what {entity} does in frame {frame}"] = None
            return None, []
        facts = [fact for name in done for fact in self._index.action(entity, name, frame).pro]
        return SolvedAnswer(actions=done), facts

    def _next_action(self, entity: str, frame: int) -> tuple[SolvedAnswer | None, list[Fact]]:
        """What starts first; of actions that start together the activity, not the posture."""
        begun = [
            (event.frame_id, action, event)
            for action in self._index.actions_named(entity)
            if (event := first_event(self._index, entity, action, PlanEdgeOfTime.START, frame))
        ]
        if not begun:
            self._notes.missing[f"what {entity} starts after frame {frame}"] = None
            return None, []
        first = min(item[0] for item in begun)
        together = sorted(
            (item for item in begun if item[0] < first + TOGETHER_FRAMES), key=lambda item: item[:2]
        )
        activities = [item for item in together if item[1] not in POSE_ACTIONS]
        chosen = activities or together
        return (
            SolvedAnswer(frames=(chosen[0][0],), actions=tuple(item[1] for item in chosen)),
            [fact for item in chosen for fact in item[2].supports],
        )

    def _presence(self, entity: str, frame: int) -> tuple[SolvedAnswer | None, list[Fact]]:
        votes = self._index.presence(entity, frame)
        if votes.contradict:
            self._notes.conflicts[f"whether {entity} is there in frame {frame}"] = None
        elif votes.state is None:
            self._notes.missing[f"whether {entity} is there in frame {frame}"] = None
        if votes.state is None:
            return None, []
        return SolvedAnswer(present=votes.state), votes.supports(votes.state)
