"""ESI-Bench's questions and what their answers look like, without the right answers.

A question's shape says what may be answered; the key is kept apart (:mod:`esi_bench_key`).
"""

from typing import Annotated, Literal

from pydantic import Field

from avr_ros.schema.model import Record


class Choices(Record):
    """One of ``options``; ``noun`` may follow an option, as in "equilateral triangle"."""

    kind: Literal["choices"] = "choices"
    options: tuple[str, ...] = Field(min_length=1)
    noun: str = ""


class LabelledChoices(Record):
    """One of ``options``, by its id, its text or both ("A. pear")."""

    kind: Literal["labelled_choices"] = "labelled_choices"
    ids: tuple[str, ...] = Field(min_length=1)
    options: tuple[str, ...] = Field(min_length=1)


class Side(Record):
    """Left or right, or the name of the container that stands there, if their names differ."""

    kind: Literal["side"] = "side"
    left: str
    right: str


class Count(Record):
    """A whole number; ``options`` are shown for reference and do not limit it."""

    kind: Literal["count"] = "count"
    options: tuple[int, ...]


class Route(Record):
    """One of each blank's ``options``, in order.

    ``steps`` are all steps of the question, none for a blank; empty where they cannot be read
    from its text.
    """

    kind: Literal["route"] = "route"
    options: tuple[tuple[str, ...], ...] = Field(min_length=1)
    steps: tuple[str | None, ...] = ()


class Order(Record):
    """All ``items`` in some order; several orders may be right."""

    kind: Literal["order"] = "order"
    items: tuple[str, ...] = Field(min_length=2)


class Placement(Record):
    """For each of ``objects`` one of ``containers``."""

    kind: Literal["placement"] = "placement"
    objects: tuple[str, ...] = Field(min_length=1)
    containers: tuple[str, ...] = Field(min_length=1)


class Slots(Record):
    """For each of ``slots`` one of its ``options``."""

    kind: Literal["slots"] = "slots"
    slots: tuple[str, ...] = Field(min_length=1)
    options: tuple[tuple[str, ...], ...] = Field(min_length=1)


AnswerShape = Annotated[
    Choices | LabelledChoices | Side | Count | Route | Order | Placement | Slots,
    Field(discriminator="kind"),
]
"""Any shape of answer; ``kind`` tells which."""


class EsiBenchQuestion(Record):
    """One question as an agent may see it.

    ``actively_evaluated`` is false for the 60 variants of Rigid Containment that ESI-Bench's
    active runner skips.
    """

    question_id: str
    big_task: str
    small_task: str
    scene: str
    room: str
    text: str
    shape: AnswerShape
    actively_evaluated: bool = True

    @property
    def subcategory(self) -> tuple[str, str]:
        """Big and small task; the small one alone is ambiguous, "Spatial Relations" is both."""
        return self.big_task, self.small_task
