"""``avr compare``: whether systems that answered the same questions differ."""

from pathlib import Path
from typing import Annotated

import typer


def compare(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN RUN...",
            help="Run folders or evaluation bags on the same questions, of one file or of several.",
            show_default=False,
        ),
    ],
    pair: Annotated[
        list[str] | None,
        typer.Option(
            metavar="I:J",
            help="Compare the system of the I-th run with that of the J-th, from 1; may be "
            "repeated. By default the first system is compared with every other.",
            show_default=False,
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            help="Test this measure alone: answer, evidence or combined; may be repeated. By "
            "default all three. Pairs by measures are the family that Holm's correction covers.",
            show_default=False,
        ),
    ] = None,
    separate: Annotated[
        bool,
        typer.Option(
            "--separate",
            help="Take every run as a system of its own. By default runs that differ in seeds "
            "and questions alone are one system: repeated ones are averaged within each question, "
            "those on several question files count together.",
        ),
    ] = False,
    missing_as_wrong: Annotated[
        bool,
        typer.Option(
            "--missing-as-wrong",
            help="Count questions without a result as wrong instead of refusing the run.",
        ),
    ] = False,
    resamples: Annotated[
        int, typer.Option(min=100, max=10_000_000, help="Bootstrap resamples.")
    ] = 20_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of bootstrap and permutations.")] = 0,
    latex: Annotated[
        Path | None,
        typer.Option(help="Also write the tables to this LaTeX file.", show_default=False),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the comparison as JSON.")] = False,
) -> None:
    """Compare runs on the same questions: differences, paired intervals, exact tests.

    Every system must have answered the same questions, scored by the same keys; other runs are
    refused.
    """
    from avr_ros.cli.output import print_json, print_table
    from avr_ros.evaluation.compare_runs import compare_runs
    from avr_ros.report.comparison_latex import comparison_latex
    from avr_ros.report.comparison_table import comparison_tables

    comparison = compare_runs(
        runs,
        pairs=pair or (),
        measures=measure or (),
        separate=separate,
        missing_as_wrong=missing_as_wrong,
        resamples=resamples,
        seed=seed,
    )
    if latex is not None:
        from avr_ros.evaluation.files import replace_file

        replace_file(latex, comparison_latex(comparison).encode())
    if json:
        print_json(comparison.model_dump(mode="json"))
    else:
        print_table(comparison_tables(comparison))
