"""What a generation of questions is asked for."""

from __future__ import annotations

from typing import Final

from pydantic import Field

from avr_ros.schema.model import Record
from avr_ros.schema.vocabulary import Family

LONGEST_WINDOW: Final = 300
"""Frames of the longest window in which an event is asked for, about twenty seconds."""

SHORTEST_WINDOW: Final = 44
"""Frames of the shortest one: three answers' width after the first."""


class GenerationSettings(Record):
    """Seed, number of questions of each family, families, and the window's length.

    ``window_frames`` none: a length that fits the shortest sequence.
    """

    seed: int = Field(ge=0)
    per_family: int = Field(default=40, ge=1, le=100_000)
    families: tuple[Family, ...] = tuple(Family)
    window_frames: int | None = Field(default=None, ge=SHORTEST_WINDOW, le=10_000)


def window_for(shortest_sequence: int) -> int:
    """The window's length in frames for a data set whose shortest sequence has so many frames."""
    return max(min(shortest_sequence * 4 // 5, LONGEST_WINDOW), SHORTEST_WINDOW)


GENERATOR: Final = "avr_ros generator 7"
"""Name and version of the generator; raised when the same seed would give other questions."""
