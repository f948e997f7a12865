"""The solver finds all assignments, and says what is missing where there is not one target."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.schema.fact import Fact, FactKind, Provenance
from avr_ros.world import solver
from avr_ros.world.evidence_index import EvidenceIndex
from avr_ros.world.plan import Plan, PlanRelation, read_plan
from avr_ros.world.solution import SolveStatus
from avr_ros.world.solver import assignments, solve

FRAME = 5


def fact(
    kind: FactKind,
    subject: str,
    predicate: str,
    value: str = "",
    frame: int = FRAME,
    confidence: float = 1.0,
) -> Fact:
    return Fact(
        kind=kind,
        subject=subject,
        predicate=predicate,
        value=value,
        provenance=Provenance(
            observation_id=f"view {frame}", frame_id=frame, confidence=confidence
        ),
    )


def there(name: str, frame: int = FRAME) -> Fact:
    return fact(FactKind.ENTITY, name, "person", frame=frame)


def does(name: str, action: str, frame: int = FRAME, confidence: float = 1.0) -> Fact:
    return fact(FactKind.ATTRIBUTE, name, "action", action, frame, confidence)


def does_not(name: str, action: str, frame: int = FRAME, confidence: float = 1.0) -> Fact:
    return fact(FactKind.ATTRIBUTE, name, "not action", action, frame, confidence)


def related(
    name: str, relation: PlanRelation, origin: str, frame: int = FRAME, confidence: float = 1.0
) -> Fact:
    return fact(FactKind.RELATION, name, relation.value, origin, frame, confidence)


def plan(kind: str = "person", **answer: Any) -> Plan:
    """Sitting A, then B behind A; events of reading after the frame, and of its end."""
    return read_plan(
        {
            "moments": [
                {"name": "then", "frame_id": FRAME},
                {"name": "begun", "event": {"action": "reading", "edge": "start", "after": "then"}},
                {"name": "over", "event": {"action": "reading", "edge": "stop", "after": "begun"}},
                {"name": "later", "frame_id": 40},
            ],
            "nodes": [
                {"name": "A", "moment": "then", "actions": ["sitting"]},
                {"name": "B", "moment": "then"},
            ],
            "steps": [{"source": "A", "target": "B", "relation": PlanRelation.BEHIND.value}],
            "root": "A",
            "target": "B",
            "answer": {"kind": kind, "moment": "then", **answer},
        }
    )


SCENE = [
    there("p"),
    there("q"),
    does("p", "sitting"),
    does_not("q", "sitting"),
    related("q", PlanRelation.BEHIND, "p"),
]


def test_one_assignment_is_solved_with_its_facts() -> None:
    solution = solve(plan(), SCENE)
    assert solution.status is SolveStatus.SOLVED
    assert solution.targets == ("q",)
    assert set(solution.supports) == {SCENE[2], SCENE[4]}


def test_nobody_and_what_is_missing() -> None:
    assert solve(plan(), []).missing == ("who is sitting in frame 5",)
    without = solve(plan(), SCENE[:-1])
    assert without.status is SolveStatus.UNDETERMINED
    assert without.missing == ("who is the one closest behind p in frame 5",)


def test_two_targets_are_ambiguous() -> None:
    more = [*SCENE, there("r"), related("r", PlanRelation.BEHIND, "p", confidence=0.6)]
    solution = solve(plan(), more)
    assert solution.status is SolveStatus.AMBIGUOUS
    assert set(solution.targets) == {"q", "r"}
    weak = [*SCENE, there("r"), related("r", PlanRelation.BEHIND, "p", confidence=0.4)]
    assert solve(plan(), weak).targets == ("q",)


def test_contradicting_looks_are_named() -> None:
    solution = solve(plan(), [*SCENE, does_not("p", "sitting", confidence=0.9)])
    assert solution.status is SolveStatus.CONTRADICTORY
    assert solution.conflicts == ("whether p is sitting in frame 5",)


def test_events_lie_between_the_looks_around_them() -> None:
    looks = [
        does_not("q", "reading"),
        does_not("q", "reading", 20),
        does("q", "reading", 25),
        does("q", "reading", 32),
        does_not("q", "reading", 37),
    ]
    found = solve(plan("frame", moment="begun"), SCENE + looks)
    assert found.answer is not None and found.answer.frames == (23,)
    span = solve(plan("span", moment="begun", end="over"), SCENE + looks)
    assert span.answer is not None and span.answer.frames == (23, 34)
    stamps = {frame: frame * 100_000 for frame in range(60)}
    gap = solve(plan("gap", moment="begun", end="over"), SCENE + looks, stamps)
    assert gap.answer is not None and gap.answer.number == 1.2


def test_an_event_between_far_looks_is_missing_facts() -> None:
    looks = [does_not("q", "reading"), does("q", "reading", 35)]
    solution = solve(plan("frame", moment="begun"), SCENE + looks)
    assert solution.status is SolveStatus.UNDETERMINED
    assert solution.missing == ("what q does between frames 5 and 35",)


def test_a_single_other_look_is_no_event() -> None:
    looks = [does_not("q", "reading"), does("q", "reading", 20), does_not("q", "reading", 22)]
    assert solve(plan("frame", moment="begun"), SCENE + looks).answer is None


def test_states_presence_distance_and_counts() -> None:
    state = solve(plan("state"), [*SCENE, does("q", "walking"), does("q", "reading")])
    assert state.answer is not None and set(state.answer.actions) == {"reading", "walking"}
    absent = fact(FactKind.ATTRIBUTE, "q", "absent", frame=40)
    gone = solve(plan("presence", moment="later"), [*SCENE, absent])
    assert gone.answer is not None and gone.answer.present is False
    unknown = solve(plan("presence", moment="later"), SCENE)
    assert unknown.missing == ("whether q is there in frame 40",)
    places = [
        fact(FactKind.ATTRIBUTE, "q", "ground", "3 4", 40),
        fact(FactKind.ATTRIBUTE, "q", "ground", "0 -5.2", 40),
    ]
    far = solve(plan("distance", moment="later"), [*SCENE, *places])
    assert far.answer is not None and far.answer.number == 5.1


def test_the_next_action_is_an_activity_before_a_posture() -> None:
    looks = [
        does_not("q", "sitting"),
        does_not("q", "reading"),
        does_not("q", "typing"),
        does("q", "sitting", 20),
        does("q", "reading", 20),
        does("q", "typing", 60),
    ]
    solution = solve(plan("next_action"), SCENE[:3] + SCENE[4:] + looks)
    assert solution.answer is not None and solution.answer.actions == ("reading",)


COUNT = {
    "moments": [{"name": "then", "frame_id": FRAME}],
    "nodes": [{"name": "A", "moment": "then", "actions": ["sitting"]}],
    "root": "A",
    "target": "A",
    "answer": {"kind": "count", "moment": "then"},
}
"""How many people sit."""


def test_people_are_counted() -> None:
    one = solve(read_plan(COUNT), SCENE)
    assert one.answer is not None and one.answer.number == 1.0


def test_people_are_not_counted_while_somebody_s_action_is_unknown() -> None:
    solution = solve(read_plan(COUNT), [*SCENE, there("stranger")])
    assert solution.status is SolveStatus.UNDETERMINED
    assert solution.answer is None
    assert any("stranger" in text for text in solution.missing)


def test_too_many_ways_are_ambiguous_and_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the list of ways ended early, one that ends elsewhere could be among the rest."""
    facts = []
    for number in range(3):
        sitting, behind = f"p{number}", f"q{number}"
        facts += [
            there(sitting),
            there(behind),
            does(sitting, "sitting"),
            does_not(behind, "sitting"),
            related(behind, PlanRelation.BEHIND, sitting),
        ]
    assert len(assignments(plan(), EvidenceIndex(facts))) == 3
    monkeypatch.setattr(solver, "MOST_ASSIGNMENTS", 2)
    solution = solve(plan(), facts)
    assert solution.status is SolveStatus.AMBIGUOUS
    assert solution.targets == ()


