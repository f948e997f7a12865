"""``avr score``: score a run folder or an evaluation bag again."""

from pathlib import Path
from typing import Annotated

import typer


def score(
    run: Annotated[Path, typer.Argument(help="Run folder or bag.", show_default=False)],
    keys: Annotated[Path, typer.Option(help="keys.jsonl of the run's questions.")],
    json: Annotated[bool, typer.Option("--json", help="Print the scores as JSON.")] = False,
) -> None:
    """Score the predictions of a run again, with the keys and the ledgers that it recorded.

    Tells which questions score otherwise than they were stored; nothing is written.
    """
    from avr_ros.cli.output import print_json, print_table
    from avr_ros.evaluation.bag_reader import is_evaluation_bag, read_bag
    from avr_ros.evaluation.rescore import rescore_bag, rescore_run
    from avr_ros.evaluation.stored_run import is_run_folder, load_run
    from avr_ros.report.score_table import score_summary, score_tables
    from avr_ros.schema.errors import BadInputError

    if is_run_folder(run):
        rescored = rescore_run(load_run(run), keys)
    elif run.exists() and is_evaluation_bag(run):
        rescored = rescore_bag(read_bag(run), keys)
    else:
        raise BadInputError(f"{run} is neither a run folder nor an evaluation bag; give one")
    if json:
        print_json(score_summary(rescored))
    else:
        print_table(score_tables(rescored))
