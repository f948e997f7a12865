"""``avr judge``: a run's answers by a judge model: their visual support, or what they say."""

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer


class What(str, Enum):
    """What is judged."""

    SUPPORT = "support"
    MATCH = "match"


def judge(
    run: Annotated[Path, typer.Argument(help="Run folder.", show_default=False)],
    model: Annotated[str, typer.Option(help="The judge; another model than the answering one.")],
    what: Annotated[
        What, typer.Option(help="support: the pictures; match: open answers against the right ones")
    ] = What.SUPPORT,
    keys: Annotated[
        Path | None, typer.Option(help="keys.jsonl; by default where the run had it.")
    ] = None,
    dataset: Annotated[
        Path | None, typer.Option(help="Data set; by default where the run had it.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Grade the pictures of each answering call: 1 decisive, 0.5 open, 0 absent.

    Prints the parts C, GW, P and N of EviSeek, section 5.3. With --what match, answers that are
    not picked from choices are marked from 1 to 5 instead, as LLM-Match of OpenEQA. Grades and
    marks are kept in the run folder, so that an interrupted judgement goes on. A judge that
    grades nothing, or is out of reach five times in a row, ends it with exit code 1.
    """
    from contextlib import closing

    from avr_ros.benchmark.question_files import read_keys
    from avr_ros.cli.output import print_json, print_table
    from avr_ros.evaluation.judge_run import judge_run
    from avr_ros.evaluation.judging_eyes import judging_eyes
    from avr_ros.evaluation.match_run import match_run
    from avr_ros.evaluation.stored_run import load_run
    from avr_ros.reasoning.make_backend import make_backend
    from avr_ros.recordings.open_recording import open_recording
    from avr_ros.report.answer_text import answer_text
    from avr_ros.report.match_table import match_table
    from avr_ros.report.support_table import support_table

    stored = load_run(run)
    data = dataset if dataset is not None else Path(stored.specification.dataset)
    known = read_keys(
        keys if keys is not None else Path(stored.specification.keys), stored.question_set
    )
    if what is What.MATCH:
        with closing(make_backend(model)) as backend:
            matched = match_run(stored, known, backend, answer_text)
        if json:
            print_json(matched.model_dump(mode="json"))
        else:
            print_table(match_table(matched))
        _refuse_silence(model, matched.judge_failures, matched.match.n - matched.unanswered)
        return
    with closing(make_backend(model)) as backend, closing(open_recording(data)) as recording:
        eyes = judging_eyes(model, stored.specification, data)
        judged = judge_run(stored, known, recording, backend, eyes, answer_text)
    if json:
        print_json(judged.model_dump(mode="json"))
    else:
        print_table(support_table(judged))
    _refuse_silence(model, judged.support.judge_failures, judged.asked)


def _refuse_silence(model: str, failures: int, n: int) -> None:
    from avr_ros.evaluation.errors import JudgeSilentError

    if n and failures == n:
        raise JudgeSilentError(
            f"the judge {model} graded none of the {n} answers it was asked about; the reasons "
            "stand beside each in the run folder; the same command asks again where it was "
            "out of reach"
        )
