"""What a sample data set is made from."""

from __future__ import annotations

from typing import Final

from pydantic import Field, field_validator

from avr_ros.sample.defaults import (
    DEFAULT_FRAMES,
    DEFAULT_PEOPLE,
    DEFAULT_SEED,
    DEFAULT_SEQUENCES,
    DEFAULT_STYLE,
)
from avr_ros.sample.styles import style_names
from avr_ros.schema.model import Record

SAMPLE_VERSION: Final = 7
"""Raised whenever the same specification would give other bytes."""


class SampleSpecification(Record):
    """Everything that decides the bytes of a sample data set.

    The same specification gives the same bytes on one machine with the same library versions.
    ``people`` is the number present at a time; more than that come and go.
    """

    version: int = SAMPLE_VERSION
    seed: int = Field(default=DEFAULT_SEED, ge=0)
    sequences: int = Field(default=DEFAULT_SEQUENCES, ge=1, le=200)
    frames: int = Field(default=DEFAULT_FRAMES, ge=2, le=20_000)
    people: int = Field(default=DEFAULT_PEOPLE, ge=1, le=60)
    style: str = DEFAULT_STYLE
    bags: bool = False

    @field_validator("style")
    @classmethod
    def _known_style(cls, value: str) -> str:
        if value not in style_names():
            raise ValueError(f"unknown style {value!r}: choose one of {', '.join(style_names())}")
        return value
