"""Plans: which facts would answer a question (JRDB-AVR, section 4).

A plan is a small graph. Its nodes are people at moments; the root is the person whom the question
describes, the target the one whom it asks about. Edges lead from the root to the target: by a
relation between two people at one moment, or by a temporal step, to the same person at another
moment. The answer says what to read off once the target is known.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator

from avr_ros.schema.model import Record
from avr_ros.schema.vocabulary import ACTION_INDEX
from avr_ros.world.errors import InvalidPlanError

MOST_PARTS = 32
"""Most nodes, and most moments, of a plan."""

Name = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_ ]+$")]
"""Name of a node or moment."""


class PlanRelation(str, Enum):
    """How one person is reached from another; always the nearest of those whom it holds for.

    The value is the predicate of the fact that states it: ``subject`` is reached from ``value``.
    The first two are seen from the robot, the next four told from the other person's own heading;
    the formulas are those of ``avr_ros.geometry.relations``.
    """

    ROBOT_LEFT = "nearest left of, seen from the robot"
    ROBOT_RIGHT = "nearest right of, seen from the robot"
    FRONT = "closest in front of"
    BEHIND = "closest behind"
    OWN_LEFT = "closest on the own left of"
    OWN_RIGHT = "closest on the own right of"
    CLOSEST = "closest to"
    GROUP = "forms a group of two with"


class PlanEdgeOfTime(str, Enum):
    """An end of the time for which somebody does something."""

    START = "start"
    STOP = "stop"


class PlanEvent(Record):
    """The first start or stop of an action of the target person after another moment."""

    action: str
    edge: PlanEdgeOfTime
    after: Name


class PlanMoment(Record):
    """A moment: a frame that the question names, or an event that has to be found."""

    name: Name
    frame_id: int | None = Field(default=None, ge=0)
    event: PlanEvent | None = None


class PlanNode(Record):
    """A person at a moment who does all of ``actions``.

    With ``closest`` several people may do so, of whom the one closest to the robot is meant.
    """

    name: Name
    moment: Name
    actions: tuple[str, ...] = ()
    closest: bool = False


class PlanStep(Record):
    """A directed edge; without a relation a temporal step: the same person at another moment."""

    source: Name
    target: Name
    relation: PlanRelation | None = None


class PlanAnswer(Record):
    """What is read off, about the target person.

    ``person`` asks for nobody's state, only who it is. ``state``: what they do at ``moment``.
    ``next_action``: what they start first after it. ``presence``, ``distance``: whether they are
    there, and metres to the robot. ``frame``, ``first_view``: the frame of the event ``moment``.
    ``span``: from ``moment`` to the frame before ``end``. ``gap``: seconds from ``moment`` to
    ``end``. ``count``: how many people do all the target's actions at ``moment``.
    ``tolerance`` is how many frames an event may be off.
    """

    kind: Literal[
        "person",
        "state",
        "next_action",
        "presence",
        "distance",
        "frame",
        "first_view",
        "span",
        "gap",
        "count",
    ]
    moment: Name
    end: Name | None = None
    tolerance: int = Field(default=5, ge=0)


class Plan(Record):
    """A valid plan. Making one raises pydantic's ValidationError with every reason against it."""

    format: Literal["avr_ros/plan"] = "avr_ros/plan"
    version: Literal[1] = 1
    moments: tuple[PlanMoment, ...] = Field(min_length=1, max_length=MOST_PARTS)
    nodes: tuple[PlanNode, ...] = Field(min_length=1, max_length=MOST_PARTS)
    steps: tuple[PlanStep, ...] = ()
    root: Name
    target: Name
    answer: PlanAnswer

    @model_validator(mode="after")
    def _valid(self) -> "Plan":
        reasons = _problems(self)
        if reasons:
            raise ValueError("; ".join(reasons))
        return self

    def moment(self, name: str) -> PlanMoment:
        """A moment by name."""
        return next(item for item in self.moments if item.name == name)

    def node(self, name: str) -> PlanNode:
        """A node by name."""
        return next(item for item in self.nodes if item.name == name)


def read_plan(content: str | Mapping[str, Any]) -> Plan:
    """The plan that JSON text or a mapping holds.

    Raises InvalidPlanError, whose ``reasons`` say all that is wrong, so that it can be repaired.
    """
    try:
        if isinstance(content, str):
            return Plan.model_validate_json(content)
        return Plan.model_validate(content)
    except ValidationError as error:
        raise InvalidPlanError(tuple(_reasons(error))) from error


def _reasons(error: ValidationError) -> list[str]:
    reasons: list[str] = []
    for item in error.errors():
        place = ".".join(str(part) for part in item["loc"])
        text = str(item["msg"]).removeprefix("Value error, ")
        reasons += text.split("; ") if not place else [f"{place}: {text}"]
    return reasons


