"""Demands, plan and evidence board of an episode, as a page shows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from avr_ros.schema.step import Step, StepKind


@dataclass(frozen=True)
class PlanRow:
    """A subtask in words."""

    number: str
    goal: str
    demand: str
    end: str


@dataclass(frozen=True)
class BoardRow:
    """A retained view in words."""

    view: str
    observation_id: str
    caption: str
    note: str
    outcome: str
    intent: str
    subtask: str
    demand: str


@dataclass(frozen=True)
class EvidenceState:
    """What an agent that seeks evidence recorded with its answer."""

    demands: tuple[str, ...]
    plan: tuple[PlanRow, ...]
    board: tuple[BoardRow, ...]


def evidence_state(steps: Sequence[Step]) -> EvidenceState | None:
    """The state in the last ANSWER step that holds a board; none for agents without one."""
    told = [
        step.details for step in steps if step.kind is StepKind.ANSWER and "board" in step.details
    ]
    if not told:
        return None
    details = told[-1]
    return EvidenceState(
        demands=tuple(str(demand) for demand in _list(details, "demands")),
        plan=tuple(
            PlanRow(
                number=_text(item, "number"),
                goal=_text(item, "goal"),
                demand=_text(item, "demand"),
                end=_text(item, "end") or _text(item, "status").replace("_", " "),
            )
            for item in _mappings(details, "plan")
        ),
        board=tuple(
            BoardRow(
                **{name: _text(item, name) for name in BoardRow.__dataclass_fields__},
            )
            for item in _mappings(details, "board")
        ),
    )


def _list(details: Mapping[str, Any], name: str) -> list[Any]:
    value = details.get(name)
    return value if isinstance(value, list) else []


def _mappings(details: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    return [item for item in _list(details, name) if isinstance(item, dict)]


def _text(item: Mapping[str, Any], name: str) -> str:
    value = item.get(name)
    return "" if value is None else str(value)
