"""What a sample data set is made from where nothing else is said.

A module without imports, so that the command line can show the values at once.
"""

from typing import Final

DEFAULT_SEED: Final = 7
"""Seed of the sample that ``make replay`` makes; chosen among others for its many questions."""

DEFAULT_SEQUENCES: Final = 4
DEFAULT_FRAMES: Final = 150
DEFAULT_PEOPLE: Final = 25
DEFAULT_STYLE: Final = "mixed"
