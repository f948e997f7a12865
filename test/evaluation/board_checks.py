"""Checks of a whole EviSeek run: where its boards lead, and what its answering stage was told."""

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from avr_ros.report.evidence_state import EvidenceState, evidence_state
from avr_ros.schema.episode import Ledger
from avr_ros.schema.step import Step, StepKind

TOLD = {"question", "contract", "demands", "views"}
TOLD_OF_A_VIEW = {"name", "caption", "note", "outcome", "demand"}


def check_boards(
    steps: Mapping[str, Sequence[Step]], ledgers: Mapping[str, Ledger]
) -> dict[str, EvidenceState]:
    """Every episode has demands, a plan and a board whose items are granted views of its ledger.

    By the same keys as ``steps`` and ``ledgers``; returns what each episode recorded.
    """
    states = {}
    for name, taken in steps.items():
        state = evidence_state(taken)
        assert state is not None, f"{name} recorded no evidence state"
        assert state.demands and state.plan, name
        granted = {
            record.observation_id: record for record in ledgers[name].records if record.granted
        }
        (details,) = [step.details for step in taken if step.kind is StepKind.ANSWER]
        for item in [*details["board"], *details["displaced"]]:
            record = granted[item["observation_id"]]
            assert item["frame_id"] == record.frame_id
            assert 1 <= item["demand"] <= len(state.demands)
            assert 1 <= item["subtask"] <= len(state.plan)
        assert set(details["answer_views"]) == {item.observation_id for item in state.board}
        states[name] = state
    return states


def check_answering_calls(calls: Iterable[Step], states: Mapping[str, EvidenceState]) -> int:
    """The logged inputs of answering calls hold neither plan nor history; how many calls there are.

    ``states`` are by episode id.
    """
    number = 0
    for call in calls:
        if call.details["stage"] != "answer":
            continue
        number += 1
        inputs, state = call.details["inputs"], states[call.episode_id]
        assert set(inputs) == TOLD
        assert all(set(view) == TOLD_OF_A_VIEW for view in inputs["views"])
        assert tuple(inputs["demands"]) == state.demands
        text = json.dumps(inputs, ensure_ascii=False)
        for item in state.plan:
            # A goal may repeat a demand's words, which the answer stage is told.
            assert item.goal not in text or any(item.goal in told for told in state.demands)
        for item in state.board:
            assert not item.intent or item.intent not in text
        for word in ("action=", "conf=", "Step 1", "timed_out", "covered"):
            assert word not in text
    return number


def check_page(page: str, states: Mapping[str, EvidenceState]) -> None:
    """The page shows every demand, goal, and kept view."""
    for state in states.values():
        for text in (
            *state.demands,
            *(item.goal for item in state.plan),
            *(item.observation_id for item in state.board),
        ):
            assert escape(text) in page