def test_the_closest_of_several_is_meant() -> None:
    content = {
        "moments": [{"name": "then", "frame_id": FRAME}],
        "nodes": [{"name": "A", "moment": "then", "actions": ["sitting"], "closest": True}],
        "root": "A",
        "target": "A",
        "answer": {"kind": "person", "moment": "then"},
    }
    facts = [
        there("p"),
        there("q"),
        does("p", "sitting"),
        does("q", "sitting"),
        fact(FactKind.ATTRIBUTE, "p", "ground", "2 2"),
        fact(FactKind.ATTRIBUTE, "q", "ground", "2 -1"),
    ]
    assert solve(read_plan(content), facts).targets == ("q",)
    unplaced = solve(read_plan(content), facts[:-1])
    assert unplaced.status is SolveStatus.AMBIGUOUS
    assert unplaced.missing == ("where q stands in frame 5",)


PEOPLE = ("p", "q", "r", "s")
RELATIONS = (PlanRelation.BEHIND, PlanRelation.ROBOT_LEFT, PlanRelation.CLOSEST)

links = st.sets(
    st.tuples(st.sampled_from(PEOPLE), st.sampled_from(RELATIONS), st.sampled_from(PEOPLE)),
    max_size=14,
)
doing = st.sets(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(("sitting", "reading"))))
trees = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(RELATIONS)), max_size=3)
wanted = st.lists(st.sampled_from(((), ("sitting",), ("sitting", "reading"))), min_size=4)


