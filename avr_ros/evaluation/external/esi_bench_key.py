"""The right answers to ESI-Bench's questions."""

from typing import Annotated, Literal

from pydantic import Field

from avr_ros.evaluation.external.esi_bench_question import EsiBenchQuestion
from avr_ros.schema.model import Record


class OptionKey(Record):
    """Position, from 0, of the right option; for a side 0 is left."""

    kind: Literal["option"] = "option"
    index: int = Field(ge=0)


class CountKey(Record):
    """The right number."""

    kind: Literal["count"] = "count"
    value: int = Field(ge=0)


class TextsKey(Record):
    """One text for each blank, object or slot, in the shape's order."""

    kind: Literal["texts"] = "texts"
    texts: tuple[str, ...] = Field(min_length=1)


class OrdersKey(Record):
    """Every order that is accepted."""

    kind: Literal["orders"] = "orders"
    orders: tuple[tuple[str, ...], ...] = Field(min_length=1)


EsiBenchKey = Annotated[OptionKey | CountKey | TextsKey | OrdersKey, Field(discriminator="kind")]
"""Any right answer; ``kind`` tells which."""


class EsiBenchItem(Record):
    """A question with its right answer; only what scores may hold one."""

    question: EsiBenchQuestion
    key: EsiBenchKey
