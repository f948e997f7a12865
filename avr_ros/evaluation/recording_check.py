"""Whether a bag holds everything that a run has produced.

The run's driver says what there is in a manifest; the recorder compares it with what it has
written, and only then the run ends. Numbers are compared, so that nobody has to wait and hope.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import Field

from avr_ros.schema.model import Record


class Manifest(Record):
    """What one start of a run has published, for the recorder to compare.

    ``ledger`` and ``steps`` hold the last sequence number of each episode, ``graphs`` the last
    revision of each episode's world model, ``results`` the attempt of each question that ended.
    """

    session: str
    questions: tuple[str, ...]
    ledger: dict[str, int]
    steps: dict[str, int]
    graphs: dict[str, int]
    results: dict[str, int]
    annotated: int = Field(ge=0)
    report: bool


class RecorderStatus(Record):
    """What the recorder says of itself: its file, the results it had at the start, completeness.

    ``recorded`` holds the attempt of each question whose result, steps and views earlier files
    hold whole. ``confirmed`` is the session whose manifest is fulfilled, else empty, and
    ``missing`` says in words what is not there yet.
    """

    folder: str
    file: str
    recorded: dict[str, int]
    confirmed: str
    missing: tuple[str, ...]


@dataclass
class Recorded:
    """What has been written since the start; counts gaps in numbered messages."""

    questions: set[str] = field(default_factory=set)
    ledger: dict[str, set[int]] = field(default_factory=dict)
    steps: dict[str, set[int]] = field(default_factory=dict)
    graphs: dict[str, int] = field(default_factory=dict)
    results: dict[str, int] = field(default_factory=dict)
    annotated: int = 0
    reports: int = 0

    def add_ledger(self, episode_id: str, number: int) -> None:
        """A ledger record; number 0 stands for exchanges outside of episodes."""
        if number:
            self.ledger.setdefault(episode_id, set()).add(number)

    def add_step(self, episode_id: str, number: int) -> None:
        """A step."""
        self.steps.setdefault(episode_id, set()).add(number)

    def add_graph(self, episode_id: str, revision: int) -> None:
        """A world model."""
        self.graphs[episode_id] = max(revision, self.graphs.get(episode_id, 0))

    @property
    def gaps(self) -> int:
        """Numbered messages that are missing before later ones."""
        return sum(
            max(numbers) - len(numbers)
            for episodes in (self.ledger, self.steps)
            for numbers in episodes.values()
        )

    def missing(self, manifest: Manifest) -> tuple[str, ...]:
        """What the manifest names and was not written, in words; empty where all is there."""
        found: list[str] = []
        _compare(found, "questions", sum(name not in self.questions for name in manifest.questions))
        _compare(found, "ledger records", _lacking(manifest.ledger, self.ledger))
        _compare(found, "steps", _lacking(manifest.steps, self.steps))
        _compare(
            found,
            "world models",
            sum(self.graphs.get(name, 0) < last for name, last in manifest.graphs.items()),
        )
        _compare(
            found,
            "results",
            sum(self.results.get(name, 0) < last for name, last in manifest.results.items()),
        )
        _compare(found, "annotated pictures", max(0, manifest.annotated - self.annotated))
        _compare(found, "reports", int(manifest.report and not self.reports))
        return tuple(found)


def _lacking(wanted: Mapping[str, int], written: Mapping[str, set[int]]) -> int:
    return sum(
        len(set(range(1, last + 1)) - written.get(episode_id, set()))
        for episode_id, last in wanted.items()
    )


def _compare(found: list[str], what: str, lacking: int) -> None:
    if lacking:
        found.append(f"{lacking} {what}")
