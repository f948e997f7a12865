"""Stage ``coverage``: whether the evidence alone says who is meant, and the answer."""

from typing import Any

from avr_ros.reasoning.local.sight.question import ANY_FRAME, search
from avr_ros.reasoning.local.sight.seen import seen_views
from avr_ros.reasoning.local.sight.wanted import Solved
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.coverage import CoverageInputs, CoverageReply, DemandCoverage


def answer(request: StageRequest[Any]) -> CoverageReply:
    """The first demand is who is meant; the others are covered once the question is."""
    inputs = request.inputs
    assert isinstance(inputs, CoverageInputs)
    views = seen_views(inputs.views, request.images)
    found = search(inputs.question, inputs.contract, views, ANY_FRAME, final=False, selected=True)
    who = DemandCoverage(covered=found.who is not None, missing="" if found.who else "the person")
    solved = isinstance(found.next, Solved)
    rest = DemandCoverage(covered=solved, missing="" if solved else "the moment asked about")
    return CoverageReply(demands=(who, *[rest] * (len(inputs.demands) - 1)))
