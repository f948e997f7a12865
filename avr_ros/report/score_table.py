"""Scores made again from a run or a bag, as tables and as JSON."""

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from avr_ros.evaluation.rescore import Rescored
from avr_ros.report.notices import SCORES_NAME
from avr_ros.report.number_text import percent
from avr_ros.schema.report import Rates


def score_summary(rescored: Rescored) -> dict[str, Any]:
    """Rates, failures and changes as JSON values, named as in a report."""
    summary = rescored.summary
    return {
        **summary.overall.model_dump(mode="json"),
        "by_family": {name: row.model_dump() for name, row in summary.by_family.items()},
        "by_answer_mode": {name: row.model_dump() for name, row in summary.by_answer_mode.items()},
        "failures": summary.failures,
        "evidence_reasons": summary.evidence_reasons,
        "changed": list(rescored.changed),
        "without_result": rescored.without_result,
    }


def score_tables(rescored: Rescored) -> RenderableType:
    """Rates overall, by family and by mode, failures, evidence, and what changed."""
    summary = rescored.summary
    rates = Table(title=f"{SCORES_NAME}, percent", title_justify="left")
    rates.add_column("")
    for title in ("n", "answer", "evidence", "combined", "conditional hallucination"):
        rates.add_column(title, justify="right")
    for rows in ({"all": summary.overall}, summary.by_family, summary.by_answer_mode):
        rates.add_section()
        for name, row in rows.items():
            rates.add_row(name, *_cells(row))
    outcomes = Table(title="Failures, and why evidence counted or not", title_justify="left")
    outcomes.add_column("")
    outcomes.add_column("questions", justify="right")
    for name, count in summary.failures.items():
        outcomes.add_row(name, str(count))
    outcomes.add_section()
    for name, count in summary.evidence_reasons.items():
        outcomes.add_row(f"evidence: {name}", str(count))
    notes = [f"{len(rescored.changed)} scores differ from the stored ones"]
    if rescored.changed:
        notes[0] += f", first {rescored.changed[0]}"
    if rescored.without_result:
        notes.append(f"{rescored.without_result} questions have no result")
    return Group(rates, outcomes, *(Text(note) for note in notes))


def _cells(row: Rates) -> list[str]:
    values = (row.answer, row.evidence, row.combined, row.conditional_hallucination)
    return [str(row.n), *(percent(value) for value in values)]
