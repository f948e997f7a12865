"""The report of a generation as tables on a terminal."""

from rich.console import Group, RenderableType
from rich.table import Table

from avr_ros.benchmark.report import GenerationReport
from avr_ros.report.blind_table import blind_tables


def generation_tables(report: GenerationReport) -> RenderableType:
    """Questions by family and mode, and rejected candidates by the check that rejected them."""
    made = Table(
        title=f"{report.questions} questions, seed {report.seed}, "
        f"windows of {report.window_frames} frames",
        title_justify="left",
    )
    for title in ("family", "mode"):
        made.add_column(title)
    titles = ("valid candidates", "questions", "answer classes", "fewest", "most", "chance %")
    for title in titles:
        made.add_column(title, justify="right")
    for name, family in report.families.items():
        for mode, counts in family.modes.items():
            sizes = list(counts.classes.values()) or [0]
            cells = (counts.valid, counts.questions, len(counts.classes), min(sizes), max(sizes))
            chance = "–" if counts.chance is None else f"{100.0 * counts.chance:.1f}"
            made.add_row(name, mode, *map(str, cells), chance)
    return Group(made, _rejections(report), blind_tables(report.blind))


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
