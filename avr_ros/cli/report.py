"""``avr report``: the tables and the page of a run."""

from pathlib import Path
from typing import Annotated

import typer


def report(
    run: Annotated[Path, typer.Argument(help="Run folder.", show_default=False)],
    keys: Annotated[
        Path | None,
        typer.Option(
            help="Keys file, to show right answers; by default the run's, if it is there."
        ),
    ] = None,
    dataset: Annotated[
        Path | None,
        typer.Option(help="Data set, for pictures; by default the run's, if it is there."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Make report.json and report.html of a run again, and print its tables.

    Of a run that is not finished, only the page is written.
    """
    from avr_ros.cli.output import print_json, print_table
    from avr_ros.evaluation.run_folder import RunFolder, read_specification
    from avr_ros.report.reopen import reopened_keys, reopened_recording
    from avr_ros.report.table import report_tables
    from avr_ros.report.write_report import write_report

    specification = read_specification(run)
    remarks: list[str] = []
    found_keys = reopened_keys(run, specification, keys, remarks)
    with (
        reopened_recording(specification, dataset, remarks) as recording,
        RunFolder(run, specification) as folder,
    ):
        made = write_report(folder, found_keys, recording, remarks)
    for remark in remarks:
        typer.echo(f"avr: {remark}", err=True)
    if json:
        print_json(made.model_dump(mode="json"))
    else:
        print_table(report_tables(made))
        typer.echo(f"{run / 'report.html'}")
