"""Visual support as a table."""

from rich.table import Table

from avr_ros.evaluation.judge_run import Judged
from avr_ros.report.judge_notices import judge_notices


def support_table(judged: Judged) -> Table:
    """The four parts, which add up to 100 %, and over what, with what to know."""
    support = judged.support
    table = Table(
        title=f"Visual support of {support.n} answers, judged by {judged.judge}",
        caption=judge_notices(judged.stand_in_judge, judged.oracle_perception) or None,
    )
    table.add_column("")
    table.add_column("%", justify="right")
    for name, value in (
        ("C, supported and right", support.supported_right),
        ("GW, supported and wrong", support.supported_wrong),
        ("P, unsupported and right", support.unsupported_right),
        ("N, unsupported and wrong", support.unsupported_wrong),
        ("answer", support.accuracy),
    ):
        table.add_row(name, f"{value:.2f}")
    table.add_row("judge failures", str(support.judge_failures))
    table.add_row("images an answer", f"{judged.images_per_answer:.2f}")
    return table
