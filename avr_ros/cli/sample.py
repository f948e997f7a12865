"""``avr sample``: make a data set of the synthetic world."""

from pathlib import Path
from typing import Annotated, Any

import typer

from avr_ros.cli.output import print_json
from avr_ros.cli.progress import progress_bar
from avr_ros.sample.defaults import (
    DEFAULT_FRAMES,
    DEFAULT_PEOPLE,
    DEFAULT_SEED,
    DEFAULT_SEQUENCES,
    DEFAULT_STYLE,
)


def sample(
    directory: Annotated[Path, typer.Argument(help="Where the data set is put.")],
    seed: Annotated[
        int, typer.Option(min=0, help="What everything random comes from.")
    ] = DEFAULT_SEED,
    sequences: Annotated[int, typer.Option(min=1, help="Number of sequences.")] = DEFAULT_SEQUENCES,
    frames: Annotated[int, typer.Option(min=2, help="Frames of each sequence.")] = DEFAULT_FRAMES,
    people: Annotated[int, typer.Option(min=1, help="People present at a time.")] = DEFAULT_PEOPLE,
    style: Annotated[
        str,
        typer.Option(
            help="Look: daylight, overcast, evening, vivid, winter (never trained on), "
            "or mixed (the first four in turn)."
        ),
    ] = DEFAULT_STYLE,
    bags: Annotated[
        bool, typer.Option("--bags", help="Also write ROS 1 bags and ROS 2 MCAP recordings.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes to share the sequences; default two.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print what was made as JSON.")] = False,
) -> None:
    """Make a sample data set in JRDB's layout, or find that the same one is there already.

    The same options give the same bytes on one machine with the same library versions.
    """
    from pydantic import ValidationError

    from avr_ros.sample.sample import ensure_sample
    from avr_ros.sample.specification import SampleSpecification
    from avr_ros.schema.errors import BadInputError

    values: dict[str, Any] = {
        "seed": seed,
        "sequences": sequences,
        "frames": frames,
        "people": people,
        "style": style,
        "bags": bags,
    }
    try:
        specification = SampleSpecification(**values)
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInputError(
            f"option --{first['loc'][0]}: {first['msg']}; see avr sample --help"
        ) from error
    with progress_bar() as bar:
        task = bar.add_task("frames", total=sequences * frames)
        made = ensure_sample(
            directory,
            specification,
            workers,
            lambda done, total: bar.update(task, completed=done, total=total),
        )
    if json:
        print_json(
            {
                "directory": str(made.directory),
                "reused": made.reused,
                "specification": specification.model_dump(),
            }
        )
    else:
        how = "is there already, the same" if made.reused else "made"
        typer.echo(
            f"{made.directory}: {how}: {sequences} sequences of {frames} frames, seed {seed}"
        )
