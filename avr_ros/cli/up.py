"""``avr up``: run a set-up's nodes as processes."""

from typing import Annotated

import typer


def up(
    set_up: Annotated[str, typer.Argument(metavar="replay|live", help="What to run.")],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME:=VALUE]...", help="Arguments of the set-up."),
    ] = None,
    show_args: Annotated[
        bool, typer.Option("--show-args", help="List the set-up's arguments and end.")
    ] = False,
) -> None:
    """Run the nodes of a set-up as processes, until it is done or Ctrl-C.

    replay evaluates an agent on recorded data in a ROS domain of its own and ends with the
    report; live answers questions about a panorama topic of the domain in ROS_DOMAIN_ID. The
    arguments are those of the launch file of the same name, shown by --show-args.
    """
    from avr_ros.processes.errors import ArgumentError
    from avr_ros.processes.runner import run
    from avr_ros.processes.set_ups import find_set_up

    found = find_set_up(set_up)
    if show_args:
        for argument in found.arguments:
            default = f" (default: {argument.default})" if argument.default else ""
            typer.echo(f"{argument.name}: {argument.description}{default}")
        return
    given: dict[str, str] = {}
    for text in arguments or ():
        name, separator, value = text.partition(":=")
        if not separator:
            raise ArgumentError(f"{text!r} is not of the form name:=value")
        given[name] = value
    code = run(
        found.processes(given),
        fresh_domain=found.fresh_domain,
        say=lambda line: typer.echo(f"avr: {line}", err=True),
    )
    raise typer.Exit(code)
