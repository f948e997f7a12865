"""A question of a comparison, told apart from those of other question files."""

from collections.abc import Sequence
from dataclasses import dataclass

from avr_ros.benchmark.scoring.summary import NO_FAMILY
from avr_ros.schema.question import Question
from avr_ros.schema.vocabulary import Family

FileHashes = tuple[str | None, str | None]
"""Hashes of a questions file and of its keys."""


@dataclass(frozen=True)
class AskedQuestion:
    """A question of one of the files.

    ``files`` are the hashes of its questions and keys file: ids are unique within one file alone.
    ``sequence`` is equal for questions of the same sequence of the same recording.
    """

    files: FileHashes
    question: Question
    sequence: str

    @property
    def question_id(self) -> str:
        """Its id within its file."""
        return self.question.question_id


def by_family(questions: Sequence[AskedQuestion]) -> dict[str, list[int]]:
    """Places of questions by family, in the vocabulary's order, empty families left out."""
    groups: dict[str, list[int]] = {family.value: [] for family in Family}
    groups[NO_FAMILY] = []
    for place, asked in enumerate(questions):
        family = asked.question.family
        groups[NO_FAMILY if family is None else family.value].append(place)
    return {name: places for name, places in groups.items() if places}
