"""``avr evaluate``: run questions in one process, without ROS."""

from pathlib import Path
from typing import Annotated

import typer


def evaluate(
    dataset: Annotated[
        Path | None,
        typer.Argument(
            help="Data set: recording and labels. By default the sample, made on first use.",
            show_default=False,
        ),
    ] = None,
    questions: Annotated[
        Path | None, typer.Option(help="questions.jsonl; needed with a data set.")
    ] = None,
    keys: Annotated[Path | None, typer.Option(help="keys.jsonl; needed with a data set.")] = None,
    run_file: Annotated[
        Path | None,
        typer.Option(
            help="YAML file of a table's row, as in config/runs: agent, model, perception and "
            "settings. Options given besides it count more."
        ),
    ] = None,
    agent: Annotated[
        str | None, typer.Option(help="Agent that is asked; by default avr.", show_default=False)
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="Model behind the agent: local (the default), openai:URL#NAME or replay:RUN.",
            show_default=False,
        ),
    ] = None,
    perception: Annotated[
        str | None,
        typer.Option(
            help="Perception of the views: onnx, or oracle, which reads the labels; "
            "by default oracle.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Run folder; an unfinished run in it goes on. By default runs/<time>."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, max=256, help="Questions in parallel; by default 1.", show_default=False
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="First questions only, 0: all.")] = 0,
    seed: Annotated[int, typer.Option(help="Seed of everything random in the run.")] = 0,
    question_deadline: Annotated[
        float, typer.Option(min=0.001, help="Seconds that a question may take.")
    ] = 600.0,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A setting of agent, model or perception; may be given several times.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Run questions in one process, score them and write a run folder.

    Ends with exit code 0 once every question has a result, whatever the scores. Interrupted or
    killed, the same command with the same --out goes on.
    """
    from avr_ros.cli.output import print_json, print_table
    from avr_ros.cli.run_progress import run_progress
    from avr_ros.cli.sample_progress import sample_progress
    from avr_ros.evaluation.default_sample import sample_or
    from avr_ros.evaluation.journal import to_retry
    from avr_ros.evaluation.latest import new_run_folder, point_latest
    from avr_ros.evaluation.local_run import local_run
    from avr_ros.evaluation.request import RunRequest
    from avr_ros.evaluation.run_file import RunFile, read_run_file
    from avr_ros.report.table import report_tables
    from avr_ros.report.write_report import write_report

    row = (
        RunFile(row="none", agent="avr", model="local", perception="oracle")
        if run_file is None
        else read_run_file(run_file)
    )
    named = {text.partition("=")[0].strip() for text in settings or ()}
    kept = (text for text in row.texts() if text.partition("=")[0] not in named)
    with sample_progress() as advance:
        paths = sample_or(dataset, questions, keys, advance)
    folder = out if out is not None else new_run_folder(Path("runs"))
    request = RunRequest(
        dataset=paths.dataset,
        questions=paths.questions,
        keys=paths.keys,
        out=folder,
        agent=agent or row.agent,
        model=model or row.model,
        perception=perception or row.perception,
        seed=seed,
        workers=workers or row.workers,
        limit=limit,
        question_deadline=question_deadline,
        settings=(*kept, *(settings or ())),
    )
    with run_progress() as listener, local_run(request, (listener,)) as run:
        point_latest(folder)
        typer.echo(f"avr: writing {folder}", err=True)
        run.driver.run()
        made = write_report(run.folder, run.questions.keys, run.recording)
        retried = sum(to_retry(entry) for entry in run.folder.entries().values())
    if retried:
        typer.echo(
            f"avr: {retried} questions failed for no fault of the agent; "
            f"the same command with --out {folder} tries them again",
            err=True,
        )
    if json:
        print_json(made.model_dump(mode="json"))
    else:
        print_table(report_tables(made))
        typer.echo(str(folder / "report.html"))
