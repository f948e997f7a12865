"""``avr judge``: whether a run's answers are supported by what was shown to answer them."""

from pathlib import Path
from typing import Annotated

import typer


def judge(
    run: Annotated[Path, typer.Argument(help="Run folder.", show_default=False)],
    model: Annotated[str, typer.Option(help="The judge; another model than the answering one.")],
    keys: Annotated[
        Path | None, typer.Option(help="keys.jsonl; by default where the run had it.")
    ] = None,
    dataset: Annotated[
        Path | None, typer.Option(help="Data set; by default where the run had it.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Grade the pictures of each answering call: 1 decisive, 0.5 open, 0 absent.

    Prints the parts C, GW, P and N of EviSeek, section 5.3. Grades are kept in the run folder, so
    that an interrupted judgement goes on.
    """
    from contextlib import closing

    from avr_ros.benchmark.question_files import read_keys
    from avr_ros.cli.output import print_json, print_table
    from avr_ros.evaluation.judge_run import judge_run
    from avr_ros.evaluation.judging_eyes import judging_eyes
    from avr_ros.evaluation.stored_run import load_run
    from avr_ros.reasoning.make_backend import make_backend
    from avr_ros.recordings.open_recording import open_recording
    from avr_ros.report.answer_text import answer_text
    from avr_ros.report.support_table import support_table

    stored = load_run(run)
    data = dataset if dataset is not None else Path(stored.specification.dataset)
    known = read_keys(
        keys if keys is not None else Path(stored.specification.keys), stored.question_set
    )
    with closing(make_backend(model)) as backend, closing(open_recording(data)) as recording:
        eyes = judging_eyes(model, stored.specification, data)
        judged = judge_run(stored, known, recording, backend, eyes, answer_text)
    if json:
        print_json(judged.model_dump(mode="json"))
    else:
        print_table(support_table(judged))
