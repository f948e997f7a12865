"""An estimate as tables on a terminal."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from avr_ros.evaluation.estimate import Amounts, Estimate
from avr_ros.report.number_text import amount

_ROWS = ("calls", "tokens_in", "tokens_out", "images", "price")


def estimate_table(estimate: Estimate) -> RenderableType:
    """Calls by stage, and what the whole run costs."""
    measured = any(stage.measured for stage in estimate.stages)
    source = "as in the recorded run" if measured else "by the agent's own plan"
    title = f"{estimate.questions} questions to agent {estimate.agent}, model {estimate.model}"
    table = Table()
    table.add_column("")
    table.add_column("typical", justify="right")
    table.add_column("at most", justify="right")
    for stage in estimate.stages:
        most = "–" if stage.most is None else amount(stage.most)
        table.add_row(f"calls of {stage.stage}", amount(stage.typical), most)
    table.add_section()
    for name in _ROWS:
        if name != "price" or estimate.typical.price is not None:
            table.add_row(name.replace("_", " "), *(_cell(each, name) for each in _both(estimate)))
    table.add_row("time", *(_time(each) for each in _both(estimate)))
    note = f"Typical {source}; {estimate.workers} questions at once."
    return Group(Text(title), table, Text(note))


def _both(estimate: Estimate) -> tuple[Amounts | None, Amounts | None]:
    return estimate.typical, estimate.most


def _cell(amounts: Amounts | None, name: str) -> str:
    value = None if amounts is None else getattr(amounts, name)
    if value is None:
        return "–"
    return f"{value:,.2f}" if name == "price" else amount(round(value))


def _time(amounts: Amounts | None) -> str:
    """Hours, minutes and seconds."""
    if amounts is None:
        return "–"
    seconds = round(amounts.seconds, 1)
    if seconds < 60:
        return f"{seconds:g} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"
