"""The ``avr`` command: its subcommands, and what an error looks like.

Exit codes: 0 done, 1 failed, 2 bad usage or input. An error that a user can mend is one line on
stderr. Subcommands import what they need when they run, so that the command starts quickly.
"""

import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType
from typing import Any, NoReturn

import typer

from avr_ros.cli.blind import blind
from avr_ros.cli.compare import compare
from avr_ros.cli.estimate import estimate
from avr_ros.cli.evaluate import evaluate
from avr_ros.cli.generate import generate
from avr_ros.cli.inspect import inspect
from avr_ros.cli.judge import judge
from avr_ros.cli.report import report
from avr_ros.cli.sample import sample
from avr_ros.cli.score import score
from avr_ros.cli.up import up

DONE = 0
FAILED = 1
BAD_INPUT = 2

# What typer makes of Ctrl-C where no command has dealt with it.
_INTERRUPTED = 128 + signal.SIGINT

_UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="avr",
    help="Active visual reasoning on recordings: questions, runs, scores and reports.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    up,
    sample,
    generate,
    blind,
    estimate,
    evaluate,
    score,
    judge,
    report,
    compare,
    inspect,
):
    app.command()(command)


def _show_version(wanted: bool) -> None:
    if wanted:
        from avr_ros.evaluation.provenance import package_version

        typer.echo(f"avr_ros {package_version()}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False,
        "--version",
        help="Show the version and end.",
        callback=_show_version,
        is_eager=True,
    ),
) -> None:
    """Options of the command itself."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with ``arguments``, those of the process where none are given.

    Returns the exit code.
    """
    before = signal.signal(signal.SIGTERM, _interrupt)
    # Two layers: an interruption that arrives while an error is being told is still one line.
    try:
        try:
            return _run(arguments)
        finally:
            signal.signal(signal.SIGTERM, before)
    except KeyboardInterrupt:
        return _fail("interrupted", FAILED)


def run() -> NoReturn:
    """Be the process ``avr``: run its command and leave with the exit code.

    An interrupted or impatient command can leave a daemon thread in native code (decoding,
    inference). Python's shutdown aborts the process when such a thread comes back, so where one is
    left, the process ends without it.
    """
    code = main()
    if any(thread.daemon and thread.is_alive() for thread in threading.enumerate()):
        with suppress(BrokenPipeError):
            sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    from avr_ros.schema.errors import AvrError, BadInputError

    try:
        code: Any = app(
            args=None if arguments is None else list(arguments),
            prog_name="avr",
            standalone_mode=False,
        )
        if code == _INTERRUPTED:
            return _fail("interrupted", FAILED)
        return code if isinstance(code, int) else DONE
    except _UsageError as error:
        text = _usage_text(error)
        # Without any argument the help has been shown and there is nothing to say.
        return _fail(text, BAD_INPUT) if text else BAD_INPUT
    except BadInputError as error:
        return _fail(str(error), BAD_INPUT)
    except AvrError as error:
        return _fail(str(error), FAILED)
    except typer.Abort:
        return _fail("interrupted", FAILED)
    except BrokenPipeError:
        # The reader of a pipe has gone, as ``head`` does: nothing more can be written to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Let SIGTERM end a command as Ctrl-C does."""
    raise KeyboardInterrupt


def _usage_text(error: Exception) -> str:
    text = str(getattr(error, "message", "")) or str(error)
    format_message = getattr(error, "format_message", None)
    if format_message is not None:
        text = format_message()
    if not text:
        return ""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "avr"
    return f"{text.rstrip('.')}; see {command} --help"


def _fail(text: str, code: int) -> int:
    print("avr: " + " ".join(text.split()), file=sys.stderr)
    return code


if __name__ == "__main__":
    run()
