"""``avr blind``: what generated questions give away without a look at the pictures."""

from pathlib import Path
from typing import Annotated

import typer


def blind(
    folders: Annotated[
        list[Path], typer.Argument(help="Folders that avr generate wrote.", show_default=False)
    ],
    seed: Annotated[int, typer.Option(help="Seed of the random baseline.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Try blind baselines on generated questions and test them against chance.

    Each folder's questions are answered by baselines that were fitted on the other folders; with
    one folder, on parts of it. Ends with exit code 1 where a baseline is better than chance.
    """
    from avr_ros.benchmark.blind.evaluation import evaluate_blind
    from avr_ros.benchmark.blind.report import blind_report
    from avr_ros.benchmark.report import read_blind_set
    from avr_ros.cli.output import print_json, print_table
    from avr_ros.report.blind_table import blind_tables

    report = blind_report(evaluate_blind([read_blind_set(folder) for folder in folders], seed))
    if json:
        print_json(report.model_dump(mode="json"))
    else:
        print_table(blind_tables(report))
    if not report.passed:
        raise typer.Exit(1)
