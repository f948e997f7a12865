"""Blind baselines as tables on a terminal."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from avr_ros.benchmark.blind.report import BlindReport


def blind_tables(report: BlindReport) -> RenderableType:
    """Right answers by family and mode, and the tests against chance."""
    names = list(report.groups[0].right) if report.groups else []
    rates = Table(title="Right without looking, percent", title_justify="left")
    for title in ("family", "mode"):
        rates.add_column(title)
    for title in ("n", "chance", *names):
        rates.add_column(title.replace("_", " "), justify="right")
    for group in report.groups:
        cells = [group.chance, *(group.right[name] for name in names)]
        rates.add_row(group.family, group.mode, str(group.n), *(f"{cell:.1f}" for cell in cells))
    tests = Table(
        title="p values against chance (one-sided binomial, Holm over families)",
        title_justify="left",
    )
    tests.add_column("family")
    for title in ("n", "chance", *names):
        tests.add_column(title.replace("_", " "), justify="right")
    for family in dict.fromkeys(test.family for test in report.tests):
        rows = {test.baseline: test for test in report.tests if test.family == family}
        first = next(iter(rows.values()))
        values = (f"{rows[name].adjusted:.3f}" for name in names)
        tests.add_row(family, str(first.n), f"{first.chance:.1f}", *values)
    above = [f"{test.baseline} in {test.family}" for test in report.tests if test.above_chance]
    verdict = f"better than chance: {', '.join(above)}" if above else "none is better than chance"
    return Group(rates, tests, Text(f"{report.questions} questions; {verdict}"))
