"""``avr inspect``: what a data set, a run or a bag holds."""

from pathlib import Path
from typing import Annotated

import typer


def inspect(
    path: Annotated[Path, typer.Argument(help="Data set, run folder or bag.", show_default=False)],
    labels: Annotated[
        bool, typer.Option(help="Read a data set's labels and count their oddities.")
    ] = True,
    topic: Annotated[
        str | None, typer.Option(help="Image topic of a data set's bags, by default JRDB's.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Show what is in a data set, a run folder or a bag.

    Of a data set: sequences, frames, stamps (microseconds), rates, and the oddities of its labels.
    """
    from avr_ros.cli.output import print_json, print_table
    from avr_ros.evaluation.bag_reader import is_evaluation_bag, read_bag
    from avr_ros.evaluation.stored_run import is_run_folder, load_run
    from avr_ros.schema.errors import BadInputError

    if not path.exists():
        raise BadInputError(f"there is nothing at {path}; give a data set, a run folder or a bag")
    if is_run_folder(path):
        from avr_ros.report.run_summary import run_summary, run_tables

        summary = run_summary(load_run(path))
        print_json(summary) if json else print_table(run_tables(summary))
    elif is_evaluation_bag(path):
        from avr_ros.report.bag_summary import bag_summary, bag_tables

        summary = bag_summary(read_bag(path))
        print_json(summary) if json else print_table(bag_tables(summary))
    else:
        from avr_ros.cli.progress import progress_bar
        from avr_ros.report.dataset_summary import dataset_summary, dataset_tables

        with progress_bar() as progress:
            task = progress.add_task("reading", total=None)

            def advance(done: int, total: int) -> None:
                progress.update(task, completed=done, total=total)

            summary = dataset_summary(path, topic=topic, with_labels=labels, advance=advance)
        print_json(summary) if json else print_table(dataset_tables(summary))