def _problems(plan: Plan) -> list[str]:
    """Everything that keeps a plan from having a meaning, in words."""
    moments = [item.name for item in plan.moments]
    nodes = [item.name for item in plan.nodes]
    problems = _repeated("moment", moments) + _repeated("node", nodes)
    for role, name in (("root", plan.root), ("target", plan.target)):
        if name not in nodes:
            problems.append(f"{role} {name!r} is not a node")
    for node in plan.nodes:
        if node.moment not in moments:
            problems.append(
                f"node {node.name!r} is at moment {node.moment!r}, which does not exist"
            )
        problems += _unknown_actions(f"node {node.name!r}", node.actions)
        if node.closest and not node.actions:
            problems.append(f"node {node.name!r} is the closest of people who do nothing named")
    for step in plan.steps:
        missing = [name for name in (step.source, step.target) if name not in nodes]
        problems += [f"a step names node {name!r}, which does not exist" for name in missing]
    problems += _moment_problems(plan, moments)
    if not problems:
        problems += _step_problems(plan) + _answer_problems(plan)
    return problems


def _repeated(what: str, names: list[str]) -> list[str]:
    return [
        f"{what} {name!r} is there more than once"
        for name in dict.fromkeys(names)
        if names.count(name) > 1
    ]


def _unknown_actions(where: str, actions: tuple[str, ...]) -> list[str]:
    return [
        f"{where} names the action {action!r}, which is not one of JRDB's"
        for action in actions
        if action not in ACTION_INDEX
    ]


def _moment_problems(plan: Plan, names: list[str]) -> list[str]:
    problems: list[str] = []
    after: dict[str, str] = {}
    for moment in plan.moments:
        if (moment.frame_id is None) == (moment.event is None):
            problems.append(f"moment {moment.name!r} needs a frame or an event, and not both")
        if moment.event is None:
            continue
        problems += _unknown_actions(f"moment {moment.name!r}", (moment.event.action,))
        if moment.event.after not in names:
            problems.append(
                f"moment {moment.name!r} comes after {moment.event.after!r}, which does not exist"
            )
        else:
            after[moment.name] = moment.event.after
    for name in after:
        seen = [name]
        while seen[-1] in after:
            if after[seen[-1]] in seen:
                problems.append(f"moment {name!r} comes after itself")
                break
            seen.append(after[seen[-1]])
    return problems


def _step_problems(plan: Plan) -> list[str]:
    problems: list[str] = []
    incoming: dict[str, list[str]] = {}
    for step in plan.steps:
        incoming.setdefault(step.target, []).append(step.source)
        together = plan.node(step.source).moment == plan.node(step.target).moment
        words = f"the step from {step.source!r} to {step.target!r}"
        if step.relation is not None and not together:
            problems.append(f"{words} relates people at two moments: add a temporal step")
        if step.relation is not None and _at_event(plan, step.source):
            problems.append(f"{words} relates people at an event: people are related at frames")
        if step.relation is None and together:
            problems.append(f"{words} has no relation and no time passes in it")
    for name, sources in incoming.items():
        if len(sources) > 1:
            problems.append(f"node {name!r} is reached by {len(sources)} steps")
    if plan.root in incoming:
        problems.append(f"a step leads to the root {plan.root!r}")
    reached = [plan.root]
    for name in reached:
        reached += [step.target for step in plan.steps if step.source == name]
        if len(reached) > len(plan.nodes):
            break
    problems += [
        f"node {node.name!r} cannot be reached from the root"
        for node in plan.nodes
        if node.name not in reached
    ]
    if _at_event(plan, plan.root):
        problems.append("the root is described at an event that only the target has")
    return problems


def _at_event(plan: Plan, node: str) -> bool:
    return plan.moment(plan.node(node).moment).event is not None


def _answer_problems(plan: Plan) -> list[str]:
    answer = plan.answer
    known = {item.name: item for item in plan.moments}
    problems = [
        f"the answer names moment {name!r}, which does not exist"
        for name in (answer.moment, answer.end)
        if name is not None and name not in known
    ]
    if problems:
        return problems
    needs_end = answer.kind in ("span", "gap")
    if needs_end != (answer.end is not None):
        problems.append(
            f"an answer of kind {answer.kind!r} needs {'an' if needs_end else 'no'} end"
        )
    events = [answer.moment, answer.end] if answer.kind in _OF_EVENTS else []
    for name in events:
        if name is not None and known[name].event is None:
            problems.append(f"an answer of kind {answer.kind!r} needs an event, not {name!r}")
    if answer.kind == "count" and not plan.node(plan.target).actions:
        problems.append("an answer of kind 'count' needs actions of the target to count by")
    return problems


_OF_EVENTS = ("frame", "first_view", "span", "gap")
