"""Writes report.json and report.html of a run."""

from collections.abc import Mapping, Sequence

from avr_ros.evaluation.build_report import build_report, finish_time, running_seconds
from avr_ros.evaluation.run_folder import RunFolder
from avr_ros.evaluation.stored_run import StoredRun, load_run
from avr_ros.recordings.recording import Recording
from avr_ros.report.evidence_picture import EvidencePictures
from avr_ros.report.page import report_page
from avr_ros.report.page_rows import chosen_for_detail, page_rows
from avr_ros.schema.answer_key import AnswerKey
from avr_ros.schema.report import Report


def make_report(run: StoredRun) -> Report:
    """The report of what a run folder holds. Raises BadInputError where it holds no result."""
    return build_report(
        run.specification,
        run.results,
        {question.question_id: question for question in run.questions},
        {item.name: item.frames for item in run.question_set.header.sequences},
        finish_time(run.entries) if run.entries else run.specification.created_at,
        running_seconds(run.entries),
    )


def write_report(
    folder: RunFolder,
    keys: Mapping[str, AnswerKey],
    recording: Recording | None,
    remarks: Sequence[str] = (),
) -> Report:
    """Make a run's report from its folder and write report.html and, of a whole run, report.json.

    ``keys`` may be empty and ``recording`` none: right answers and pictures are then left out;
    ``remarks`` say why. The page of a run that is not finished says so.
    """
    run = load_run(folder.path)
    report = make_report(run)
    whole = report.n == len(run.questions)
    if not whole:
        text = f"This run is not finished: {report.n} of {len(run.questions)} questions are done."
        remarks = [text, *remarks]
    folder.write_html(make_page(run, report, keys, recording, remarks))
    if whole:
        folder.write_report(report)
    return report


def make_page(
    run: StoredRun,
    report: Report,
    keys: Mapping[str, AnswerKey],
    recording: Recording | None,
    remarks: Sequence[str] = (),
) -> str:
    """The page of what a run folder holds, see :func:`write_report`."""
    results = run.results
    chosen = chosen_for_detail(results)
    detailed = [result for result in results if result.question_id in set(chosen)]
    rows = page_rows(
        results,
        {question.question_id: question for question in run.questions},
        keys,
        run.steps(results),
        run.ledgers(detailed),
        EvidencePictures(recording) if recording is not None else None,
        chosen,
    )
    return report_page(report, rows, run.specification, remarks)
