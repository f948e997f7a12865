"""Plans are refused with every reason against them."""

from typing import Any

import pytest

from avr_ros.world.errors import InvalidPlanError
from avr_ros.world.plan import Plan, read_plan

CHAIN: dict[str, Any] = {
    "moments": [
        {"name": "then", "frame_id": 5},
        {"name": "begun", "event": {"action": "reading", "edge": "start", "after": "then"}},
    ],
    "nodes": [
        {"name": "A", "moment": "then", "actions": ["sitting"]},
        {"name": "B", "moment": "then"},
        {"name": "C", "moment": "begun"},
    ],
    "steps": [
        {"source": "A", "target": "B", "relation": "closest behind"},
        {"source": "B", "target": "C"},
    ],
    "root": "A",
    "target": "C",
    "answer": {"kind": "frame", "moment": "begun"},
}


def changed(**parts: Any) -> dict[str, Any]:
    return CHAIN | parts


def test_a_plan_goes_through_json() -> None:
    plan = read_plan(CHAIN)
    assert read_plan(plan.model_dump_json()) == plan
    assert isinstance(plan, Plan) and plan.node("C").moment == "begun"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (changed(root="Z"), "root 'Z' is not a node"),
        (changed(nodes=[*CHAIN["nodes"], CHAIN["nodes"][0]]), "node 'A' is there more than once"),
        (changed(steps=CHAIN["steps"][:1]), "node 'C' cannot be reached from the root"),
        (
            changed(steps=[*CHAIN["steps"], {"source": "A", "target": "C"}]),
            "node 'C' is reached by 2 steps",
        ),
        (
            changed(steps=[CHAIN["steps"][0], {**CHAIN["steps"][1], "relation": "closest to"}]),
            "relates people at two moments",
        ),
        (
            changed(steps=[{"source": "A", "target": "B"}, CHAIN["steps"][1]]),
            "has no relation and no time passes",
        ),
        (
            changed(moments=[{"name": "then", "frame_id": 5}, {"name": "begun"}]),
            "moment 'begun' needs a frame or an event",
        ),
        (
            changed(
                moments=[
                    {"name": "then", "frame_id": 5},
                    {
                        "name": "begun",
                        "event": {"action": "reading", "edge": "start", "after": "begun"},
                    },
                ]
            ),
            "comes after itself",
        ),
        (changed(answer={"kind": "frame", "moment": "then"}), "needs an event, not 'then'"),
        (changed(answer={"kind": "span", "moment": "begun"}), "needs an end"),
        (
            changed(nodes=[{**CHAIN["nodes"][0], "actions": ["flying"]}, *CHAIN["nodes"][1:]]),
            "names the action 'flying'",
        ),
        (changed(version=2), "version"),
        (changed(more=1), "more"),
    ],
)
def test_what_is_wrong_is_said(content: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidPlanError) as caught:
        read_plan(content)
    assert any(reason in item for item in caught.value.reasons), caught.value.reasons


def test_all_reasons_are_said_at_once() -> None:
    with pytest.raises(InvalidPlanError) as caught:
        read_plan(changed(root="Y", target="Z"))
    assert len(caught.value.reasons) == 2


def test_text_that_is_no_plan_is_refused() -> None:
    with pytest.raises(InvalidPlanError):
        read_plan("not json")
