"""The checks that a question must pass, by name."""

from __future__ import annotations

from enum import Enum


class Check(str, Enum):
    """Why a question may be rejected, in the order in which the checks are made.

    UNIQUENESS: the description fits nobody or several, or a relation has no clear winner.
    REDERIVATION: the second route to the answer disagrees with the first. VISIBILITY: somebody who
    must be seen cannot be. The others are necessity checks: without the named thing, at least two
    different answers must remain.
    """

    UNIQUENESS = "uniqueness"
    REDERIVATION = "rederivation"
    VISIBILITY = "visibility"
    TEMPORAL = "temporal"
    VIEW = "view"
    MULTI_STEP = "multi_step"
    ANCHOR = "anchor"
    FIRST_HOP = "first_hop"
    SECOND_HOP = "second_hop"


NECESSITY_CHECKS = (
    Check.TEMPORAL,
    Check.VIEW,
    Check.MULTI_STEP,
    Check.ANCHOR,
    Check.FIRST_HOP,
    Check.SECOND_HOP,
)
"""Checks that take something away and try to answer again."""
