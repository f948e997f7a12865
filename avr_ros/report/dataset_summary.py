"""What a data set holds: its sequences and the oddities of its labels."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from avr_ros.annotations.annotation_set import AnnotationSet, open_annotations
from avr_ros.annotations.errors import AnnotationError
from avr_ros.annotations.oddities import Oddity
from avr_ros.annotations.survey import Survey, survey
from avr_ros.benchmark.identity import frame_ids_hash
from avr_ros.recordings.open_recording import open_recording
from avr_ros.recordings.recording import NO_STAMP, Recording, SequenceInfo
from avr_ros.schema.errors import AvrError

Advance = Callable[[int, int], None]


def dataset_summary(
    path: Path, topic: str | None, with_labels: bool, advance: Advance
) -> dict[str, Any]:
    """Sequences, frames and stamps of a recording, and label oddities per kind, as JSON values.

    A sequence that cannot be read has its error instead; the others are reported all the same.
    ``advance`` is called with how many of how many sequences are done. Raises RecordingError
    where nothing at the path can be opened.
    """
    recording = open_recording(path, topic, prefetch=False)
    try:
        annotations, labels_remark = _annotations(path) if with_labels else (None, "not read")
        names = recording.sequences()
        sequences = []
        for done, name in enumerate(names):
            advance(done, len(names))
            sequences.append(_sequence(recording, annotations, name))
        advance(len(names), len(names))
        return {
            "kind": "data set",
            "path": str(path),
            "sequences": sequences,
            "labels": labels_remark,
            "oddities": _total(sequences),
            "notices": [notice.message for notice in recording.notices],
        }
    finally:
        recording.close()


def _annotations(path: Path) -> tuple[AnnotationSet | None, str]:
    """The labels at or beside a recording, and where they are or why there are none."""
    root = path if path.is_dir() else path.parent
    try:
        annotations = open_annotations(root)
    except AnnotationError as error:
        return None, str(error)
    return annotations, str(annotations.root)


def _sequence(recording: Recording, annotations: AnnotationSet | None, name: str) -> dict[str, Any]:
    try:
        info = recording.sequence(name)
    except AvrError as error:
        return {"name": name, "error": str(error)}
    found = {"name": name, **_times(info), "notices": [item.message for item in info.notices]}
    if annotations is not None:
        found["labels"] = _labels(survey(annotations, name))
    return found


def _times(info: SequenceInfo) -> dict[str, Any]:
    stamps = info.stamps_us[info.stamps_us != NO_STAMP]
    gaps = np.diff(np.unique(stamps))
    return {
        "frames": len(info.frame_ids),
        "first_frame": int(info.frame_ids[0]) if len(info.frame_ids) else None,
        "last_frame": int(info.frame_ids[-1]) if len(info.frame_ids) else None,
        "frame_ids_sha256": frame_ids_hash(info.frame_ids),
        "first_stamp_us": int(stamps[0]) if len(stamps) else None,
        "last_stamp_us": int(stamps[-1]) if len(stamps) else None,
        "stamps_sha256": frame_ids_hash(info.stamps_us),
        "duration": float(stamps[-1] - stamps[0]) / 1e6 if len(stamps) else None,
        "median_rate": float(1e6 / np.median(gaps)) if len(gaps) else None,
        "width": info.width,
        "height": info.height,
        "stored_as": info.stored_as.value,
    }


def _labels(read: Survey) -> dict[str, Any]:
    return {
        "files": list(read.files),
        "frames": read.frames,
        "boxes": read.people,
        "people": read.tracks,
        "poses": read.poses,
        "heads": read.heads,
        "oddities": read.oddities.as_dict(),
        "faults": list(read.faults),
    }


def _total(sequences: list[dict[str, Any]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for sequence in sequences:
        for kind, count in sequence.get("labels", {}).get("oddities", {}).items():
            total[kind] = total.get(kind, 0) + count
    order = [kind.name.lower() for kind in Oddity]
    return {kind: total[kind] for kind in order if kind in total}


def dataset_tables(summary: dict[str, Any]) -> RenderableType:
    """A summary as tables."""
    table = Table(title=f"Data set {summary['path']}", title_justify="left")
    for name in ("sequence", "frames", "first to last", "first stamp, µs", "last stamp, µs"):
        table.add_column(name, justify="left" if name == "sequence" else "right", overflow="fold")
    for name in ("duration, s", "median rate, Hz", "people", "boxes"):
        table.add_column(name, justify="right")
    for row in summary["sequences"]:
        if "error" in row:
            table.add_row(row["name"], Text(row["error"], style="red"))
            continue
        table.add_row(
            row["name"],
            str(row["frames"]),
            f"{row['first_frame']} to {row['last_frame']}",
            _shown(row["first_stamp_us"]),
            _shown(row["last_stamp_us"]),
            _shown(row["duration"], 2),
            _shown(row["median_rate"], 2),
            _shown(row.get("labels", {}).get("people")),
            _shown(row.get("labels", {}).get("boxes")),
        )
    parts: list[RenderableType] = [table]
    remarks = list(summary["notices"])
    for row in summary["sequences"]:
        remarks += row.get("notices", [])
        remarks += row.get("labels", {}).get("faults", [])
    parts += [Text(remark, style="yellow") for remark in remarks]
    if summary["oddities"]:
        parts.append(_oddities(summary["oddities"]))
    else:
        parts.append(Text(f"Labels: {summary['labels']}"))
    return Group(*parts)


def _oddities(counts: dict[str, int]) -> Table:
    table = Table(title="Oddities of the labels, loaded all the same", title_justify="left")
    table.add_column("what")
    table.add_column("times", justify="right")
    for kind, count in counts.items():
        table.add_row(Oddity[kind.upper()].value, f"{count:,}")
    return table


def _shown(value: float | int | None, decimals: int = 0) -> str:
    return "–" if value is None else f"{value:.{decimals}f}"
