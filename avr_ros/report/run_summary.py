"""What a run folder holds."""

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from avr_ros.evaluation.journal import to_retry
from avr_ros.evaluation.run_folder import BAG_NAME, HTML_NAME, REPORT_NAME
from avr_ros.evaluation.stored_run import StoredRun
from avr_ros.report.number_text import percent
from avr_ros.report.write_report import make_report


def run_summary(run: StoredRun) -> dict[str, Any]:
    """How far a run is, what it runs and what it scores so far, as JSON values."""
    specification = run.specification
    results = run.results
    retried = [result.question_id for result in results if to_retry(result)]
    report = make_report(run) if results else None
    return {
        "kind": "run",
        "path": str(run.folder),
        "agent": specification.agent,
        "model": specification.model,
        "perception": specification.perception,
        "dataset": specification.dataset,
        "seed": specification.seed,
        "created_at": specification.created_at,
        "questions": len(run.questions),
        "done": len(results),
        "retried_on_resume": len(retried),
        "finished": len(results) == len(run.questions),
        "attempts": len(run.entries),
        "sessions": len({entry.session for entry in run.entries}),
        "files": {
            name: (run.folder / name).exists() for name in (REPORT_NAME, HTML_NAME, BAG_NAME)
        },
        "scores": None
        if report is None
        else {
            "answer": report.answer,
            "evidence": report.evidence,
            "combined": report.combined,
            "conditional_hallucination": report.conditional_hallucination,
        },
        "failures": {} if report is None else report.failures,
        "oracle_perception": specification.oracle_perception,
        "stand_in_model": specification.stand_in_model,
    }


def run_tables(summary: dict[str, Any]) -> RenderableType:
    """A summary as a table."""
    table = Table(title=f"Run {summary['path']}", title_justify="left", show_header=False)
    table.add_column("")
    table.add_column("", overflow="fold")
    marks = [
        name.replace("_", " ") for name in ("oracle_perception", "stand_in_model") if summary[name]
    ]
    table.add_row("agent", summary["agent"])
    table.add_row("model", summary["model"])
    table.add_row("perception", summary["perception"])
    if marks:
        table.add_row("marked", ", ".join(marks))
    table.add_row("data set", summary["dataset"])
    table.add_row("started", summary["created_at"])
    table.add_row("done", f"{summary['done']} of {summary['questions']} questions")
    if summary["retried_on_resume"]:
        table.add_row("to be tried again", str(summary["retried_on_resume"]))
    table.add_row("attempts, starts", f"{summary['attempts']}, {summary['sessions']}")
    for name, value in (summary["scores"] or {}).items():
        table.add_row(name.replace("_", " "), percent(value))
    for name, count in summary["failures"].items():
        table.add_row(name.replace("_", " "), str(count))
    parts: list[RenderableType] = [table]
    if not summary["finished"]:
        parts.append(Text("Run the same command again to go on.", style="yellow"))
    return Group(*parts)
