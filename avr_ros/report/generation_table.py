"""The report of a generation as tables on a terminal."""

from rich.console import Group, RenderableType
from rich.table import Table

from avr_ros.benchmark.report import GenerationReport


def generation_tables(report: GenerationReport) -> RenderableType:
    """Questions by family and mode, and rejected candidates by the check that rejected them."""
    made = Table(
        title=f"{report.questions} questions, seed {report.seed}, "
        f"windows of {report.window_frames} frames",
        title_justify="left",
    )
    for title in ("family", "mode"):
        made.add_column(title)
    for title in ("valid candidates", "questions", "answer classes", "fewest", "most"):
        made.add_column(title, justify="right")
    for name, family in report.families.items():
        for mode, counts in family.modes.items():
            sizes = list(counts.classes.values()) or [0]
            cells = (counts.valid, counts.questions, len(counts.classes), min(sizes), max(sizes))
            made.add_row(name, mode, *map(str, cells))
    return Group(made, _rejections(report))


def _rejections(report: GenerationReport) -> Table:
    table = Table(title="Candidates rejected, by the first check that failed", title_justify="left")
    checks = sorted({check for family in report.families.values() for check in family.rejected})
    table.add_column("family")
    for title in ("checked", "valid", *checks):
        table.add_column(title.replace("_", " "), justify="right")
    for name, family in report.families.items():
        valid = family.checked - sum(family.rejected.values())
        counts = [family.checked, valid, *(family.rejected.get(check, 0) for check in checks)]
        table.add_row(name, *map(str, counts))
    return table
