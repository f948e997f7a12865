"""LLM-Match as a table."""

from rich.table import Table

from avr_ros.evaluation.match_run import Matched
from avr_ros.report.judge_notices import judge_notices


def match_table(matched: Matched) -> Table:
    """The score, and the answers that count as 0 in it because they have no mark."""
    table = Table(
        title=f"LLM-Match of {matched.match.n} open answers, judged by {matched.judge}",
        caption=judge_notices(matched.stand_in_judge, matched.oracle_perception) or None,
    )
    table.add_column("")
    table.add_column("", justify="right")
    table.add_row("LLM-Match, %", f"{matched.match.score:.2f}")
    table.add_row("unanswered", str(matched.unanswered))
    table.add_row("judge failures", str(matched.judge_failures))
    return table
