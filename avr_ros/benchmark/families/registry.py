"""The families by name."""

from __future__ import annotations

from typing import Final

from avr_ros.benchmark.families.action_boundary import ActionBoundary
from avr_ros.benchmark.families.family import QuestionFamily
from avr_ros.schema.vocabulary import Family

FAMILIES: Final[dict[Family, QuestionFamily]] = {
    Family.ACTION_BOUNDARY: ActionBoundary(),
}
"""Every family, in the vocabulary's order."""
