"""Rates with their intervals, one row a group, for tables and pages."""

from dataclasses import dataclass

from avr_ros.evaluation.statistics import wilson
from avr_ros.schema.report import Interval, Rates, Report

MEASURES = ("answer", "evidence", "combined", "conditional_hallucination")
TITLES = {
    "answer": "answer",
    "evidence": "evidence",
    "combined": "combined",
    "conditional_hallucination": "cond. hallucination",
}


@dataclass(frozen=True)
class RateRow:
    """Rates of one group in percent; each has its 95 % interval."""

    name: str
    n: int
    values: dict[str, float | None]
    intervals: dict[str, Interval]


def overall_rows(report: Report) -> list[RateRow]:
    """All questions, with intervals over questions and, below, over sequences."""
    values = {name: getattr(report, name) for name in MEASURES}
    by_question, by_sequence = report.intervals.by_question, report.intervals.by_sequence
    return [
        RateRow(
            "all, interval by question",
            report.n,
            values,
            {name: getattr(by_question, name) for name in MEASURES},
        ),
        RateRow(
            "all, interval by sequence",
            report.n,
            values,
            {name: getattr(by_sequence, name) for name in MEASURES},
        ),
    ]


def group_rows(groups: dict[str, Rates]) -> list[RateRow]:
    """Families or answer modes; intervals are Wilson's, since groups may be small."""
    return [
        RateRow(name, rates.n, _values(rates), _wilson(rates)) for name, rates in groups.items()
    ]


def _values(rates: Rates) -> dict[str, float | None]:
    return {name: getattr(rates, name) for name in MEASURES}


def _wilson(rates: Rates) -> dict[str, Interval]:
    counts = {
        name: round(getattr(rates, name) * rates.n / 100)
        for name in ("answer", "evidence", "combined")
    }
    found = {name: wilson(count, rates.n) for name, count in counts.items()}
    found["conditional_hallucination"] = wilson(
        counts["answer"] - counts["combined"], counts["answer"]
    )
    return found
