"""The report of a run as tables on a terminal."""

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from avr_ros.report.notices import SCORES_NAME, notices
from avr_ros.report.number_text import amount, interval_text, percent
from avr_ros.report.rate_rows import MEASURES, TITLES, RateRow, group_rows, overall_rows
from avr_ros.schema.report import CostMeans, Report


def print_report(report: Report, console: Console) -> None:
    """Print a report's tables."""
    console.print(report_tables(report))


def report_tables(report: Report) -> RenderableType:
    """Overall rates, rates by family and answer mode, failures, cost; notices come first."""
    parts: list[RenderableType] = [
        Text(
            f"{SCORES_NAME}: agent {report.agent}, model {report.model}, "
            f"perception {report.perception}, {report.n} questions",
            style="bold",
        )
    ]
    parts += [Text(text, style="yellow") for text in notices(report)]
    rates = Table(title="Scores in percent, with 95 % intervals", title_justify="left")
    rates.add_column("")
    rates.add_column("n", justify="right")
    for measure in MEASURES:
        rates.add_column(TITLES[measure], justify="right")
    for rows in (
        overall_rows(report),
        group_rows(report.by_family),
        group_rows(report.by_answer_mode),
    ):
        rates.add_section()
        for row in rows:
            rates.add_row(row.name, str(row.n), *_cells(row))
    parts.append(rates)
    parts.append(_outcomes(report))
    parts.append(_cost(report.cost))
    parts.append(_observations(report))
    return Group(*parts)


def _cells(row: RateRow) -> list[str]:
    return [
        f"{percent(row.values[name])} {interval_text(row.intervals[name])}".rstrip()
        for name in MEASURES
    ]


def _outcomes(report: Report) -> Table:
    table = Table(title="Failures, and why evidence counted or not", title_justify="left")
    table.add_column("")
    table.add_column("questions", justify="right")
    for name, count in report.failures.items():
        table.add_row(name, str(count))
    if not report.failures:
        table.add_row("failures and abstentions", "0")
    table.add_section()
    for name, count in report.evidence_reasons.items():
        table.add_row(f"evidence: {name}", str(count))
    return table


def _cost(cost: CostMeans) -> Table:
    table = Table(title="Cost, mean of a question", title_justify="left")
    table.add_column("")
    table.add_column("mean", justify="right")
    for name in CostMeans.model_fields:
        value = getattr(cost, name)
        if value or name in ("steps", "observations", "seconds"):
            table.add_row(name.replace("_", " "), amount(value))
    return table


def _observations(report: Report) -> Table:
    table = Table(title="Observations used, median of a question", title_justify="left")
    table.add_column("")
    table.add_column("used", justify="right")
    table.add_column("reference", justify="right")
    for family, use in report.observations.items():
        reference = "–" if use.reference is None else amount(use.reference)
        table.add_row(family, amount(use.median), reference)
    return table