@given(
    links=links,
    doing=doing,
    tree=trees,
    wanted=wanted,
    order=st.randoms(use_true_random=False),
)
def test_all_assignments_are_those_of_brute_force(
    links: Any, doing: Any, tree: Any, wanted: Any, order: Any
) -> None:
    names = [f"n{place}" for place in range(len(tree) + 1)]
    steps = [
        (f"n{parent % (place + 1)}", relation, f"n{place + 1}")
        for place, (parent, relation) in enumerate(tree)
    ]
    made = read_plan(
        {
            "moments": [{"name": "then", "frame_id": FRAME}],
            "nodes": [
                {"name": name, "moment": "then", "actions": actions}
                for name, actions in zip(names, wanted)  # noqa: B905
            ],
            "steps": [
                {"source": source, "target": target, "relation": relation.value}
                for source, relation, target in steps
            ],
            "root": "n0",
            "target": names[-1],
            "answer": {"kind": "person", "moment": "then"},
        }
    )
    facts = [there(name) for name in PEOPLE]
    facts += [related(reached, relation, origin) for reached, relation, origin in sorted(links)]
    facts += [does(name, action) for name, action in sorted(doing)]
    order.shuffle(facts)
    found = assignments(made, EvidenceIndex(facts))
    expected = []
    for people in product(PEOPLE, repeat=len(names)):
        item = dict(zip(names, people, strict=True))
        if len(set(people)) < len(people):
            continue
        if all(
            (item[target], relation, item[source]) in links for source, relation, target in steps
        ):
            acts = [
                (item[node.name], action) in doing for node in made.nodes for action in node.actions
            ]
            if all(acts):
                expected.append(item)
    assert sorted(map(sorted_items, found)) == sorted(map(sorted_items, expected))
    targets = {item[names[-1]] for item in expected}
    status = solve(made, facts).status
    assert (status is SolveStatus.SOLVED) == (len(targets) == 1)
    assert (status is SolveStatus.AMBIGUOUS) == (len(targets) > 1)


def sorted_items(item: dict[str, str]) -> list[tuple[str, str]]:
    return sorted(item.items())
