"""What an evaluation bag holds."""

from datetime import datetime, timezone
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from avr_ros.benchmark.scoring.summary import rates
from avr_ros.evaluation.bag_reader import EvaluationBag
from avr_ros.report.number_text import percent


def bag_summary(bag: EvaluationBag) -> dict[str, Any]:
    """Topics, counts, gaps and scores of an evaluation bag, as JSON values."""
    scores = rates(list(bag.results.values()))
    return {
        "kind": "evaluation bag",
        "path": str(bag.path),
        "files": [file.name for file in bag.files],
        "damaged_files": list(bag.damaged),
        "first_message_at": _time(bag.first_stamp_ns),
        "last_message_at": _time(bag.last_stamp_ns),
        "topics": [
            {"name": topic.name, "type": topic.type_name, "messages": topic.messages}
            for topic in bag.topics
        ],
        "questions": len(bag.questions),
        "results": len(bag.results),
        "episodes": len(bag.ledgers),
        "missing_ledger_records": bag.missing_records,
        "report": bag.report is not None,
        "scores": scores.model_dump(mode="json") if bag.results else None,
    }


def bag_tables(summary: dict[str, Any]) -> RenderableType:
    """A summary as tables."""
    topics = Table(title=f"Evaluation bag {summary['path']}", title_justify="left")
    topics.add_column("topic", overflow="fold")
    topics.add_column("type", overflow="fold")
    topics.add_column("messages", justify="right")
    for topic in summary["topics"]:
        topics.add_row(topic["name"], topic["type"], f"{topic['messages']:,}")
    table = Table(show_header=False)
    table.add_column("")
    table.add_column("", overflow="fold")
    table.add_row("files", ", ".join(summary["files"]))
    table.add_row("time", f"{summary['first_message_at']} to {summary['last_message_at']}")
    table.add_row("questions", str(summary["questions"]))
    table.add_row("results", str(summary["results"]))
    table.add_row("episodes", str(summary["episodes"]))
    table.add_row("report", "yes" if summary["report"] else "no")
    if summary["scores"] is not None:
        for name in ("answer", "evidence", "combined", "conditional_hallucination"):
            table.add_row(name.replace("_", " "), percent(summary["scores"][name]))
    parts: list[RenderableType] = [topics, table]
    if summary["damaged_files"]:
        names = ", ".join(summary["damaged_files"])
        parts.append(Text(f"Cut off, read up to the last whole chunk: {names}", style="yellow"))
    if summary["missing_ledger_records"]:
        count = summary["missing_ledger_records"]
        parts.append(Text(f"{count} ledger records are missing", style="yellow"))
    return Group(*parts)


def _time(stamp_ns: int) -> str:
    stamp = datetime.fromtimestamp(stamp_ns // 1_000_000_000, timezone.utc)
    return stamp.isoformat(timespec="seconds")
