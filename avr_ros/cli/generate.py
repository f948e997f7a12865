"""``avr generate``: validated questions from a data set's annotations."""

from pathlib import Path
from typing import Annotated

import typer


def generate(
    dataset: Annotated[
        Path, typer.Argument(help="Data set: recording and labels.", show_default=False)
    ],
    out: Annotated[
        Path, typer.Option(help="Folder for questions.jsonl, keys.jsonl and generation.json.")
    ],
    seed: Annotated[int, typer.Option(min=0, help="Seed of every random choice.")] = 0,
    per_family: Annotated[int, typer.Option(min=1, help="Questions wanted of each family.")] = 40,
    families: Annotated[
        str, typer.Option(help="Families, separated by commas; all where none are given.")
    ] = "",
    window_frames: Annotated[
        int | None,
        typer.Option(min=44, help="Frames in which an event is asked for; by default fitted."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Make questions and keys from the annotations of a data set.

    The same data set, seed and numbers give the same files.
    """
    from avr_ros.annotations.annotation_set import open_annotations
    from avr_ros.benchmark.generate_files import generate_files
    from avr_ros.benchmark.settings import GenerationSettings
    from avr_ros.cli.output import print_json, print_table
    from avr_ros.cli.progress import progress_bar
    from avr_ros.recordings.open_recording import open_recording
    from avr_ros.report.generation_table import generation_tables
    from avr_ros.schema.vocabulary import Family

    names = _families(families)
    settings = GenerationSettings(
        seed=seed,
        per_family=per_family,
        families=tuple(Family(name) for name in names) if names else tuple(Family),
        window_frames=window_frames,
    )
    recording = open_recording(dataset)
    try:
        annotations = open_annotations(dataset if dataset.is_dir() else dataset.parent)
        with progress_bar() as progress:
            task = progress.add_task("sequences", total=None)

            def advance(done: int, total: int) -> None:
                progress.update(task, completed=done, total=total)

            report = generate_files(recording, annotations, settings, out, advance)
    finally:
        recording.close()
    if json:
        print_json(report.model_dump(mode="json"))
    else:
        print_table(generation_tables(report))
        typer.echo(str(out))


def _families(text: str) -> list[str]:
    from avr_ros.schema.errors import BadInputError
    from avr_ros.schema.vocabulary import Family

    names = [name.strip() for name in text.split(",") if name.strip()]
    known = [family.value for family in Family]
    for name in names:
        if name not in known:
            raise BadInputError(f"family {name!r} is unknown; choose from {', '.join(known)}")
    return [name for name in known if name in names]
