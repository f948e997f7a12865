"""What commands print on stdout: JSON or tables."""

import json
from typing import Any

import typer


def print_json(value: Any) -> None:
    """Print a value as JSON, for other programs."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_table(renderable: Any) -> None:
    """Print a table; where stdout is no terminal, without colours and at a fixed width."""
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console = Console(width=200, highlight=False)
    console.print(renderable)
