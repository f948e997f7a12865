"""Demands, plan and board of an episode in the page's words."""

from avr_ros.report.evidence_state import BoardRow, PlanRow, evidence_state
from avr_ros.schema.step import Step, StepKind


def step(number: int, kind: StepKind, **details: object) -> Step:
    return Step(episode_id="q#1", number=number, kind=kind, summary="", details=details)


def test_the_answer_step_holds_it() -> None:
    board = {
        "view": "view 3",
        "observation_id": "q#1/3",
        "caption": "frame 7",
        "note": "walks",
        "outcome": "done",
        "intent": "SEEK",
        "subtask": 2,
        "demand": None,
        "frame_id": 7,
    }
    plan = [
        {"number": 1, "goal": "see", "demand": 1, "status": "closed", "end": "stop"},
        {"number": 2, "goal": "watch", "demand": None, "status": "not_reached", "end": None},
    ]
    found = evidence_state(
        [
            step(1, StepKind.PLAN, plan=plan),
            step(2, StepKind.ANSWER, demands=["who"], plan=plan, board=[board]),
        ]
    )
    assert found is not None
    assert found.demands == ("who",)
    assert found.plan == (
        PlanRow("1", "see", "1", "stop"),
        PlanRow("2", "watch", "", "not reached"),
    )
    assert found.board == (
        BoardRow("view 3", "q#1/3", "frame 7", "walks", "done", "SEEK", "2", ""),
    )


def test_other_agents_have_none() -> None:
    assert evidence_state([step(1, StepKind.ANSWER, prediction={})]) is None
    assert evidence_state([]) is None
